"""How fast the Python rules are: random games of each game and size, and legal_moves() where it is hard.

`make bench` runs it; `python -m benchmarks.speed.rules GAME [SIZE…]` runs a part. Each figure is the median over
games, with the fastest and the slowest beside it, on one core.
"""

from __future__ import annotations

import argparse
import statistics
import time
from random import Random

import purlieu
from benchmarks.common import machine
from purlieu import GAMES, Position

AIMS_MS = {("petrify", 8): 50, ("pilo", 8): 50, ("pentwall", 10): 50, ("pyloff", 6): 1000}
SIZES = {"petrify": [3, 4, 6, 8, 10], "pilo": [3, 4, 6, 8, 10], "pentwall": [10], "pyloff": [3, 4, 6, 8]}
HARD = [("petrify", 10, 60), ("pilo", 10, 60), ("pentwall", 10, 0), ("pyloff", 10, 150), ("pyloff", 19, 150)]


def random_game(game: str, size: int, random: Random, plies: int | None = None) -> Position:
    """A random game's last position, or the one after that many plies."""
    position = purlieu.start(game, size)
    while (plies is None or position.ply < plies) and (moves := position.legal_moves()):
        position = position.play(random.choice(moves))
    return position


def bench_games(game: str, size: int, seconds: float, seed: int) -> str:
    """Random games for about that long, as a line of the table."""
    random = Random(seed)
    times: list[float] = []
    plies: list[int] = []
    while len(times) < 5 or sum(times) < seconds:
        begun = time.perf_counter()
        plies.append(random_game(game, size, random).ply)
        times.append(time.perf_counter() - begun)
    per_game = [1000 * t for t in times]
    aim = AIMS_MS.get((game, size))
    return (
        f"{game:9}{size:3} {sum(plies) / sum(times):11,.0f} {statistics.mean(plies):10.1f}"
        f" {statistics.median(per_game):9.2f} [{min(per_game):.2f}, {max(per_game):.2f}]"
        f" {len(times)} games" + (f", aim {aim} ms" if aim else "")
    )


def bench_legal_moves(game: str, size: int, plies: int, seed: int) -> str:
    """legal_moves() at that ply of random games, as a line of the table."""
    times: list[float] = []
    counts: list[int] = []
    for number in range(5):
        position = random_game(game, size, Random(seed + number), plies)
        for _ in range(5):
            begun = time.perf_counter()
            counts.append(len(position.legal_moves()))
            times.append(1000 * (time.perf_counter() - begun))
    aim = ", aim 60 ms" if (game, size) == ("pyloff", 19) else ""
    return (
        f"{game:9}{size:3} ply {plies:3} {statistics.mean(counts):8.0f} moves"
        f" {statistics.median(times):9.2f} ms [{min(times):.2f}, {max(times):.2f}]{aim}"
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", choices=GAMES)
    parser.add_argument("sizes", nargs="*", type=int)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each game and size (default 2)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    games = [asked.game] if asked.game else list(GAMES)
    print(machine())
    print("\nrandom games\ngame   size   plies/s plies/game   ms/game [fastest, slowest]")
    for game in games:
        for size in asked.sizes or SIZES[game]:
            print(bench_games(game, size, asked.seconds, asked.seed), flush=True)
    print("\nlegal_moves()")
    for game, size, plies in HARD:
        if game in games:
            print(bench_legal_moves(game, size, plies, asked.seed), flush=True)


if __name__ == "__main__":
    main()
