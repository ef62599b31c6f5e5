"""Random games in the native core, timed."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from purlieu.rules import GAMES, PurlieuError
from purlieu.rules.registry import game as find_game

from .native import core, core_name

SIZES = {"petrify": [6, 8, 10], "pilo": [6, 8, 10], "pentwall": [10], "pyloff": [4, 6, 8, 10]}
LARGEST = max(game.sizes[-1] for game in GAMES.values())
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


def boards(game: str | None, size: int | None) -> list[tuple[str, int]]:
    """The games and sizes asked for: a size alone means every game that has it, nothing the whole table."""
    names = [find_game(game).name] if game else list(GAMES)
    if size is None:
        return [(name, side) for name in names for side in SIZES[name]]
    if not game and not any(size in GAMES[name].sizes for name in names):
        raise PurlieuError(
            "core.no_game_of_that_size",
            "no game is played on {size}×{size}; the largest board has a side of {largest}",
            size=size,
            largest=LARGEST,
        )
    return [(name, find_game(name).start(size).size) for name in names if game or size in GAMES[name].sizes]


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
