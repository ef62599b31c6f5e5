"""The net: fully convolutional, so that one set of weights plays on every size.

While it learns, convolutions are normalised (`Norm`); a net that plays has the same function with the norms
multiplied into its convolutions, and so has an exported one (`folded`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from purlieu.nets.shape import Shape

USUAL_SIDE = 8
"""Pooled sums are scaled to be about the mean on a board of this side."""
EPSILON = 1e-4
MOMENTUM = 0.02
"""What a batch counts in the running statistics; the first ones count more."""
MOST_FACTOR, MOST_SHIFT = 3.0, 5.0
"""A batch may be so unlike the running statistics; the rest is normalised away."""


class Outputs(NamedTuple):
    """What a net says of a batch, all for the side to move."""

    policy: Tensor
    """[b, planes, n, n] logits of moves."""
    value: Tensor
    """[b, 3] logits of win, loss and draw."""
    score: Tensor
    """[b, 2] expected margin ÷ n², and the logarithm of its standard deviation."""
    own: Tensor
    """[b, 3 · maps, n, n] logits of nobody, mine and theirs for each map."""


def pooled(x: Tensor) -> Tensor:
    """What a whole board has, [b, 3c, 1, 1]: mean, mean × side, greatest."""
    mean = x.mean((2, 3), keepdim=True)
    return torch.cat([mean, mean * (x.shape[3] / USUAL_SIDE), x.amax((2, 3), keepdim=True)], 1)


class Norm(nn.Module):
    """Batch renormalisation over all but the channels: the same function while a net learns and when it plays.

    Batches hold one board size each, and the statistics of one size are wrong for another: plain batch normalisation
    would teach each size a net of its own. Batch renormalisation (Ioffe 2017) normalises by the running statistics over
    all sizes, and sends gradients back as batch normalisation does. Without any, a net needs several times as many
    steps.
    """

    mean: Tensor
    variance: Tensor
    seen: Tensor

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(channels))
        self.offset = nn.Parameter(torch.zeros(channels))
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("variance", torch.ones(channels))
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        """[b, c, n, n] to the same."""
        if not self.training:
            factor = self.gain / (self.variance + EPSILON).sqrt()
            return _affine(x, factor, self.offset - self.mean * factor)
        normal, mean, inverse = torch.native_batch_norm(x, None, None, None, None, True, 0.0, EPSILON)
        with torch.no_grad():
            self.seen += 1
            share = (1 / self.seen).clamp(min=MOMENTUM)
            self.mean.lerp_(mean, share)
            self.variance.lerp_(inverse**-2 - EPSILON, share)
            running = (self.variance + EPSILON).sqrt()
            factor = (1 / (inverse * running)).clamp(1 / MOST_FACTOR, MOST_FACTOR)
            shift = ((mean - self.mean) / running).clamp(-MOST_SHIFT, MOST_SHIFT)
        return _affine(normal, factor * self.gain, shift * self.gain + self.offset)


def _affine(x: Tensor, factor: Tensor, shift: Tensor) -> Tensor:
    return torch.addcmul(shift.to(x.dtype).view(1, -1, 1, 1), x, factor.to(x.dtype).view(1, -1, 1, 1))


class Conv(nn.Module):
    """A convolution, normalised if the net is one that learns."""

    def __init__(self, inputs: int, outputs: int, side: int, *, norms: bool) -> None:
        super().__init__()
        self.conv = _conv(inputs, outputs, side, bias=not norms)
        self.norm = Norm(outputs) if norms else None

    def forward(self, x: Tensor, scales: Tensor | None = None) -> Tensor:
        """[b, inputs, n, n] to [b, outputs, n, n]; each input is multiplied by its scale, where they have some."""
        weight = self.conv.weight if scales is None else self.conv.weight * scales
        y = functional.conv2d(x, weight, self.conv.bias, padding=self.conv.padding)
        return y if self.norm is None else self.norm(y)


class PlainConv(nn.Module):
    """A 3×3 convolution."""

    def __init__(self, channels: int, *, norms: bool) -> None:
        super().__init__()
        self.conv = Conv(channels, channels, 3, norms=norms)

    def forward(self, x: Tensor) -> Tensor:
        """[b, c, n, n] to the same."""
        return functional.relu(self.conv(x))


class PooledConv(nn.Module):
    """A 3×3 convolution whose every cell also hears about the whole board."""

    def __init__(self, channels: int, *, norms: bool) -> None:
        super().__init__()
        self.conv = Conv(channels, channels, 3, norms=norms)
        self.bias = _conv(3 * channels, channels, 1, gain=0)

    def forward(self, x: Tensor) -> Tensor:
        """[b, c, n, n] to the same."""
        y = self.conv(x)
        return functional.relu(y + self.bias(pooled(functional.relu(y))))


class Block(nn.Module):
    """A residual block."""

    def __init__(self, channels: int, *, pools: bool, norms: bool) -> None:
        super().__init__()
        self.first = PooledConv(channels, norms=norms) if pools else PlainConv(channels, norms=norms)
        self.second = Conv(channels, channels, 3, norms=norms)

    def forward(self, x: Tensor) -> Tensor:
        """[b, c, n, n] to the same."""
        return functional.relu(x + self.second(self.first(x)))


class Net(nn.Module):
    """Planes in, policy, value, score and owners out; see `Outputs`."""

    scales: Tensor

    def __init__(self, shape: Shape, blocks: int = 6, channels: int = 64, *, norms: bool = True) -> None:
        super().__init__()
        self.shape = shape
        narrow = max(8, channels // 2)
        pooling = {blocks // 3, 2 * blocks // 3}
        self.register_buffer("scales", torch.tensor(shape.scales).view(1, -1, 1, 1))
        self.stem = Conv(shape.inputs, channels, 3, norms=norms)
        self.blocks = nn.ModuleList(Block(channels, pools=at in pooling, norms=norms) for at in range(blocks))
        self.policy_conv = PooledConv(channels, norms=norms)
        self.policy_out = _conv(channels, shape.policy, 1, gain=0.1)
        self.value_conv = Conv(channels, narrow, 1, norms=norms)
        self.value_hidden = nn.Linear(3 * narrow, channels)
        self.value_out = nn.Linear(channels, 3)
        self.score_out = nn.Linear(channels, 2)
        self.own_out = _conv(channels, 3 * shape.maps, 1, gain=0.1)
        for last in (self.value_out, self.score_out):
            nn.init.normal_(last.weight, std=0.01)
            nn.init.zeros_(last.bias)

    def forward(self, planes: Tensor) -> Outputs:
        """Whole numbers as the core writes them, as floating point, [b, inputs, n, n]."""
        x = functional.relu(self.stem(planes, self.scales))
        for block in self.blocks:
            x = block(x)
        value = functional.relu(self.value_hidden(pooled(functional.relu(self.value_conv(x))).flatten(1)))
        return Outputs(
            self.policy_out(self.policy_conv(x)), self.value_out(value), self.score_out(value), self.own_out(x)
        )


def folded(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights of a net without norms and scales that is the same function, from those of a net that learns."""
    made = {name: part for name, part in state.items() if ".norm." not in name}
    for name in [name.removesuffix(".norm.gain") for name in state if name.endswith(".norm.gain")]:
        gain, offset, mean, variance = (state[f"{name}.norm.{part}"] for part in ("gain", "offset", "mean", "variance"))
        factor = gain / (variance + EPSILON).sqrt()
        made[f"{name}.conv.weight"] = state[f"{name}.conv.weight"] * factor.view(-1, 1, 1, 1)
        made[f"{name}.conv.bias"] = offset - mean * factor
    made["stem.conv.weight"] = made["stem.conv.weight"] * state["scales"]
    return made | {"scales": torch.ones_like(state["scales"])}


def playing(net: Net) -> Net:
    """A net without norms and scales that is the same function as one that learns."""
    made = Net(net.shape, len(net.blocks), net.value_out.in_features, norms=False).requires_grad_(False)
    made.load_state_dict(folded(net.state_dict()))
    return made


def channels_last(net: Net) -> None:
    """Lay out the weights as a GPU likes them."""
    nn.Module.to(net, memory_format=torch.channels_last)  # type: ignore[call-overload]


def _conv(inputs: int, outputs: int, side: int, *, gain: float = 1.0, bias: bool = True) -> nn.Conv2d:
    conv = nn.Conv2d(inputs, outputs, side, padding=side // 2, bias=bias)
    nn.init.kaiming_normal_(conv.weight, nonlinearity="relu")
    with torch.no_grad():
        conv.weight.mul_(gain)
    if conv.bias is not None:
        nn.init.zeros_(conv.bias)
    return conv
