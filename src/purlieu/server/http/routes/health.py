"""Is the server there, and can it work?"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from purlieu.rules import Message

from ...domain.refusals import Problem, not_found
from ...store import people
from ...wire.model import Model
from ..access import RuntimeOf
from ..deps import costs

router = APIRouter(tags=["health"])

PROXY_HEADERS = (
    *("forwarded", "x-forwarded", "via", "true-client-ip", "x-real-ip", "x-client-ip", "x-cluster-client-ip"),
    *("x-original-", "x-envoy-", "x-azure-", "cf-", "fastly-", "fly-", "akamai-", "cdn-"),
)
"""How the headers begin that proxies add to a request."""


class Health(Model):
    """All is well."""

    ok: bool = True


@router.get("/healthz", dependencies=costs("reads"))
async def get_healthz() -> Health:
    """The process lives."""
    return Health()


@router.get("/metrics", response_class=PlainTextResponse, include_in_schema=False, dependencies=costs("reads"))
async def get_metrics(request: Request, runtime: RuntimeOf) -> str:
    """What happened since the start, in numbers; for this machine only, and not through a proxy."""
    host = request.client.host if request.client else ""
    by_proxy = host in runtime.limiter.proxies or any(name.startswith(PROXY_HEADERS) for name in request.headers)
    if host not in ("127.0.0.1", "::1") or by_proxy:
        raise not_found(Message("refusal.nothing_is_at_this", "nothing is at this path"))
    now = {
        "connections": len(request.app.state.connections.open),
        "sockets": sum(map(len, runtime.hub.rooms.values())),
        "games_watched": len(runtime.hub.rooms),
        "games_in_memory": len(runtime.cache.kept),
        "games_bytes": runtime.cache.kept.bytes,
        "loop_stall_seconds": runtime.keeper.pulse.longest_stall,
        "questions_waiting": len(runtime.desk.waiting),
        "writes_waiting": runtime.store.writer.waiting.qsize(),
        "computer_moves_waiting": len(runtime.computer.work),
    }
    return runtime.counts.text(now)


@router.get("/api/docs.json", include_in_schema=False, dependencies=costs("reads"))
async def get_docs(request: Request) -> Response:
    """The API's description."""
    return Response(request.app.state.docs, media_type="application/json")


@router.get("/readyz", dependencies=costs("ready"))
async def get_readyz(runtime: RuntimeOf) -> Health:
    """The database answers and can be written to."""
    if runtime.store.writer.is_full:
        raise Problem(
            "busy", Message("refusal.too_many_moves_are", "too many moves are waiting to be saved"), retry_s=1
        )
    await runtime.store.read(people.last_alive)
    await runtime.keeper.note()
    return Health()
