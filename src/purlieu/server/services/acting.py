"""Acts, whichever way they come in: those for the log go through the gate, the others are done at once."""

from __future__ import annotations

from purlieu.rules import Seat

from ..refusals import Problem
from .acts import Act, decide_act
from .computer import Computer
from .game import Game
from .gate import Gate
from .making import rematch
from .moves import Decision
from .who import Who


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
