"""Is the server there, and can it work?"""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from ..access import WorldOf
from ..errors import Problem, not_found
from ..model import Model
from ..store import people

router = APIRouter(tags=["health"])


class Health(Model):
    """All is well."""

    ok: bool = True


@router.get("/healthz")
async def get_healthz() -> Health:
    """The process lives."""
    return Health()


@router.get("/metrics", response_class=PlainTextResponse, include_in_schema=False)
async def get_metrics(request: Request, world: WorldOf) -> str:
    """What happened since the start, in numbers; told to this machine only, and not through a proxy."""
    host = request.client.host if request.client else ""
    if host not in ("127.0.0.1", "::1") or host in world.settings.proxies or "x-forwarded-for" in request.headers:
        raise not_found("nothing is at this path")
    now = {
        "sockets": sum(map(len, world.hub.rooms.values())),
        "games_watched": len(world.hub.rooms),
        "games_in_memory": len(world.gate.kept),
        "writes_waiting": world.writer.waiting.qsize(),
        "computer_moves_waiting": len(world.computer.work),
    }
    return world.counts.text(now)


@router.get("/readyz")
async def get_readyz(world: WorldOf) -> Health:
    """The database answers and can be written to."""
    if world.writer.is_full:
        raise Problem("busy", "too many moves are waiting to be saved", retry_s=1)
    await world.gate.read(people.last_alive)
    await world.keeper.note()
    return Health()
