"""Refusals over HTTP: the status of each code, and one form for every error."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.routing import Match

from purlieu.rules import Message, PurlieuError

from ..domain.refusals import Problem, not_found, problem_of
from ..wire.model import Model
from ..wire.view import Said

STATUS = {
    "bad_request": 422,
    "bad_json": 400,
    "bad_notation": 422,
    "bad_record": 422,
    "unknown_game": 422,
    "bad_size": 422,
    "illegal": 422,
    "no_session": 401,
    "not_your_turn": 409,
    "not_your_seat": 403,
    "waiting": 409,
    "game_over": 409,
    "stale": 409,
    "ahead": 409,
    "desync": 409,
    "seat_taken": 409,
    "too_many": 409,
    "key_reused": 422,
    "bad_origin": 403,
    "not_found": 404,
    "no_method": 405,
    "slow": 408,
    "too_big": 413,
    "too_long": 422,
    "bad_type": 415,
    "rate": 429,
    "storage": 503,
    "busy": 503,
    "fault": 500,
}
"""Every code, and the HTTP status that goes with it."""


class ErrorBody(Model):
    """The one form of every refusal."""

    code: str = Field(description="One of: " + ", ".join(STATUS))
    message: str = Field(description="One sentence that says what is wrong.")
    where: str | None = Field(default=None, description="The field, header or place at fault.")
    hint: str | None = Field(default=None, description="What would be right.")
    said: Said | None = Field(default=None, description="The message as data, for other languages than English.")
    hint_said: Said | None = Field(default=None, description="So is the hint.")


def response_to(problem: Problem) -> JSONResponse:
    """The refusal as an HTTP response."""
    headers = {"Retry-After": str(problem.retry_s)} if problem.retry_s is not None else None
    return JSONResponse(problem.body(), STATUS[problem.code], headers)


def problem_of_validation(error: RequestValidationError) -> Problem:
    """The first wrong field of a body or a query."""
    first = error.errors()[0]
    place = [str(part) for part in first["loc"] if part != "body"]
    if first["type"] == "json_invalid":
        return Problem(
            "bad_json",
            Message("refusal.body_is_not_json", "the body is not JSON"),
            where=f"character {first['loc'][-1]}",
        )
    message = str(first["msg"])
    sentence = message[:1].lower() + message[1:]
    return Problem("bad_request", sentence, where=".".join(place) or "body")


def methods_of(request: Request) -> list[str]:
    """The methods that some route has for this path; HEAD is answered wherever GET is."""
    routes = request.app.routes
    found = [
        method
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in routes)
    ]
    return [*found[:1], "HEAD", *found[1:]] if "GET" in found else found


def install(app: FastAPI) -> None:
    """Answer every error in the one form."""

    async def on_problem(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, Problem)
        return response_to(error)

    async def on_purlieu(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, PurlieuError)
        return response_to(problem_of(error))

    async def on_validation(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return response_to(problem_of_validation(error))

    async def on_http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = allowed = ", ".join(methods_of(request)) or headers.get("Allow", "")
            message = Message(
                "refusal.is_not_method_of", "{method} is not a method of this path", method=request.method
            )
            body = Problem(
                "no_method", message, hint=Message("hint.allowed", "allowed: {allowed}", allowed=allowed)
            ).body()
        elif error.status_code == 404:
            body = not_found(Message("refusal.nothing_is_at_this", "nothing is at this path")).body()
        else:
            body = Problem("bad_request", str(error.detail)).body()
        return JSONResponse(body, error.status_code, headers)

    app.add_exception_handler(Problem, on_problem)
    app.add_exception_handler(PurlieuError, on_purlieu)
    app.add_exception_handler(RequestValidationError, on_validation)
    app.add_exception_handler(HTTPException, on_http)
