"""The ledger: the whole count of a position, entry by entry, as a person would do it aloud."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .board import Point, Square
from .messages import Message, commas
from .seats import Colour


@dataclass(frozen=True, slots=True)
class Group:
    """Connected disks or stacks of one colour; its size counts squares."""

    colour: Colour
    squares: tuple[Square, ...]

    @property
    def size(self) -> int:
        """The number of squares it spans."""
        return len(self.squares)


@dataclass(frozen=True, slots=True)
class Patch:
    """Petrify and Pilo: a region without blocks, and who owns it."""

    squares: tuple[Square, ...]
    groups: tuple[Group, ...]
    """Every group in the patch, biggest first."""
    struck_out: tuple[tuple[Group, Group], ...]
    """Pairs of one blue and one orange group of equal size, biggest first: they cancel."""
    left: tuple[Group, ...]
    """The groups that remain, biggest first; the colour of the first owns the patch."""
    owner: Colour | None
    points: int
    """What the owner scores: the patch's size, or 0 where nobody owns it."""


@dataclass(frozen=True, slots=True)
class Territory:
    """Pentwall: a region of unpainted squares, and who has more squares touching it."""

    squares: tuple[Square, ...]
    touching: dict[Colour, tuple[Square, ...]]
    """The painted squares of each colour that touch the territory by an edge, each counted once."""
    owner: Colour | None
    points: int


@dataclass(frozen=True, slots=True)
class Marbles:
    """Pyloff: the marbles of one colour on one level; buried ones count like the others."""

    level: int
    squares: tuple[Point, ...]
    buried: tuple[Point, ...]
    owner: Colour
    points: int


Entry = Patch | Territory | Marbles


@dataclass(frozen=True, slots=True)
class Ledger:
    """All entries of a count, and what they add up to."""

    entries: tuple[Entry, ...]
    colours: tuple[Colour, Colour]

    @property
    def totals(self) -> dict[Colour, int]:
        """The score by colour: the sum of what each colour owns."""
        totals = dict.fromkeys(self.colours, 0)
        for entry in self.entries:
            if entry.owner is not None:
                totals[entry.owner] += entry.points
        return totals


def score_text(score: Mapping[Colour, int]) -> str:
    """``Blue 12, Orange 9``."""
    return commas(
        [Message("score", "{colour} {points}", colour=colour.title, points=score[colour]) for colour in score]
    )


def marbles_of(colour: Colour, count: int) -> Message:
    """``3 black``."""
    if colour is Colour.BLACK:
        return Message("count.black_marbles", "{count} black", count=count)
    return Message("count.white_marbles", "{count} white", count=count)
