"""A position as the core and the rules hold it.

The rules judge every new move of a game, count, and word every refusal. The core, which is held to them answer by
answer, replays what was judged before, runs ahead on long lines, and writes the long lists (legal moves, position
texts): a Pyloff game of thousands of moves takes it milliseconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from purlieu.core import core, rules_position
from purlieu.rules import Move, Position, PurlieuError, Seat, parse, start
from purlieu.rules import game as find_game
from purlieu.rules.pyloff import PyloffPosition

from .refusals import problem_of

if TYPE_CHECKING:
    from purlieu.core._core import Position as CorePosition


@dataclass(eq=False, slots=True)
class Played:
    """A position, and the move that led to it. The rules' view of it is made when it is first asked for."""

    core: CorePosition
    core_before: CorePosition | None = None
    """The position before the last move."""
    text: str | None = None
    """The last move, in the notation's own spelling."""
    _position: Position | None = None
    _before: Position | None = None
    _position_text: str | None = None
    _hash: str | None = None
    _legal: list[str] | None = None
    _move: Move | None = None

    @property
    def position(self) -> Position:
        """The position, as the rules hold it."""
        found = self._position
        if found is None:
            found = self._position = rules_position(self.core)
        return found

    @property
    def before(self) -> Position | None:
        """The position before the last move."""
        found = self._before
        if found is None and self.core_before is not None:
            found = self._before = rules_position(self.core_before)
        return found

    def let_go(self) -> None:
        """Forget long texts, and what the rules see of Pyloff, until they are asked for: it has thousands of boards.

        Positions of the other games are small, and remember what they have worked out.
        """
        self._position_text = self._legal = None
        if self.core.game == PyloffPosition.game:
            self._position = self._before = None

    @property
    def move(self) -> Move | None:
        """The last move."""
        if self._move is None and self.text is not None:
            self._move = self.position.read_move(self.text)
        return self._move

    @property
    def ply(self) -> int:
        """How many turns were taken."""
        return self.core.ply

    @property
    def to_move(self) -> Seat:
        """Whose turn it is."""
        return Seat(self.core.to_move)

    @property
    def is_over(self) -> bool:
        """Whether the rules say that the game has ended."""
        return self.core.is_over

    @property
    def score(self) -> tuple[int, int]:
        """The score of the first colour and of the second, if the game ended here."""
        return self.core.score()

    @property
    def legal(self) -> list[str]:
        """The legal moves."""
        if self._legal is None:
            self._legal = self.core.legal_moves()
        return self._legal

    @property
    def position_text(self) -> str:
        """The position in one line."""
        if self._position_text is None:
            self._position_text = self.core.text()
        return self._position_text

    def play(self, text: str) -> Played:
        """The next position, by the rules. Raises BadNotation or IllegalMove."""
        position = self.position
        move = position.read_move(text)
        after = position.play(move)
        text = str(move)
        return Played(self.core.play(text), self.core, text, after, position, _move=move)

    def follow(self, text: str) -> Played:
        """The next position, by the core: for a move that was judged before and stands in our log."""
        return Played(self.core.play(text), self.core, text)

    def follow_all(self, moves: Iterable[str]) -> Played:
        """The position after all these moves, which were judged before."""
        last = self
        for text in moves:
            last = last.follow(text)
        return last

    @property
    def hash(self) -> str:
        """A short name for the position: two boards that look alike but are not have different ones."""
        if self._hash is None:
            self._hash = hashlib.sha256(self.position_text.encode()).hexdigest()[:32]
        return self._hash

    @property
    def must_pass(self) -> bool:
        """Whether passing is the only move."""
        return self.legal == ["pass"]


def begin(game: str, size: int | None, setup: str | None = None) -> Played:
    """The first position of a game, or the one that a text describes."""
    position = start(game, size) if setup is None else parse(setup)
    if position.game != find_game(game).name or (size is not None and position.size != size):
        what = f"{position.game} of size {position.size}"
        meant = game if size is None else f"{game} of size {size}"
        raise problem_of(PurlieuError(f"the position is one of {what}, not of {meant}"), "from")
    return Played(core().Position.parse(position.text()), _position=position)


def play_out(first: Played, moves: Sequence[str]) -> Iterator[Played]:
    """Every position of a line, the first one included. The core runs ahead; a move that it refuses is judged by the
    rules, which say what is wrong with it, and it is named by its place in the line.
    """
    read_move = type(first.position).read_move
    played = first
    yield played
    for at, text in enumerate(moves):
        try:
            played = _next(played, str(read_move(text)))
        except PurlieuError as error:
            problem = problem_of(error, f"moves[{at}]")
            if at:
                problem.hint = f"the first {at} moves can be played"
            raise problem from error
        yield played


def _next(played: Played, text: str) -> Played:
    try:
        return played.follow(text)
    except ValueError:
        played.play(text)
        raise AssertionError(f"the core refuses {text}, which the rules allow, at {played.core.text()}") from None
