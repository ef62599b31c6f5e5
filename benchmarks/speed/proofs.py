"""What it costs to prove who wins, from random ends of games.

    python -m benchmarks.speed.proofs [NUMBER [MOST_NODES]]

For each game, size and number of things left (empty squares; pentominoes), so many positions; nodes and seconds on
one thread. The median is that of all positions, those that took too many nodes included; means are of the solved ones.
"""

from __future__ import annotations

import math
import random
import statistics
import sys

import purlieu
from purlieu.core import core
from purlieu.solver.endgames import things_left
from purlieu.solver.solve import new_solver

KINDS = [
    *(("pentwall", 10, left) for left in (3, 4, 5, 6)),
    *(("petrify", 6, left) for left in (4, 6, 8, 10)),
    *(("petrify", 8, left) for left in (4, 6, 8, 10)),
    *(("pilo", 6, left) for left in (0, 2, 4, 6)),
    *(("pilo", 8, left) for left in (0, 2, 4, 6)),
]


def main() -> None:
    """Print one row for each kind of position."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 300_000
    print("| game | left | solved | median nodes | mean nodes of those solved | mean seconds |")
    print("| --- | --- | --- | --- | --- | --- |")
    for game, size, left in KINDS:
        chosen = random.Random(f"{game} {size} {left}")
        solver = new_solver(256)
        nodes, seconds = [], []
        for _ in range(number):
            solved = solver.solve(core().Position.parse(end_of_game(game, size, left, chosen)), nodes=most)
            if solved:
                nodes.append(solved.nodes)
                seconds.append(solved.seconds)
        means = f"{statistics.mean(nodes):,.0f} | {statistics.mean(seconds):.4f}" if nodes else " | "
        middle = statistics.median([*nodes, *[math.inf] * (number - len(nodes))])
        median = f"{middle:,.0f}" if middle < math.inf else f"over {most:,}"
        print(f"| {game} {size} | {left} | {len(nodes)} of {number} | {median} | {means} |", flush=True)


def end_of_game(game: str, size: int, left: int, chosen: random.Random) -> str:
    """A position of a random game with just so much left, not over."""
    while True:
        position = purlieu.start(game, size)
        while not position.is_over:
            if things_left(position) == left:
                return position.text()
            position = position.after(chosen.choice(position.legal_moves()))


if __name__ == "__main__":
    main()
