"""What the computer thinks of a position."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from purlieu.engine.ladder import Effort
from purlieu.engine.thinker import Line
from purlieu.rules import Message, PurlieuError

from ...domain.refusals import Problem, problem_of
from ...wire.analysis import AnalysisView
from ...wire.strict_json import json_text
from ...workers.jobs import Job, Task, WorkerFailed
from ...workers.pool import only_legal
from ..access import Caller, RuntimeOf
from ..deps import costs
from .positions import LineBody

router = APIRouter(prefix="/api", tags=["positions"])

LONGEST = 10.0
DEFAULT = 1.0
STRONGEST = 9
LOOK_UP = 0.25
"""How often, in seconds, one looks whether somebody still waits."""


class AnalyseBody(LineBody):
    """A line, and how hard to look: at a level's work, or at full strength for so many seconds or with such an effort.

    `quick` suits a bar or a graph and `thorough` a hint; both are the same work on every machine.
    """

    level: Annotated[int, Field(ge=1, le=9)] | None = None
    effort: Effort | None = None
    seconds: Annotated[float, Field(gt=0, le=LONGEST)] | None = None


@router.post("/analyse", response_model=AnalysisView, dependencies=costs("requests"))
async def post_analyse(body: AnalyseBody, request: Request, runtime: RuntimeOf, who: Caller) -> Response:
    """Think about the position at the end of a line. Waits its turn; games go first."""
    start, moves, is_over = await runtime.ask(request, who, "line", quick=True, **body.line())
    if is_over:
        raise problem_of(PurlieuError("the game is over, so there is no move to find"), "moves")
    if body.effort and body.level not in (None, STRONGEST):
        message = Message(
            "refusal.effort_is_for_level",
            "an effort is for level {strongest}; level {level} does its own work",
            strongest=STRONGEST,
            level=body.level,
        )
        raise Problem(
            "bad_request",
            message,
            where="effort",
            hint=Message("hint.leave_level_or_effort", "leave level or effort out"),
        )
    does_fixed_work = body.effort or (body.level or STRONGEST) < STRONGEST
    task = Task(
        start=start,
        moves=moves,
        level=body.level or STRONGEST,
        seconds=body.seconds or (LONGEST if does_fixed_work else DEFAULT),
        seed=1,
        effort=body.effort,
        wants="analysis",
    )
    if known := runtime.answers.find(task):
        return Response(known, media_type="application/json")
    owner, check = await runtime.owner_of(request, who), only_legal(lambda: Line(start, moves).position)
    job = runtime.pool.submit(Job(task, task.lane, owner, runtime.limiter.caller(request), check=check))
    try:
        answer = await answer_to(job, request)
    except WorkerFailed:
        raise Problem(
            "busy",
            Message("refusal.computer_could_not_look", "the computer could not look at this position just now"),
            retry_s=2,
        ) from None
    finally:
        if not job.future.done():
            runtime.pool.withdraw(job)
    sent = json_text(answer).encode()
    runtime.answers.keep(job, sent)
    return Response(sent, media_type="application/json")


async def answer_to(job: Job, request: Request) -> AnalysisView:
    """What a job's worker answers, for as long as somebody waits for it: a page that was left gets none."""
    coming = asyncio.wrap_future(job.future)
    while not (await asyncio.wait({coming}, timeout=LOOK_UP))[0]:
        if await request.is_disconnected():
            raise Problem("busy", Message("refusal.nobody_waits_for_this", "nobody waits for this analysis any more"))
    answer: AnalysisView = coming.result()
    return answer
