"""How a Pyloff pyramid is printed: its levels side by side, the lowest first, their bottom rows aligned."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text

from purlieu.rules import Colour, Message, Point, Position
from purlieu.rules.board import column_letter
from purlieu.rules.pieces import Marble
from purlieu.rules.pyloff import PyloffPosition, valid_points

from .board import NO_MARKS, POINTED, QUIET, STYLES, Marks, piece_cell, side_glyph
from .screen import Glyphs, beside, said

_GROUND = "on color(94)"
_GAP = 2


def pyramid_board(position: Position, glyphs: Glyphs, marks: Marks = NO_MARKS, width: int = 80) -> list[Text]:
    """Every level that holds a marble or can take one, as many side by side as the width allows."""
    assert isinstance(position, PyloffPosition)
    points = position.pyramid.points
    playable = {points[at] for at in valid_points(position.pyramid, position.board)}
    marbles = {piece.at: piece for piece in position.pieces() if isinstance(piece, Marble)}
    shown = {*playable, *marbles, *(spot for spot in marks.pointed if isinstance(spot, Point) and spot in points)}
    highest = max((point.level for point in shown), default=1)
    levels = [_level(position.size, level, playable, marbles, glyphs, marks) for level in range(1, highest + 1)]
    strips: list[list[Text]] = []
    used = 0
    for level in levels:
        needed = max(line.cell_len for line in level)
        if strips and used + _GAP + needed <= width:
            strips[-1] = _beside_on_the_ground(strips[-1], level)
            used += _GAP + needed
        else:
            strips.append(level)
            used = needed
    lines = [line for strip in strips for line in (*strip, Text())]
    return lines[:-1]


def legend(glyphs: Glyphs, width: int = 80) -> list[Text]:
    """What the characters mean, in as many lines as the width needs."""
    black, white = (side_glyph(colour, glyphs) for colour in (Colour.BLACK, Colour.WHITE))
    under = "".join(side_glyph(colour, glyphs, buried=True) for colour in (Colour.BLACK, Colour.WHITE))
    stones = said(
        Message(
            "legend.stones",
            "{black} Black  {white} White  {buried} buried  {point} valid point",
            black=black,
            white=white,
            buried=under,
            point=glyphs.empty,
        )
    )
    marks = said(Message("legend.marks", "[{last}] last move  {gone} just captured", last=black, gone=glyphs.gone))
    together = f"{stones}  {marks}"
    return [Text(line, style=QUIET) for line in ([together] if cell_len(together) <= width else [stones, marks])]


def _level(
    size: int, level: int, playable: set[Point], marbles: dict[Point, Marble], glyphs: Glyphs, marks: Marks
) -> list[Text]:
    """One level: a heading, its rows from the top, and the letters of its columns."""
    side = size - level + 1
    margin = 3 if side > 9 else 2
    name = (
        Message("level", "level {level}", level=level) if side > 3 else Message("level.short", "L{level}", level=level)
    )
    lines = [Text.assemble(" " * margin, (said(name), "bold"))]
    for row in range(side, 0, -1):
        line = Text.assemble((f"{row:>{margin - 1}} ", QUIET))
        before, before_style = " ", ""
        for column in range(1, side + 1):
            point = Point(column, row, level)
            left, right, style = _edges(point, marks)
            edge = (left, style) if left != " " else (before, before_style)
            line.append(edge[0], f"{edge[1]} {_GROUND}".strip())
            _append_point(line, point, playable, marbles, glyphs, marks)
            before, before_style = right, style
        line.append(before, f"{before_style} {_GROUND}".strip())
        lines.append(line)
    letters = " ".join(column_letter(column) for column in range(1, side + 1))
    return [*lines, Text.assemble((f"{' ' * margin} {letters} ", QUIET))]


def _edges(point: Point, marks: Marks) -> tuple[str, str, str]:
    if point in marks.pointed:
        return ">", "<", POINTED
    if point in marks.last:
        return "[", "]", "bold"
    return " ", " ", ""


def _append_point(
    line: Text, point: Point, playable: set[Point], marbles: dict[Point, Marble], glyphs: Glyphs, marks: Marks
) -> None:
    if marble := marbles.get(point):
        cell = piece_cell(marble, glyphs, 1)
        line.append(cell.face, cell.style)
    elif point in marks.gone:
        line.append(glyphs.gone, STYLES[marks.gone[point]])
    elif point in playable:
        line.append(glyphs.empty, f"color(180) {_GROUND}")
    else:
        line.append(" ", _GROUND)


def _beside_on_the_ground(left: list[Text], right: list[Text]) -> list[Text]:
    """Side by side with the bottom rows in line, as the levels of a pyramid stand on each other."""
    missing = len(left) - len(right)
    return beside(left, [*([Text()] * missing), *right], gap=_GAP)
