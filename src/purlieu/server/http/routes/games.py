"""Games over HTTP: the same verbs as on the socket, for bots, slow games and networks that block sockets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Path, Query, Request, Response
from pydantic import FailFast, Field

from purlieu.rules import Message, Seat

from ...domain.acts import Act
from ...domain.game import ClockRules, Game
from ...domain.moves import Decision
from ...domain.refusals import Problem
from ...domain.who import Who
from ...services.committer import now_ms
from ...services.making import DAY_MS, Wish, make
from ...services.seats import hand_over, hold_alone, join
from ...wire.model import GameName, Model, MoveText, Size
from ...wire.plain import TypedDict, as_sent
from ...wire.state import EventView, State
from ...wire.strict_json import json_text
from ..access import Caller, RuntimeOf, SureCaller
from ..deps import PLIES_A_READ, Runtime, costs

router = APIRouter(prefix="/api", tags=["games"])

GameId = Annotated[str, Path(max_length=100, description="A game's id: 16 letters and digits.")]
LEAST_CLOCK_MS = 5_000
"""Nobody could finish a game with less, nor even see that it had begun."""
Version = Annotated[int, Field(ge=0, le=2**31)]


class SeatWish(Model):
    """Who shall have a seat: me, whoever follows my link, or the computer at a level."""

    kind: Literal["me", "link", "computer"]
    level: Annotated[int, Field(ge=1, le=9)] | None = None


class SeatWishes(Model):
    """Both seats."""

    first: SeatWish
    second: SeatWish


class FischerWish(Model):
    """So many minutes to begin with, and seconds more for every move."""

    mode: Literal["fischer"]
    minutes: Annotated[float, Field(gt=0, le=600)]
    increment: Annotated[float, Field(ge=0, le=600)] = 0.0


class DaysWish(Model):
    """So many days for each move."""

    mode: Literal["days"]
    days: Annotated[int, Field(ge=1, le=30)]


class NewGame(Model):
    """A game to be made."""

    game: GameName
    size: Size | None = None
    seats: SeatWishes
    clock: Annotated[FischerWish | DaysWish, Field(discriminator="mode")] | None = None
    moves: Annotated[list[MoveText], Field(max_length=5000), FailFast()] = Field(
        default_factory=list, description="Moves that stand on the board already."
    )

    def wish(self, opening: Sequence[str]) -> Wish:
        """In the words of the services. The opening's moves were judged."""
        for name, seat in (("first", self.seats.first), ("second", self.seats.second)):
            if (seat.kind == "computer") != (seat.level is not None):
                right = (
                    "the computer plays at a level from 1 to 9"
                    if seat.kind == "computer"
                    else "only the computer has a level"
                )
                raise Problem("bad_request", right, where=f"seats.{name}.level")
        rules = None
        if isinstance(self.clock, FischerWish):
            rules = ClockRules("fischer", round(self.clock.minutes * 60_000), round(self.clock.increment * 1000))
            if rules.initial_ms < LEAST_CLOCK_MS:
                least = f"a clock begins with at least {LEAST_CLOCK_MS // 1000} seconds"
                message = Message(
                    "refusal.and_minutes_are_less",
                    "{least}, and {minutes} minutes are less",
                    least=least,
                    minutes=f"{self.clock.minutes:g}",
                )
                raise Problem("bad_request", message, where="clock.fischer.minutes")
        elif self.clock:
            rules = ClockRules("days", self.clock.days * DAY_MS)
        seats = {Seat.FIRST: self.seats.first, Seat.SECOND: self.seats.second}
        wanted = {seat: (wish.kind, wish.level) for seat, wish in seats.items()}
        return Wish(self.game, self.size, dict(wanted), rules, opening)


@as_sent
class GameMade(TypedDict):
    """The new game, and the token of its invitation if a seat goes by link."""

    id: str
    state: State
    invite: str | None


IdempotencyKey = Annotated[
    str | None,
    Header(min_length=8, max_length=200, description="The same key and body make one game, however often sent."),
]


@router.post("/games", status_code=201, response_model=GameMade, dependencies=costs("new_games"))
async def post_game(
    body: NewGame,
    request: Request,
    response: Response,
    runtime: RuntimeOf,
    who: SureCaller,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Make a game. The maker's browser gets a cookie, which is what holds the seat."""
    opening: Sequence[str] = ()
    if body.moves:
        _, opening, _ = await runtime.ask(
            request, who, "line", quick=True, game=body.game, size=body.size, setup=None, moves=body.moves
        )
    game = await make(runtime.committer, runtime.hub, runtime.settings.limits, who, body.wish(opening), idempotency_key)
    state = await runtime.state(game, who)
    return sent({"id": game.id, "state": state, "invite": state["invite"]}, response, 201)


@router.get("/games/{game_id}", response_model=State, dependencies=costs("reads"))
async def get_game(game_id: GameId, request: Request, response: Response, runtime: RuntimeOf, who: Caller) -> Response:
    """A game as it stands. Anybody who knows its id may watch."""
    return sent(await runtime.state(await runtime.load(request, game_id), who), response)


class JoinBody(Model):
    """The token behind the # of a link."""

    token: Annotated[str, Field(min_length=1, max_length=100)]


@router.post("/games/{game_id}/join", response_model=State, dependencies=costs("joins"))
async def post_join(
    game_id: GameId, body: JoinBody, request: Request, response: Response, runtime: RuntimeOf, who: SureCaller
) -> Response:
    """Take the seat that an invitation or a link from one's other device is for."""
    game = await join(runtime.committer, runtime.seats, game_id, who, body.token)
    return sent(await runtime.state(game, who), response)


class Token(Model):
    """A secret: keep it out of URLs that reach a server."""

    token: str


@router.post("/games/{game_id}/handover", dependencies=costs("joins"))
async def post_handover(game_id: GameId, request: Request, runtime: RuntimeOf, who: Caller) -> Token:
    """A token that brings my seat to my other device: /g/ID#s=TOKEN, ten minutes, once."""
    await runtime.committer.load(game_id)
    return Token(token=await hand_over(runtime.seats, game_id, who))


class HeldAlone(Model):
    """How many other devices held the seat until now."""

    others: int


@router.post("/games/{game_id}/only-here", dependencies=costs("joins"))
async def post_only_here(game_id: GameId, request: Request, runtime: RuntimeOf, who: Caller) -> HeldAlone:
    """My seat stays with this device alone; others that held it may watch, and links to bring it elsewhere end."""
    await runtime.committer.load(game_id)
    return HeldAlone(others=await hold_alone(runtime.seats, runtime.hub, game_id, who))


class MoveBody(Model):
    """A move, and its number: one more than the turns taken so far."""

    ply: Annotated[int, Field(ge=1, le=2**31)]
    move: MoveText


@as_sent
class Done(TypedDict):
    """The request is stored. `duplicate` says that it was stored before."""

    v: int
    ply: int
    duplicate: bool
    state: State


@router.post("/games/{game_id}/moves", response_model=Done, dependencies=costs("requests"))
async def post_move(
    game_id: GameId, body: MoveBody, request: Request, response: Response, runtime: RuntimeOf, who: Caller
) -> Response:
    """Make a move. The answer means that it is on the disk."""
    game, decision = await runtime.play.play_move(game_id, who, body.ply, body.move, now_ms())
    return sent(await done(runtime, game, decision, who), response)


async def done(runtime: Runtime, game: Game, decision: Decision, who: Who | None) -> Done:
    """What is sent after a move or an act."""
    state = await runtime.state(game, who)
    return {"v": game.v, "ply": game.ply, "duplicate": decision.duplicate, "state": state}


class ActBody(Model):
    """Something other than a move; `at` is the version of the game that the caller has seen."""

    kind: Act
    at: Version


@router.post("/games/{game_id}/acts", response_model=Done, dependencies=costs("requests"))
async def post_act(
    game_id: GameId, body: ActBody, request: Request, response: Response, runtime: RuntimeOf, who: Caller
) -> Response:
    """Resign, offer or answer a draw, take back, make again, call off, have the computer move, play again."""
    game, decision = await runtime.play.act(game_id, who, body.kind, body.at, now_ms())
    return sent(await done(runtime, game, decision, who), response)


@as_sent
class Events(TypedDict):
    """What happened after a version."""

    v: int
    """The game's version now."""
    events: list[EventView]


@router.get("/games/{game_id}/events", response_model=Events, dependencies=costs("reads"))
async def get_events(
    game_id: GameId,
    request: Request,
    response: Response,
    runtime: RuntimeOf,
    who: Caller,
    since: Annotated[int, Query(ge=0, le=2**31, description="The last version you have.")] = 0,
) -> Response:
    """Every event after that version, in order. Any version can be asked for."""
    game = await runtime.committer.load(game_id)
    events = await runtime.committer.events(game, since)
    runtime.limiter.charge("reads", runtime.limiter.caller(request), len(events) / PLIES_A_READ)
    v = events[-1]["v"] if events else game.v
    return sent({"v": v, "events": events}, response)


def sent(value: object, response: Response, status: int = 200) -> Response:
    """Plain data of ours as JSON, with the cookies that the response has got. mypy holds them to their types, so no
    time of the event loop goes into checking them again: a large pile has thousands of marbles.
    """
    written = Response(json_text(value), status, media_type="application/json")
    written.raw_headers.extend(header for header in response.raw_headers if header[0] == b"set-cookie")
    return written
