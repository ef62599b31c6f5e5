"""A net that was exported, back as PyTorch's weights: to play on a GPU, or to learn on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import onnx
import torch
from onnx import TensorProto, numpy_helper
from torch import Tensor

from purlieu.nets.check import read_checked
from purlieu.nets.shape import Shape
from purlieu.rules import GAMES, PurlieuError

from .net import Net

EXPECTED = "expected a net.onnx, a run's checkpoint or its folder"


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
    except KeyError:
        raise PurlieuError(f"{path} does not say which game it is for") from None
    net = Net(shape, *size_of(path, shape, weights, facts), norms=False)
    own = net.state_dict()
    net.load_state_dict({name: weights.get(name, torch.ones_like(own["scales"])) for name in own})
    return net


def size_of(path: Path, shape: Shape, weights: Mapping[str, Tensor], facts: Mapping[str, str]) -> tuple[int, int]:
    """The blocks and channels that a file names; its weights must be those of such a net.

    Nothing is made that is as large as a file only says that it is.
    """
    try:
        blocks, channels = int(facts["blocks"]), int(facts["channels"])
    except (KeyError, ValueError):
        raise PurlieuError(f"{path} does not say how large its net is; {EXPECTED}") from None
    try:
        fits = 0 < blocks < len(weights) and channels == weights["stem.conv.bias"].numel()
        if fits:
            with torch.device("meta"):  # where tensors have shapes and take no room
                own = Net(shape, blocks, channels, norms=False).state_dict()
            fits = all(weights[name].shape == part.shape for name, part in own.items() if name != "scales")
    except (KeyError, RuntimeError):
        fits = False
    if not fits:
        raise PurlieuError(f"{path} does not hold the weights of a net of {blocks} blocks of {channels} channels")
    return blocks, channels
