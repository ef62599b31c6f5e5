"""Is the server there, and can it work?"""

from __future__ import annotations

from fastapi import APIRouter

from ..access import WorldOf
from ..errors import Problem
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


@router.get("/readyz")
async def get_readyz(world: WorldOf) -> Health:
    """The database answers and can be written to."""
    if world.writer.is_full:
        raise Problem("busy", "too many moves are waiting to be saved", retry_s=1)
    await world.gate.read(people.last_alive)
    await world.keeper.note()
    return Health()
