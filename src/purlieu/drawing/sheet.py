"""Pentwall's sheet: painted pentominoes, solid against striped, and the common pool of twelve."""

from __future__ import annotations

from ..rules.board import Square
from ..rules.errors import BadNotation
from ..rules.notation import LETTERS
from ..rules.pentwall import SHAPES
from ..rules.pieces import Painted, Piece
from ..rules.seats import Colour
from .canvas import Canvas
from .geometry import HALF, UNIT, Board, outline
from .theme import theme_named

POOL_COLUMNS = 6
POOL_ROW = 50.0
POOL_CELL = 9.5


def draw_sheet(canvas: Canvas, board: Board, pieces: tuple[Piece, ...]) -> None:
    """Every painted pentomino: its paint, a thick outline, and its letter once, faintly."""
    for (letter, colour), squares in pentominoes(pieces).items():
        d = outline(board, squares)
        canvas.path(d, fill=paint(canvas, colour))
        inner = inner_edges(board, squares)
        canvas.path(inner, stroke="card", stroke_width=1, opacity=0.35, fill="none")
        canvas.path(d, fill="none", stroke="ink", stroke_width=2.8, stroke_linejoin="round")
        x, y = board.centre(middle_square(squares))
        draw_letter(canvas, x, y, colour, letter)


def pentominoes(pieces: tuple[Piece, ...]) -> dict[tuple[str, Colour], list[Square]]:
    """The squares of each painted pentomino."""
    found: dict[tuple[str, Colour], list[Square]] = {}
    for piece in pieces:
        if isinstance(piece, Painted):
            found.setdefault((piece.letter, piece.colour), []).append(piece.at)
    return found


def paint(canvas: Canvas, colour: Colour, pitch: int = 8) -> str:
    """Solid's plain fill, or Striped's diagonal stripes, of which one and the gap after it are `pitch` wide."""
    if colour is Colour.SOLID:
        return "solid"

    def stripes() -> None:
        canvas.rect(0, 0, pitch, pitch, fill="striped-ground")
        canvas.rect(0, 0, pitch / 2, pitch, fill="striped")

    return canvas.pattern(f"stripes-{pitch}", pitch, pitch, stripes, patternTransform="rotate(45)")


def draw_letter(canvas: Canvas, x: float, y: float, colour: Colour, letter: str) -> None:
    """The letter, quiet: pale on solid paint, on a pale spot on stripes."""
    if colour is Colour.SOLID:
        canvas.text(letter, x, y, 17, fill="blue-sign", font_weight=600, opacity=0.8)
    else:
        canvas.circle(x, y, 11.5, fill="striped-ground")
        canvas.text(letter, x, y, 17, fill="striped", font_weight=600)


def inner_edges(board: Board, squares: list[Square]) -> str:
    """The edges that two of the squares share."""
    d = []
    for square in squares:
        x, y = board.corner(square)
        if Square(square.column + 1, square.row) in squares:
            d.append(f"M{x + UNIT:g} {y:g}v{UNIT:g}")
        if Square(square.column, square.row + 1) in squares:
            d.append(f"M{x:g} {y:g}h{UNIT:g}")
    return "".join(d)


def middle_square(squares: list[Square]) -> Square:
    """The one of the squares that is nearest to the middle of them all."""
    column = sum(square.column for square in squares) / len(squares)
    row = sum(square.row for square in squares) / len(squares)
    return min(squares, key=lambda square: ((square.column - column) ** 2 + (square.row - row) ** 2, square))


# -- the pool -----------------------------------------------------------------------------------


def draw_pool(canvas: Canvas, board: Board, pieces: tuple[Piece, ...], top: float) -> float:
    """The twelve pentominoes below the sheet; used ones keep their place, painted and crossed out. The height used."""
    users = {piece.letter: piece.colour for piece in pieces if isinstance(piece, Painted)}
    width = board.side / POOL_COLUMNS
    for at, letter in enumerate(LETTERS):
        x = board.left + at % POOL_COLUMNS * width
        y = top + at // POOL_COLUMNS * POOL_ROW
        user = users.get(letter)
        canvas.text(letter, x + 10, y + POOL_ROW / 2, 15, fill="muted" if user else "ink", font_weight=600)
        mid_x, mid_y = x + 10 + width / 2, y + POOL_ROW / 2
        with canvas.within(opacity=0.62 if user else None):
            draw_small(canvas, mid_x, mid_y, POOL_CELL, letter, user)
        if user:
            reach = 17
            d = f"M{mid_x - reach:g} {mid_y + reach:g}L{mid_x + reach:g} {mid_y - reach:g}"
            d += f"M{mid_x - reach:g} {mid_y - reach:g}L{mid_x + reach:g} {mid_y + reach:g}"
            canvas.path(d, stroke="halo", stroke_width=4, stroke_linecap="round", opacity=0.8)
            canvas.path(d, stroke="ink", stroke_width=1.6, stroke_linecap="round")
    return (len(LETTERS) + POOL_COLUMNS - 1) // POOL_COLUMNS * POOL_ROW


def draw_small(canvas: Canvas, x: float, y: float, cell: float, letter: str, colour: Colour | None) -> None:
    """A pentomino round (x, y), in a colour or blank."""
    rows = SHAPES[letter]
    left, top = x - len(rows[0]) * cell / 2, y - len(rows) * cell / 2
    fill = paint(canvas, colour, pitch=max(4, round(cell * 0.3))) if colour else "board"
    for down, row in enumerate(rows):
        for across, mark in enumerate(row):
            if mark == "#":
                where = left + across * cell, top + down * cell
                canvas.rect(*where, cell, cell, fill=fill, stroke="ink", stroke_width=1.1)


def pentomino_svg(letter: str, *, colour: Colour | None = None, theme: str = "light", scale: int = 24) -> str:
    """One pentomino on its own, for a tray or a page of text; blank unless a colour is given."""
    if letter not in SHAPES:
        raise BadNotation(
            "drawing.no_pentomino",
            "there is no pentomino {letter}; they are {letters}",
            letter=repr(letter),
            letters=", ".join(SHAPES),
        )
    rows = SHAPES[letter]
    cell, edge = HALF, 3.0
    width, height = len(rows[0]) * cell + 2 * edge, len(rows) * cell + 2 * edge
    canvas = Canvas(theme_named(theme))
    draw_small(canvas, width / 2, height / 2, cell, letter, colour)
    painted = f", {colour.value}" if colour else ""
    return canvas.finish(
        width, height, scale / cell, f"Pentomino {letter}{painted}", "Five squares joined by their edges."
    )
