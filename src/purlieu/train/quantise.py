"""``python -m purlieu.train.quantise NET.onnx -o OUT.onnx``: a net in whole numbers of 8 bits, about twice as fast.

The 3×3 convolutions but the first are quantised, and what goes into and comes out of them. The first one, whose planes
have wide-ranging scales, what is said of the whole board and the heads stay as they are: they cost little.

The file keeps to ONNX's own operators: a quantised tensor is one that is quantised and dequantised again, and
onnxruntime makes convolutions and sums of bytes from those (docs/design/0008-nets.md). Needs `purlieu[train]`.
"""

from __future__ import annotations

if __name__ == "__main__":
    from purlieu.train.order import end_without_packages

    end_without_packages()

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import onnx
from onnx import helper

from purlieu.nets import Net
from purlieu.rules import PurlieuError

from .files import require_writable, write_whole
from .imported import read_weights, size_of
from .likeness import Likeness, likeness
from .measured import chosen, measure
from .onnx_bytes import LARGEST_WEIGHT, with_bytes
from .onnx_graph import onnx_model
from .positions import Asked, positions

SEEDS = (1, 3, 2)
"""Of the positions that bytes are measured on, of those that rooms are tried on, and of those that tell how like the
net they are. Who looks at other ones takes another seed."""
POSITIONS = 480
"""Shared among the sizes that the net has learned."""
KEPT = (0.85, 0.93, 0.98, 0.995, 1.0)
"""Shares of positions for whose every number a tensor's bytes have room. In a few positions numbers get many times as
large as in the others; room for those would leave the others a few steps of a byte. What suits a net best is tried."""
MOST_APART = 0.03
"""Mean difference of the win chance that a quantised net may have; ours have less than a quarter of it."""


def quantise(source: Path, target: Path, count: int = POSITIONS, *, room: float | None = None) -> Likeness:
    """Write the quantised net of a file; returns how like the net it is on positions that it was not made with."""
    net = Net(source)
    if "quantised" in net.facts:
        raise PurlieuError(f"{source.name} is quantised already; expected the net that `purlieu train` wrote")
    sizes = sorted(net.sizes)
    each = -(-count // len(sizes))
    # The graph anew from its weights: a file from an older run may hold a slower one.
    weights, _ = read_weights(source)
    blocks, _ = size_of(source, net.shape, weights, net.facts)
    model = onnx_model(net.shape, blocks, {name: part.numpy() for name, part in weights.items()}, net.facts)
    outputs = chosen(model.graph)
    seen, tried, others = (
        [asked for size in sizes for asked in positions(net, size, each, seed=seed)] for seed in SEEDS
    )
    measured = measure(model, outputs, [asked.planes for asked in seen])

    def made(kept: float) -> onnx.ModelProto:
        quantised = with_bytes(model, set(outputs), measured.ranges(kept), measured.means)
        facts = {
            "quantised": f"3x3 convolutions; weights -{LARGEST_WEIGHT} to {LARGEST_WEIGHT}; room for {kept:.1%} of "
            f"{each} positions a size",
            "quantised_from": hashlib.sha256(source.read_bytes()).hexdigest(),
        }
        helper.set_model_props(quantised, net.facts | facts)
        onnx.checker.check_model(quantised)
        return quantised

    with tempfile.TemporaryDirectory() as folder:
        candidate = Path(folder) / target.name

        def unlikeness(kept: float) -> tuple[bool, float]:
            candidate.write_bytes(made(kept).SerializeToString())
            found = likeness(net, Net(candidate), tried)
            return found.win_chance >= MOST_APART, found.divergence

        best = min((room,) if room else KEPT, key=unlikeness)
    return _write_if_like(net, made(best), others, target)


def _write_if_like(net: Net, made: onnx.ModelProto, others: Sequence[Asked], target: Path) -> Likeness:
    beside = target.with_name(f"{target.name}.new")
    write_whole(beside, lambda file: file.write(made.SerializeToString()))
    try:
        found = likeness(net, Net(beside), others)
        if not found.win_chance < MOST_APART:
            raise PurlieuError(
                f"the quantised net does not say what the net says: their win chances are {found.win_chance:.3f} "
                f"apart in the mean, {MOST_APART} allowed"
            )
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    return found


def main(arguments: list[str]) -> int:
    """Run it; whatever goes wrong ends in one sentence."""
    parser = argparse.ArgumentParser(prog="python -m purlieu.train.quantise", description=__doc__)
    parser.add_argument("net", type=Path, help="as `purlieu train` wrote it")
    parser.add_argument("-o", "--out", type=Path, required=True, help="where the quantised one goes")
    parser.add_argument("--room", type=float, help="the share of positions that bytes have room for [the best of five]")
    given = parser.parse_args(arguments)
    try:
        if given.room is not None and not 0.5 <= given.room <= 1:
            raise PurlieuError(f"--room is {given.room:g}; expected a share from 0.5 to 1, such as 0.96")
        require_writable(given.out)
        found = quantise(given.net, given.out, room=given.room)
    except (PurlieuError, OSError) as error:
        sys.stderr.write(f"purlieu: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    sys.stderr.write(
        f"{given.out}: {given.out.stat().st_size:,} bytes; the same best move in {100 * found.agreement:.0f} % "
        f"of other positions, win chance {found.win_chance:.4f} apart, margin {found.margin:.2f}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
