"""How much two nets of a game agree, on positions of the kind that a search with a net asks about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from purlieu.core import core
from purlieu.nets import Net


@dataclass(frozen=True, slots=True)
class Comparison:
    """Means over positions, of a net and of another one that should be as good."""

    agreement: float
    """Share of positions in which both like the same legal move best."""
    policy_lost: float
    """How much less likely the first net thinks the other's favourite than its own."""
    divergence: float
    """Kullback and Leibler's, of the other's policy from the first one's, in nats."""
    win_chance: float
    """The difference, whichever sign it has; so is the next one."""
    margin: float


def compare_nets(net: Net, other: Net, asked: Sequence[NetInput]) -> Comparison:
    """Ask both."""
    rows = []
    for planes, legal in asked:
        (mine, win, margin), (theirs, other_win, other_margin) = net.ask(planes), other.ask(planes)
        shares, other_shares = _shares(mine[legal]), _shares(theirs[legal])
        best, other_best = shares.argmax(), other_shares.argmax()
        rows.append(
            (
                best == other_best,
                shares[best] - shares[other_best],
                (shares * np.log(shares / other_shares)).sum(),
                abs(win - other_win),
                abs(margin - other_margin),
            )
        )
    return Comparison(*np.mean(np.array(rows, np.float64), axis=0).tolist())


def _shares(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    raised = np.exp(logits.astype(np.float64) - logits.max())
    return np.maximum(np.asarray(raised / raised.sum(), np.float64), 1e-12)


RANDOM_MOVES = 0.2
"""So many of the moves are any legal one; the others are drawn as the net's policy has it."""


class NetInput(NamedTuple):
    """What a net is asked about."""

    planes: NDArray[np.float32]
    """[1, inputs, size, size]"""
    legal: list[int]
    """Which of the policy's outputs are legal moves."""


def sample_positions(net: Net, size: int, count: int, seed: int) -> list[NetInput]:
    """So many positions; the same ones for the same net and seed."""
    random = Random(f"{net.game} {size} {seed}")
    found: list[NetInput] = []
    while len(found) < count:
        position = core().Position.start(net.game, size)
        while not position.is_over and len(found) < count:
            moves = position.policy_moves()
            if not moves:  # a pass is forced, and no net is asked
                position = position.play(position.legal_moves()[0])
                continue
            planes = position.planes()[None].astype(np.float32)
            legal = [index for index, _ in moves]
            found.append(NetInput(planes, legal))
            logits = net.ask(planes)[0][legal].astype(np.float64)
            weights = np.exp(logits - logits.max())
            chosen = random.choice(moves) if random.random() < RANDOM_MOVES else random.choices(moves, weights)[0]
            position = position.play(chosen[1])
    return found
