"""What the computer thinks of a position."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from purlieu.engine.ladder import Effort
from purlieu.engine.report import MoveReport
from purlieu.rules import PurlieuError

from ...domain.refusals import Problem, problem_of
from ...wire.model import Model
from ...workers.jobs import Answer, Job, Task, WorkerFailed
from ...workers.pool import check_move
from ..access import Caller, WorldOf
from ..deps import costs
from .positions import LineBody

router = APIRouter(prefix="/api", tags=["positions"])

LONGEST = 10.0
DEFAULT = 1.0
STRONGEST = 9
LOOK_UP = 0.25
"""How often, in seconds, one looks whether somebody still waits."""

Proven = Literal["win", "loss", "draw"]


class AnalyseBody(LineBody):
    """A line, and how hard to look: at a level's work, or at full strength for so many seconds or with such an effort.

    `quick` suits a bar or a graph and `thorough` a hint; both are the same work on every machine.
    """

    level: Annotated[int, Field(ge=1, le=9)] | None = None
    effort: Effort | None = None
    seconds: Annotated[float, Field(gt=0, le=LONGEST)] | None = None


class MoveFoundView(Model):
    """What was found about one move. Chances and scores are those of the side to move."""

    move: str
    visits: int
    share: float
    win_chance: float
    expected_score: float
    proven: Proven | None


class LikelyView(Model):
    """A move that a net thinks of at first sight, and how likely it is the best."""

    move: str
    share: float


class AnalysisView(Model):
    """What was found about a position. Chances and scores are those of the side to move.

    `policy` and `owners` are a net's, at first sight, and null where the server has none that learned this size.
    `owners` says who will own each square, from 1, surely the side to move, to -1, surely the other; in Pyloff each
    vertical line by its lowest point.
    """

    ply: int
    best_move: str
    win_chance: float
    expected_score: float
    proven: Proven | None
    line: list[str]
    moves: list[MoveFoundView]
    simulations: int
    seconds: float
    policy: list[LikelyView] | None
    owners: dict[str, float] | None


@router.post("/analyse", response_model=AnalysisView, dependencies=costs("requests"))
async def post_analyse(body: AnalyseBody, request: Request, world: WorldOf, who: Caller) -> Response:
    """Think about the position at the end of a line. Waits its turn; games go first."""
    start, moves, ply, is_over = await world.ask(request, who, "line", quick=True, **body.line())
    if is_over:
        raise problem_of(PurlieuError("the game is over, so there is no move to find"), "moves")
    if body.effort and body.level not in (None, STRONGEST):
        message = f"an effort is for level {STRONGEST}; level {body.level} does its own work"
        raise Problem("bad_request", message, where="effort", hint="leave level or effort out")
    does_fixed_work = body.effort or (body.level or STRONGEST) < STRONGEST
    task = Task(
        start=start,
        moves=moves,
        level=body.level or STRONGEST,
        seconds=body.seconds or (LONGEST if does_fixed_work else DEFAULT),
        seed=1,
        effort=body.effort,
        with_sight=True,
    )
    if known := world.answers.find(task):
        return Response(known, media_type="application/json")
    owner = await world.owner_of(request, who)
    job = world.pool.submit(Job(task, task.lane, owner, world.limiter.caller(request), check=check_move))
    try:
        answer = await answer_to(job, request)
    except WorkerFailed:
        raise Problem("busy", "the computer could not look at this position just now", retry_s=2) from None
    finally:
        if not job.future.done():
            world.pool.withdraw(job)
    sent = analysis_view(ply, answer).model_dump_json().encode()
    world.answers.keep(job, sent)
    return Response(sent, media_type="application/json")


async def answer_to(job: Job, request: Request) -> Answer:
    """What a job's worker answers, for as long as somebody waits for it: a page that was left gets none."""
    coming = asyncio.wrap_future(job.future)
    while not (await asyncio.wait({coming}, timeout=LOOK_UP))[0]:
        if await request.is_disconnected():
            raise Problem("busy", "nobody waits for this analysis any more")
    answer: Answer = coming.result()
    return answer


def analysis_view(ply: int, answer: Answer) -> AnalysisView:
    """An answer as it is sent: with no more digits than anybody can see."""
    return AnalysisView.model_validate(
        {
            "ply": ply,
            "best_move": answer.best_move,
            "win_chance": round(answer.win_chance, 4),
            "expected_score": round(answer.expected_score, 2),
            "proven": answer.proven,
            "line": list(answer.line),
            "moves": [_move_found(found) for found in answer.moves],
            "simulations": answer.simulations,
            "seconds": round(answer.seconds, 3),
            "policy": None if answer.policy is None else _likely(answer.policy),
            "owners": answer.owners and {place: round(lead, 2) for place, lead in answer.owners.items()},
        }
    )


def _likely(policy: Mapping[str, float]) -> list[dict[str, object]]:
    return [{"move": move, "share": round(share, 3)} for move, share in policy.items()]


def _move_found(found: MoveReport) -> dict[str, object]:
    return {
        "move": found.move,
        "visits": found.visits,
        "share": round(found.share, 4),
        "win_chance": round(found.win_chance, 4),
        "expected_score": round(found.expected_score, 2),
        "proven": found.proven,
    }
