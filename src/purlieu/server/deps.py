"""What the routes share: the world of one server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from starlette.requests import HTTPConnection

from .errors import Problem
from .limiter import Limiter
from .live import Hub
from .metrics import Counts
from .services.computer import Computer
from .services.game import Game
from .services.gate import Gate, now_ms
from .services.keeper import Keeper
from .services.who import Who, hash_of
from .settings import Settings
from .state import State, state_view
from .store.database import Database
from .store.writer import Writer
from .workers.answers import Answers
from .workers.pool import Pool

Result = TypeVar("Result")


class Works:
    """Threads for questions about positions: few, so that games are never kept waiting by them."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self.turns = asyncio.Semaphore(at_once)
        self.room = at_once + waiting

    async def run(self, run: Callable[..., Result], *given: Any) -> Result:
        """The answer, or a refusal when too many wait."""
        if self.room <= 0:
            raise Problem("busy", "too many questions are waiting", retry_s=1)
        self.room -= 1
        try:
            async with self.turns:
                return await asyncio.to_thread(run, *given)
        finally:
            self.room += 1


@dataclass
class World:
    """Everything that lives as long as the server."""

    settings: Settings
    limiter: Limiter
    pool: Pool
    database: Database
    writer: Writer
    hub: Hub
    gate: Gate
    computer: Computer
    keeper: Keeper
    answers: Answers
    works: Works
    counts: Counts

    async def work(self, run: Callable[..., Result], *given: Any) -> Result:
        """Have a question about a position answered off the loop, a few at a time."""
        return await self.works.run(run, *given)

    async def state(self, game: Game, who: Who | None) -> State:
        """A game as one caller sees it."""
        seats = await self.gate.seats(game.id, who)
        free = next((seat for seat, chair in game.chairs.items() if not chair.claimed), None)
        invite = who.invite(game.id, free) if who and free and seats else None
        if invite and free and hash_of(invite) != game.chairs[free].invite_hash:
            invite = None  # the maker's other device: only the one that made the game can tell the link again
        return state_view(
            game,
            await self.gate.view(game),
            you=seats,
            here=self.hub.here(game.id),
            thinking=self.computer.thinking(game.id),
            invite=invite,
            now_ms=now_ms(),
        )


def world_of(connection: HTTPConnection) -> World:
    """The world that a request or a socket is in."""
    return cast(World, connection.app.state.world)
