"""What runs in a process that answers questions from plain data: one after the other, each within its budget."""

from __future__ import annotations

import gzip
import signal
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

from purlieu.rules import Message, PurlieuError

from ..domain.refusals import Problem, problem_of
from .jobs import Question
from .pool import be_modest

WORTH_PACKING = 1000
"""Bytes below which packing costs more than it saves."""


class OverBudget(BaseException):
    """The question has used up its time. No part of the answer catches this by mistake."""


def main(pipe: Connection) -> None:
    """Answer one question after the other, until the server closes the pipe."""
    be_modest(5)  # somebody waits for a look at the board
    has_budget = hasattr(signal, "setitimer")
    if has_budget:
        signal.signal(signal.SIGPROF, _over_budget)
    from ..wire.questions import QUESTIONS  # here, so that the server's own process need not load what they use

    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError):
            return
        match message:
            case ("do", int(number), Question() as question):
                pipe.send(_answer(number, question, QUESTIONS[question.name], has_budget))
            case _:
                continue  # an order to stop what is done already


def _answer(number: int, question: Question, work_out: Any, has_budget: bool) -> tuple[str, int, object]:
    try:
        try:
            if has_budget:
                signal.setitimer(signal.ITIMER_PROF, question.seconds)
            answer = work_out(**question.given)
            if question.gzipped:
                answer = _gzipped(answer)
        finally:
            if has_budget:
                signal.setitimer(signal.ITIMER_PROF, 0)
        return "answer", number, answer
    except OverBudget:
        message = Message(
            "refusal.this_takes_more_than",
            "this takes more than {seconds} seconds to work out, the most that one request may",
            seconds=f"{question.seconds:g}",
        )
        return (
            "refused",
            number,
            Problem("too_long", message, hint=Message("hint.ask_for_less_at", "ask for less at a time")),
        )
    except Problem as problem:
        return "refused", number, problem
    except PurlieuError as error:
        return "refused", number, problem_of(error)
    except Exception as error:
        return "failed", number, f"{type(error).__name__}: {error}"


def _over_budget(number: int, frame: FrameType | None) -> None:
    raise OverBudget


def _gzipped(data: bytes) -> tuple[bytes, bool]:
    """The data as they are sent, and whether they are gzipped."""
    return (gzip.compress(data, 5, mtime=0), True) if len(data) > WORTH_PACKING else (data, False)
