"""A game played out: the rules' positions beside the core's.

The rules judge every move, count and decide. The core, which is held to them answer by answer, writes the long
lists (legal moves, position texts): in Pyloff it is a hundred times as fast.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from purlieu.engine.core import core
from purlieu.rules import Move, Position, PurlieuError, parse, start

from .errors import problem_of

if TYPE_CHECKING:
    from purlieu.engine._core import Position as CorePosition


@dataclass(frozen=True, slots=True)
class Played:
    """A position, and how it came about."""

    position: Position
    core: CorePosition
    before: Position | None = None
    move: Move | None = None
    """The last move, and the position before it."""

    def play(self, text: str) -> Played:
        """The next position, by the rules. Raises BadNotation or IllegalMove."""
        position = self.position
        move = position.read_move(text)
        after = position.play(move)
        return Played(after, self.core.play(str(move)), position, move)

    def follow(self, text: str) -> Played:
        """The next position, by a move that was judged before: our own log's."""
        position = self.position
        move = position.read_move(text)
        return Played(position.after(move), self.core.play(text), position, move)

    @property
    def hash(self) -> str:
        """A short name for the position: two boards that look alike but are not have different ones."""
        return hashlib.sha256(self.core.text().encode()).hexdigest()[:32]

    @property
    def must_pass(self) -> bool:
        """Whether passing is the only move."""
        return self.core.legal_moves() == ["pass"]


def begin(game: str, size: int | None, setup: str | None = None) -> Played:
    """The first position of a game, or the one that a text describes."""
    position = start(game, size) if setup is None else parse(setup)
    if position.game != start(game).game or (size is not None and position.size != size):
        what = f"{position.game} of size {position.size}"
        meant = game if size is None else f"{game} of size {size}"
        raise problem_of(PurlieuError(f"the position is one of {what}, not of {meant}"), "from")
    return Played(position, core().Position.parse(position.text()))


def play_out(first: Played, moves: Sequence[str], before: int = 0) -> Iterator[Played]:
    """Every position of a line, the first one included; a wrong move is named by its place.

    `before` is how many moves of the line came before these.
    """
    played = first
    yield played
    for at, text in enumerate(moves, start=before):
        try:
            played = played.play(text)
        except PurlieuError as error:
            problem = problem_of(error, f"moves[{at}]")
            if at:
                problem.hint = f"the first {at} moves can be played"
            raise problem from error
        yield played
