"""A lock for each game: whoever holds it sees the game's changes in order, and may ask for it again."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any


class GameLock:
    """An asyncio lock that its holder may take again."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.holder: asyncio.Task[Any] | None = None
        self.depth = 0

    async def __aenter__(self) -> None:
        task = asyncio.current_task()
        if self.holder is not task:
            await self.lock.acquire()
            self.holder = task
        self.depth += 1

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.depth -= 1
        if not self.depth:
            self.holder = None
            self.lock.release()
