"""The mark of the last move, told by its shape."""

from __future__ import annotations

from math import hypot

from ..rules.board import Point, Square
from ..rules.moves import Capture, Move, Paint, Pass, Place, Swap
from ..rules.pieces import Marble, lifted
from ..rules.position import Position
from .canvas import Canvas
from .geometry import HALF, Board, Spot, outline
from .marbles import radius
from .men import DISK


def mark_last_move(canvas: Canvas, board: Board, move: Move, position: Position, before: Position | None) -> None:
    """Brackets round what came, an arrow from the block that a capture left, a double line round what was painted."""
    match move:
        case Place(Point() as point):
            for marble in lifted(before.pieces() if before else (), position.pieces()):
                draw_ghost_marble(canvas, board, marble)
            draw_ring(canvas, board, point)
        case Place(Square() as square):
            draw_brackets(canvas, board, square)
        case Capture(start, target):
            draw_brackets(canvas, board, target)
            draw_arrow(canvas, board.centre(start), board.centre(target))
        case Paint(_, squares):
            d = outline(board, squares)
            canvas.path(d, fill="none", stroke="ink", stroke_width=7, stroke_linejoin="round")
            canvas.path(d, fill="none", stroke="halo", stroke_width=2.4, stroke_linejoin="round")
        case Pass() | Swap():
            draw_tag(canvas, board, str(move))


def draw_brackets(canvas: Canvas, board: Board, square: Square) -> None:
    """A square's four corners."""
    (x, y), inset, arm = board.centre(square), HALF - 2.6, 9.0
    d = "".join(
        f"M{x + a * inset:g} {y + b * (inset - arm):g}V{y + b * inset:g}H{x + a * (inset - arm):g}"
        for a in (-1, 1)
        for b in (-1, 1)
    )
    canvas.path(d, fill="none", stroke="halo", stroke_width=5.5, stroke_linejoin="round", stroke_linecap="round")
    canvas.path(d, fill="none", stroke="ink", stroke_width=3, stroke_linejoin="round", stroke_linecap="round")


def draw_arrow(canvas: Canvas, start: Spot, target: Spot) -> None:
    """A capture's way: from a dot on the new block to the edge of the man that moved."""
    (x0, y0), (x1, y1) = start, target
    length = hypot(x1 - x0, y1 - y0)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    tip = length - DISK - 0.5
    neck = tip - 9.5

    def along(way: float, aside: float = 0) -> str:
        return f"{x0 + ux * way - uy * aside:.2f} {y0 + uy * way + ux * aside:.2f}"

    head = f"M{along(tip)}L{along(neck, 6.2)}L{along(neck, -6.2)}Z"
    shaft = f"M{along(0)}L{along(neck + 1)}"
    with canvas.within(stroke="halo", stroke_linejoin="round", fill="halo"):
        canvas.path(shaft, stroke_width=6.4)
        canvas.path(head, stroke_width=4)
        canvas.circle(x0, y0, 5.6, stroke_width=3)
    canvas.path(shaft, stroke="ink", stroke_width=3)
    canvas.path(head, fill="ink")
    canvas.circle(x0, y0, 5.2, fill="ink")


def draw_ring(canvas: Canvas, board: Board, point: Point) -> None:
    """A ring round the marble that was played."""
    x, y = board.centre(point)
    r = radius(point.level) + 1.4
    canvas.circle(x, y, r, fill="none", stroke="halo", stroke_width=6.4)
    canvas.circle(x, y, r, fill="none", stroke="ink", stroke_width=3)


def draw_ghost_marble(canvas: Canvas, board: Board, marble: Marble) -> None:
    """A captured marble: hollow and dashed where it stood."""
    x, y = board.centre(marble.at)
    r = radius(marble.at.level) - 3
    canvas.circle(x, y, r, fill="none", stroke="halo", stroke_width=4.5, opacity=0.8)
    canvas.circle(x, y, r, fill="none", stroke="ink", stroke_width=2, stroke_dasharray="6 4.5")


def draw_tag(canvas: Canvas, board: Board, word: str) -> None:
    """A pass or a swap happens nowhere: a tab on the board's upper edge says it."""
    width, height = 14 + 7.6 * len(word), 14.5
    x, y = board.left + board.side - width - 8, board.top - height
    d = f"M{x:g} {board.top:g}v{4 - height:g}q0 -4 4 -4h{width - 8:g}q4 0 4 4v{height - 4:g}Z"
    canvas.path(d, fill="ink")
    canvas.text(word, x + width / 2, y + height / 2, 11.5, fill="card", font_weight=600)
