"""A net that was exported, back as PyTorch's weights: to play on a GPU, or to learn on."""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from onnx import TensorProto, numpy_helper
from torch import Tensor

from purlieu.nets.check import read_checked
from purlieu.nets.shape import Shape
from purlieu.rules import GAMES, PurlieuError

from .net import Net


def read_weights(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The weights in an ONNX file of ours, with norms and scales multiplied in, and what it says of itself."""
    data, facts = read_checked(path)
    parts = onnx.load_model_from_string(data).graph.initializer
    if any(part.data_type in (TensorProto.INT8, TensorProto.UINT8) for part in parts):
        raise PurlieuError(f"{path} is a net in bytes; expected one in full precision, such as runs/petrify/net.onnx")
    return {part.name: torch.from_numpy(numpy_helper.to_array(part).copy()) for part in parts}, facts


def net_of(path: Path) -> Net:
    """The net in an ONNX file of ours, as one that plays."""
    weights, facts = read_weights(path)
    try:
        shape = Shape.of(facts["game"], GAMES[facts["game"]].default_size)
        net = Net(shape, int(facts["blocks"]), int(facts["channels"]), norms=False)
        own = net.state_dict()
        net.load_state_dict({name: weights.get(name, torch.ones_like(own["scales"])) for name in own})
    except (KeyError, ValueError, RuntimeError):
        raise PurlieuError(f"{path} does not hold the weights of a net of ours") from None
    return net
