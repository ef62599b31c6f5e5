"""A game at the table: what its log of events adds up to. Pure values; nothing here asks a database or a clock."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from purlieu.rules import Ending, Message, Seat
from purlieu.rules.endings import reason_of, stored_values

if TYPE_CHECKING:
    from .played import Played

SEATS = tuple(Seat)
MOST_LAG_MS, LAG_BANK_MS, LAG_REFILL_MS = 250, 1000, 100
"""Time that the network took is given back: at most so much a move, from a bank that holds so much and refills so."""

Status = Literal["waiting", "active", "over"]
Kind = Literal[
    "move",
    "join",
    "resign",
    "draw_offer",
    "draw_decline",
    "draw",
    "flag",
    "abort",
    "undo",
    "redo",
    "rematch",
    "pause",
    "claim",
]


@dataclass(frozen=True, slots=True)
class ClockRules:
    """Fischer: so much to begin with and more for every move. Days: so much for each move."""

    mode: Literal["fischer", "days"]
    initial_ms: int
    increment_ms: int = 0


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat and who may sit on it."""

    kind: Literal["person", "computer"]
    level: int | None = None
    claimed: bool = True
    invite_hash: str | None = None
    """Of the invitation by which it is claimed, or was."""


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a game's log. `v` counts from 1; `data` is plain JSON."""

    v: int
    kind: Kind
    seat: Seat | None
    at_ms: int
    epoch: int = 0
    ply: int | None = None
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """A move that was made, and whether there was no choice."""

    move: str
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """How it ended; nobody wins a draw, nor a game that was called off."""

    winner: Seat | None
    ending: Ending
    reason: Message

    def data(self) -> dict[str, Any]:
        """What the event that ends the game says of it."""
        why = {"kind": self.ending.value, "code": self.reason.code, "values": stored_values(self.reason)}
        return {"winner": self.winner.value if self.winner else None, "ending": why}


def result_of(data: Mapping[str, Any]) -> Result | None:
    """How the game ended, by the event with that data; the inverse of `Result.data`."""
    why = data.get("ending")
    if why is None:
        return None
    winner = Seat(data["winner"]) if data["winner"] else None
    return Result(winner, Ending(why["kind"]), reason_of(why["code"], why["values"]))


@dataclass(frozen=True, slots=True)
class Offer:
    """A draw on offer, and the event that offered it."""

    seat: Seat
    v: int


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it stands."""

    id: str
    opening: int
    """How many moves stood on the board when the game was made; they are not taken back."""
    chairs: dict[Seat, Chair]
    rules: ClockRules | None
    first: Played
    """The position that the game began from, before its opening."""
    played: Played
    """The position on the board."""
    turns: tuple[Turn, ...]
    status: Status
    v: int = 0
    epoch: int = 0
    redo: tuple[Turn, ...] = ()
    """What was taken back, the next move first."""
    offer: Offer | None = None
    result: Result | None = None
    remaining_ms: dict[Seat, int] | None = None
    turn_started_ms: int = 0
    rematch: str | None = None
    log: tuple[tuple[Kind, Seat | None], ...] = ()
    """The kind of every event so far and whose it was, to know a request that came twice."""
    lag_bank_ms: tuple[int, int] = (LAG_BANK_MS, LAG_BANK_MS)
    """What is left of each seat's credit for a slow network."""
    paused: bool = False
    """The computer could not answer; the person may call the game off."""

    @property
    def kind(self) -> str:
        """Which game it is, as `purlieu.start` takes it."""
        return self.first.core.game

    @property
    def size(self) -> int:
        """The board's side."""
        return self.first.core.size

    def at_ply(self, ply: int) -> Played:
        """The position after so many turns."""
        if ply == self.ply:
            return self.played
        return self.first.follow_all(turn.move for turn in self.turns[:ply])

    @property
    def ply(self) -> int:
        """How many turns were taken."""
        return len(self.turns)

    @property
    def to_move(self) -> Seat:
        """Whose turn it is."""
        return self.played.to_move

    @property
    def most_plies(self) -> int:
        """Where a Pyloff game ends without a result: ko makes games finite, not short. See docs/server.md."""
        size = self.size
        return 4 * size * (size + 1) * (2 * size + 1) // 6 if self.kind == "pyloff" else 100_000

    def is_computer(self, seat: Seat) -> bool:
        """Whether the computer has that seat."""
        return self.chairs[seat].kind == "computer"

    @property
    def clock_runs(self) -> bool:
        """A clock runs for people only; with minutes, from each side's second move on."""
        if self.rules is None or self.status != "active" or self.is_computer(self.to_move):
            return False
        return self.rules.mode == "days" or self.ply - self.opening >= 2

    @property
    def deadline_ms(self) -> int | None:
        """When the side to move runs out of time."""
        if not self.clock_runs or self.remaining_ms is None:
            return None
        return self.turn_started_ms + self.remaining_ms[self.to_move]

    def lag_credit(self, at_ms: int, lag_ms: int) -> int:
        """How much of the time since the turn began is given back, because the network had it.

        Never more than was measured, than a move may have, than the seat's bank holds, or than was charged; nothing
        where a move has days.
        """
        if not self.clock_runs or self.rules is None or self.rules.mode == "days":
            return 0
        spent = max(0, at_ms - self.turn_started_ms)
        return max(0, min(lag_ms, MOST_LAG_MS, self.lag_bank_ms[SEATS.index(self.to_move)], spent))

    def remaining_at(self, now_ms: int) -> dict[Seat, int] | None:
        """What the clocks show at that moment."""
        if self.remaining_ms is None:
            return None
        left = dict(self.remaining_ms)
        if self.clock_runs:
            left[self.to_move] = max(0, left[self.to_move] - max(0, now_ms - self.turn_started_ms))
        return left


def bank_after(banks: tuple[int, int], seat: Seat, credit_ms: int) -> tuple[int, int]:
    """The banks after a move: what it took is gone, and a little comes back."""
    left = list(banks)
    number = SEATS.index(seat)
    left[number] = min(LAG_BANK_MS, left[number] - credit_ms + LAG_REFILL_MS)
    return left[0], left[1]


def apply(game: Game, event: Event, played: Played | None = None) -> Game:
    """The game after one more event of its log. Whoever has just judged its move has the position already."""
    assert event.v == game.v + 1, f"event {event.v} does not follow {game.v}"
    data = event.data
    ended = result_of(data)
    left = game.remaining_ms
    if "remaining" in data:
        left = {Seat(seat): ms for seat, ms in data["remaining"].items()}
    log = (*game.log, (event.kind, event.seat))
    after = replace(game, v=event.v, epoch=event.epoch, paused=False, log=log, remaining_ms=left)
    match event.kind:
        case "move":
            turn = Turn(sys.intern(data["move"]), data.get("forced", False))
            redo = game.redo[1:] if game.redo and game.redo[0].move == turn.move else ()
            offer = game.offer if game.offer and game.offer.seat is event.seat else None
            now = played or game.played.follow(turn.move)
            turns = (*game.turns, turn)
            after = replace(after, played=now, turns=turns, redo=redo, offer=offer, turn_started_ms=event.at_ms)
            if game.rules and event.seat:
                after = replace(after, lag_bank_ms=bank_after(game.lag_bank_ms, event.seat, data.get("lag", 0)))
        case "undo":
            kept = data["ply"]
            after = replace(after, played=game.at_ply(kept), turns=game.turns[:kept], offer=None)
            after = replace(after, redo=game.turns[kept:] + game.redo, turn_started_ms=event.at_ms)
            after = replace(after, status="active", result=None)
        case "redo":
            again, rest = game.redo[: data["count"]], game.redo[data["count"] :]
            now = game.played.follow_all(turn.move for turn in again)
            after = replace(after, played=now, turns=game.turns + again, redo=rest, turn_started_ms=event.at_ms)
        case "join":
            assert event.seat
            chairs = {**game.chairs, event.seat: replace(game.chairs[event.seat], claimed=True)}
            waiting = not all(chair.claimed for chair in chairs.values())
            after = replace(after, chairs=chairs, status="waiting" if waiting else "active")
            after = replace(after, turn_started_ms=event.at_ms)
        case "draw_offer":
            assert event.seat
            after = replace(after, offer=Offer(event.seat, event.v))
        case "draw_decline":
            after = replace(after, offer=None)
        case "rematch":
            after = replace(after, rematch=data["game"])
        case "pause":
            started = game.turn_started_ms + data.get("ms", 0)
            after = replace(after, paused=data["cause"] == "computer", turn_started_ms=started)
    if ended:
        after = replace(after, status="over", result=ended, offer=None)
    return after


def apply_all(game: Game, events: Iterable[Event]) -> Game:
    """The game after these events of its log.

    Plain moves are taken many at a time, so that the cost of a long game grows with its length and not faster.
    """
    run: list[Event] = []
    for event in events:
        if event.kind == "move" and "ending" not in event.data and not game.redo:
            run.append(event)
            continue
        game = apply(_after_moves(game, run), event)
        run = []
    return _after_moves(game, run)


def _after_moves(game: Game, run: Sequence[Event]) -> Game:
    """The game after moves that neither end it nor follow a move that was taken back."""
    if not run:
        return game
    assert [event.v for event in run] == list(range(game.v + 1, game.v + len(run) + 1)), "an event is missing"
    *earlier, last = run
    turns = tuple(Turn(sys.intern(event.data["move"]), event.data.get("forced", False)) for event in earlier)
    banks = game.lag_bank_ms
    if game.rules:
        for event in earlier:
            assert event.seat
            banks = bank_after(banks, event.seat, event.data.get("lag", 0))
    offer = game.offer if game.offer and all(event.seat is game.offer.seat for event in earlier) else None
    before = replace(
        game,
        v=last.v - 1,
        log=game.log + tuple((event.kind, event.seat) for event in earlier),
        turns=game.turns + turns,
        played=game.played.follow_all(turn.move for turn in turns),
        lag_bank_ms=banks,
        offer=offer,
    )
    return apply(before, last)
