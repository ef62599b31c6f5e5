"""A caller's session: made for a program, looked at, ended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from purlieu.rules import Message

from ...domain.refusals import Problem
from ...domain.who import Who, new_token
from ...services import sessions
from ...services.committer import now_ms
from ...store import people
from ...wire.model import Model
from ...wire.view import SeatName
from ..access import Caller, RuntimeOf, expire_cookie, not_ours, who_asks
from ..deps import costs
from .games import Token

router = APIRouter(prefix="/api", tags=["session"])


class SessionBody(Model):
    """For programs: a token instead of a cookie."""

    bearer: Literal[True]


class SeatHeld(Model):
    """A seat in a game that is not over."""

    id: str = Field(description="The game's id.")
    game: str
    size: int
    seat: SeatName
    elsewhere: bool = Field(description="Another device holds this seat too, and keeps it.")


class Session(Model):
    """The caller's session."""

    known: bool = Field(description="False for a browser that has no session.")
    seats: list[SeatHeld] = Field(description="The seats that end with it: the latest 500 in games that are not over.")


class Ended(Model):
    """The session has ended."""

    seats: list[SeatHeld] = Field(
        description="The seats that were given up: the latest 500 in games that are not over."
    )


@router.post("/session", status_code=201, dependencies=costs("joins"))
async def post_session(body: SessionBody, request: Request, runtime: RuntimeOf) -> Token:
    """A session for a program, which sends it as Authorization: Bearer. Browsers get a cookie by themselves."""
    who = Who(new_token())
    await runtime.store.write(lambda connection: people.add_session(connection, who.session, now_ms()))
    return Token(token=who.token)


@router.get("/session", dependencies=costs("joins"))
async def get_session(request: Request, runtime: RuntimeOf, who: Caller) -> Session:
    """What the caller would give up by ending the session."""
    known = who is not None and await runtime.uses.is_ours(who)
    if not known and "authorization" in request.headers:
        raise not_ours()
    return Session(known=known, seats=seats_view(await sessions.seats_of(runtime.store, who)) if known and who else [])


@router.delete("/session", dependencies=costs("joins"))
async def delete_session(request: Request, response: Response, runtime: RuntimeOf) -> Ended:
    """End the caller's session: its seats become nobody's, its sockets close, its cookie or token is worth nothing."""
    who = who_asks(request)
    if who is None or not await runtime.uses.is_ours(who):
        if "authorization" in request.headers:
            raise not_ours()
        raise Problem(
            "no_session",
            Message("refusal.this_browser_has_no", "this browser has no session here, so there is nothing to end"),
            where="Cookie",
        )
    given_up = await sessions.end_session(runtime.seats, runtime.hub, who)
    runtime.uses.forget(who)
    if "authorization" not in request.headers:
        expire_cookie(response, runtime.settings)
    return Ended(seats=seats_view(given_up))


def seats_view(seats: Iterable[people.HeldSeat]) -> list[SeatHeld]:
    """Seats as they are sent."""
    return [
        SeatHeld(id=held.game_id, game=held.game, size=held.size, seat=held.seat.value, elsewhere=held.elsewhere)
        for held in seats
    ]
