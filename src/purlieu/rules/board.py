"""Squares, points, and the ringed square board: geometry that knows no game's rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

BIGGEST_SIDE = 19
"""No board of ours is larger, so no square lies beyond ``s19``."""


class Square(NamedTuple):
    """A square by column and row, both from 1: ``Square(3, 4)`` is ``c4``.

    Columns and rows 0 and n+1 lie on the ring round a board of side n. Such squares can be
    pointed at, and print as ``@4``, ``c0``, but no move names them.
    """

    column: int
    row: int

    def __str__(self) -> str:
        return f"{column_letter(self.column)}{self.row}"


class Point(NamedTuple):
    """A point of a Pyloff pyramid: ``Point(3, 3, 2)`` is ``2c3``; on level 1 the level is not written."""

    column: int
    row: int
    level: int

    def __str__(self) -> str:
        level = "" if self.level == 1 else str(self.level)
        return f"{level}{column_letter(self.column)}{self.row}"


def column_letter(column: int) -> str:
    """The letter of a column counted from 1; no letter is skipped. The ring's column 0 is ``@``."""
    return chr(ord("a") + column - 1) if column else "@"


EMPTY, FIRST_COLOUR, SECOND_COLOUR, BLOCK = range(4)
"""What a square holds. The two colours are in the order in which they begin."""
_TAKEN = 255
"""What no square holds: it marks those that a region has already."""


@dataclass(frozen=True)
class Grid:
    """The geometry of a board of side `size` inside its ring, which is one square wide.

    A square is an index into (size+2)² bytes, row by row from the bottom. The ring spares every
    walk its bounds test; in Petrify it is also the rule: there it holds blocks.
    """

    size: int
    width: int
    inside: tuple[int, ...]
    """The board's squares in the order a1, b1, …, a2, b2, …"""
    squares: tuple[Square, ...]
    """The square at each index, ring included."""
    orthogonal: tuple[int, int, int, int]
    """Steps north, east, south, west."""
    eight_ways: tuple[int, ...]
    """Steps north, north-east, and on clockwise."""

    def index(self, square: Square) -> int:
        """Where that square stands in the bytes of the board."""
        return square.row * self.width + square.column

    def holds(self, square: Square) -> bool:
        """Whether the square is on the board (the ring is not)."""
        return 1 <= square.column <= self.size and 1 <= square.row <= self.size

    def step_towards(self, start: Square, target: Square) -> int | None:
        """The one of the eight steps that leads from start to target, if they are in line."""
        across, up = target.column - start.column, target.row - start.row
        if (across, up) == (0, 0) or (across and up and abs(across) != abs(up)):
            return None
        return sign(up) * self.width + sign(across)


@cache
def grid(size: int) -> Grid:
    """The grid of that size, made once."""
    width = size + 2
    north, east = width, 1
    south, west = -north, -east
    return Grid(
        size=size,
        width=width,
        inside=tuple(row * width + column for row in range(1, size + 1) for column in range(1, size + 1)),
        squares=tuple(Square(column, row) for row in range(width) for column in range(width)),
        orthogonal=(north, east, south, west),
        eight_ways=(*(north, north + east, east, south + east), *(south, south + west, west, north + west)),
    )


def sign(number: int) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def connected_regions(kinds: bytes, kind: int, among: Iterable[int], steps: tuple[int, ...]) -> Iterator[list[int]]:
    """The orthogonally connected sets of squares that hold `kind`, lowest square first, each in ascending order."""
    left = bytearray(kinds)
    for start in among:
        if left[start] == kind:
            left[start] = _TAKEN
            region = [start]
            for at in region:  # which grows as we go
                for step in steps:
                    if left[at + step] == kind:
                        left[at + step] = _TAKEN
                        region.append(at + step)
            yield sorted(region)
