"""How often each level plays a move that is proved best.

    python -m benchmarks.strength.solved_positions [GAME…] [--level N…]

The positions are those of `tests/data/solved` in which some moves win and others do not, so that a player who moves at
random is right at times, too: its share is the last row. In Pyloff "best" are the moves that are known to win without
ko; others may win as well, so its shares are too low if anything. Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import argparse

from benchmarks.common import ROOT, add_games, machine
from purlieu.arena.stats import wilson
from purlieu.core import core
from purlieu.engine import LEVELS, Engine, Level
from purlieu.rules import parse
from purlieu.solver.solve import Solution, read_solutions

TABLES = {"petrify": "petrify", "pilo": "pilo", "pentwall": "pentwall", "pyloff": "pyloff_wins"}
FOLDER = ROOT / "tests" / "data" / "solved"


def main() -> None:
    """Print one row for each level, one column for each game."""
    parser = argparse.ArgumentParser(description="How often each level plays a move that is proved best.")
    add_games(parser)
    parser.add_argument("--level", type=int, nargs="+", default=list(LEVELS), choices=list(LEVELS), metavar="N")
    parser.add_argument("--seconds", type=float, default=0.2, help="a move, for level 9 [0.2]")
    options = parser.parse_args()
    tables = {game: with_a_choice(game) for game in options.game}
    print(f"{machine()}; level 9 with {options.seconds} s a move\n")
    print("| level | " + " | ".join(f"{game}, {len(table)} positions" for game, table in tables.items()) + " |")
    print("| --- |" + " --- |" * len(tables))
    for number in options.level:
        cells = [share(hits(table, LEVELS[number], options.seconds), len(table)) for table in tables.values()]
        print(f"| {number} | {' | '.join(cells)} |", flush=True)
    cells = [f"{100 * by_chance(table):.0f} %" for table in tables.values()]
    print(f"| any legal move | {' | '.join(cells)} |")


def with_a_choice(game: str) -> list[Solution]:
    """The won positions of a game in which some moves are known to be best and others not."""
    found = [s for s in read_solutions(FOLDER / f"{TABLES[game]}.jsonl") if s.all_best or game == "pyloff"]
    return [s for s in found if s.value == "win" and len(s.best_moves) < number_of_moves(s)]


def number_of_moves(solution: Solution) -> int:
    """How many moves are legal."""
    return len(core().Position.parse(solution.position).legal_moves())


def hits(table: list[Solution], level: Level, seconds: float) -> int:
    """How often the level plays one of the best moves. Each position has a seed of its own."""
    limit = seconds if level.takes_time else None
    engines = (Engine(level, seed=seed) for seed in range(len(table)))
    return sum(
        str(engine.best_move(parse(solution.position), seconds=limit)) in solution.best_moves
        for engine, solution in zip(engines, table, strict=True)
    )


def by_chance(table: list[Solution]) -> float:
    """The share of positions in which a random move is expected to be best."""
    return sum(len(solution.best_moves) / number_of_moves(solution) for solution in table) / len(table)


def share(right: int, number: int) -> str:
    """The share in percent, with Wilson's interval."""
    low, high = wilson(right, number)
    return f"{100 * right / number:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


if __name__ == "__main__":
    main()
