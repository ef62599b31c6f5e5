"""What a page of rules is made of: headings, paragraphs, and boards with captions."""

from __future__ import annotations

from dataclasses import dataclass

from purlieu.rules import Position

from ..board import NO_MARKS, Marks


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A board, what is marked on it, and what it shows."""

    position: Position
    caption: str
    marks: Marks = NO_MARKS


Page = tuple[Heading | Figure | str, ...]


def refused(position: Position, move: str) -> Marks:
    """The marks of the squares that forbid a move, so that a figure cannot be wrong about the rule."""
    refusal = position.explain(move)
    assert refusal is not None, f"{move} is legal"
    return Marks(pointed=frozenset(refusal.squares))


def played(position: Position, move: str) -> tuple[Position, Marks]:
    """The position after a move, and the marks of that move."""
    from ..board import last_move_marks

    after = position.play(move)
    return after, last_move_marks(position, position.read_move(move), after)
