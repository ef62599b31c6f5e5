"""Positions of the kind that a search with a net asks about, from games that the net plays, not always well."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from purlieu.core import core
from purlieu.nets import Net

RANDOM_MOVES = 0.2
"""So many of the moves are any legal one; the others are drawn as the net's policy has it."""


class Asked(NamedTuple):
    """What a net is asked about."""

    planes: NDArray[np.float32]
    """[1, inputs, size, size]"""
    legal: list[int]
    """Which of the policy's outputs are legal moves."""


def positions(net: Net, size: int, count: int, seed: int) -> list[Asked]:
    """So many positions; the same ones for the same net and seed."""
    random = Random(f"{net.game} {size} {seed}")
    found: list[Asked] = []
    while len(found) < count:
        position = core().Position.start(net.game, size)
        while not position.is_over and len(found) < count:
            moves = position.policy_moves()
            if not moves:  # a pass is forced, and no net is asked
                position = position.play(position.legal_moves()[0])
                continue
            planes = position.planes()[None].astype(np.float32)
            legal = [index for index, _ in moves]
            found.append(Asked(planes, legal))
            logits = net.ask(planes)[0][legal].astype(np.float64)
            weights = np.exp(logits - logits.max())
            chosen = random.choice(moves) if random.random() < RANDOM_MOVES else random.choices(moves, weights)[0]
            position = position.play(chosen[1])
    return found
