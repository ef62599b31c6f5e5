"""What people do in a game, whichever way it comes in: moves and acts, over a socket or over HTTP."""

from __future__ import annotations

from dataclasses import dataclass

from purlieu.rules import Message, Seat

from ..domain.acts import Act, decide_act
from ..domain.game import Game
from ..domain.moves import Decision, decide_move
from ..domain.refusals import Problem
from ..domain.who import Who
from .committer import Committer
from .computer import Computer
from .live import Hub
from .making import rematch
from .seats import Seats


@dataclass(frozen=True, slots=True)
class Play:
    """Does what is asked, if the caller may. When it returns, that is on the disk."""

    committer: Committer
    seats: Seats
    hub: Hub
    computer: Computer

    async def play_move(
        self,
        game_id: str,
        who: Who | None,
        ply: int,
        text: str,
        at_ms: int,
        *,
        seen: str | None = None,
        lag_ms: int = 0,
    ) -> tuple[Game, Decision]:
        """A move that was read at that time; `seen` is the hash of the caller's board, if they tell."""
        seats = await self._seats(game_id, who)
        return await self.committer.change(
            game_id, lambda game: decide_move(game, seats, ply, text, at_ms, seen=seen, lag_ms=lag_ms)
        )

    async def act(self, game_id: str, who: Who | None, kind: Act, at: int, at_ms: int) -> tuple[Game, Decision]:
        """An act: those for the log go through the committer, the others are done at once."""
        seats = await self._seats(game_id, who)
        game = await self.committer.load(game_id)
        if kind in ("stop_thinking", "rematch") and (not seats or who is None):
            raise Problem(
                "not_your_seat",
                Message("refusal.you_hold_no_seat_of", "you hold no seat of this game, so you can only watch"),
                where="game",
            )
        if kind == "stop_thinking":
            self.computer.stop_thinking(game_id)
            return game, Decision()
        if kind == "rematch":
            return await rematch(self.committer, game, Seat.FIRST if Seat.FIRST in seats else Seat.SECOND)
        away = None if self.committer.store.is_shared else self.hub.away_ms(game_id)
        return await self.committer.change(game_id, lambda game: decide_act(game, seats, kind, at, at_ms, away))

    async def _seats(self, game_id: str, who: Who | None) -> frozenset[Seat]:
        """The caller's seats, at which they have just been seen."""
        seats = await self.seats.held_by(game_id, who)
        self.hub.saw(game_id, seats)
        return seats
