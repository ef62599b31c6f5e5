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


def is_well_formed(move: object) -> bool:
    """Whether a move is made of squares or points, each of whole numbers, as Python does not check by itself."""
    match move:
        case Place(at):
            return is_place(at)
        case Capture(start, target):
            return is_square(start) and is_square(target)
        case Paint(letter, squares):
            return isinstance(letter, str) and all(map(is_square, squares))
        case Pass() | Swap():
            return True
    return False


def is_place(at: object) -> bool:
    """A square, or a point of a pyramid."""
    return is_square(at) or (isinstance(at, Point) and all(type(number) is int for number in at))


def is_square(at: object) -> bool:
    """A square whose column and row are whole numbers."""
    return isinstance(at, Square) and all(type(number) is int for number in at)


def shown_move(move: object) -> str:
    """A move in its notation; anything else as Python shows it."""
    return str(move) if is_well_formed(move) else repr(move)


def by_row(square: Square) -> tuple[int, int]:
    """The order of squares everywhere: from the bottom row up, each row from the left."""
    return square.row, square.column
