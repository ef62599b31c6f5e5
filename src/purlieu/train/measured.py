"""What numbers pass through a net, in positions of its game: how its bytes are to be laid out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper

from .evaluate import onnx_session
from .onnx_bytes import Floats, Range


@dataclass(frozen=True, slots=True)
class Measured:
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


def chosen(graph: onnx.GraphProto) -> dict[str, str]:
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


def measure(model: onnx.ModelProto, outputs: Mapping[str, str], asked: Sequence[NDArray[np.float32]]) -> Measured:
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
    return Measured(
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
