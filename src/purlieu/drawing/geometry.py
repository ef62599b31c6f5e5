"""Where things lie on the sheet. One square is 48 units wide; rows count upward, the sheet's y downward."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..rules.board import Point, Square
from .canvas import number

UNIT = 48.0
"""A square's side."""
HALF = UNIT / 2

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Board:
    """A board's place on the sheet: its side in squares, and its top left corner."""

    size: int
    left: float
    top: float

    @property
    def side(self) -> float:
        """The board's side in units."""
        return self.size * UNIT

    @property
    def bottom(self) -> float:
        """The height of its lower edge."""
        return self.top + self.side

    def corner(self, square: Square) -> Spot:
        """A square's top left corner."""
        return self.left + (square.column - 1) * UNIT, self.bottom - square.row * UNIT

    def centre(self, at: Square | Point) -> Spot:
        """The middle of a square; a point of level k lies (k-1)/2 squares further in than level 1's."""
        shift = (at.level - 1) / 2 if isinstance(at, Point) else 0
        return (
            self.left + (at.column - 0.5 + shift) * UNIT,
            self.bottom - (at.row - 0.5 + shift) * UNIT,
        )

    def brought_near(self, spot: Spot) -> Spot:
        """The spot, or if it lies beyond the ring round the board, the nearest middle of a ring square."""
        x, y = spot
        return (
            min(max(x, self.left - HALF), self.left + self.side + HALF),
            min(max(y, self.top - HALF), self.bottom + HALF),
        )


def outline(board: Board, squares: Iterable[Square]) -> str:
    """The path round a set of squares, holes included; corners only, no points along a straight side."""
    inside = set(squares)
    # Every edge with the set on its right and not on its left, by the corner it starts from.
    edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for column, row in sorted(inside):
        sides = (
            ((0, 1), (column, row), (column + 1, row)),
            ((1, 0), (column + 1, row), (column + 1, row - 1)),
            ((0, -1), (column + 1, row - 1), (column, row - 1)),
            ((-1, 0), (column, row - 1), (column, row)),
        )
        for (across, up), start, end in sides:
            if Square(column + across, row + up) not in inside:
                edges.setdefault(start, []).append(end)
    loops = []
    while edges:
        loops.append(_corners(_follow(edges)))
    return "".join(
        "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (_grid_corner(board, at) for at in loop)) + "Z"
        for loop in loops
    )


def _follow(edges: dict[tuple[int, int], list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Take one closed loop out of the edges. Where two loops touch at a corner, turn right: they stay apart."""
    start = min(edges)
    loop = [start]
    while True:
        ends = edges[loop[-1]]
        end = max(ends, key=lambda end: _right_turn(loop, end))
        ends.remove(end)
        if not ends:
            del edges[loop[-1]]
        if end == start:
            return loop
        loop.append(end)


def _right_turn(loop: list[tuple[int, int]], end: tuple[int, int]) -> int:
    if len(loop) < 2:
        return 0
    (x0, y0), (x1, y1), (x2, y2) = loop[-2], loop[-1], end
    return (y1 - y0) * (x2 - x1) - (x1 - x0) * (y2 - y1)


def _corners(loop: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The loop's corners alone."""
    following = zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True)
    return [here for before, here, after in following if (before[0] == after[0]) == (before[1] == after[1])]


def _grid_corner(board: Board, at: tuple[int, int]) -> Spot:
    """Grid corner (c, r) is the top left corner of the square in column c, row r."""
    return board.corner(Square(*at))
