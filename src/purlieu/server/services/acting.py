"""Acts, whichever way they come in: those for the log go through the gate, the others are done at once."""

from __future__ import annotations

from purlieu.rules import Seat

from ..domain.acts import Act, decide_act
from ..domain.game import Game
from ..domain.moves import Decision
from ..domain.refusals import Problem
from ..domain.who import Who
from .computer import Computer
from .gate import Gate
from .making import rematch


async def act(
    gate: Gate, computer: Computer, game_id: str, who: Who | None, kind: Act, at: int, at_ms: int
) -> tuple[Game, Decision]:
    """Do it, if the caller may."""
    seats = await gate.seats(game_id, who)
    gate.hub.saw(game_id, seats)
    game = await gate.load(game_id)
    if kind in ("stop_thinking", "rematch") and (not seats or who is None):
        raise Problem("not_your_seat", "you hold no seat of this game, so you can only watch", where="game")
    if kind == "stop_thinking":
        computer.stop_thinking(game_id)
        return game, Decision()
    if kind == "rematch":
        seat = Seat.FIRST if Seat.FIRST in seats else Seat.SECOND
        return await rematch(gate, game, seat)
    away = gate.hub.away_ms(game_id) if gate.database.is_sqlite else None
    return await gate.change(game_id, lambda game: decide_act(game, seats, kind, at, at_ms, away))
