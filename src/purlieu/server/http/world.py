"""Starting and ending a server's world, in the right order."""

from __future__ import annotations

import asyncio
import json
import sys

from ..cache import Cache
from ..metrics import Counts
from ..services.computer import Computer
from ..services.gate import Gate
from ..services.keeper import Keeper
from ..services.live import Hub
from ..services.sessions import Uses
from ..settings import Settings, database_url
from ..store.database import wait_for_database
from ..store.writer import Writer
from ..workers.answers import Answers
from ..workers.child import main as think_main
from ..workers.desk import main as desk_main
from ..workers.pool import Pool
from .deps import World
from .limiter import Limiter

RETRY_MS = 3000
"""Clients come back within this time, each at its own moment."""
TURN_SECONDS = 0.0005
"""How long one thread may keep Python from the others. The writer asks for it after every statement, and with the usual
5 ms a busy loop would keep a batch of fifty moves waiting for a quarter of a second."""


async def start_world(settings: Settings) -> World:
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
    writer, hub = Writer(database.writer, counts), Hub(limits)
    gate = Gate(database, writer, hub, limits.games_bytes)
    computer, keeper = Computer(gate, pool, settings), Keeper(gate)
    gate.on_change = computer.consider
    await keeper.start()
    await computer.resume()
    return World(
        settings,
        Limiter(limits, settings.proxies),
        pool,
        database,
        writer,
        hub,
        gate,
        computer,
        keeper,
        Answers(limits.answers_bytes),
        desk,
        Cache(limits.pictures_bytes, len),
        counts,
        Uses(gate),
    )


def say_goodbye(world: World) -> None:
    """Tell everybody that the server stops, and that they may come back soon."""
    world.hub.end_all(1012, [json.dumps({"t": "bye", "code": 1012, "retry_ms": RETRY_MS})])


async def end_world(world: World) -> None:
    """Stop thinking, write what waits, let go of the database."""
    say_goodbye(world)
    await world.computer.close()
    await world.keeper.close()
    await asyncio.to_thread(world.pool.close)
    await asyncio.to_thread(world.desk.close)
    await asyncio.to_thread(world.writer.close)
    await asyncio.to_thread(world.database.close)
