"""Random games in the native core, timed."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from purlieu import GAMES
from purlieu.rules.registry import game as find_game

from .core import core, core_name

SIZES = {"petrify": [6, 8, 10], "pilo": [6, 8, 10], "pentwall": [10], "pyloff": [4, 6, 8, 10]}
RUNS = 5
HEADER = "game   size  core           playouts/s    ns/ply  [fastest, slowest]  plies/game  first wins"


@dataclass(frozen=True, slots=True)
class Row:
    """One game and size."""

    game: str
    size: int
    core: str
    playouts_per_second: float
    ns_per_ply: float
    fastest: float
    slowest: float
    plies_per_game: float
    first_wins: float

    def __str__(self) -> str:
        return (
            f"{self.game:9}{self.size:2}  {self.core:11} {self.playouts_per_second:13,.0f} {self.ns_per_ply:9.1f}"
            f"  [{self.fastest:.1f}, {self.slowest:.1f}]  {self.plies_per_game:8.1f}  {self.first_wins:10.3f}"
        )


def bench(game: str | None, size: int | None, seconds: float) -> Iterator[Row]:
    """A row for each game and size asked for; the whole table if nothing is."""
    for name in [find_game(game).name] if game else GAMES:
        for side in [find_game(name).start(size).size] if size else SIZES[name]:
            yield measure(name, side, seconds)


def measure(game: str, size: int, seconds: float) -> Row:
    """Several runs, each with a seed of its own: the branch predictor learns a repeated game."""
    start = core().Position.start(game, size)
    runs = [start.playouts(seconds=seconds / RUNS, seed=seed) for seed in range(1, RUNS + 1)]
    per_ply = [1e9 * run.seconds / run.plies for run in runs]
    games = sum(run.games for run in runs)
    return Row(
        game=game,
        size=size,
        core=core_name(),
        playouts_per_second=games / sum(run.seconds for run in runs),
        ns_per_ply=statistics.median(per_ply),
        fastest=min(per_ply),
        slowest=max(per_ply),
        plies_per_game=sum(run.plies for run in runs) / games,
        first_wins=sum(run.first_wins for run in runs) / games,
    )
