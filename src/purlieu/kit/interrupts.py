"""Ctrl-C where it suits the work: requests to end that are noticed, and threads that are joined to their end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Self

LOST = (signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()
"""The terminal has gone."""


class Interrupts:
    """While it is entered, the first Ctrl-C (SIGTERM, SIGHUP) only sets `wanted`; a second one interrupts at once."""

    def __init__(self) -> None:
        self.wanted = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM, *LOST):
                if number not in LOST or signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks
                    self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True


class Worker(threading.Thread):
    """A thread that `join` always waits for, such as one that works in the core.

    When Ctrl-C interrupts a thread's own `join`, Python 3.11 and 3.12 take the thread for one that has ended: the next
    `join` does not wait, and the process may end with a thread in the core.
    """

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(target=work, daemon=True)
        self._over = threading.Event()

    def run(self) -> None:
        """See `Thread`."""
        try:
            super().run()
        finally:
            self._over.set()

    def join(self, timeout: float | None = None) -> None:
        """See `Thread`."""
        if self.ident is None or self._over.wait(timeout):
            super().join()
