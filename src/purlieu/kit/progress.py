"""How long work shows that it goes on: a line that is written over at a terminal, now and then a line elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECONDS_BETWEEN_LINES = 10.0
"""Where nobody watches, a log should not fill up."""
BAR = 20
"""The width of a bar in letters."""

Tell = Callable[[int, str], object]
"""Called with the number of things that are done, and with how they stand in a few words, if there is more to say."""


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


@contextmanager
def counting(total: int, done: int, what: str) -> Iterator[Tell]:
    """Shows how many of so many things are done; some are before the work begins. At a terminal there is a bar, too."""
    line, began, before = StatusLine(), time.monotonic(), done

    def tell(done: int, standing: str = "") -> None:
        spent = time.monotonic() - began
        parts = [f"{done:,} of {total:,} {what}", *([standing] if standing else []), f"{spent:,.0f} s"]
        if line.at_terminal:
            full = BAR * done // max(1, total)
            parts[0] = f"[{'#' * full}{'.' * (BAR - full)}] {parts[0]}"
            if done > before:
                parts.append(f"about {spent * (total - done) / (done - before):,.0f} s to go")
        line.show(", ".join(parts))

    try:
        if line.at_terminal:
            tell(done)
        yield tell
    finally:
        line.clear()
