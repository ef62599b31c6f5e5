"""The sheet round the pieces: the card, the ruled board, the coordinates."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.board import column_letter
from ..rules.errors import Refusal
from .canvas import Canvas
from .geometry import HALF, UNIT, Board
from .refusal import leaves_board

PADDING = 16.0


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the board lies on the card, and what lies round it."""

    board: Board
    numbers_at: float
    """The middle of the column of numbers."""
    letters_at: float
    """The middle of the row of letters."""
    left: float
    """The left edge and the width of whatever goes below the board."""
    width: float
    bottom: float
    """Where that begins."""

    @property
    def card_width(self) -> float:
        """The width of the card."""
        return self.left * 2 + self.width


def lay_out(size: int, refusal: Refusal | None, coordinates: bool, least_width: float) -> Frame:
    """Room for the board, for its coordinates, and for what a refusal marks beyond its edge."""
    strip = coordinate_size(size) * 1.55 if coordinates else 0.0
    left, top, right, bottom = (UNIT * beyond for beyond in leaves_board(Board(size, 0, 0), refusal))
    across = strip + left + size * UNIT + right
    width = max(across, least_width)
    x = PADDING + (width - across) / 2
    board = Board(size, x + strip + left, PADDING + top)
    below = board.bottom + bottom
    return Frame(
        board=board,
        numbers_at=x + strip / 2 - 2,
        letters_at=below + strip / 2 + 1,
        left=PADDING,
        width=width,
        bottom=below + strip,
    )


def coordinate_size(size: int) -> float:
    """The height of the coordinates' figures: larger boards are shown smaller, so theirs are drawn larger."""
    return min(max(15.0, size * UNIT * 0.034), 26.0)


def draw_card(canvas: Canvas, width: float, height: float) -> None:
    """The card that everything lies on."""
    canvas.rect(0.5, 0.5, width - 1, height - 1, rx=10, fill="card", stroke="card-edge", stroke_width=1)


def draw_ground(canvas: Canvas, board: Board) -> None:
    """The ground of a board of squares."""
    canvas.rect(board.left, board.top, board.side, board.side, fill="board")


def draw_rules(canvas: Canvas, board: Board) -> None:
    """The lines between the squares, and the frame."""
    steps = [step * UNIT for step in range(1, board.size)]
    across = "".join(f"M{board.left:g} {board.top + step:g}h{board.side:g}" for step in steps)
    down = "".join(f"M{board.left + step:g} {board.top:g}v{board.side:g}" for step in steps)
    canvas.path(across + down, stroke="grid", stroke_width=1.2, fill="none")
    canvas.rect(board.left, board.top, board.side, board.side, fill="none", stroke="frame", stroke_width=2)


def draw_plate(canvas: Canvas, board: Board) -> None:
    """A board of points: a plate with round corners."""
    canvas.rect(
        board.left, board.top, board.side, board.side, rx=HALF / 2, fill="board", stroke="frame", stroke_width=2
    )


def draw_coordinates(canvas: Canvas, frame: Frame) -> None:
    """Letters below the board, numbers on its left."""
    board = frame.board
    size = coordinate_size(board.size)
    for at in range(1, board.size + 1):
        middle = (at - 0.5) * UNIT
        canvas.text(column_letter(at), board.left + middle, frame.letters_at, size, fill="muted")
        canvas.text(str(at), frame.numbers_at, board.bottom - middle, size, fill="muted")
