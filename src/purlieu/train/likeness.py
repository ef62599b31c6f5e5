"""How like each other two nets of a game are, on the same positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from purlieu.nets import Net

from .positions import Asked


@dataclass(frozen=True, slots=True)
class Likeness:
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


def likeness(net: Net, other: Net, asked: Sequence[Asked]) -> Likeness:
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
    return Likeness(*np.mean(np.array(rows, np.float64), axis=0).tolist())


def _shares(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    raised = np.exp(logits.astype(np.float64) - logits.max())
    return np.maximum(np.asarray(raised / raised.sum(), np.float64), 1e-12)
