"""Cookies and bearer tokens: how a request says whose it is. Secrets never stand in a URL."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, Response
from starlette.requests import HTTPConnection

from purlieu.rules import Message

from ..domain.refusals import Problem
from ..domain.who import TOKEN_LENGTH, Who, new_token
from ..settings import Settings
from .deps import Runtime, runtime_of

COOKIE_SECONDS = 400 * 86_400
"""As long as a session lasts without use, and as long as browsers keep any cookie."""


def is_secure(settings: Settings) -> bool:
    """Whether people come by https."""
    return bool(settings.public_url and settings.public_url.startswith("https:"))


def cookie_name(settings: Settings) -> str:
    """With https, browsers hold the cookie to this very host."""
    return "__Host-purlieu" if is_secure(settings) else "purlieu"


def who_asks(connection: HTTPConnection) -> Who | None:
    """The caller's session, if the request names one."""
    settings = runtime_of(connection).settings
    authorization = connection.headers.get("authorization", "")
    if authorization:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not is_token(token.strip()):
            message = Message(
                "refusal.expected_authorization_bearer_and",
                "expected Authorization: Bearer, and a token of POST /api/session",
            )
            raise Problem("bad_request", message, where="Authorization")
        return Who(token.strip())
    token = connection.cookies.get(cookie_name(settings), "")
    return Who(token) if is_token(token) else None


def is_token(text: str) -> bool:
    """Whether it could be one of ours."""
    return len(text) == TOKEN_LENGTH and text.isascii() and text.replace("-", "a").replace("_", "a").isalnum()


async def caller(request: Request, response: Response) -> Who | None:
    """The caller's session, whose use is noted; a browser gets its cookie again before it forgets it."""
    who = who_asks(request)
    if who is not None and await runtime_of(request).uses.note(who):
        renew_cookie(request, response, who)
    return who


async def who_or_new(request: Request, response: Response) -> Who:
    """The caller's session; a browser that has none gets one, as a cookie that no script can read.

    A secret that we never gave out is not taken: somebody else may have put it there, and would know it too.
    """
    who = who_asks(request)
    if who is not None:
        if await runtime_of(request).uses.is_ours(who):
            renew_cookie(request, response, who)
            return who
        if "authorization" in request.headers:
            raise not_ours()
    who = Who(new_token())
    renew_cookie(request, response, who)
    return who


def not_ours() -> Problem:
    """The refusal of a token that we never gave out, or whose session has ended."""
    message = Message("refusal.this_token_is_not", "this token is not one of ours, or its session has ended")
    return Problem(
        "no_session",
        message,
        where="Authorization",
        hint=Message("hint.post_api_session_makes", "POST /api/session makes one"),
    )


def renew_cookie(request: Request, response: Response, who: Who) -> None:
    """Give a browser its cookie, unless it got it not long ago."""
    runtime = runtime_of(request)
    if "authorization" in request.headers or who.session in runtime.uses.cookies:
        return
    runtime.uses.cookies.add(who.session)
    settings = runtime.settings
    response.set_cookie(
        cookie_name(settings),
        who.token,
        max_age=COOKIE_SECONDS,
        path="/",
        secure=is_secure(settings),
        httponly=True,
        samesite="lax",
    )


def expire_cookie(response: Response, settings: Settings) -> None:
    """Have a browser forget its cookie."""
    response.delete_cookie(cookie_name(settings), path="/", secure=is_secure(settings), httponly=True, samesite="lax")


async def the_runtime(connection: HTTPConnection) -> Runtime:
    """The runtime, for routes. A plain function would be given a thread for each request."""
    return runtime_of(connection)


RuntimeOf = Annotated[Runtime, Depends(the_runtime)]
Caller = Annotated[Who | None, Depends(caller)]
SureCaller = Annotated[Who, Depends(who_or_new)]
