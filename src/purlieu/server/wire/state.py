"""A game as it is sent: the whole state, and each event with all that it changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from purlieu.rules import Seat

from ..domain.game import Event, Game, Kind, Status, apply
from .plain import NotRequired, TypedDict, as_sent
from .view import EndingName, Said, SeatName, View

UNTOLD = ("remaining", "winner", "ending", "lag")
"""Parts of an event's data that are told as `clock` and `result`."""


@as_sent
class SeatView(TypedDict):
    """Who has a seat."""

    kind: Literal["person", "computer"]
    name: NotRequired[str | None]
    level: int | None
    claimed: bool
    """False while an invitation waits for its guest."""
    here: bool
    """Somebody has the board open. A hint, not part of the log."""


@as_sent
class ResultView(TypedDict):
    """How the game ended."""

    winner: SeatName | None
    ending: EndingName
    reason: str
    """In English; `said` is for other languages."""
    said: Said


@as_sent
class OfferView(TypedDict):
    """A draw on offer; `v` is what an answer names in `at`."""

    seat: SeatName
    v: int


@as_sent
class ClockView(TypedDict):
    """The clocks at the moment `now_ms` of the server's time. The computer's clock never runs."""

    mode: Literal["fischer", "days"]
    initial_ms: int
    increment_ms: int
    remaining_ms: dict[SeatName, int]
    running: SeatName | None
    now_ms: int


@as_sent
class Thinking(TypedDict):
    """The computer is at work."""

    level: int
    done: float


@as_sent
class State(TypedDict):
    """A game as it stands, for one caller."""

    id: str
    game: str
    size: int
    v: int
    """The version: how many events the game has had."""
    epoch: int
    """How often moves were taken back or made again."""
    status: Status
    opening: int
    """How many of the moves stood on the board from the beginning."""
    moves: list[str]
    view: View
    seats: dict[SeatName, SeatView]
    you: list[SeatName]
    result: ResultView | None
    offer: OfferView | None
    clock: ClockView | None
    thinking: Thinking | None
    rematch: str | None
    redo: list[str]
    paused: bool
    """The computer does not answer just now; the game may be called off."""
    invite: str | None
    """For its maker, while a seat is free: the token of /g/ID#i=TOKEN."""


@as_sent
class EventView(TypedDict):
    """One event, with everything of the state that it may have changed.

    `move` appends data.move to the moves; `undo` keeps the first data.ply of them; `redo` appends data.moves.
    `view` comes with the last of the events that are sent together, if the board changed in any of them.
    """

    v: int
    epoch: int
    kind: Kind
    ply: int | None
    seat: SeatName | None
    data: dict[str, Any]
    view: View | None
    clock: ClockView | None
    status: Status
    result: ResultView | None
    offer: OfferView | None
    redo: list[str]
    rematch: str | None
    paused: bool


def clock_view(game: Game, now_ms: int) -> ClockView | None:
    """The clocks at that moment."""
    left = game.remaining_at(now_ms)
    if game.rules is None or left is None:
        return None
    return {
        "mode": game.rules.mode,
        "initial_ms": game.rules.initial_ms,
        "increment_ms": game.rules.increment_ms,
        "remaining_ms": {seat.value: ms for seat, ms in left.items()},
        "running": game.to_move.value if game.clock_runs else None,
        "now_ms": now_ms,
    }


def result_view(game: Game) -> ResultView | None:
    """How it ended."""
    result = game.result
    if result is None:
        return None
    return {
        "winner": result.winner.value if result.winner else None,
        "ending": result.ending.value,
        "reason": result.reason,
        "said": result.reason.data(),
    }


def offer_view(game: Game) -> OfferView | None:
    """The draw on offer."""
    return {"seat": game.offer.seat.value, "v": game.offer.v} if game.offer else None


def state_view(
    game: Game,
    view: View,
    *,
    you: frozenset[Seat],
    here: frozenset[Seat],
    thinking: Thinking | None,
    invite: str | None,
    now_ms: int,
) -> State:
    """The state for one caller."""
    return {
        "id": game.id,
        "game": game.kind,
        "size": game.size,
        "v": game.v,
        "epoch": game.epoch,
        "status": game.status,
        "opening": game.opening,
        "moves": [turn.move for turn in game.turns],
        "view": view,
        "seats": {
            seat.value: {
                "kind": chair.kind,
                "name": None,
                "level": chair.level,
                "claimed": chair.claimed,
                "here": seat in here or chair.kind == "computer",
            }
            for seat, chair in game.chairs.items()
        },
        "you": [seat.value for seat in Seat if seat in you],
        "result": result_view(game),
        "offer": offer_view(game),
        "clock": clock_view(game, now_ms),
        "thinking": thinking,
        "rematch": game.rematch,
        "redo": [turn.move for turn in game.redo],
        "paused": game.paused,
        "invite": invite,
    }


def event_view(event: Event, after: Game, view: View | None, now_ms: int) -> EventView:
    """An event, as everybody is told of it; `after` is the game right after it."""
    return {
        "v": event.v,
        "epoch": event.epoch,
        "kind": event.kind,
        "ply": event.ply,
        "seat": event.seat.value if event.seat else None,
        "data": {name: value for name, value in event.data.items() if name not in UNTOLD},
        "view": view,
        "clock": clock_view(after, now_ms),
        "status": after.status,
        "result": result_view(after),
        "offer": offer_view(after),
        "redo": [turn.move for turn in after.redo],
        "rematch": after.rematch,
        "paused": after.paused,
    }


def event_views(before: Game, events: Sequence[Event], now_ms: int, after: Game | None = None) -> list[EventView]:
    """Events as they are sent, each with what the game was right after it; after the last, if that is known."""
    if after and len(events) == 1:
        return [event_view(events[0], after, None, now_ms)]
    made = []
    for event in events:
        before = apply(before, event)
        made.append(event_view(event, before, None, now_ms))
    return made
