"""A net that was exported, back as a PyTorch one: to play on a GPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from purlieu.nets.check import read_checked
from purlieu.nets.shape import Shape
from purlieu.rules import GAMES, PurlieuError

from .net import Net


def net_of(path: Path) -> Net:
    """The net in an ONNX file of ours, without norms and scales: they are in its weights."""
    data, facts = read_checked(path, None)
    game = facts.get("game", "")
    if game not in GAMES:
        raise PurlieuError(f"{path.name} does not say which game it is for")
    shape = Shape.of(game, GAMES[game].default_size)
    weights = {
        each.name: torch.from_numpy(np.array(numpy_helper.to_array(each)))
        for each in onnx.load_model_from_string(data).graph.initializer
        if each.data_type == onnx.TensorProto.FLOAT  # bytes would be taken for weights, and play nonsense
    }
    net = Net(shape, int(facts["blocks"]), int(facts["channels"]), norms=False)
    own = net.state_dict()
    try:
        net.load_state_dict(
            {name: weights[name] for name in own if name != "scales"} | {"scales": torch.ones_like(own["scales"])}
        )
    except (KeyError, RuntimeError):
        raise PurlieuError(f"{path.name} does not hold the weights of a net of ours in full precision") from None
    return net
