"""How far a match is, while it is played: a bar at a terminal, now and then a line elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from purlieu.kit.status_line import StatusLine

if TYPE_CHECKING:
    from rich.console import Console

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
        line, began = StatusLine(), time.monotonic()
        yield lambda played, standing: line.show(
            f"{played:,} of {total:,} games, {standing}, {time.monotonic() - began:,.0f} s"
        )


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
