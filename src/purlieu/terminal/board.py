"""How a position is printed. Squares are cells of equal width, with coordinates round them.

Marks stand beside what they mark and replace the space there, so they need no colour: ``[●]`` is
the last move, ``>●<`` is what a refusal points at. Where the fill tells the colour, in Pentwall, the last move's mark
leaves half of it: ``[W█``, ``[w╱``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.text import Text

from purlieu.rules import Colour, Move, Point, Position, Square
from purlieu.rules.board import column_letter
from purlieu.rules.moves import Capture, Paint, Place
from purlieu.rules.pieces import Block, Disk, Marble, Painted, Piece, Stack, lifted

from .screen import Glyphs, said

Spot = Square | Point

STYLES: dict[Colour, str] = {
    **{Colour.BLUE: "bold dodger_blue2", Colour.ORANGE: "bold dark_orange"},
    **{Colour.SOLID: "bold dodger_blue2", Colour.STRIPED: "bold dark_orange"},
    **{Colour.BLACK: "bold grey0 on color(94)", Colour.WHITE: "bold bright_white on color(94)"},
}
WORDS = {**STYLES, Colour.BLACK: "bold", Colour.WHITE: "bold"}
"""How the colours' names are written: black and white need a ground, and sentences have none."""
_ON_BLUE = "bold bright_white on dodger_blue2"
QUIET = "grey50"
POINTED = "bold red"


@dataclass(frozen=True, slots=True)
class Marks:
    """What to point out on a board."""

    last: frozenset[Spot] = frozenset()
    """The squares of the last move: ``[●]``, and ``[W█`` in Pentwall."""
    pointed: frozenset[Spot] = frozenset()
    """The squares that a refusal points at: ``>●<``. On Petrify's ring, the ring is drawn as well."""
    gone: Mapping[Point, Colour] = field(default_factory=dict)
    """Marbles that the last move captured; they stay as ghosts for one turn."""
    ghost: Mapping[Square, str] = field(default_factory=dict)
    """A pentomino held over the board: its squares and its letter."""


NO_MARKS = Marks()


def last_move_marks(before: Position | None, move: Move | None, after: Position) -> Marks:
    """The marks of the move that led from one position to the other; none at the start of a game."""
    match move:
        case Place(at):
            last: frozenset[Spot] = frozenset({at})
        case Capture(start, target):
            last = frozenset({start, target})
        case Paint(_, squares):
            last = frozenset(squares)
        case _:
            return NO_MARKS
    if before is None:
        return Marks(last)
    gone = {marble.at: marble.colour for marble in lifted(before.pieces(), after.pieces())}
    return Marks(last, gone=gone)


def name_width(colours: Sequence[Colour], least: int) -> int:
    """How wide a column of the colours' names is."""
    return max(least, *(cell_len(said(colour.title)) for colour in colours))


# -- cells ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cell:
    """What is drawn on one square: a face, and what fills the space to its left and right."""

    face: str
    style: str = ""
    fill: str = " "
    fill_style: str = ""
    fill_tells: bool = False
    """Whether the fill tells the colour, so that the mark of the last move must not cover all of it."""


def piece_cell(piece: Piece, glyphs: Glyphs, width: int) -> Cell:
    """How a piece looks on a cell whose face has that width."""
    match piece:
        case Disk(_, colour):
            return Cell(side_glyph(colour, glyphs), STYLES[colour])
        case Stack(_, colour, height):
            return Cell(f"{side_glyph(colour, glyphs)}{height}", STYLES[colour])
        case Block():
            return Cell(glyphs.block * width, QUIET, glyphs.block, QUIET)
        case Painted(_, Colour.SOLID, letter):
            return Cell(letter, _ON_BLUE, glyphs.block, STYLES[Colour.SOLID], fill_tells=True)
        case Painted(_, colour, letter):
            return Cell(letter.lower(), STYLES[colour], glyphs.stripe, STYLES[colour], fill_tells=True)
        case Marble(_, colour, buried):
            return Cell(side_glyph(colour, glyphs, buried=buried), STYLES[colour])


def side_glyph(colour: Colour, glyphs: Glyphs, *, buried: bool = False) -> str:
    """The shape that stands for a colour. In ASCII, Petrify and Pilo say ``b`` and ``o``, Pyloff ``X`` and ``O``."""
    if glyphs.first == "X" and colour in (Colour.BLUE, Colour.ORANGE):
        return str(colour.value)[0]
    if colour in (Colour.BLUE, Colour.SOLID, Colour.BLACK):
        return glyphs.first_buried if buried else glyphs.first
    return glyphs.second_buried if buried else glyphs.second


# -- flat boards ----------------------------------------------------------------------------------


def flat_board(position: Position, glyphs: Glyphs, marks: Marks = NO_MARKS) -> list[Text]:
    """A board of squares: Petrify, Pilo and Pentwall."""
    width = 2 if position.game == "pilo" else 1
    cells = {piece.at: piece_cell(piece, glyphs, width) for piece in position.pieces()}
    for square, letter in marks.ghost.items():
        taken = square in cells
        cells[square] = Cell("!" if taken else letter, POINTED if taken else "bold", glyphs.ghost, QUIET)
    size = position.size
    ring = any(not (1 <= spot.column <= size and 1 <= spot.row <= size) for spot in marks.pointed)
    span = range(0, size + 2) if ring else range(1, size + 1)
    wall = Cell(glyphs.block * width, QUIET, glyphs.block, QUIET)
    empty = Cell(glyphs.empty.ljust(width), QUIET)

    def cell(square: Square) -> Cell:
        on_board = 1 <= square.column <= size and 1 <= square.row <= size
        return cells.get(square, empty) if on_board else wall

    return grid_lines(span, span, cell, marks, width)


def grid_lines(
    columns: range, rows: range, cell: Callable[[Square], Cell], marks: Marks = NO_MARKS, width: int = 1
) -> list[Text]:
    """Squares with coordinates on all four sides, the top row first. Faces are `width` characters wide."""
    letters = "".join(f" {'' if _on_ring(column, columns) else column_letter(column):<{width}} " for column in columns)
    heading = Text.assemble((f"   {letters}", QUIET))
    lines = [heading]
    for row in reversed(rows):
        number = "" if _on_ring(row, rows) else str(row)
        line = Text.assemble((f"{number:>2} ", QUIET))
        for column in columns:
            _append_cell(line, Square(column, row), cell(Square(column, row)), marks, width)
        lines.append(line.append(f" {number}", style=QUIET))
    return [*lines, heading]


def _append_cell(line: Text, square: Square, cell: Cell, marks: Marks, width: int) -> None:
    left = right = (cell.fill, cell.fill_style)
    if square in marks.pointed:
        left, right = (">", POINTED), ("<", POINTED)
    elif square in marks.last:
        left, right = ("[", "bold"), right if cell.fill_tells else ("]", "bold")
    line.append(*left)
    line.append(cell.face.ljust(width), cell.style)
    line.append(*right)


def _on_ring(line: int, lines: range) -> bool:
    """Whether that row or column is the ring's, which has no coordinate. It is there if row 0 is."""
    return lines[0] == 0 and line in (0, lines[-1])
