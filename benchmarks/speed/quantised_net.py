"""A net and its quantised self, side by side.

    python -m benchmarks.speed.quantised_net NET.onnx QUANTISED.onnx [--sizes 6,8] …

How like each other their answers are, on positions that neither calibration nor its check has seen; and how long a
question takes each of them, in processor time of one thread. Rounds ask them in turn, so that a busy machine is busy
for both; the ratio is the median over rounds, with its quartiles. The last column is a digest of the
quantised net's policies and margins: where it is the same on another processor, they are. Needs `purlieu[train]`.

With `--onnxruntime entropy` (or minmax, percentile) QUANTISED.onnx is written first, by onnxruntime's own quantiser.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationMethod, QuantType, quantize_static

from benchmarks.common import machine
from purlieu.nets import Net
from purlieu.rules import GAMES
from purlieu.train.quantisation.comparison import NetInput, compare_nets, sample_positions
from purlieu.train.quantisation.quantiser import POSITIONS, SEEDS, quantised_tensors

SEED = 4
"""None of those that `quantise` uses."""
A_ROUND = 20


class Calibration:
    """Positions, as onnxruntime's quantiser reads them."""

    def __init__(self, asked: Sequence[NetInput]) -> None:
        self._asked = iter(asked)

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        """The next one."""
        asked = next(self._asked, None)
        return None if asked is None else {"planes": asked.planes}


def by_onnxruntime(source: Path, target: Path, method: str) -> None:
    """Quantise the 3×3 convolutions that ours quantises, on as many positions, with weights that need no VNNI."""
    net, model = Net(source), onnx.load(source)
    for node in model.graph.node:
        node.name = node.output[0]
    # A histogram (of minmax there is none) takes tensors of one shape only: then the game's usual size.
    sizes = sorted(net.sizes) if method == "minmax" else [GAMES[net.game].default_size]
    asked = [each for size in sizes for each in sample_positions(net, size, -(-POSITIONS // len(sizes)), SEEDS[0])]
    with tempfile.TemporaryDirectory() as folder:
        named = Path(folder) / "named.onnx"
        onnx.save(model, named)
        quantize_static(
            named,
            target,
            Calibration(asked),
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            calibrate_method=CalibrationMethod[{"minmax": "MinMax"}.get(method, method.capitalize())],
            nodes_to_quantize=list(quantised_tensors(model.graph)),
        )


def milliseconds(net: Net, asked: Sequence[NetInput]) -> float:
    """For one question, in processor time of this thread."""
    begun = time.thread_time()
    for planes, _ in asked:
        net.ask(planes)
    return 1000 * (time.thread_time() - begun) / len(asked)


def digest(net: Net, asked: Sequence[NetInput]) -> str:
    """Changes with any bit of any policy or margin; win chances also hang on the processor's exponentials."""
    answers = hashlib.sha256()
    for planes, _ in asked:
        policy, _, margin = net.ask(planes)
        answers.update(policy.tobytes() + repr(margin).encode())
    return answers.hexdigest()[:8]


def asked_about(net: Net, size: int, count: int, turns: int | None) -> list[NetInput]:
    """So many positions of games; of their first turns only, if so many are named."""
    if turns is None:
        return sample_positions(net, size, count, SEED)
    games = -(-count // turns)
    return [asked for at in range(games) for asked in sample_positions(net, size, turns, 1000 * SEED + at)][:count]


def line(net: Net, other: Net, size: int, asked: list[NetInput], rounds: int) -> str:
    """A row of the table."""
    like = compare_nets(net, other, asked)
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
    parser.add_argument("--onnxruntime", choices=("minmax", "percentile", "entropy"), help="make QUANTISED so first")
    given = parser.parse_args()
    if given.rounds < 2:
        parser.error("--rounds is 2 or more, as quartiles are told")
    if given.onnxruntime:
        by_onnxruntime(given.net, given.quantised, given.onnxruntime)
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
