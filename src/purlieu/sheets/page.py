"""A page measured in millimetres from its top left corner, drawn by ReportLab.

Only this file speaks to ReportLab, which has no types; what is drawn is plain: lines, boxes, circles, words.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..kit.suggestions import did_you_mean
from ..languages import say, spoken
from ..rules import Message, PurlieuError
from ..rules.messages import listed
from ..rules.notation import shown

PAPERS: dict[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of each paper, in millimetres."""

MARGIN = 12.0
"""Printers leave up to 10 mm blank; nothing is drawn closer to the paper's edge than this."""

BLACK, DARK, MIDDLE, LIGHT = 0.0, 0.32, 0.55, 0.78
"""The inks, from 0 (black) to 1 (the paper)."""

POINTS_PER_MM = 72 / 25.4

Segment = tuple[float, float, float, float]


def find_paper(name: str) -> tuple[str, tuple[float, float]]:
    """The paper of that name, in any case; a near miss is told the right name."""
    wanted = name.strip().lower()
    if wanted in PAPERS:
        return wanted, PAPERS[wanted]
    papers = Message("sheets.papers", "the papers are {papers}", papers=listed([*PAPERS]))
    hint = did_you_mean(wanted, PAPERS, papers, cutoff=0.5)
    raise PurlieuError("sheets.no_paper", "there is no paper called {name}; {hint}", name=shown(name), hint=hint)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the page; `top` is its distance from the page's top."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height

    def inset(self, by: float) -> Box:
        """The box that lies `by` inside this one on every side."""
        return Box(self.left + by, self.top + by, self.width - 2 * by, self.height - 2 * by)


class Page:
    """One page. Lengths are millimetres, except the sizes of type and the weights of lines, which are points."""

    def __init__(self, width: float, height: float) -> None:
        try:
            from reportlab.pdfbase.pdfmetrics import stringWidth  # type: ignore[import-untyped]
            from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]
        except ImportError:
            raise PurlieuError(
                "sheets.needs_reportlab",
                "a sheet needs ReportLab: pip install reportlab (or install purlieu with its extra print)",
            ) from None
        self._string_width: Any = stringWidth
        self._file = io.BytesIO()
        self._canvas: Any = Canvas(
            self._file,
            pagesize=(width * POINTS_PER_MM, height * POINTS_PER_MM),
            invariant=1,  # no time stamp and no random id: the same sheet is the same bytes
            pageCompression=1,
            lang=spoken(),
        )
        # One unit is a millimetre from here on; heights are turned over in `_up`.
        self._canvas.scale(POINTS_PER_MM, POINTS_PER_MM)
        self._height = height
        self.area = Box(0, 0, width, height).inset(MARGIN)

    def describe(self, *, title: str, author: str, subject: str) -> None:
        """What a reader shows about the document."""
        self._canvas.setTitle(say(title))
        self._canvas.setAuthor(author)
        self._canvas.setSubject(say(subject))
        self._canvas.setCreator("purlieu")

    def pdf(self) -> bytes:
        """The finished document."""
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()

    def lines(self, segments: Iterable[Segment], *, weight: float = 0.5, ink: float = BLACK) -> None:
        """Straight lines."""
        self._pen(weight, ink)
        self._canvas.lines([(x1, self._up(y1), x2, self._up(y2)) for x1, y1, x2, y2 in segments])

    def line(self, x1: float, y1: float, x2: float, y2: float, *, weight: float = 0.5, ink: float = BLACK) -> None:
        """One straight line."""
        self.lines([(x1, y1, x2, y2)], weight=weight, ink=ink)

    def polygon(self, corners: Sequence[tuple[float, float]], *, weight: float = 0.5, ink: float = BLACK) -> None:
        """A closed outline with sharp corners."""
        self._pen(weight, ink)
        path = self._canvas.beginPath()
        path.moveTo(corners[0][0], self._up(corners[0][1]))
        for x, y in corners[1:]:
            path.lineTo(x, self._up(y))
        path.close()
        self._canvas.drawPath(path)

    def box(self, box: Box, *, weight: float = 0.5, ink: float = BLACK, fill: float | None = None) -> None:
        """A box's outline, and its inside where a fill is given; a weight of 0 draws no outline."""
        self._pen(weight, ink)
        self._canvas.setFillGray(1.0 if fill is None else fill)
        self._canvas.rect(
            box.left, self._up(box.bottom), box.width, box.height, stroke=int(weight > 0), fill=int(fill is not None)
        )

    def circle(
        self, x: float, y: float, radius: float, *, weight: float = 0.5, ink: float = BLACK, fill: float | None = None
    ) -> None:
        """A circle; a weight of 0 draws no outline."""
        self._pen(weight, ink)
        self._canvas.setFillGray(1.0 if fill is None else fill)
        self._canvas.circle(x, self._up(y), radius, stroke=int(weight > 0), fill=int(fill is not None))

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 9,
        bold: bool = False,
        ink: float = BLACK,
        align: Literal["left", "centre", "right"] = "left",
    ) -> None:
        """Words in the reader's language, whose baseline is at `y`, and which begin, are centred or end at `x`."""
        width = self.text_width(words, size=size, bold=bold)
        start = x - {"left": 0.0, "centre": width / 2, "right": width}[align]
        self._canvas.setFillGray(ink)
        self._canvas.setFont(_font(bold), size / POINTS_PER_MM)
        self._canvas.drawString(start, self._up(y), say(words))

    def text_width(self, words: str, *, size: float = 9, bold: bool = False) -> float:
        """How wide the words come out."""
        return float(self._string_width(say(words), _font(bold), size)) / POINTS_PER_MM

    def wrapped(self, words: str, width: float, *, size: float, indent: float = 0.0) -> list[str]:
        """The words broken into lines no wider than `width`, the first of which starts after `indent`."""
        lines: list[str] = [""]
        for word in say(words).split():
            longer = f"{lines[-1]} {word}".strip()
            room = width - indent if len(lines) == 1 else width
            if self.text_width(longer, size=size) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _pen(self, weight: float, ink: float) -> None:
        self._canvas.setStrokeGray(ink)
        self._canvas.setLineWidth(weight / POINTS_PER_MM)

    def _up(self, y: float) -> float:
        return self._height - y


def cap_height(size: float) -> float:
    """How tall a capital of that size stands, to centre words by."""
    return 0.718 * size / POINTS_PER_MM


def _font(bold: bool) -> str:
    return "Helvetica-Bold" if bold else "Helvetica"
