"""A net as an ONNX file, written node by node and compared with the net before it is kept.

PyTorch's own exporters come and go, need other packages and write what they like; this graph holds exactly the
operators that `purlieu.nets.check` allows.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from purlieu import __version__
from purlieu.kit.files import write_whole
from purlieu.nets.shape import Shape
from purlieu.rules import GAMES, PurlieuError

from ..data.settings import TrainingSettings, plain
from .net import USUAL_SIDE, Net, folded

OPSET = 17
FORMAT = 1
MOST_APART = 1e-3
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


def onnx_session(model: bytes) -> onnxruntime.InferenceSession:
    """An ONNX model that runs on the thread that asks it."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def export(net: Net, settings: TrainingSettings, counters: dict[str, float], commit: str, path: Path) -> float:
    """Write the net's ONNX file; returns how far its answers are from the net's own, at most."""
    metadata = {
        "format": str(FORMAT),
        "game": settings.game,
        "rules_version": str(GAMES[settings.game].rules_version),
        "planes": net.shape.fingerprint,
        "blocks": str(settings.blocks),
        "channels": str(settings.channels),
        "sizes": json.dumps(sorted(settings.sizes)),
        "purlieu": __version__,
        "commit": commit,
        "settings": json.dumps(plain(settings)),
        "counters": json.dumps(counters),
    }
    still = copy.deepcopy(net).float().cpu().eval()
    weights = {name: part.numpy() for name, part in folded(still.state_dict()).items()}
    data = onnx_model(net.shape, settings.blocks, weights, metadata).SerializeToString()
    sizes = sorted({min(settings.sizes), max(settings.sizes), max(settings.sizes) + 1})
    apart = max(_apart(data, still, size) for size in sizes)
    if not apart < MOST_APART:
        raise PurlieuError(f"the ONNX file does not say what the net says: {apart:g} apart, {MOST_APART:g} allowed")
    write_whole(path, data)
    return apart


def _apart(data: bytes, net: Net, size: int) -> float:
    """The greatest difference between the net's answers and the file's, on made-up planes."""
    session = onnx_session(data)
    generator = torch.Generator().manual_seed(size)
    likely = torch.rand((3, net.shape.inputs, size, size), generator=generator)
    # Whole numbers that are about 0 to 1 once scaled, as the core's are.
    planes = (likely / net.scales.clamp(min=1 / 255)).round()
    with torch.inference_mode():
        expected = net(planes)
    found = session.run(list(expected._fields), {"planes": planes.numpy()})
    return max(float(np.abs(mine.numpy() - theirs).max()) for mine, theirs in zip(expected, found, strict=True))
