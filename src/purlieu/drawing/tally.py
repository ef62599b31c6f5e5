"""The ledger as a small table below the board: a line an entry, then the totals."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..languages import say
from ..rules.ledger import Entry, Ledger, Marbles, Patch, Territory, marbles_of
from ..rules.messages import Message, commas
from ..rules.seats import Colour
from .canvas import Canvas
from .icons import ICON, draw_icon
from .overlay import label, tint

NARROWEST = 290.0
"""The least width in which the table stays readable."""
ROW = 21.0
TEXT = 13.5
FIGURE = 8.2
"""About the width of one figure."""
COUNTS_AT: dict[type[Entry], float] = {Patch: 65.0, Territory: 88.0, Marbles: 65.0}
"""Where the counts begin, by what is counted."""
LAST_COLUMN = 70.0
"""The room kept for the last column."""
LEVELS_WIDTH = 340.0
"""A table of levels needs no more."""
ASIDE = 20.0
"""Between two columns of lines."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number of one colour: a group's size, squares that touch, marbles; `times` such numbers."""

    colour: Colour
    amount: int
    times: int = 1
    struck_out: bool = False
    figures: int = 1
    """At least so many figures wide, so that columns of counts stand in line."""

    @property
    def lead(self) -> float:
        """The room before its sign, for ``3×``."""
        return FIGURE * len(f"{self.times}×") + 2 if self.times > 1 else 0

    @property
    def width(self) -> float:
        """The room it takes in a line."""
        return self.lead + ICON + 4 + FIGURE * max(len(str(self.amount)), self.figures)


Together = tuple[Count, ...]
"""Counts that stay side by side: a pair struck out, or one alone."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table."""

    name: str
    owner: Colour | None
    amount: int
    counts: tuple[Together, ...]
    words: str


def draw_tally(canvas: Canvas, ledger: Ledger, width: float) -> float:
    """The table, from (0, 0) down; the height it takes."""
    lines, names, counts_at = lines_of(ledger), headings(ledger), COUNTS_AT[kind_of(ledger)]
    if kind_of(ledger) is Marbles:
        columns, column = [lines], min(width, LEVELS_WIDTH)
    else:
        columns, column = in_columns(lines, width, counts_at)
    bottoms = [
        draw_column(canvas, names, part, at * (column + ASIDE), column, counts_at) for at, part in enumerate(columns)
    ]
    y = max(bottoms) + 5
    canvas.line(0, y, width, y, stroke="frame", stroke_width=1.2)
    draw_totals(canvas, ledger, y + 7 + ROW / 2)
    return y + 7 + ROW


# -- what the lines say -------------------------------------------------------------------------


def lines_of(ledger: Ledger) -> list[Line]:
    """A line for each patch, each territory, or each level of marbles."""
    if any(isinstance(entry, Marbles) for entry in ledger.entries):
        return _levels(ledger)
    return [_line(label(at), entry) for at, entry in enumerate(ledger.entries)]


def _line(name: str, entry: Entry) -> Line:
    counts: tuple[Together, ...] = ()
    if isinstance(entry, Patch):
        counts = _left(entry) + _struck_out(entry)
    elif isinstance(entry, Territory):
        counts = tuple((Count(colour, len(squares), figures=2),) for colour, squares in entry.touching.items())
    words = Message("count.nobody", "nobody")
    if entry.owner:
        words = Message("count.owner", "{owner} {points}", owner=entry.owner.title, points=entry.points)
    return Line(name, entry.owner, len(entry.squares), counts, words)


def _left(patch: Patch) -> tuple[Together, ...]:
    """The groups that stay, equal ones counted together, biggest first."""
    sizes = Counter((group.colour, group.size) for group in patch.left)
    return tuple((Count(colour, size, times),) for (colour, size), times in sizes.items())


def _struck_out(patch: Patch) -> tuple[Together, ...]:
    """The pairs that cancel, equal ones counted together, biggest first: ``3×`` stands before both of a pair."""
    sizes = Counter(one.size for one, _ in patch.struck_out)
    return tuple(
        (Count(Colour.BLUE, size, times, struck_out=True), Count(Colour.ORANGE, size, struck_out=True))
        for size, times in sizes.items()
    )


def _levels(ledger: Ledger) -> list[Line]:
    lines = []
    marbles = [entry for entry in ledger.entries if isinstance(entry, Marbles)]
    for level in sorted({entry.level for entry in marbles}):
        here = {entry.owner: entry for entry in marbles if entry.level == level}
        counts = tuple((Count(c, here[c].points if c in here else 0, figures=3),) for c in ledger.colours)
        buried = [marbles_of(colour, len(entry.buried)) for colour, entry in here.items() if entry.buried]
        amount = sum(entry.points for entry in here.values())
        lines.append(Line(str(level), None, amount, counts, commas(buried)))
    return lines


def kind_of(ledger: Ledger) -> type[Entry]:
    """What the entries are."""
    return type(ledger.entries[0]) if ledger.entries else Patch


def headings(ledger: Ledger) -> tuple[Message, ...]:
    """The names of the columns."""
    size, owner = Message("tally.size", "size"), Message("tally.owner", "goes to")
    if kind_of(ledger) is Territory:
        return Message("tally.territory", "territory"), size, Message("tally.touching", "touching"), owner
    if kind_of(ledger) is Patch:
        return Message("tally.patch", "patch"), size, Message("tally.groups", "groups"), owner
    every, colours = Message("tally.all", "all"), Message("tally.by_colour", "by colour")
    return Message("tally.level", "level"), every, colours, Message("tally.buried", "buried")


# -- how they look ------------------------------------------------------------------------------


def in_columns(lines: list[Line], width: float, counts_at: float) -> tuple[list[list[Line]], float]:
    """The lines in two columns where that saves much height, else in one; and a column's width."""
    narrow = (width - ASIDE) / 2
    rows = [rows_in(line, narrow - counts_at) for line in lines]
    cut = next(at for at in range(len(lines) + 1) if sum(rows[:at]) * 2 >= sum(rows))
    in_one = sum(rows_in(line, width - counts_at) for line in lines)
    if len(lines) > 6 and width > NARROWEST * 1.3 and sum(rows[:cut]) < in_one * 0.75:
        return [lines[:cut], lines[cut:]], narrow
    return [lines], width


def rows_in(line: Line, width: float) -> int:
    """How many rows a line takes, where that much is left for its counts and the last column."""
    return len(in_rows(line.counts, width - LAST_COLUMN))


def in_rows(counts: tuple[Together, ...], width: float) -> list[list[tuple[float, Together]]]:
    """The counts broken into rows, each with its place from the left."""
    rows: list[list[tuple[float, Together]]] = [[]]
    x = 0.0
    for together in counts:
        if rows[-1] and x + width_of(together) > width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, together))
        x += width_of(together) + 8
    return rows


def width_of(together: Together) -> float:
    """The room of counts side by side."""
    return sum(count.width for count in together) + 6 * (len(together) - 1)


def draw_column(
    canvas: Canvas, names: tuple[str, ...], lines: list[Line], left: float, width: float, counts_at: float
) -> float:
    """A heading and some lines; the height where they end."""
    y = ROW / 2
    places = ((left, "start"), (left + counts_at - 11, "end"), (left + counts_at, "start"), (left + width, "end"))
    for name, (x, anchor) in zip(names, places, strict=True):
        canvas.text(name, x, y, 10.5, fill="muted", text_anchor=anchor)
    y += ROW
    for line in lines:
        y += ROW * draw_line(canvas, line, left, y, width, counts_at)
    return y - ROW / 2


def draw_line(canvas: Canvas, line: Line, left: float, y: float, width: float, counts_at: float) -> int:
    """One entry; how many rows it takes."""
    tag, right = (18.0 if len(line.name) == 1 else 24.0), left + width
    halo = {"stroke": "halo", "stroke_linejoin": "round", "paint_order": "stroke"}
    canvas.rect(left, y - 8.5, tag, 17, rx=4, fill=tint(canvas, line.owner), stroke="ink", stroke_width=1.1)
    canvas.text(line.name, left + tag / 2, y, 12.5, font_weight=600, stroke_width=3, **halo)
    canvas.text(str(line.amount), left + counts_at - 11, y, TEXT, text_anchor="end")
    tone = "ink" if line.owner else "muted"
    canvas.text(line.words, right, y, TEXT, text_anchor="end", font_weight=600, fill=tone)
    rows = in_rows(line.counts, width - counts_at - LAST_COLUMN)
    for down, row in enumerate(rows):
        for x, together in row:
            draw_together(canvas, together, left + counts_at + x, y + down * ROW)
    return len(rows)


def draw_together(canvas: Canvas, together: Together, left: float, y: float) -> None:
    """Counts side by side; a pair struck out is pale, with a pen's stroke through it."""
    x = left
    for count in together:
        with canvas.within(opacity=0.62 if count.struck_out else None):
            at = x + count.lead
            if count.times > 1:
                canvas.text(f"{count.times}×", at - 3, y, TEXT, text_anchor="end", fill="muted")
            draw_icon(canvas, at + ICON / 2, y, count.colour)
            canvas.text(str(count.amount), at + ICON + 4, y, TEXT, text_anchor="start")
        x += count.width + 6
    if together[0].struck_out:
        canvas.line(left - 1, y + 4.5, x - 5, y - 4.5, stroke="ink", stroke_width=1.5, stroke_linecap="round")


def draw_totals(canvas: Canvas, ledger: Ledger, y: float) -> None:
    """The score."""
    canvas.text(Message("tally.total", "Total"), 0, y, TEXT, text_anchor="start", fill="muted")
    x = COUNTS_AT[kind_of(ledger)]
    for colour, total in ledger.totals.items():
        words = say(Message("count.owner", "{owner} {points}", owner=colour.title, points=total))
        draw_icon(canvas, x + ICON / 2, y, colour)
        canvas.text(words, x + ICON + 5, y, TEXT + 1.5, text_anchor="start", font_weight=600)
        x += ICON + 5 + 9.2 * len(words) + 12
