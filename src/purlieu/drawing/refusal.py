"""Why not here? The drawn reason of a refusal."""

from __future__ import annotations

from math import hypot

from ..rules.board import Point, Square
from ..rules.errors import Refusal, Rule
from ..rules.pieces import Block, Piece
from .canvas import Canvas
from .geometry import HALF, Board, Spot, outline
from .marbles import radius
from .men import BLOCK, DISK

_WAYS = {Rule.BLOCKED, Rule.NOT_IN_LINE, Rule.UNEQUAL_HEIGHTS}
"""The rules about a way from one square to another."""
_FORMATIONS = {Rule.MOUND, Rule.BARRICADE}


def draw_refusal(canvas: Canvas, board: Board, refusal: Refusal, pieces: tuple[Piece, ...]) -> None:
    """The squares that the reason names, in a dashed line; crosses where the fault lies.

    A mound's or a barricade's blocks that do not stand there are drawn as hatched ghosts: the one
    that the capture would leave, and those of the ring round the board.
    """
    squares = [nearest(board, at) for at in refusal.squares if isinstance(at, Square)]
    points = [at for at in refusal.squares if isinstance(at, Point)]
    if refusal.rule in _FORMATIONS:
        stones = {piece.at for piece in pieces if isinstance(piece, Block)}
        for square in squares:
            if square not in stones:
                draw_ghost_block(canvas, *board.centre(square))
    if refusal.rule in _WAYS:
        if len(set(squares)) > 1:  # c3xc3 goes nowhere
            draw_way(canvas, board.centre(squares[0]), board.centre(squares[-1]))
        for square in squares:
            dashed(canvas, outline(board, [square]))
    else:
        dashed(canvas, outline(board, squares))
    for point in points:
        x, y = spot(board, point)
        r = radius(point.level) - 1
        dashed(canvas, f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 1 {2 * r:g} 0a{r:g} {r:g} 0 1 1 {-2 * r:g} 0Z")
    for square in faults(refusal.rule, squares):
        x, y = board.centre(square)
        draw_cross(canvas, x, y, 11)
    for point in points:
        draw_cross(canvas, *spot(board, point), 7.5)


def faults(rule: Rule, squares: list[Square]) -> list[Square]:
    """The squares to cross out: what blocks a way, the block that must not be, or else all of them."""
    if rule is Rule.BLOCKED:
        return squares[1:-1]
    if rule in _FORMATIONS or rule in _WAYS:
        return []
    return squares


def leaves_board(board: Board, refusal: Refusal | None) -> tuple[bool, bool, bool, bool]:
    """On which sides the marks need room beyond the board: left, top, right, bottom."""
    spots = [spot(board, at) for at in refusal.squares] if refusal else []
    return (
        any(x < board.left + HALF for x, _ in spots),
        any(y < board.top + HALF for _, y in spots),
        any(x > board.left + board.side - HALF for x, _ in spots),
        any(y > board.bottom - HALF for _, y in spots),
    )


def nearest(board: Board, square: Square) -> Square:
    """The square, or if it lies beyond the ring, the ring square nearest to it."""
    return Square(min(max(square.column, 0), board.size + 1), min(max(square.row, 0), board.size + 1))


def spot(board: Board, at: Square | Point) -> Spot:
    """Where its mark goes."""
    return board.brought_near(board.centre(at))


# -- the marks ----------------------------------------------------------------------------------


def dashed(canvas: Canvas, d: str) -> None:
    """A dashed line that shows on anything."""
    canvas.path(d, fill="none", stroke="halo", stroke_width=6.4, stroke_linejoin="round", opacity=0.9)
    canvas.path(d, fill="none", stroke="refusal", stroke_width=3.2, stroke_linejoin="round", stroke_dasharray="9 5")


def draw_cross(canvas: Canvas, x: float, y: float, arm: float) -> None:
    """A bold cross."""
    d = f"M{x - arm:g} {y - arm:g}L{x + arm:g} {y + arm:g}M{x - arm:g} {y + arm:g}L{x + arm:g} {y - arm:g}"
    canvas.path(d, stroke="halo", stroke_width=arm * 0.4 + 5, stroke_linecap="round")
    canvas.path(d, stroke="refusal", stroke_width=arm * 0.4 + 1, stroke_linecap="round")


def draw_way(canvas: Canvas, start: Spot, target: Spot) -> None:
    """The way that is refused: a dotted line from the edge of what would move to the edge of its target."""
    (x0, y0), (x1, y1) = start, target
    length = hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / length * (DISK + 5), (y1 - y0) / length * (DISK + 5)
    line = (x0 + dx, y0 + dy, x1 - dx, y1 - dy)
    canvas.line(*line, stroke="halo", stroke_width=7.5, stroke_linecap="round")
    canvas.line(*line, stroke="refusal", stroke_width=4, stroke_linecap="round", stroke_dasharray="0.1 8")


def draw_ghost_block(canvas: Canvas, x: float, y: float) -> None:
    """A block that does not stand there: see-through and hatched."""

    def hatching() -> None:
        canvas.rect(0, 0, 2.6, 7, fill="stone-shade")

    hatch = canvas.pattern("hatch", 7, 7, hatching, patternTransform="rotate(45)")
    where = x - BLOCK / 2, y - BLOCK / 2, BLOCK, BLOCK
    canvas.rect(*where, rx=4.5, fill="stone", opacity=0.4)
    canvas.rect(*where, rx=4.5, fill=hatch, stroke="stone-shade", stroke_width=1.6, opacity=0.9)
