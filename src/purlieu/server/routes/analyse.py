"""What the computer thinks of a position."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import Field

from purlieu.rules import PurlieuError

from ..deps import world_of
from ..errors import Problem, problem_of
from ..model import Model
from ..workers.jobs import Answer, Job, Task, WorkerFailed
from .positions import LineBody

router = APIRouter(prefix="/api", tags=["positions"])

LONGEST = 10.0
DEFAULT = 1.0
STRONGEST = 9

Proven = Literal["win", "loss", "draw"]


class AnalyseBody(LineBody):
    """A line, and how hard to look: at a level's work, or for so many seconds at full strength."""

    level: Annotated[int, Field(ge=1, le=9)] | None = None
    seconds: Annotated[float, Field(gt=0, le=LONGEST)] | None = None


class MoveFoundView(Model):
    """What was found about one move. Chances and scores are those of the side to move."""

    move: str
    visits: int
    share: float
    win_chance: float
    expected_score: float
    proven: Proven | None


class AnalysisView(Model):
    """What was found about a position. Chances and scores are those of the side to move."""

    ply: int
    best_move: str
    win_chance: float
    expected_score: float
    proven: Proven | None
    line: list[str]
    moves: list[MoveFoundView]
    simulations: int
    seconds: float


@router.post("/analyse")
async def post_analyse(body: AnalyseBody, request: Request) -> AnalysisView:
    """Think about the position at the end of a line. Waits its turn; games go first."""
    world = world_of(request)
    world.limiter.allow("requests", request)
    first, last = await world.work(lambda: (body.first(), body.last()))
    if last.position.is_over:
        raise problem_of(PurlieuError("the game is over, so there is no move to find"), "moves")
    task = Task(
        start=first.core.text(),
        moves=tuple(body.moves),
        level=body.level or STRONGEST,
        seconds=body.seconds or (LONGEST if body.level and body.level < STRONGEST else DEFAULT),
        seed=1,
    )
    job = world.pool.submit(Job(task, is_move=False, owner=world.limiter.caller(request)))
    try:
        answer = await asyncio.wrap_future(job.future)
    except WorkerFailed:
        raise Problem("busy", "the computer could not look at this position just now", retry_s=2) from None
    except asyncio.CancelledError:
        world.pool.withdraw(job)
        raise
    return analysis_view(last.position.ply, answer)


def analysis_view(ply: int, answer: Answer) -> AnalysisView:
    """An answer as it is sent."""
    return AnalysisView.model_validate(
        {
            "ply": ply,
            "best_move": answer.best_move,
            "win_chance": answer.win_chance,
            "expected_score": answer.expected_score,
            "proven": answer.proven,
            "line": list(answer.line),
            "moves": [{name: getattr(found, name) for name in MoveFoundView.model_fields} for found in answer.moves],
            "simulations": answer.simulations,
            "seconds": answer.seconds,
        }
    )
