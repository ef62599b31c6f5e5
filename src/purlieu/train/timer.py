"""What is to be done every so many seconds."""

from __future__ import annotations

import time


class Timer:
    """Is due every so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last = time.monotonic()

    def due(self) -> bool:
        """Whether so long has passed since it was last due."""
        if time.monotonic() - self._last < self._seconds:
            return False
        self.restart()
        return True

    def restart(self) -> None:
        """Count from now."""
        self._last = time.monotonic()
