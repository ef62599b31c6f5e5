"""Refusals: what is wrong with a request, as a code with a sentence. Nothing here knows HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from purlieu.records import RecordError
from purlieu.rules import BadNotation, BadSize, IllegalMove, Message, PurlieuError, UnknownGame
from purlieu.rules.messages import MessageData


class Problem(Exception):
    """A refusal that reaches the caller as it is. `errors.STATUS` lists the codes."""

    def __init__(
        self, code: str, message: str, *, where: str | None = None, hint: str | None = None, retry_s: int | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where
        self.hint = hint
        self.retry_s = retry_s

    def __reduce__(self) -> tuple[Callable[..., Problem], tuple[Any, ...]]:
        """How it travels from a worker process."""
        return _again, (self.code, self.message, self.where, self.hint, self.retry_s)

    def body(self) -> dict[str, Any]:
        """What is sent."""
        return {
            "code": self.code,
            "message": self.message,
            "where": self.where,
            "hint": self.hint,
            "said": data_of(self.message),
            "hint_said": data_of(self.hint),
        }


def data_of(sentence: str | None) -> MessageData | None:
    """A sentence for other languages, if it can be said in them."""
    return sentence.data() if isinstance(sentence, Message) else None


def _again(code: str, message: str, where: str | None, hint: str | None, retry_s: int | None) -> Problem:
    return Problem(code, message, where=where, hint=hint, retry_s=retry_s)


def problem_of(error: PurlieuError, where: str | None = None) -> Problem:
    """What the rules or the records refuse, with its code."""
    match error:
        case IllegalMove():
            return Problem(
                "illegal",
                error.sentence,
                where=where,
                hint=Message("hint.rule", "the rule: {value}", value=error.refusal.rule.value),
            )
        case UnknownGame():
            return Problem("unknown_game", error.sentence, where=where or "game")
        case BadSize():
            return Problem("bad_size", error.sentence, where=where or "size")
        case RecordError():
            return Problem(
                "bad_record", error.sentence, where=where, hint=error.expected and f"expected {error.expected}"
            )
        case BadNotation():
            return Problem("bad_notation", error.sentence, where=where)
    return Problem("bad_request", error.sentence, where=where)


def not_found(message: str = Message("refusal.no_game", "there is no such game")) -> Problem:
    """The same for what is not there and for what is hidden."""
    return Problem(
        "not_found", message, hint=Message("hint.api_is_described_at", "the API is described at /api/docs.json")
    )
