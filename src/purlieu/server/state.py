"""A game as it is sent: the whole state, and each event with all that it changed."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from purlieu.rules import Seat

from .model import Model
from .services.game import Event, Game, Kind, Status
from .view import SeatName, View

UNTOLD = ("remaining", "winner", "reason")
"""Parts of an event's data that are told as `clock` and `result`."""


class SeatView(Model):
    """Who has a seat."""

    kind: Literal["person", "computer"]
    name: str | None = None
    level: int | None
    claimed: bool = Field(description="False while an invitation waits for its guest.")
    here: bool = Field(description="Somebody has the board open. A hint, not part of the log.")


class ResultView(Model):
    """How the game ended."""

    winner: SeatName | None
    reason: str


class OfferView(Model):
    """A draw on offer; `v` is what an answer names in `at`."""

    seat: SeatName
    v: int


class ClockView(Model):
    """The clocks at the moment `now_ms` of the server's time. The computer's clock never runs."""

    mode: Literal["fischer", "days"]
    initial_ms: int
    increment_ms: int
    remaining_ms: dict[SeatName, int]
    running: SeatName | None
    now_ms: int


class Thinking(Model):
    """The computer is at work."""

    level: int
    done: float


class State(Model):
    """A game as it stands, for one caller."""

    id: str
    game: str
    size: int
    v: int = Field(description="The version: how many events the game has had.")
    epoch: int = Field(description="How often moves were taken back or made again.")
    status: Status
    opening: int = Field(description="How many of the moves stood on the board from the beginning.")
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
    paused: bool = Field(description="The computer does not answer just now; the game may be called off.")
    invite: str | None = Field(description="For its maker, while a seat is free: the token of /g/ID#i=TOKEN.")


class EventView(Model):
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
    return ClockView(
        mode=game.rules.mode,
        initial_ms=game.rules.initial_ms,
        increment_ms=game.rules.increment_ms,
        remaining_ms={seat.value: ms for seat, ms in left.items()},
        running=game.to_move.value if game.clock_runs else None,
        now_ms=now_ms,
    )


def result_view(game: Game) -> ResultView | None:
    """How it ended."""
    result = game.result
    if result is None:
        return None
    return ResultView(winner=result.winner.value if result.winner else None, reason=result.reason)


def offer_view(game: Game) -> OfferView | None:
    """The draw on offer."""
    return OfferView(seat=game.offer.seat.value, v=game.offer.v) if game.offer else None


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
    position = game.played.position
    return State(
        id=game.id,
        game=position.game,
        size=position.size,
        v=game.v,
        epoch=game.epoch,
        status=game.status,
        opening=game.opening,
        moves=[turn.move for turn in game.turns],
        view=view,
        seats={
            seat.value: SeatView(
                kind=chair.kind,
                level=chair.level,
                claimed=chair.claimed,
                here=seat in here or chair.kind == "computer",
            )
            for seat, chair in game.chairs.items()
        },
        you=[seat.value for seat in Seat if seat in you],
        result=result_view(game),
        offer=offer_view(game),
        clock=clock_view(game, now_ms),
        thinking=thinking,
        rematch=game.rematch,
        redo=[turn.move for turn in game.redo],
        paused=game.paused,
        invite=invite,
    )


def event_view(event: Event, after: Game, view: View | None, now_ms: int) -> EventView:
    """An event, as everybody is told of it; `after` is the game right after it."""
    return EventView(
        v=event.v,
        epoch=event.epoch,
        kind=event.kind,
        ply=event.ply,
        seat=event.seat.value if event.seat else None,
        data={name: value for name, value in event.data.items() if name not in UNTOLD},
        view=view,
        clock=clock_view(after, now_ms),
        status=after.status,
        result=result_view(after),
        offer=offer_view(after),
        redo=[turn.move for turn in after.redo],
        rematch=after.rematch,
        paused=after.paused,
    )
