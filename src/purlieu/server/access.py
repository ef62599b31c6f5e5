"""Cookies and bearer tokens: how a request says whose it is. Secrets never stand in a URL."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, Response
from starlette.requests import HTTPConnection

from .deps import World, world_of
from .errors import Problem
from .services.who import TOKEN_LENGTH, Who, new_token
from .settings import Settings
from .store.people import is_session

YEAR = 365 * 86_400


def is_secure(settings: Settings) -> bool:
    """Whether people come by https."""
    return bool(settings.public_url and settings.public_url.startswith("https:"))


def cookie_name(settings: Settings) -> str:
    """With https, browsers hold the cookie to this very host."""
    return "__Host-purlieu" if is_secure(settings) else "purlieu"


def who_asks(connection: HTTPConnection) -> Who | None:
    """The caller's session, if the request names one."""
    settings = world_of(connection).settings
    authorization = connection.headers.get("authorization", "")
    if authorization:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not is_token(token.strip()):
            message = "expected Authorization: Bearer, and a token of POST /api/session"
            raise Problem("bad_request", message, where="Authorization")
        return Who(token.strip())
    token = connection.cookies.get(cookie_name(settings), "")
    return Who(token) if is_token(token) else None


def is_token(text: str) -> bool:
    """Whether it could be one of ours."""
    return len(text) == TOKEN_LENGTH and text.isascii() and text.replace("-", "a").replace("_", "a").isalnum()


async def who_or_new(request: Request, response: Response) -> Who:
    """The caller's session; a browser that has none gets one, as a cookie that no script can read.

    A secret that we never gave out is not taken: somebody else may have put it there, and would know it too.
    """
    world = world_of(request)
    who = who_asks(request)
    if who is not None:
        session = who.session
        if await world.gate.read(lambda connection: is_session(connection, session)):
            return who
        if "authorization" in request.headers:
            message = "this token is not one of ours"
            raise Problem("no_session", message, where="Authorization", hint="POST /api/session makes one")
    who = Who(new_token())
    settings = world.settings
    response.set_cookie(
        cookie_name(settings),
        who.token,
        max_age=YEAR,
        path="/",
        secure=is_secure(settings),
        httponly=True,
        samesite="lax",
    )
    return who


WorldOf = Annotated[World, Depends(world_of)]
Caller = Annotated[Who | None, Depends(who_asks)]
SureCaller = Annotated[Who, Depends(who_or_new)]
