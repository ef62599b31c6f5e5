"""What training makes small."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from ..network.net import Outputs

VALUE, POLICY, OWN, SCORE, SPREAD = 1.5, 1.0, 1.5, 0.5, 0.02
"""The weights of the parts; the first three are KataGo's."""
NO_CELL = 255
ILLEGAL = -1e4
"""In place of an illegal move's logit: far below any other, and a number in half precision too."""
HUBER = 0.25
"""Margins that are off by more than this part of the board count linearly."""
PARTS = ("loss", "value", "policy", "policy_gap", "policy_right", "own", "score", "spread", "value_right")


class Targets(NamedTuple):
    """What a batch's rows should have said; as `Replay.sample` of the core writes it."""

    policy: Tensor
    """[b, planes · n · n] probabilities, -1 for what is not legal."""
    value: Tensor
    """[b, 3] of win, loss and draw."""
    margin: Tensor
    """[b] in points."""
    owners: Tensor
    """[b, maps, n, n]: 0 nobody, 1 mine, 2 theirs, 255 no cell."""
    weight: Tensor
    """[b]: 1 where the policy counts."""


def losses(outputs: Outputs, targets: Targets) -> tuple[Tensor, Tensor]:
    """The loss, and the numbers called `PARTS`, which are for people and have no gradient."""
    value = -(targets.value * functional.log_softmax(outputs.value.float(), 1)).sum(1).mean()
    policy, gap, policy_right = _policy(outputs.policy.float().flatten(1), targets)
    own = _own(outputs.own.float(), targets.owners)
    side = outputs.policy.shape[3]
    margin = targets.margin / side**2
    mean, log_sd = outputs.score.float().unbind(1)
    score = functional.huber_loss(mean, margin, delta=HUBER)
    log_sd = log_sd.clamp(-5, 2)
    spread = (log_sd + 0.5 * ((margin - mean.detach()) / log_sd.exp()) ** 2).mean()
    loss = VALUE * value + POLICY * policy + OWN * own + SCORE * score + SPREAD * spread
    value_right = (outputs.value.argmax(1) == targets.value.argmax(1)).float().mean()
    parts = [loss, value, policy, gap, policy_right, own, score, spread, value_right]
    return loss, torch.stack([part.detach() for part in parts])


def _policy(logits: Tensor, targets: Targets) -> tuple[Tensor, Tensor, Tensor]:
    """Cross entropy over the legal moves, how far it is above the least possible, and how often the best is found."""
    legal = targets.policy >= 0
    wanted = targets.policy.clamp(min=0)
    masked = logits.masked_fill(~legal, ILLEGAL)
    each = -(wanted * functional.log_softmax(masked, 1)).sum(1)
    least = -torch.xlogy(wanted, wanted).sum(1)
    right = (masked.argmax(1) == wanted.argmax(1)).float()
    rows = targets.weight.sum().clamp(min=1)

    def mean(part: Tensor) -> Tensor:
        return (part * targets.weight).sum() / rows

    return mean(each), mean(each - least), mean(right)


def _own(logits: Tensor, owners: Tensor) -> Tensor:
    """Cross entropy of the owners of a cell, over the cells that there are."""
    rows, maps, height, width = owners.shape
    each = functional.cross_entropy(
        logits.view(rows, maps, 3, height, width).transpose(1, 2), owners.long(), ignore_index=NO_CELL, reduction="sum"
    )
    return each / (owners != NO_CELL).sum().clamp(min=1)
