"""A match of a benchmark, whose games are kept: what is there is not played again, and a line tells how far it is."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from purlieu.arena import play_match
from purlieu.arena.match import Match
from purlieu.arena.store import GameLine, Key, Store
from purlieu.arena.worker import Task
from purlieu.kit.status_line import StatusLine


def play_kept(
    match: Match, path: Path, title: str, workers: int, games: Sequence[Task] | None = None
) -> dict[Key, GameLine]:
    """Plays what the file lacks, of the whole match or of `games`; all that the file then holds."""
    keys = list(match.every_key()) if games is None else [task.key for task in games]
    line = StatusLine()
    with closing(Store(path, match.identity, resume=True)) as store:

        def tell(_: GameLine) -> None:
            line.show(f"{title}: {sum(key in store.games for key in keys)} of {len(keys)} games")

        try:
            play_match(match, store, workers=workers, on_game=tell, games=games)
        finally:
            line.clear()
        return store.games
