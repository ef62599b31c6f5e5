"""Starting and ending a server's runtime, in the right order."""

from __future__ import annotations

import asyncio
import sys

from ..cache import Cache
from ..metrics import Counts
from ..services.committer import Committer
from ..services.computer import Computer
from ..services.game_cache import GameCache
from ..services.keeper import Keeper
from ..services.live import Broadcast, Hub
from ..services.play import Play
from ..services.seats import Seats
from ..services.sessions import Uses
from ..settings import Settings, database_url
from ..store.database import wait_for_database
from ..store.writer import Store, Writer
from ..wire.frames import Bye
from ..wire.strict_json import json_text
from ..workers.child import main as think_main
from ..workers.desk import main as desk_main
from ..workers.jobs import Answers
from ..workers.pool import Pool
from .deps import Runtime
from .limiter import Limiter

RETRY_MS = 3000
"""Clients come back within this time, each at its own moment."""
TURN_SECONDS = 0.0005
"""How long one thread may keep Python from the others. The writer asks for it after every statement, and with the usual
5 ms a busy loop would keep a batch of fifty moves waiting for a quarter of a second."""


async def start_runtime(settings: Settings) -> Runtime:
    """Open the database, give back the time of an outage, take up the moves that are owed."""
    sys.setswitchinterval(TURN_SECONDS)
    limits = settings.limits
    database = await asyncio.to_thread(wait_for_database, database_url(settings.database))
    pool = Pool(
        settings.workers,
        main=settings.worker or think_main,
        most_moves=limits.moves_waiting,
        most_waiting=limits.analyses_waiting,
        most_each=limits.analyses_per_caller,
    )
    desk = Pool(
        limits.desk_workers,
        main=desk_main,
        most_waiting=limits.questions_waiting,
        most_each=limits.questions_per_caller,
    )
    counts = Counts()
    store, hub = Store(database, Writer(database.writer, counts)), Hub(limits)
    cache, seats = GameCache(limits.games_bytes, hub.rooms.__contains__), Seats(store)
    committer = Committer(store, cache)
    computer, keeper = Computer(committer, hub, pool, settings), Keeper(committer, seats, hub)
    committer.subscribe(Broadcast(hub, cache).hear)
    committer.subscribe(computer.hear)
    await keeper.start((computer.look_after, 20.0))
    await computer.resume()
    return Runtime(
        settings,
        Limiter(limits, settings.proxies),
        pool,
        hub,
        store,
        cache,
        committer,
        seats,
        computer,
        keeper,
        Answers(limits.answers_bytes),
        desk,
        Cache(limits.pictures_bytes, len),
        counts,
        Uses(store),
        Play(committer, seats, hub, computer),
    )


def say_goodbye(runtime: Runtime) -> None:
    """Tell everybody that the server stops, and that they may come back soon."""
    bye: Bye = {"t": "bye", "code": 1012, "retry_ms": RETRY_MS}
    runtime.hub.end_all(1012, [json_text(bye)])


async def end_runtime(runtime: Runtime) -> None:
    """Stop thinking, write what waits, let go of the database."""
    say_goodbye(runtime)
    await runtime.computer.close()
    await runtime.keeper.close()
    await asyncio.to_thread(runtime.pool.close)
    await asyncio.to_thread(runtime.desk.close)
    await asyncio.to_thread(runtime.store.writer.close)
    await asyncio.to_thread(runtime.store.database.close)
