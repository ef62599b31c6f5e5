"""The graph of a net again, with convolutions in whole numbers of 8 bits.

A tensor that is quantised and dequantised again stands for one of bytes, here as for onnxruntime, which runs what lies
between such pairs on the bytes themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

Floats = NDArray[np.float64]

LARGEST_WEIGHT = 64
"""Not 127: two products with bytes, 2 · 255 · 64, fit into the 16 bits in which processors without VNNI add them."""
LARGEST_BIAS = 2**30
"""Half of what fits, with room for what is taken off for the weights."""


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


def with_bytes(
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
