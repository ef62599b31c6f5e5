"""A game to take away: its record, and a picture of any of its positions."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response

from purlieu.drawing import png, svg
from purlieu.records import Record, dumps
from purlieu.rules import Seat

from ..access import WorldOf
from ..errors import Problem
from ..services.game import Game
from .games import GameId

router = APIRouter(prefix="/api/games", tags=["games"])

DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
"""A drawing has its styles inside, and may do nothing else."""

Ply = Annotated[int | None, Query(ge=0, le=100_000, description="After so many turns; left out: as it stands.")]
Theme = Annotated[str, Query(pattern="^(light|dark|auto)$")]


def sends(kind: str) -> dict[int | str, dict[str, Any]]:
    """For the API's description: what comes is no JSON."""
    return {200: {"content": {kind: {"schema": {"type": "string"}}}}}


@router.get("/{game_id}/record", response_class=Response, responses=sends("text/plain"))
async def get_record(game_id: GameId, world: WorldOf) -> Response:
    """The game as a record, which POST /api/records and `purlieu show` read."""
    game = await world.gate.load(game_id)
    text = await asyncio.to_thread(lambda: dumps(record_of(game)))
    return named(Response(text, media_type="text/plain; charset=utf-8"), f"{game.played.position.game}-{game_id}.pur")


@router.get("/{game_id}/picture.svg", response_class=Response, responses=sends("image/svg+xml"))
async def get_svg(game_id: GameId, world: WorldOf, ply: Ply = None, theme: Theme = "light") -> Response:
    """A drawing of a position of the game."""
    game = await world.gate.load(game_id)
    text = await asyncio.to_thread(draw, game, ply, theme)
    answer = Response(text, media_type="image/svg+xml", headers={"Content-Security-Policy": DRAWING_POLICY})
    return named(answer, f"{game.played.position.game}-{game_id}.svg")


@router.get("/{game_id}/picture.png", response_class=Response, responses=sends("image/png"))
async def get_png(game_id: GameId, world: WorldOf, ply: Ply = None, theme: Theme = "light") -> Response:
    """The drawing as pixels."""
    game = await world.gate.load(game_id)
    data = await asyncio.to_thread(lambda: png(draw(game, ply, theme)))
    return named(Response(data, media_type="image/png"), f"{game.played.position.game}-{game_id}.png")


def named(response: Response, name: str) -> Response:
    """An answer that a browser shows, and saves under that name."""
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def draw(game: Game, ply: int | None, theme: str) -> str:
    """The position after so many turns, its last move marked."""
    at = game.ply if ply is None else ply
    if at > game.ply:
        raise Problem("bad_request", f"the game has had {game.ply} turns, not {at}", where="ply")
    played = game.line[at]
    return svg(played.position, last_move=played.move, before=played.before, theme=theme)


def record_of(game: Game) -> Record:
    """The game with what is known about it."""
    names = {}
    for seat, chair in game.chairs.items():
        names[seat] = f"purlieu, level {chair.level}" if chair.kind == "computer" else "?"
    result = None
    if game.result and not game.played.position.is_over:
        scores = {Seat.FIRST: "1-0", Seat.SECOND: "0-1", None: "1/2-1/2"}
        agreed = game.result.winner is not None or any(kind == "draw" for kind, _ in game.log)
        result = scores[game.result.winner] if agreed else None
    return Record.of(
        game.line[0].position,
        [turn.move for turn in game.turns],
        first=names[Seat.FIRST],
        second=names[Seat.SECOND],
        date=datetime.fromtimestamp(game.turn_started_ms / 1000, UTC).strftime("%Y-%m-%d"),
        result=result,
    )
