"""A game to take away: its record, and a picture of any of its positions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from purlieu.rules import Ending, Message, Seat

from ...domain.game import Game
from ...domain.refusals import Problem
from ...domain.who import Who
from ..access import Caller, RuntimeOf
from ..deps import Runtime, costs
from .games import GameId

router = APIRouter(prefix="/api/games", tags=["games"])

DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
"""A drawing has its styles inside, and may do nothing else."""

Ply = Annotated[int | None, Query(ge=0, le=100_000, description="After so many turns; left out: as it stands.")]
Theme = Annotated[str, Query(pattern="^(light|dark|auto)$")]


def sends(kind: str) -> dict[int | str, dict[str, Any]]:
    """For the API's description: what comes is no JSON."""
    return {200: {"content": {kind: {"schema": {"type": "string"}}}}}


@router.get("/{game_id}/record", response_class=Response, responses=sends("text/plain"), dependencies=costs("pictures"))
async def get_record(game_id: GameId, request: Request, runtime: RuntimeOf, who: Caller) -> Response:
    """The game as a record, which POST /api/records and `purlieu show` read."""
    game = await runtime.load(request, game_id)
    moves = [turn.move for turn in game.turns]
    text = await runtime.ask(
        request, who, "write_record", game=game.kind, size=game.size, moves=moves, tags=record_tags(game)
    )
    return named(Response(text, media_type="text/plain; charset=utf-8"), f"{game.kind}-{game_id}.pur")


@router.get(
    "/{game_id}/picture.svg", response_class=Response, responses=sends("image/svg+xml"), dependencies=costs("pictures")
)
async def get_svg(
    game_id: GameId, request: Request, runtime: RuntimeOf, who: Caller, ply: Ply = None, theme: Theme = "light"
) -> Response:
    """A drawing of a position of the game."""
    game, data = await drawn(request, runtime, who, game_id, ply, theme, "svg")
    answer = Response(data, media_type="image/svg+xml", headers={"Content-Security-Policy": DRAWING_POLICY})
    return named(answer, f"{game.kind}-{game_id}.svg")


@router.get(
    "/{game_id}/picture.png", response_class=Response, responses=sends("image/png"), dependencies=costs("pictures")
)
async def get_png(
    game_id: GameId, request: Request, runtime: RuntimeOf, who: Caller, ply: Ply = None, theme: Theme = "light"
) -> Response:
    """The drawing as pixels."""
    game, data = await drawn(request, runtime, who, game_id, ply, theme, "png")
    return named(Response(data, media_type="image/png"), f"{game.kind}-{game_id}.png")


def named(response: Response, name: str) -> Response:
    """An answer that a browser shows, and saves under that name."""
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response


async def drawn(
    request: Request, runtime: Runtime, who: Who | None, game_id: str, ply: int | None, theme: str, kind: str
) -> tuple[Game, bytes]:
    """The game, and its position after so many turns; what was drawn of late is not drawn again."""
    game = await runtime.load(request, game_id)
    at = game.ply if ply is None else ply
    if at > game.ply:
        raise Problem(
            "bad_request",
            Message("refusal.game_has_had_turns", "the game has had {ply} turns, not {at}", ply=game.ply, at=at),
            where="ply",
        )
    key = (game_id, game.epoch, at, theme, kind)
    data = runtime.pictures.get(key)
    if data is None:
        moves = [turn.move for turn in game.turns[:at]]
        data = await runtime.ask(
            request, who, "draw", game=game.kind, size=game.size, moves=moves, theme=theme, kind=kind
        )
        runtime.pictures.put(key, data)
    return game, data


def record_tags(game: Game) -> dict[str, str]:
    """What is known about the game beside its moves."""
    tags = {}
    for name, chair in zip(("First", "Second"), game.chairs.values(), strict=True):
        tags[name] = f"purlieu, level {chair.level}" if chair.kind == "computer" else "?"
    tags["Date"] = datetime.fromtimestamp(game.turn_started_ms / 1000, UTC).strftime("%Y-%m-%d")
    if (result := game.result) and not game.played.core.is_over:
        tags["Termination"] = result.ending.value
        if result.winner is not None or result.ending is Ending.AGREEMENT:
            tags["Result"] = {Seat.FIRST: "1-0", Seat.SECOND: "0-1", None: "1/2-1/2"}[result.winner]
    return tags
