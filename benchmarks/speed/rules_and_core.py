"""The rules and the core side by side, in one run: random games a second of each, their ratio, and whether the games
are the same: mean length, shares of wins and draws, each with its standard error.

`python -m benchmarks.speed.rules_and_core [GAME…] [--core-games N] [--rules-seconds S] [--workers N]`; both sides use
so many processes, and speeds are per process. A difference of more than four standard errors ends with exit code 1.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random

import purlieu
from benchmarks.common import add_games, machine
from purlieu import Seat
from purlieu.arena.stats import Z95
from purlieu.core import core, core_name

SIZES = {"petrify": [6, 8], "pilo": [6, 8], "pentwall": [10], "pyloff": [4, 6]}


@dataclass(slots=True)
class Totals:
    """What came of a number of random games."""

    games: int = 0
    plies: int = 0
    squares: float = 0  # Of the lengths.
    first_wins: int = 0
    draws: int = 0
    seconds: float = 0  # Of all processes together.

    def add(self, other: Totals) -> None:
        """Take in what another process found."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def length(self) -> float:
        """The mean number of turns."""
        return self.plies / self.games

    def length_error(self) -> float:
        """Of the mean."""
        return math.sqrt(max(0.0, self.squares / self.games - self.length**2) / self.games)


def by_rules(game: str, size: int, seconds: float, seed: int) -> Totals:
    """Random games of `purlieu.rules` for about that long."""
    random, totals = Random(f"{game} {size} {seed}"), Totals()
    begun = time.perf_counter()
    while totals.seconds < seconds:
        position = purlieu.start(game, size)
        while moves := position.legal_moves():
            position = position.after(random.choice(moves))
        position.score()
        assert position.outcome
        totals.games += 1
        totals.plies += position.ply
        totals.squares += position.ply**2
        totals.first_wins += position.outcome.winner is Seat.FIRST
        totals.draws += position.outcome.winner is None
        totals.seconds = time.perf_counter() - begun
    return totals


def by_core(game: str, size: int, games: int, seed: int) -> Totals:
    """So many random games of the core."""
    run = core().Position.start(game, size).playouts(games=games, seed=seed)
    return Totals(run.games, run.plies, 0, run.first_wins, run.draws, run.seconds)


def share(count: int, games: int) -> tuple[float, float]:
    """A share and its standard error."""
    part = count / games
    return part, math.sqrt(max(part * (1 - part), 1 / games) / games)


def compare(game: str, size: int, rules: Totals, native: Totals) -> tuple[str, float]:
    """A line of the table, and the largest difference in standard errors."""
    speeds = [totals.games / totals.seconds for totals in (rules, native)]
    # The spread of lengths is the same game's, so the rules' serves for both.
    error = rules.length_error() * math.sqrt(1 + rules.games / native.games)
    worst = abs(rules.length - native.length) / error
    text = f"| {game} {size} | {speeds[0]:,.1f} | {speeds[1]:,.0f} | {speeds[1] / speeds[0]:,.0f} |"
    text += f" {rules.games:,} | {native.games:,} | {rules.length:.2f} ± {Z95 * error:.2f} | {native.length:.2f} |"
    for name in ("first_wins", "draws"):
        (a, error_a), (b, error_b) = (share(getattr(t, name), t.games) for t in (rules, native))
        worst = max(worst, abs(a - b) / math.hypot(error_a, error_b))
        text += f" {100 * a:.2f} ± {100 * Z95 * error_a:.2f} % | {100 * b:.2f} % |"
    return text + f" {worst:.1f} |", worst


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_games(parser)
    parser.add_argument("--core-games", type=int, default=1_000_000)
    parser.add_argument("--rules-seconds", type=float, default=20, help="for each game and size")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    print(f"{machine()}; {asked.workers} processes; {core_name()}; ± is 95 %, the last column standard errors\n")
    print(
        "| game | rules: games/s | core: games/s | ratio | rules: games | core: games | rules: turns | core: turns |",
        end="",
    )
    print(" rules: first wins | core | rules: draws | core | largest difference |")
    print("| --- " * 13 + "|")
    worst = 0.0
    with ProcessPoolExecutor(asked.workers) as pool:
        for game in asked.game:
            for size in SIZES[game]:
                rules, native = Totals(), Totals()
                seeds = range(1, asked.workers + 1)
                each = -(-asked.core_games // asked.workers)
                for job in [pool.submit(by_rules, game, size, asked.rules_seconds, seed) for seed in seeds]:
                    rules.add(job.result())
                for job in [pool.submit(by_core, game, size, each, seed) for seed in seeds]:
                    native.add(job.result())
                line, difference = compare(game, size, rules, native)
                worst = max(worst, difference)
                print(line, flush=True)
    return 1 if worst > 4 else 0


if __name__ == "__main__":
    sys.exit(main())
