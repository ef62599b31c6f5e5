"""What stands on a board, as plain values for drawing, printing and sending. The rules do not use these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .board import Point, Square
from .seats import Colour


@dataclass(frozen=True, slots=True)
class Disk:
    """A Petrify disk."""

    at: Square
    colour: Colour


@dataclass(frozen=True, slots=True)
class Stack:
    """A Pilo stack: disks of one colour, piled on one square."""

    at: Square
    colour: Colour
    height: int


@dataclass(frozen=True, slots=True)
class Block:
    """A neutral block, left behind by a capture."""

    at: Square


@dataclass(frozen=True, slots=True)
class Painted:
    """A painted square of Pentwall, and the letter of the pentomino that painted it."""

    at: Square
    colour: Colour
    letter: str


@dataclass(frozen=True, slots=True)
class Marble:
    """A Pyloff marble; a buried one has a marble straight above it, two levels up."""

    at: Point
    colour: Colour
    buried: bool


Piece = Disk | Stack | Block | Painted | Marble


def lifted(before: Iterable[Piece], after: Iterable[Piece]) -> list[Marble]:
    """The Pyloff marbles that are gone: those that a play captured."""
    standing = {piece.at for piece in after}
    return [piece for piece in before if isinstance(piece, Marble) and piece.at not in standing]
