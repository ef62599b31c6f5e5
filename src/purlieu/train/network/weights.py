"""Weights from files: an exported net.onnx, or a run's checkpoint, as a net that plays or one that learns.

An exported net has its norms multiplied into its convolutions. Any running statistics can be taken out of them again
without a change of what the net says, as long as gain and offset put them back; but a net learns well only with those
that it really meets, so they are measured on positions of random games.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper
from torch import Tensor

from purlieu.core import core
from purlieu.nets.check import read_checked
from purlieu.nets.shape import Shape
from purlieu.rules import GAMES, PurlieuError

from ..data.metadata import counters_of, fact
from ..data.settings import TrainingSettings, settings_of
from . import checkpoint
from .net import EPSILON, MOMENTUM, Net, Norm

EXPECTED = "expected a net.onnx, a run's checkpoint or its folder"
GAMES_PLAYED, STEPS = 64, 400
"""At once on each size to measure statistics, and for how many turns: whole games of the usual sizes."""
EVERY = 8
"""Turns from one look at the games to the next."""


@dataclass(frozen=True, slots=True)
class InitialWeights:
    """The weights that a run begins with, and where they are from."""

    weights: dict[str, Tensor]
    """Of a net that learns; of one that plays, where `folded`."""
    folded: bool
    blocks: int
    channels: int
    source: str
    """In words, for the log and the card."""
    counters: dict[str, float]
    """What the run that made it had done."""


def read_initial_weights(path: Path, shape: Shape) -> InitialWeights:
    """The weights in a file, or in the newest checkpoint of a folder; raises PurlieuError if they do not fit."""
    if path.is_dir():
        found = checkpoint.newest(path)
        if found is None:
            raise PurlieuError(f"{path} holds no checkpoint to begin from; {EXPECTED}")
        path = found
    return _from_checkpoint(path, shape) if path.suffix == ".pt" else _from_onnx(path, shape)


def read_exported_run(path: Path, shape: Shape) -> tuple[InitialWeights, TrainingSettings]:
    """The weights and the settings of the run that exported a net: what is left of it where no checkpoint is."""
    initial = _from_onnx(path, shape)
    try:
        values = fact(read_checked(path)[1], "settings", dict)
    except ValueError:
        raise PurlieuError(f"{path} does not say how its run was set; --from begins a new one with it") from None
    return initial, settings_of(values)


def trainable_state(initial: InitialWeights, shape: Shape, sizes: Mapping[int, float]) -> dict[str, Tensor]:
    """The weights as those of a net that learns, the statistics measured on boards of these sizes if need be."""
    if not initial.folded:
        return initial.weights
    net = Net(shape, initial.blocks, initial.channels).requires_grad_(False).eval()
    unfold(net, initial.weights)
    measure_norms(net, {size: random_planes(shape.game, size) for size in sizes}, sizes)
    return net.state_dict()


def unfold(net: Net, weights: Mapping[str, Tensor]) -> None:
    """Give a net that learns the weights of one that plays. Its statistics are no mean and a variance of 1."""
    state = net.state_dict()
    for name, part in state.items():
        if ".norm." not in name and name != "scales":
            part.copy_(weights[name])
    state["stem.conv.weight"].div_(state["scales"])
    for name, norm in _norms(net):
        norm.mean.zero_()
        norm.variance.fill_(1.0)
        norm.gain.fill_(math.sqrt(1.0 + EPSILON))
        norm.offset.copy_(weights[f"{name}.conv.bias"])
        norm.seen.fill_(1 / MOMENTUM)


def measure_norms(net: Net, planes: Mapping[int, Tensor], shares: Mapping[int, float]) -> None:
    """Set every norm's statistics to what it meets in these planes, by size, and leave what the net says as it is."""
    sums: dict[Norm, list[tuple[float, Tensor, Tensor]]] = {norm: [] for _, norm in _norms(net)}
    for size, boards in planes.items():

        def look(norm: torch.nn.Module, inputs: tuple[Tensor, ...], share: float = shares[size]) -> None:
            assert isinstance(norm, Norm)
            sums[norm].append((share, inputs[0].mean((0, 2, 3)), inputs[0].square().mean((0, 2, 3))))

        hooks = [norm.register_forward_pre_hook(look) for norm in sums]
        with torch.inference_mode():
            net(boards)
        for hook in hooks:
            hook.remove()
    for norm, seen in sums.items():
        total = sum(share for share, _, _ in seen)
        mean = sum((share * part for share, part, _ in seen), torch.zeros_like(norm.mean)) / total
        squares = sum((share * part for share, _, part in seen), torch.zeros_like(norm.mean)) / total
        old_factor = norm.gain / (norm.variance + EPSILON).sqrt()
        norm.offset.add_((mean - norm.mean) * old_factor)
        norm.mean.copy_(mean)
        norm.variance.copy_((squares - mean.square()).clamp(min=EPSILON))
        norm.gain.copy_(old_factor * (norm.variance + EPSILON).sqrt())


def random_planes(game: str, size: int) -> Tensor:
    """What a net sees in games that are played at random, from their beginnings to their ends."""
    games = core().BatchEnv(game, size, GAMES_PLAYED)
    seen = []
    for step in range(STEPS):
        games.step(games.random_actions(step + 1))
        if step % EVERY == 0:
            seen.append(games.planes[(step // EVERY) % EVERY :: EVERY].copy())
    return torch.from_numpy(np.concatenate(seen)).float()


def _norms(net: Net) -> list[tuple[str, Norm]]:
    """The norms by the name of the convolution that they follow."""
    return [(name.removesuffix(".norm"), module) for name, module in net.named_modules() if isinstance(module, Norm)]


def _from_checkpoint(path: Path, shape: Shape) -> InitialWeights:
    state, settings, counters = checkpoint.load(path, shape, advice=EXPECTED)
    source = _source(path, counters)
    return InitialWeights(state["ema"], False, settings.blocks, settings.channels, source, counters)


def _from_onnx(path: Path, shape: Shape) -> InitialWeights:
    weights, facts = read_onnx_weights(path)
    if facts.get("game") != shape.game:
        raise PurlieuError(f"{path} is a net of {facts.get('game')!r}, not of {shape.game!r}")
    if facts.get("rules_version") != str(GAMES[shape.game].rules_version):
        raise PurlieuError(f"{path} learned other rules of {GAMES[shape.game].title} than this purlieu plays")
    if facts.get("planes") != shape.fingerprint:
        raise PurlieuError(f"{path} belongs to a net with other planes than this purlieu's core writes")
    try:
        counters = counters_of(facts)
    except ValueError:
        raise PurlieuError(f"{path} does not say what its run had done; {EXPECTED}") from None
    size = net_size(path, shape, weights, facts)
    return InitialWeights(weights, True, *size, _source(path, counters), counters)


def _source(path: Path, counters: Mapping[str, float]) -> str:
    """A file, its hash, and the games behind it. A path from the root says too much of a machine: then its name."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return f"{path.name if path.is_absolute() else path} (sha256 {digest}…, {counters.get('games', 0):,.0f} games)"


def read_onnx_weights(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The weights in an ONNX file of ours, with norms and scales multiplied in, and what it says of itself."""
    data, facts = read_checked(path)
    parts = onnx.load_model_from_string(data).graph.initializer
    if any(part.data_type in (TensorProto.INT8, TensorProto.UINT8) for part in parts):
        raise PurlieuError(f"{path} is a net in bytes; expected one in full precision, such as runs/petrify/net.onnx")
    return {part.name: torch.from_numpy(numpy_helper.to_array(part).copy()) for part in parts}, facts


def read_onnx_net(path: Path) -> Net:
    """The net in an ONNX file of ours, as one that plays."""
    weights, facts = read_onnx_weights(path)
    try:
        shape = Shape.of(facts["game"], GAMES[facts["game"]].default_size)
    except KeyError:
        raise PurlieuError(f"{path} does not say which game it is for") from None
    net = Net(shape, *net_size(path, shape, weights, facts), norms=False)
    own = net.state_dict()
    net.load_state_dict({name: weights.get(name, torch.ones_like(own["scales"])) for name in own})
    return net


def net_size(path: Path, shape: Shape, weights: Mapping[str, Tensor], facts: Mapping[str, str]) -> tuple[int, int]:
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
