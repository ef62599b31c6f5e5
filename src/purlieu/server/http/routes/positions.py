"""Questions about positions, which need no game: views, looks, the catalogue, records to review."""

from __future__ import annotations

import gzip
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import FailFast, Field

from ...wire.catalogue import Catalogue, catalogue
from ...wire.explain import LookResult
from ...wire.model import GameName, Model, MoveText, Size
from ...wire.questions import Records, Summaries, Views
from ...wire.strict_json import json_text
from ...wire.view import placement_texts
from ..access import Caller, RuntimeOf
from ..deps import costs
from .pictures import sends

router = APIRouter(prefix="/api", tags=["positions"])


class LineBody(Model):
    """A line of play: a game, from its start or from a position, and the moves since."""

    game: GameName
    size: Size | None = Field(default=None, description="Left out: the game's usual size.")
    moves: Annotated[list[MoveText], Field(max_length=10_000), FailFast()] = Field(default_factory=list)
    setup: Annotated[str, Field(max_length=60_000)] | None = Field(
        default=None, alias="from", description="A position's text; left out: the game's first position."
    )

    def line(self) -> dict[str, Any]:
        """The line as questions take it."""
        return {"game": self.game, "size": self.size, "setup": self.setup, "moves": self.moves}


class ViewsBody(LineBody):
    """Which views of a line are wanted."""

    last_only: bool = Field(default=False, description="Only the view after the last move.")
    first_ply: Annotated[int, Field(ge=0, le=10_000)] = Field(
        default=0,
        description="How many views of the line to leave out. One answer holds at most 200, of large boards fewer.",
    )


@router.post("/views", response_model=Views, dependencies=costs("looks"))
async def post_views(body: ViewsBody, request: Request, runtime: RuntimeOf, who: Caller) -> Response:
    """The view after every move of a line, the first position included."""
    gzipped = takes_gzip(request)
    if body.last_only:
        answer = await runtime.ask(request, who, "last_view", quick=True, gzipped=gzipped, **body.line())
    else:
        answer = await runtime.ask(request, who, "views", gzipped=gzipped, **body.line(), first_ply=body.first_ply)
    return json_response(answer, gzipped)


@router.post("/summaries", response_model=Summaries, dependencies=costs("looks"))
async def post_summaries(body: LineBody, request: Request, runtime: RuntimeOf, who: Caller) -> Response:
    """The count and the turn after every move of a line, the first position included: what a graph needs."""
    gzipped = takes_gzip(request)
    return json_response(await runtime.ask(request, who, "line_summaries", gzipped=gzipped, **body.line()), gzipped)


class LookBody(LineBody):
    """A line, and a move that somebody thinks of."""

    move: Annotated[str, Field(max_length=100)]


@router.post("/look", response_model=LookResult, dependencies=costs("looks"))
async def post_look(body: LookBody, request: Request, runtime: RuntimeOf, who: Caller) -> Response:
    """What a move would do at the end of the line; or which rule forbids it, and where."""
    gzipped = takes_gzip(request)
    answer = await runtime.ask(request, who, "look_at", quick=True, gzipped=gzipped, **body.line(), move=body.move)
    return json_response(answer, gzipped)


@router.get("/catalogue", response_model=Catalogue, dependencies=costs("reads"))
async def get_catalogue(request: Request) -> Response:
    """The games, their sizes, and the computer's levels."""
    return json_response(_constant("catalogue", takes_gzip(request)), takes_gzip(request))


@router.get("/pentwall/placements", response_model=list[str], dependencies=costs("reads"))
async def get_placements(request: Request) -> Response:
    """Pentwall's 4,096 placements in the order of a view's `placements` bits. It never changes."""
    response = json_response(_constant("placements", takes_gzip(request)), takes_gzip(request))
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


@cache
def _constant(name: str, gzipped: bool) -> Any:
    """What is the same for everybody, made once."""
    data = json_text(catalogue() if name == "catalogue" else placement_texts()).encode()
    return (gzip.compress(data, 9, mtime=0), True) if gzipped else data


class RecordsBody(Model):
    """Records as text or as JSON Lines."""

    text: Annotated[str, Field(min_length=1, max_length=256 * 1024)]


@router.post("/records", response_model=Records, dependencies=costs("records"))
async def post_records(body: RecordsBody, request: Request, runtime: RuntimeOf, who: Caller) -> Response:
    """Read records, to look at them. A game that is wrong is named by line, column and ply."""
    gzipped = takes_gzip(request)
    return json_response(await runtime.ask(request, who, "read_records", gzipped=gzipped, text=body.text), gzipped)


class RecordTextBody(Model):
    """Games to write down, as JSON Lines."""

    text: Annotated[str, Field(min_length=1, max_length=512 * 1024)]


@router.post("/records/text", response_class=Response, responses=sends("text/plain"), dependencies=costs("records"))
async def post_record_text(body: RecordTextBody, request: Request, runtime: RuntimeOf, who: Caller) -> Response:
    """Write records as text, with every tag, comment, mark and variation. One that is wrong is refused."""
    text = await runtime.ask(request, who, "record_text", text=body.text)
    return Response(text, media_type="text/plain; charset=utf-8")


# -- how it is sent -----------------------------------------------------------------------------


def takes_gzip(request: Request) -> bool:
    """Whether the caller can read what gzip compressed. Nothing here is secret, so its length gives nothing away."""
    words = request.headers.get("accept-encoding", "").split(",")
    return "gzip" in (word.partition(";")[0].strip() for word in words)


def json_response(answer: Any, gzipped: bool) -> Response:
    """JSON text that was written elsewhere: plain, or a pair with whether it was worth packing."""
    data, is_gzipped = answer if gzipped else (answer, False)
    headers = {"Vary": "Accept-Encoding"} | ({"Content-Encoding": "gzip"} if is_gzipped else {})
    return Response(data, media_type="application/json", headers=headers)
