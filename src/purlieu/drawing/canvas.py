"""A tiny SVG writer: elements in, text out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from xml.sax.saxutils import escape, quoteattr

from ..languages import say
from .theme import FONT, PALETTE, Theme

Value = str | float | None
"""Numbers are rounded, None leaves the attribute out, and the name of a colour's role becomes that colour."""

_PAINTS = {"fill": "f", "stroke": "s", "stop-color": "c"}
_PREFIX = "\0"
"""Stands for the drawing's own prefix, which is known only when all else is written."""


class Canvas:
    """A drawing in the making. What is drawn later lies on top."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._body: list[str] = []
        self._definitions: list[str] = []
        self._defined: set[str] = set()
        self._here = self._body
        self._paints_used: set[tuple[str, str]] = set()

    # -- shapes -------------------------------------------------------------------------------

    def draw(self, tag: str, **attributes: Value) -> None:
        """Add an element; ``stroke_width=2`` writes ``stroke-width="2"``."""
        self._here.append(f"<{tag}{self._written(attributes)}/>")

    def circle(self, x: float, y: float, r: float, **attributes: Value) -> None:
        """A circle round a point."""
        self.draw("circle", cx=x, cy=y, r=r, **attributes)

    def rect(self, x: float, y: float, width: float, height: float, **attributes: Value) -> None:
        """A rectangle from its top left corner."""
        self.draw("rect", x=x, y=y, width=width, height=height, **attributes)

    def line(self, x1: float, y1: float, x2: float, y2: float, **attributes: Value) -> None:
        """A straight line."""
        self.draw("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)

    def path(self, d: str, **attributes: Value) -> None:
        """A path in SVG's own notation."""
        self.draw("path", d=d, **attributes)

    def text(self, words: str, x: float, y: float, size: float, **attributes: Value) -> None:
        """A word or a number whose capitals are centred on the height y; unless told, also across x."""
        usual: dict[str, Value] = {"text_anchor": "middle", "font_weight": 500, "fill": "ink"}
        place: dict[str, Value] = {"x": x, "y": y + size * 0.364, "font_size": size}
        written = self._written(place | usual | attributes)
        self._here.append(f"<text{written}>{escape(say(words))}</text>")

    @contextmanager
    def within(self, tag: str = "g", **attributes: Value) -> Iterator[None]:
        """Everything drawn meanwhile goes inside an element."""
        self._here.append(f"<{tag}{self._written(attributes)}>")
        yield
        self._here.append(f"</{tag}>")

    def beneath(self, draw: Callable[[], None]) -> None:
        """Draw under all that is drawn already: a ground whose size is known only at the end."""
        self._here = []
        draw()
        self._body[:0] = self._here
        self._here = self._body

    # -- definitions --------------------------------------------------------------------------

    def define(self, name: str, tag: str, draw: Callable[[], None], **attributes: Value) -> str:
        """The address of a definition, which is written the first time it is asked for."""
        address = f"{_PREFIX}-{name}"
        if name not in self._defined:
            self._defined.add(name)
            outer, self._here = self._here, []
            with self.within(tag, id=address, **attributes):
                draw()
            self._definitions.append("".join(self._here))
            self._here = outer
        return f"#{address}"

    def stamp(self, name: str, x: float, y: float, draw: Callable[[], None], **attributes: Value) -> None:
        """Draw something round (x, y); `draw` draws it round (0, 0), once for all its copies."""
        self.draw("use", href=self.define(name, "g", draw), x=x, y=y, **attributes)

    def pattern(self, name: str, width: float, height: float, draw: Callable[[], None], **attributes: Value) -> str:
        """A fill that repeats a small drawing."""
        tile: dict[str, Value] = {"patternUnits": "userSpaceOnUse", "width": width, "height": height}
        return f"url({self.define(name, 'pattern', draw, **tile, **attributes)})"

    # -- the whole ----------------------------------------------------------------------------

    def finish(self, width: float, height: float, shown_at: float, title: str, description: str) -> str:
        """The SVG. Its ids begin with a hash of all it holds, so drawings can share a page."""
        words = (
            f'<title id="{_PREFIX}-title">{escape(title)}</title><desc id="{_PREFIX}-desc">{escape(description)}</desc>'
        )
        definitions = f"<defs>{''.join(self._definitions)}</defs>" if self._definitions else ""
        attributes: dict[str, Value] = {
            "id": _PREFIX,
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {number(width)} {number(height)}",
            "width": width * shown_at,
            "height": height * shown_at,
            "role": "img",
            "aria_labelledby": f"{_PREFIX}-title {_PREFIX}-desc",
            "font_family": FONT,
        }
        inside = words + self._style() + definitions + "".join(self._body)
        drawing = f"<svg{self._written(attributes)}>{inside}</svg>\n"
        return drawing.replace(_PREFIX, "p" + sha256(drawing.encode()).hexdigest()[:10])

    def _style(self) -> str:
        """The dark tones, for a theme that follows the reader's; attributes give the light ones."""
        if not self.theme.follows_reader:
            return ""
        rules = [
            f".{_PREFIX}{_PAINTS[name]}-{role}{{{name}:{PALETTE[role][1]}}}"
            for name, role in sorted(self._paints_used)
            if PALETTE[role][0] != PALETTE[role][1]
        ]
        return f"<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>"

    def _written(self, attributes: dict[str, Value]) -> str:
        written, classes = [], []
        for key, value in attributes.items():
            name = key.replace("_", "-")
            if value is None:
                continue
            if name in _PAINTS and (colour := self.theme.colour(str(value))):
                self._paints_used.add((name, str(value)))
                classes.append(f"{_PREFIX}{_PAINTS[name]}-{value}")
                value = colour
            written.append(f" {name}={quoteattr(value if isinstance(value, str) else number(value))}")
        if classes and self.theme.follows_reader:
            written.append(f' class="{" ".join(classes)}"')
        return "".join(written)


def number(value: float) -> str:
    """A number as short as two decimals allow: ``3``, ``4.25``."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
