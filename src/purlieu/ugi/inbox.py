"""Lines that wait to be read, and no more of them than fit: whoever says more has to wait."""

from __future__ import annotations

import threading
from collections import deque

MOST_LINES = 10_000
MOST_TEXT = 4_000_000
"""How many characters may wait, the last line apart. Lines can be long, so their number alone is no bound."""


class Inbox:
    """One thread puts lines in, another takes them out."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        self._text = 0
        self._has_ended = self._is_closed = False
        self._changed = threading.Condition()

    def put(self, line: str) -> bool:
        """Add a line as soon as there is room; False once nobody reads any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or not self._is_full)
            if self._is_closed:
                return False
            self._lines.append(line)
            self._text += len(line)
            self._changed.notify_all()
            return True

    def end(self) -> None:
        """No more lines will come."""
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    def get(self, timeout: float | None) -> str | None:
        """The next line; None at the end, as often as it is asked. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._lines or self._has_ended, timeout):
                raise TimeoutError
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._text -= len(line)
            self._changed.notify_all()
            return line

    def close(self) -> None:
        """Nobody reads any more: neither side is left waiting, and what was not read goes."""
        with self._changed:
            self._is_closed = self._has_ended = True
            self._lines.clear()
            self._changed.notify_all()

    @property
    def _is_full(self) -> bool:
        return len(self._lines) >= MOST_LINES or self._text >= MOST_TEXT
