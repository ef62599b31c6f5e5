"""The kinds of move. `str(move)` is its notation, always in the one canonical form."""

from __future__ import annotations

from dataclasses import dataclass

from .board import Point, Square


@dataclass(frozen=True, slots=True)
class Place:
    """Put one disk on an empty square, or one marble on a valid point: ``c3``, ``2c3``."""

    at: Square | Point

    def __str__(self) -> str:
        return str(self.at)


@dataclass(frozen=True, slots=True)
class Capture:
    """Move a disk or a stack along a line onto an enemy, leaving a block: ``c3xf6``."""

    start: Square
    target: Square

    def __str__(self) -> str:
        return f"{self.start}x{self.target}"


@dataclass(frozen=True, slots=True)
class Paint:
    """Paint the five squares of one pentomino: ``Wc3d3d4e4e5``."""

    letter: str
    squares: tuple[Square, ...]
    """Sorted by row from the bottom, then by column, in whatever order they were given."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "squares", tuple(sorted(self.squares, key=by_row)))

    def __str__(self) -> str:
        return self.letter + "".join(map(str, self.squares))


@dataclass(frozen=True, slots=True)
class Pass:
    """The turn of a side that has no other play."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Swap:
    """The pie rule: the second seat takes the first seat's colour instead of a board play."""

    def __str__(self) -> str:
        return "swap"


Move = Place | Capture | Paint | Pass | Swap

PASS = Pass()
SWAP = Swap()


def by_row(square: Square) -> tuple[int, int]:
    """The order of squares everywhere: from the bottom row up, each row from the left."""
    return square.row, square.column
