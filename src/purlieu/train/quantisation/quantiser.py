"""A net in whole numbers of 8 bits, about twice as fast as in floats.

The 3×3 convolutions but the first are quantised, and what goes into and comes out of them. The first one, whose planes
have wide-ranging scales, what is said of the whole board and the heads stay as they are: they cost little.

The file keeps to ONNX's own operators: a quantised tensor is one that is quantised and dequantised again, and
onnxruntime makes convolutions and sums of bytes from those (docs/design/0008-nets.md).
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from purlieu.kit.files import write_whole
from purlieu.nets import Net
from purlieu.rules import PurlieuError

from ..network.onnx_writer import onnx_model, onnx_session
from ..network.weights import net_size, read_onnx_weights
from .comparison import Comparison, NetInput, compare_nets, sample_positions

Floats = NDArray[np.float64]

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
LARGEST_WEIGHT = 64
"""Not 127: two products with bytes, 2 · 255 · 64, fit into the 16 bits in which processors without VNNI add them."""
LARGEST_BIAS = 2**30
"""Half of what fits, with room for what is taken off for the weights."""


def quantise(source: Path, target: Path, count: int = POSITIONS, *, room: float | None = None) -> Comparison:
    """Write the quantised net of a file; returns how like the net it is on positions that it was not made with."""
    net = Net(source)
    if "quantised" in net.facts:
        raise PurlieuError(f"{source.name} is quantised already; expected the net that `purlieu train` wrote")
    sizes = sorted(net.sizes)
    each = -(-count // len(sizes))
    # The graph anew from its weights: a file from an older run may hold a slower one.
    weights, _ = read_onnx_weights(source)
    blocks, _ = net_size(source, net.shape, weights, net.facts)
    model = onnx_model(net.shape, blocks, {name: part.numpy() for name, part in weights.items()}, net.facts)
    outputs = quantised_tensors(model.graph)
    seen, tried, others = (
        [asked for size in sizes for asked in sample_positions(net, size, each, seed=seed)] for seed in SEEDS
    )
    calibration = calibrate(model, outputs, [asked.planes for asked in seen])

    def made(kept: float) -> onnx.ModelProto:
        quantised = quantised_model(model, set(outputs), calibration.ranges(kept), calibration.means)
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

        def compared(kept: float, asked: Sequence[NetInput]) -> Comparison:
            candidate.write_bytes(made(kept).SerializeToString())
            return compare_nets(net, Net(candidate), asked)

        def difference(kept: float) -> tuple[bool, float]:
            found = compared(kept, tried)
            return found.win_chance >= MOST_APART, found.divergence

        found = compared(min((room,) if room else KEPT, key=difference), others)
        if not found.win_chance < MOST_APART:
            raise PurlieuError(
                f"the quantised net does not say what the net says: their win chances are {found.win_chance:.3f} "
                f"apart in the mean, {MOST_APART} allowed"
            )
        write_whole(target, candidate.read_bytes())
    return found


@dataclass(frozen=True, slots=True)
class Calibration:
    """Of the tensors that are to become bytes."""

    ends: Mapping[str, Floats]
    """[positions, 2] the least and the greatest number."""
    means: Mapping[str, Floats]
    """[channels, 3, 3] of what goes into a convolution, as each of its weights meets it on the mean."""
    addends: Mapping[str, str]
    """What is added to a tensor before the ReLU that is all that looks at it; in `ends`, too."""
    whole: frozenset[str]
    """Those in `ends` that become bytes; the others are only added to them."""

    def ranges(self, kept: float) -> dict[str, Range]:
        """Ranges wide enough for that share of the positions.

        What is so far below zero that the greatest addend cannot lift it above is 0 after the ReLU whatever it is, so
        no room is left for it: residual branches have the most of their numbers there.
        """
        tops = {name: float(np.quantile(each[:, 1], kept)) for name, each in self.ends.items()}
        found = {}
        for name in self.whole:
            least = float(np.quantile(self.ends[name][:, 0], 1 - kept))
            if name in self.addends:
                least = max(least, -max(tops[self.addends[name]], 0.0))
            found[name] = Range.over(least, tops[name])
        return found


def quantised_tensors(graph: onnx.GraphProto) -> dict[str, str]:
    """The tensors that become bytes, by the output of each convolution that is quantised: what it gives out, after
    its ReLU if that is all that looks at it."""
    weights = {tensor.name: tensor for tensor in graph.initializer}
    readers = _readers(graph)
    found = {}
    for node in graph.node:
        if node.op_type == "Conv" and node.input[0] != "planes" and weights[node.input[1]].dims[2] == 3:
            (output,) = node.output
            kinds = [reader.op_type for reader in readers[output]]
            found[output] = readers[output][0].output[0] if kinds == ["Relu"] else output
    return found


def calibrate(model: onnx.ModelProto, outputs: Mapping[str, str], asked: Sequence[NDArray[np.float32]]) -> Calibration:
    """What goes into and comes out of the chosen convolutions, in these positions."""
    inputs = [node.input[0] for node in model.graph.node if node.output[0] in outputs]
    addends = _addends(model.graph, outputs.values())
    names = list(dict.fromkeys([*inputs, *outputs.values(), *addends.values()]))
    told = onnx.ModelProto()
    told.CopyFrom(model)
    told.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    session = onnx_session(told.SerializeToString())
    ends: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    means: dict[str, list[Floats]] = {name: [] for name in inputs}
    for planes in asked:
        for name, part in zip(names, session.run(names, {"planes": planes}), strict=True):
            ends[name].append((part.min(), part.max()))
            if name in means:
                means[name].append(_met(part[0]))
    return Calibration(
        {name: np.array(each, np.float64) for name, each in ends.items()},
        {name: np.mean(each, axis=0) for name, each in means.items()},
        addends,
        frozenset([*inputs, *outputs.values()]),
    )


def _met(x: NDArray[np.float32]) -> Floats:
    """[channels, 3, 3] the mean over a board of what each weight of a convolution meets, the edge's zeros too."""
    _, height, width = x.shape
    padded = np.pad(x.astype(np.float64), ((0, 0), (1, 1), (1, 1)))
    rows = [[padded[:, y : y + height, z : z + width].mean((1, 2)) for z in range(3)] for y in range(3)]
    return np.array(rows).transpose(2, 0, 1)


def _addends(graph: onnx.GraphProto, names: Iterable[str]) -> dict[str, str]:
    """What is added to each of these tensors, where all that else looks at it, or at the sum, is a ReLU."""
    readers = _readers(graph)
    found = {}
    for name in names:
        sums = [node for node in readers.get(name, ()) if node.op_type == "Add"]
        others = [node for node in readers.get(name, ()) if node.op_type not in ("Add", "Relu")]
        if len(sums) == 1 and not others:
            (total,) = sums[0].output
            if all(node.op_type == "Relu" for node in readers[total]):
                (found[name],) = set(sums[0].input) - {name}
    return found


def _readers(graph: onnx.GraphProto) -> dict[str, list[onnx.NodeProto]]:
    readers: dict[str, list[onnx.NodeProto]] = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    return readers


@dataclass(frozen=True, slots=True)
class Range:
    """Which numbers the bytes of a tensor stand for: `scale` · (byte - `zero`)."""

    scale: np.float32
    zero: np.uint8

    @classmethod
    def over(cls, least: float, greatest: float) -> Range:
        """The bytes from 0 to 255 from one end to the other; 0 is among them, exactly."""
        least, greatest = min(least, 0.0), max(greatest, 1e-6)
        scale = np.float32((greatest - least) / 255)
        return cls(scale, np.uint8(round(-least / float(scale))))


class _Graph:
    """Nodes and weights as they are added."""

    def __init__(self, graph: onnx.GraphProto, ranges: Mapping[str, Range], means: Mapping[str, Floats]) -> None:
        self.ranges, self.means = ranges, means
        self.nodes: list[onnx.NodeProto] = []
        self.constants = {tensor.name: tensor for tensor in graph.initializer}
        self.bytes: dict[str, str] = {}
        """What reads a tensor that passes through bytes reads this instead."""

    def add(self, node: onnx.NodeProto, *, quantised: bool) -> None:
        """A node of the net; of a quantised one the weights are whole numbers."""
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        inputs = [self.bytes.get(name, name) for name in node.input]
        if quantised:
            inputs[1:] = self._weights(*node.input)
        copy.input[:] = inputs
        self.nodes.append(copy)
        (output,) = node.output
        if output in self.ranges:
            found = self.ranges[output]
            how = self._constant(f"{output} scale", found.scale), self._constant(f"{output} zero", found.zero)
            self._node("QuantizeLinear", output, *how, output=f"{output} bytes")
            self.bytes[output] = self._node("DequantizeLinear", f"{output} bytes", *how, output=f"{output} again")

    def _weights(self, x: str, weight: str, bias: str) -> tuple[str, str]:
        """Both as whole numbers, with a scale for each channel that comes out.

        What rounding the weights adds to a channel on the mean is taken off its bias. Where weights are next to
        nothing, the scale is one in which the bias fits into 32 bits.
        """
        values, offsets = (numpy_helper.to_array(self.constants[name]) for name in (weight, bias))
        least = np.abs(offsets) / (LARGEST_BIAS * self.ranges[x].scale)
        scales = np.maximum(np.maximum(np.abs(values).max((1, 2, 3)) / LARGEST_WEIGHT, least), 1e-9).astype(np.float32)
        whole = np.rint(values / scales[:, None, None, None]).astype(np.int8)
        added = (whole * scales[:, None, None, None] - values) * self.means[x]
        offsets = offsets - added.sum((1, 2, 3))
        # What a convolution of bytes adds up has the scales of both, and so must its bias.
        sums = scales * self.ranges[x].scale
        return self._channels(weight, whole, scales), self._channels(
            bias, np.rint(offsets / sums).astype(np.int32), sums
        )

    def _channels(self, name: str, whole: NDArray[np.generic], scales: NDArray[np.float32]) -> str:
        how = (
            self._constant(f"{name} scale", scales),
            self._constant(f"{name} zero", np.zeros(len(scales), whole.dtype)),
        )
        return self._node("DequantizeLinear", self._constant(name, whole), *how, output=f"{name} again", axis=0)

    def _node(self, kind: str, *inputs: str, output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def _constant(self, name: str, value: NDArray[np.generic] | np.generic) -> str:
        self.constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name


def quantised_model(
    model: onnx.ModelProto, convolutions: set[str], ranges: Mapping[str, Range], means: Mapping[str, Floats]
) -> onnx.ModelProto:
    """The model with the convolutions of these outputs quantised; the tensors with a range pass through bytes.

    `means` [channels, 3, 3] are of what each weight of a convolution meets, by the name of its input.
    """
    graph = _Graph(model.graph, ranges, means)
    for node in model.graph.node:
        graph.add(node, quantised=node.output[0] in convolutions)
    made = onnx.ModelProto()
    made.CopyFrom(model)
    del made.graph.node[:], made.graph.initializer[:]
    made.graph.node.extend(graph.nodes)
    made.graph.initializer.extend(graph.constants.values())
    return made
