"""How often games of self-play give a result away near their end: `benchmarks/given_away.py GAME [--size N] …`.

Plays games as a run does (`runs/GAME/net.onnx`, 64 simulations a move, little noise) and proves, turn by turn from the
last one on, who wins with perfect play; ends that take too long to prove are left out. With `--end-nodes 1300` the
games prove their ends themselves, as runs do unless told otherwise. Needs `purlieu[train]`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from machine import machine

from purlieu.arena.stats import wilson
from purlieu.core import core
from purlieu.rules import GAMES
from purlieu.train.device import find_device
from purlieu.train.evaluate import evaluator
from purlieu.train.games import PlayedGame, read_games
from purlieu.train.imported import net_of
from purlieu.train.selfplay import open_games
from purlieu.train.settings import make_settings

RUNS = Path(__file__).parents[1] / "runs"
MOST_NODES = 30_000
TURNS = 6
"""Before the end of a game."""
RESULTS = {"win": 1, "draw": 0, "loss": -1}


def play(options: argparse.Namespace) -> list[PlayedGame]:
    """Games of the net with itself: the first that end, of as many at a time."""
    settings = make_settings(
        options.game,
        overrides={
            **{"full_simulations": options.simulations, "noise": 0.4, "end_nodes": options.end_nodes},
            **{"random_plies": [1, 2] if options.game == "pentwall" else [1, 4]},
        },
    )
    size, slots = options.size or GAMES[options.game].default_size, options.games
    net = net_of(options.net or RUNS / options.game / "net.onnx")
    lane = evaluator(net, find_device("cpu")).lane(size, slots)
    games = open_games(settings, size, slots, seed=options.seed, threads=1)
    data = b""
    while games.counts.games < slots:
        games.step(lane.policy, lane.value, lane.planes)
        data += games.take()
        lane.run()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "000001.games"
        path.write_bytes(data)
        return list(read_games(path))[:slots]


def results(played: PlayedGame) -> Iterator[tuple[int, int]]:
    """Turns before the end, and the result for who began with perfect play from there, from the end on."""
    positions = [core().Position.start(played.game, played.size)]
    for turn in played.turns:
        positions.append(positions[-1].play(turn.move))
    solver = core().Solver(memory_mb=64)
    for left, position in enumerate(positions[:-1][::-1][:TURNS], 1):
        solved = solver.solve(position, nodes=MOST_NODES)
        if solved is None:
            return
        yield left, RESULTS[solved.value] * (1 if position.ply % 2 == 0 else -1)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=[name for name in GAMES if name != "pyloff"])
    parser.add_argument("--size", type=int)
    parser.add_argument("--net", type=Path)
    parser.add_argument("--games", type=int, default=150)
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--end-nodes", type=int, default=0, help="[0: ends are played as the net thinks]")
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    proved, wrong = Counter[int](), Counter[int]()
    for played in play(options):
        for left, result in results(played):
            proved[left] += 1
            wrong[left] += result != played.result
    print(
        f"{machine()}; {options.games} games of {GAMES[options.game].title}, {options.simulations} simulations a move\n"
    )
    print("| turns before the end | proved | the game went another way |\n| --- | --- | --- |")
    for left, number in sorted(proved.items()):
        low, high = wilson(wrong[left], number)
        share = f"{100 * wrong[left] / number:.1f} % ({100 * low:.0f} to {100 * high:.0f})"
        print(f"| {left} | {number} | {share} |")


if __name__ == "__main__":
    main()
