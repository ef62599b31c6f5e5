"""Charts as SVG by hand, on paper that is light or dark as the reader's screen is: panels of lines, rows of intervals.

What draws gives a list of SVG's elements; `svg` makes a picture of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.sax.saxutils import escape

LIGHT = ("#ffffff", "#1f2933", "#9fb3c8", "#2a6fb0", "#b5651d", "#2f7d4b", "#8a4fa3")
DARK = ("#14181d", "#e4e7eb", "#52606d", "#6cb2f2", "#f0a35e", "#6fce93", "#cf9be6")
"""Paper, ink, what is pale, and the lines."""
LINES = len(LIGHT) - 3
LOW, HIGH = 24.0, 70.0
"""Of a panel's height: what is above its plot, for the heading, and what is taken off in all."""
ARROW = 16
"""How far an arrow reaches that says: or more."""
ROW = 26
"""How high a row with an interval is."""

Place = Callable[[float, float], tuple[float, float]]
"""Where a point lies on the paper."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a panel: points, and how far each may be off, from and to; an end that is open is None.

    A point that is itself an end is only a bound: it is hollow, and the line to it dashed. With many points, none of
    them open, the spans are one `band` along the line.
    """

    name: str
    points: Sequence[tuple[float, float]]
    spans: Sequence[tuple[float | None, float | None]] = ()
    band: Sequence[tuple[float, float]] = ()


def svg(width: float, height: float, parts: Iterable[str]) -> str:
    """The picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="system-ui, sans-serif" font-size="12" class="ink">\n'
        f"<style>{_style(LIGHT)}@media (prefers-color-scheme: dark) {{{_style(DARK)}}}</style>\n"
        f'<rect width="{width}" height="{height}" class="paper"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _style(colours: Sequence[str]) -> str:
    paper, ink, pale, *lines = colours
    rules = [f".paper{{fill:{paper}}}", f".ink{{fill:{ink}}}", f".pale{{stroke:{pale};fill:none}}"]
    for at, colour in enumerate(lines):
        rules += [f".line{at}{{stroke:{colour};fill:none}}", f".dot{at}{{fill:{colour}}}"]
        rules.append(f".hollow{at}{{stroke:{colour};fill:{paper}}}")
    return "".join(rules)


def text(x: float, y: float, words: str, anchor: str, size: int = 12) -> str:
    """A line of words, on its baseline."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def thinned(points: Sequence[tuple[float, float]], most: int = 300) -> Sequence[tuple[float, float]]:
    """About so many points of a line at the most, at equal steps."""
    return points[:: max(1, math.ceil(len(points) / most))]


def panel(
    left: float,
    top: float,
    width: float,
    height: float,
    lines: Sequence[Line],
    label: str,
    heading: str,
    *,
    least: float | None = None,
    most: float | None = None,
    levels: Sequence[tuple[float, str]] = (),
    mark: tuple[float, str] | None = None,
) -> list[str]:
    """Axes, lines with dots where there are few, and their names.

    The vertical axis goes from `least` to `most` or as far as the lines do. Levels are lines across with a name each,
    and the mark is one upwards.
    """
    high = height - HIGH
    parts = [text(left, top + 8, heading, "start"), text(left + width / 2, top + height - 14, label, "middle")]
    lines = [line for line in lines if line.points]
    if not lines:
        return [*parts, text(left + width / 2, top + high / 2 + LOW, "nothing yet", "middle")]
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points] + [y for y, _ in levels]
    ys += [y for line in lines for span in (*line.spans, *line.band) for y in span if y is not None]
    scale = ticks(min(ys) if least is None else least, max(ys) if most is None else most)
    first, last = min(0.0, *xs), max(xs)

    def at(x: float, y: float) -> tuple[float, float]:
        across = (x - first) / ((last - first) or 1)
        up = (y - scale[0]) / ((scale[-1] - scale[0]) or 1)
        return left + width * across, top + LOW + high * (1 - up)

    for tick in scale:
        y = at(first, tick)[1]
        parts.append(f'<path d="M{left:.1f} {y:.1f}H{left + width:.1f}" class="pale" stroke-dasharray="2 4"/>')
        parts.append(text(left - 6, y + 4, f"{tick:g}", "end"))
    for tick in ticks(first, last, 4):
        if first <= tick <= last:
            parts.append(text(at(tick, 0)[0], top + LOW + high + 16, f"{tick:g}", "middle"))
    for level, name in levels:
        y = at(first, level)[1]
        parts.append(f'<path d="M{left:.1f} {y:.1f}H{left + width:.1f}" class="pale" stroke-width="1.5"/>')
        parts.append(text(left + width, y - 3, name, "end", 10))
    if mark is not None:
        x, _ = at(mark[0], 0)
        parts.append(f'<path d="M{x:.1f} {top + LOW:.1f}v{high:.1f}" class="pale" stroke-width="1.5"/>')
        parts.append(text(x - 4, top + LOW + 10, mark[1], "end", 10))
    for number, line in enumerate(lines):
        parts += _drawn(line, number % LINES, at)
        parts.append(
            f'<text x="{left + width:.1f}" y="{top + 8 + 15 * number:.1f}" text-anchor="end" '
            f'class="dot{number % LINES}">{escape(line.name)}</text>'
        )
    return parts


def _drawn(line: Line, colour: int, at: Place) -> list[str]:
    """A line, and the intervals of its points with the points, if it has any."""
    places = [at(x, y) for x, y in line.points]
    if line.spans:
        return _with_spans(line, colour, at, places)
    parts = []
    if line.band:
        edge = [(x, high) for (x, _), (_, high) in zip(line.points, line.band, strict=True)]
        edge += [(x, low) for (x, _), (low, _) in zip(line.points, line.band, strict=True)][::-1]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in (at(*end) for end in edge))
        parts.append(f'<path d="M{path}Z" class="dot{colour}" fill-opacity="0.15"/>')
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    parts.append(f'<path d="M{path}" class="line{colour}" stroke-width="2"/>')
    dots = places if len(places) == 1 else []
    return [*parts, *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="dot{colour}"/>' for x, y in dots)]


def _with_spans(line: Line, colour: int, at: Place, places: Sequence[tuple[float, float]]) -> list[str]:
    parts = []
    bounds = [y in span and None in span for (_, y), span in zip(line.points, line.spans, strict=True)]
    for index, ((x, y), (to_x, to_y)) in enumerate(pairwise(places)):
        dashes = ' stroke-dasharray="5 4"' if bounds[index] or bounds[index + 1] else ""
        path = f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"
        parts.append(f'<path d="{path}" class="line{colour}" stroke-width="2"{dashes}/>')
    for (x, _), (low, high), (across, middle), bound in zip(line.points, line.spans, places, bounds, strict=True):
        bottom = middle + ARROW if low is None else at(x, low)[1]
        peak = middle - ARROW if high is None else at(x, high)[1]
        stem = f"M{across:.1f} {bottom:.1f}V{peak:.1f}"
        stem += "" if high is not None else "m-4 5l4 -5l4 5"
        stem += "" if low is not None else f"M{across - 4:.1f} {bottom - 5:.1f}l4 5l4 -5"
        parts.append(f'<path d="{stem}" class="line{colour}"/>')
        kind = "hollow" if bound else "dot"
        parts.append(f'<circle cx="{across:.1f}" cy="{middle:.1f}" r="3.5" class="{kind}{colour}"/>')
    return parts


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers from below the lowest to above the highest.

    >>> ticks(3, 97)
    [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    """
    span = max(high - low, abs(high) * 1e-6, 1e-9)
    rough = span / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [step * at for at in range(math.floor(low / step), math.ceil(high / step) + 1)]


def interval_rows(
    left: float, top: float, width: float, rows: Sequence[tuple[str, float, float, float, str]]
) -> list[str]:
    """A row for each name, value, ends of its interval and word: a dot on a line, between the name and the word."""
    low = min((row[2] for row in rows), default=0.0)
    span = max(max((row[3] for row in rows), default=0.0) - low, 1.0)
    parts = []
    for number, (name, *values, word) in enumerate(rows):
        y = top + ROW * number
        at, begin, end = (left + width * (value - low) / span for value in values)
        parts.append(text(left - 24, y + 4, name, "end"))
        parts.append(f'<path d="M{begin:.1f} {y:.1f}H{end:.1f}" class="line0" stroke-width="2"/>')
        parts.append(f'<circle cx="{at:.1f}" cy="{y:.1f}" r="4" class="dot0"/>')
        parts.append(text(end + 8, y + 4, word, "start"))
    return parts
