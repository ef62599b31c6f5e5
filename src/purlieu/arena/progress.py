"""How far a match is, while it is played: a bar at a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

SECONDS_BETWEEN_LINES = 10.0
"""Where nobody watches, a log should not fill up."""

Tell = Callable[[int, str], object]
"""Hears after each game how many are played, and how the match stands."""


@contextmanager
def progress(total: int, done: int, *, quiet: bool = False) -> Iterator[Tell]:
    """What to tell after each game of a match of so many, of which some are played already."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet:
        yield lambda played, standing: None
    elif console.is_terminal:
        with _bar(console, total, done) as tell:
            yield tell
    else:
        yield Lines(total).tell


class Lines:
    """Progress as lines on standard error, one in ten seconds at the most."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._began = self._last = time.monotonic()

    def tell(self, played: int, standing: str) -> None:
        """Write a line, unless there was one a moment ago."""
        now = time.monotonic()
        if now - self._last < SECONDS_BETWEEN_LINES:
            return
        self._last = now
        sys.stderr.write(f"{played:,} of {self._total:,} games, {standing}, {now - self._began:,.0f} s\n")
        sys.stderr.flush()


@contextmanager
def _bar(console: Console, total: int, done: int) -> Iterator[Tell]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda played, standing: bar.update(task, completed=played, description=standing)
