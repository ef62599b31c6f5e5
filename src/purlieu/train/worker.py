"""A thread that is waited for to its end, whatever interrupts the first wait."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Worker(threading.Thread):
    """A thread that works in the core.

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
