"""The net as an ONNX graph, written node by node.

PyTorch's own exporters come and go, need other packages and write what they like; this graph holds exactly the
operators that `purlieu.nets.check` allows, and `export.py` holds it to the net.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from purlieu.nets.shape import Shape

from .net import USUAL_SIDE

OPSET = 17
Weights = Mapping[str, NDArray[np.float32]]


class _Graph:
    """Nodes and weights as they are added; each method returns its output's name."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def node(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        output = name or f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        if all(each.name != name for each in self.constants):
            self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.weights[name])

    def conv(self, x: str, name: str, output: str = "") -> str:
        side = self.weights[f"{name}.weight"].shape[2]
        weights = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.node("Conv", x, *weights, name=output, kernel_shape=[side, side], pads=[side // 2] * 4)

    def linear(self, x: str, name: str, output: str = "") -> str:
        weight = self.weight(f"{name}.weight")
        # That of a 1×1 convolution keeps its shape in the file; onnxruntime flattens it when it loads.
        matrix = weight if self.weights[weight].ndim == 2 else self.node("Flatten", weight, axis=1)
        return self.node("Gemm", x, matrix, self.weight(f"{name}.bias"), name=output, transB=1)

    def relu(self, x: str) -> str:
        return self.node("Relu", x)

    def side(self) -> str:
        """The board's, as a part of the usual one."""
        side = self.node("Cast", self.node("Shape", "planes", start=3), to=TensorProto.FLOAT)
        usual = self.constant("per side", np.array(1 / USUAL_SIDE, dtype=np.float32))
        return self.node("Mul", side, usual, name="side")

    def pooled(self, x: str) -> str:
        """A row of mean, mean × side, greatest."""
        mean = self.node("GlobalAveragePool", x)
        parts = mean, self.node("Mul", mean, "side"), self.node("GlobalMaxPool", x)
        return self.node("Flatten", self.node("Concat", *parts, axis=1), axis=1)

    def pooled_conv(self, x: str, name: str) -> str:
        y = self.conv(x, f"{name}.conv.conv")
        # For one board a product of matrices, which onnxruntime begins sooner than a convolution of 1×1.
        heard = self.linear(self.pooled(self.relu(y)), f"{name}.bias")
        cells = self.constant("cells", np.array([2, 3], dtype=np.int64))
        return self.relu(self.node("Add", y, self.node("Unsqueeze", heard, cells)))


def onnx_model(shape: Shape, blocks: int, weights: Weights, metadata: Mapping[str, str]) -> onnx.ModelProto:
    """The model of a net with these weights, which are `folded`."""
    graph = _Graph(weights)
    graph.side()
    x = graph.relu(graph.conv("planes", "stem.conv"))
    for at in range(blocks):
        name = f"blocks.{at}"
        pools = f"{name}.first.bias.weight" in weights
        y = graph.pooled_conv(x, f"{name}.first") if pools else graph.relu(graph.conv(x, f"{name}.first.conv.conv"))
        x = graph.relu(graph.node("Add", x, graph.conv(y, f"{name}.second.conv")))
    graph.conv(graph.pooled_conv(x, "policy_conv"), "policy_out", "policy")
    rows = graph.pooled(graph.relu(graph.conv(x, "value_conv.conv")))
    hidden = graph.relu(graph.linear(rows, "value_hidden"))
    graph.linear(hidden, "value_out", "value")
    graph.linear(hidden, "score_out", "score")
    graph.conv(x, "own_out", "own")
    board: list[str | int | None] = ["n", "n"]
    outputs: dict[str, list[str | int | None]] = {
        "policy": ["b", shape.policy, *board],
        "value": ["b", 3],
        "score": ["b", 2],
        "own": ["b", 3 * shape.maps, *board],
    }
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            f"purlieu {shape.game}",
            [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["b", shape.inputs, *board])],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in outputs.items()],
            graph.constants,
        ),
        producer_name="purlieu",
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=8,
    )
    helper.set_model_props(model, dict(metadata))
    onnx.checker.check_model(model)
    return model
