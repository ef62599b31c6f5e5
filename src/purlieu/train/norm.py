"""Normalisation that is the same function while a net learns and when it plays.

Batches hold one board size each, and the statistics of one size are wrong for another: plain batch normalisation would
teach each size a net of its own. Batch renormalisation (Ioffe 2017) normalises by the running statistics over all
sizes, and sends gradients back as batch normalisation does. Without any, a net needs several times as many steps.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

EPSILON = 1e-4
MOMENTUM = 0.02
"""What a batch counts in the running statistics; the first ones count more."""
MOST_FACTOR, MOST_SHIFT = 3.0, 5.0
"""A batch may be so unlike the running statistics; the rest is normalised away."""


class Norm(nn.Module):
    """Batch renormalisation over all but the channels."""

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
