"""The table where a game is played: the line of positions, undo and redo, who sits where. It prints nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from purlieu.players import Choose
from purlieu.rules import Ending, Move, Position, PurlieuError, Seat
from purlieu.rules.moves import PASS

from .board import Marks, last_move_marks


class Table:
    """A game in progress. Seats without a computer are people's, two of them at one keyboard if need be."""

    def __init__(
        self,
        start: Position,
        moves: list[Move] | None = None,
        *,
        computers: Mapping[Seat, Choose] | None = None,
        names: Mapping[Seat, str] | None = None,
        random: Random | None = None,
    ) -> None:
        self.positions = [start]
        self.moves: list[Move] = []
        self.undone: list[Move] = []
        self.result: str | None = None
        """``1-0``, ``0-1`` or ``1/2-1/2``, if the game ended before the rules ended it, as by resigning."""
        self.ending: Ending | None = None
        """How it ended then; None where its record states a result and does not say."""
        self.computers = dict(computers or {})
        self.names = dict(names or {})
        self.random = random or Random()
        self.tags: dict[str, str] = {}
        """What the record that the game was loaded from said besides."""
        for move in moves or []:
            self._append(start.read_move(move))

    # -- where the game stands ----------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def last_move(self) -> Move | None:
        """The move that led here; none at the start."""
        return self.moves[-1] if self.moves else None

    @property
    def marks(self) -> Marks:
        """The last move, for the board."""
        before = self.positions[-2] if self.moves else None
        return last_move_marks(before, self.last_move, self.position)

    @property
    def is_finished(self) -> bool:
        """Whether the game has ended: by the rules, by resigning, or because its record says so."""
        return self.result is not None or self.position.is_over

    @property
    def winner(self) -> Seat | None:
        """Who won the finished game; nobody in a draw."""
        if self.result:
            return {"1-0": Seat.FIRST, "0-1": Seat.SECOND}.get(self.result)
        outcome = self.position.outcome
        return outcome.winner if outcome else None

    @property
    def resigned(self) -> Seat | None:
        """Who has resigned, if somebody has."""
        winner = self.winner if self.ending is Ending.RESIGNATION else None
        return winner and winner.other

    # -- play ---------------------------------------------------------------------------------

    def play(self, move: Move | str) -> Move:
        """A person's move. Raises BadNotation or IllegalMove and then changes nothing."""
        position = self.position
        move = position.read_move(move)
        self._require_going_on()
        self._append(move)
        self.undone.clear()
        return move

    def replies(self) -> Iterator[Move]:
        """Plays and gives every turn that needs no person: forced passes, and the computer's moves."""
        while not self.is_finished:
            position = self.position
            if is_forced_pass(position):
                move: Move = PASS
            elif choose := self.computers.get(position.to_move):
                move = choose(position, self.random)
            else:
                return
            self._append(move)
            yield move

    def resign(self) -> Seat:
        """The seat to move gives up; against the computer it is always the person who does."""
        self._require_going_on()
        seat = self.position.to_move
        loser = seat.other if seat in self.computers else seat
        self.result, self.ending = {Seat.FIRST: "0-1", Seat.SECOND: "1-0"}[loser], Ending.RESIGNATION
        return loser

    def undo(self) -> list[Move]:
        """Goes back to the last position where a person had a choice, and gives the moves taken back.

        So one undo takes back the computer's reply and one's own move, and forced passes with them.
        """
        if self.result:
            self.result = self.ending = None
            self.tags = {name: value for name, value in self.tags.items() if name.lower() != "termination"}
            return []
        for ply in range(len(self.moves) - 1, -1, -1):
            if self._is_a_persons_choice(self.positions[ply]):
                taken = self.moves[ply:]
                self.undone = [*taken, *self.undone]
                del self.moves[ply:], self.positions[ply + 1 :]
                return taken
        raise PurlieuError("undo.nothing", "there is nothing to take back")

    def redo(self) -> list[Move]:
        """Plays what was taken back, up to the next choice of a person."""
        if not self.undone:
            raise PurlieuError("undo.nothing_to_redo", "there is nothing to redo")
        played: list[Move] = []
        while self.undone:
            move = self.undone.pop(0)
            self._append(move)
            played.append(move)
            if self._is_a_persons_choice(self.position):
                break
        return played

    def _require_going_on(self) -> None:
        if self.resigned:
            raise PurlieuError(
                "over.resigned",
                "the game is over: {title} resigned",
                title=self.position.colour_of(self.resigned).title,
            )
        if self.result:
            raise PurlieuError(
                "over.declared",
                "the game is over: the record says {result}; undo takes that back",
                result=self.result,
            )

    def _append(self, move: Move) -> None:
        self.positions.append(self.position.play(move))
        self.moves.append(move)

    def _is_a_persons_choice(self, position: Position) -> bool:
        return not position.is_over and position.to_move not in self.computers and not is_forced_pass(position)


def is_forced_pass(position: Position) -> bool:
    """Whether passing is all that the side to move can do."""
    return not position.is_over and position.explain(PASS) is None
