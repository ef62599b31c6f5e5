"""Turns of the event loop: however many requests come at once, each turn begins one, of one caller after the other."""

from __future__ import annotations

import asyncio
from collections import deque

from ..domain.refusals import Problem

MOST_WAITING = 200
"""How many requests of one caller wait at most. uvicorn goes on with those whose clients have gone, so they count
too."""


class Turns:
    """Whose request is next. What else is ready, such as a move on a socket, is served between two of them."""

    def __init__(self) -> None:
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By caller; the one at the front is next."""
        self.taken = False
        """Whether a request has begun in this turn, or waits for the next."""

    async def take(self, caller: str) -> None:
        """Wait for a turn; the first to come has none to wait for. Who has too many waiting is refused."""
        loop = asyncio.get_running_loop()
        if len(self.waiting.get(caller, ())) >= MOST_WAITING:
            raise Problem("rate", "too many of your requests came at once", retry_s=1)
        if not self.taken:
            self.taken = True
            loop.call_soon(self._give)
            return
        mine = loop.create_future()
        self.waiting.setdefault(caller, deque()).append(mine)
        await mine

    def _give(self) -> None:
        """Once in each turn, as long as anybody waits."""
        while self.waiting:
            caller = next(iter(self.waiting))
            queue = self.waiting.pop(caller)
            mine = queue.popleft()
            if queue:
                self.waiting[caller] = queue
            if not mine.done():
                mine.set_result(None)
                asyncio.get_running_loop().call_soon(self._give)
                return
        self.taken = False
