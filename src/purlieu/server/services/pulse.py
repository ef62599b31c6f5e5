"""Whether the server runs: when its process stood still, and how long its event loop was held up."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable

BEAT_SECONDS = 0.5
OUTAGE_MS = 3_000
"""A process that did not run for longer stood still: it was stopped, or the whole machine was suspended."""
BUSY_SHARE = 0.1
"""A process that had this share of a processor meanwhile was busy, and not away."""
LOOP_SECONDS = 0.05
LAST = round(60 / LOOP_SECONDS)


class Pulse:
    """A thread that looks at the clock twice a second. A busy event loop does not stop it; only a standstill does."""

    def __init__(self, clock: Callable[[], int], spent: Callable[[], float] = time.process_time) -> None:
        self.clock = clock
        self.spent = spent
        self.seen_ms, self.spent_s = clock(), spent()
        self.silent_from_ms: int | None = None
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self.thread = threading.Thread(target=self._run, name="pulse", daemon=True)
        self.stalls: deque[float] = deque(maxlen=LAST)
        """How late the loop was, each time of the last minute that it was asked to wake."""

    def _run(self) -> None:
        while not self.closing.wait(BEAT_SECONDS):
            self.beat()

    def beat(self) -> None:
        """Look at the clock. If long ago nobody had any time of the processor since, the process stood still."""
        with self.lock:
            now, spent = self.clock(), self.spent()
            gap = now - self.seen_ms
            if gap >= OUTAGE_MS and (spent - self.spent_s) * 1000 < BUSY_SHARE * gap and self.silent_from_ms is None:
                self.silent_from_ms = self.seen_ms
            self.seen_ms, self.spent_s = now, spent

    def silence(self) -> int | None:
        """Since when the process stood still until just now, told once; None if it ran."""
        self.beat()
        with self.lock:
            since, self.silent_from_ms = self.silent_from_ms, None
            return since

    async def watch_loop(self) -> None:
        """Note how late the event loop wakes, without end."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOP_SECONDS
            await asyncio.sleep(LOOP_SECONDS)
            self.stalls.append(loop.time() - due)

    @property
    def longest_stall(self) -> float:
        """For how many seconds the event loop was held up at most, in the last minute."""
        return max(self.stalls, default=0.0)

    def start(self) -> None:
        """Begin to look."""
        self.thread.start()

    def close(self) -> None:
        """Look no more."""
        self.closing.set()
        self.thread.join(timeout=5)
