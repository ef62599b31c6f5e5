"""How long work tells that it goes on: a line that is written over at a terminal, now and then a line elsewhere."""

from __future__ import annotations

import os
import sys
import time

SECONDS_BETWEEN_LINES = 10.0
"""Where nobody watches, a log should not fill up."""


class StatusLine:
    """The state of long work on standard error. `clear` it before anything else is printed."""

    def __init__(self) -> None:
        self.at_terminal = sys.stderr.isatty()
        self._shown = False
        self._last = time.monotonic()

    def show(self, text: str) -> None:
        """Say where the work is. Away from a terminal it is said every ten seconds only."""
        if self.at_terminal:
            width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
            sys.stderr.write(f"\r\x1b[K{text[: width - 1]}")
            self._shown = True
        elif time.monotonic() - self._last >= SECONDS_BETWEEN_LINES:
            sys.stderr.write(f"{text}\n")
            self._last = time.monotonic()
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
