"""A net and its quantised self, side by side.

    python -m benchmarks.speed.quantised_net NET.onnx QUANTISED.onnx [--sizes 6,8] …

How like each other their answers are, on positions that neither calibration nor its check has seen; and how long a
question takes each of them, in processor time of one thread. Rounds ask them in turn, so that a busy machine is busy
for both; the ratio is the median over rounds, with its quartiles. The last column is a digest of the
quantised net's policies and margins: where it is the same on another processor, they are. Needs `purlieu[train]`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

import onnxruntime

from benchmarks.common import machine
from purlieu.nets import Net
from purlieu.train.likeness import likeness
from purlieu.train.positions import Asked, positions

SEED = 4
"""None of those that `quantise` uses."""
A_ROUND = 20


def milliseconds(net: Net, asked: Sequence[Asked]) -> float:
    """For one question, in processor time of this thread."""
    begun = time.thread_time()
    for planes, _ in asked:
        net.ask(planes)
    return 1000 * (time.thread_time() - begun) / len(asked)


def digest(net: Net, asked: Sequence[Asked]) -> str:
    """Changes with any bit of any policy or margin; win chances also hang on the processor's exponentials."""
    answers = hashlib.sha256()
    for planes, _ in asked:
        policy, _, margin = net.ask(planes)
        answers.update(policy.tobytes() + repr(margin).encode())
    return answers.hexdigest()[:8]


def asked_about(net: Net, size: int, count: int, turns: int | None) -> list[Asked]:
    """So many positions of games; of their first turns only, if so many are named."""
    if turns is None:
        return positions(net, size, count, SEED)
    games = -(-count // turns)
    return [asked for at in range(games) for asked in positions(net, size, turns, 1000 * SEED + at)][:count]


def line(net: Net, other: Net, size: int, asked: list[Asked], rounds: int) -> str:
    """A row of the table."""
    like = likeness(net, other, asked)
    times = []
    for at in range(rounds):
        some = [asked[(at * A_ROUND + each) % len(asked)] for each in range(A_ROUND)]
        times.append((milliseconds(net, some), milliseconds(other, some)))
    before, after = (statistics.median(each) for each in zip(*times, strict=True))
    low, ratio, high = statistics.quantiles([one / two for one, two in times], n=4)
    return (
        f"| {net.game} {size} | {100 * like.agreement:.1f} % | {like.policy_lost:.4f} | {like.divergence:.4f} "
        f"| {like.win_chance:.4f} | {like.margin:.2f} | {before:.2f} | {after:.2f} "
        f"| {ratio:.2f} ({low:.2f} to {high:.2f}) | {digest(other, asked)} |"
    )


def main() -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", type=Path)
    parser.add_argument("quantised", type=Path)
    parser.add_argument("--sizes", help="such as 6,8 (those that the net has learned)")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--turns", type=int, help="only the first of each game")
    given = parser.parse_args()
    if given.rounds < 2:
        parser.error("--rounds is 2 or more, as quartiles are told")
    net, other = Net(given.net), Net(given.quantised)
    sizes = [int(size) for size in given.sizes.split(",")] if given.sizes else json.loads(net.facts["sizes"])
    print(f"{machine()}; onnxruntime {onnxruntime.__version__}; {given.positions} positions, {given.rounds} rounds\n")
    print("| game | same best move | policy lost | divergence | win chance | margin ", end="")
    print("| ms | quantised: ms | ratio | digest |")
    print("| --- " * 10 + "|")
    for size in sizes:
        asked = asked_about(net, size, given.positions, given.turns)
        print(line(net, other, size, asked, given.rounds), flush=True)


if __name__ == "__main__":
    main()
