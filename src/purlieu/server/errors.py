"""What a caller is told when something is wrong: a code for programs, sentences for people."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field
from starlette.exceptions import HTTPException

from purlieu.records import RecordError
from purlieu.rules import BadNotation, BadSize, IllegalMove, PurlieuError, UnknownGame

from .model import Model

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


class Problem(Exception):
    """A refusal that reaches the caller as it is."""

    def __init__(
        self, code: str, message: str, *, where: str | None = None, hint: str | None = None, retry_s: int | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where
        self.hint = hint
        self.retry_s = retry_s

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code]

    def body(self) -> dict[str, Any]:
        """What is sent."""
        return {"code": self.code, "message": self.message, "where": self.where, "hint": self.hint}

    def response(self) -> JSONResponse:
        """The HTTP answer."""
        headers = {"Retry-After": str(self.retry_s)} if self.retry_s is not None else None
        return JSONResponse(self.body(), self.status, headers)


def problem_of(error: PurlieuError, where: str | None = None) -> Problem:
    """What the rules or the records refuse, with its code."""
    match error:
        case IllegalMove():
            return Problem("illegal", str(error), where=where, hint=f"the rule: {error.refusal.rule.value}")
        case UnknownGame():
            return Problem("unknown_game", str(error), where=where or "game")
        case BadSize():
            return Problem("bad_size", str(error), where=where or "size")
        case RecordError():
            return Problem("bad_record", str(error), where=where, hint=error.expected and f"expected {error.expected}")
        case BadNotation():
            return Problem("bad_notation", str(error), where=where)
    return Problem("bad_request", str(error), where=where)


def problem_of_validation(error: RequestValidationError) -> Problem:
    """The first wrong field of a body or a query."""
    first = error.errors()[0]
    place = [str(part) for part in first["loc"] if part != "body"]
    if first["type"] == "json_invalid":
        return Problem("bad_json", "the body is not JSON", where=f"character {first['loc'][-1]}")
    message = str(first["msg"])
    sentence = message[:1].lower() + message[1:]
    return Problem("bad_request", sentence, where=".".join(place) or "body")


def install(app: FastAPI) -> None:
    """Answer every error in the one form."""

    async def on_problem(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, Problem)
        return error.response()

    async def on_purlieu(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, PurlieuError)
        return problem_of(error).response()

    async def on_validation(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return problem_of_validation(error).response()

    async def on_http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        headers = dict(error.headers or {})
        if error.status_code == 405:
            allowed = headers.get("Allow", "")
            message, hint = f"{request.method} is not a method of this path", allowed and f"allowed: {allowed}"
            body = Problem("no_method", message, hint=hint or None).body()
        elif error.status_code == 404:
            body = not_found("nothing is at this path").body()
        else:
            body = Problem("bad_request", str(error.detail)).body()
        return JSONResponse(body, error.status_code, headers)

    app.add_exception_handler(Problem, on_problem)
    app.add_exception_handler(PurlieuError, on_purlieu)
    app.add_exception_handler(RequestValidationError, on_validation)
    app.add_exception_handler(HTTPException, on_http)


def not_found(message: str = "there is no such game") -> Problem:
    """The same for what is not there and for what is hidden."""
    return Problem("not_found", message, hint="the API is described at /api/docs.json")
