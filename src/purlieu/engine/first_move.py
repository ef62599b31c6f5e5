"""The first move of a game in which the other side may then swap: it must not be too good."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from .core import core

if TYPE_CHECKING:
    from purlieu.nets import Net

    from ._core import Position as CorePosition

SLACK = 0.02
"""A first move is fair if it is this much further from even chances than the fairest one, or less."""


def is_offered_for_swap(position: CorePosition) -> bool:
    """Whether the other side may swap after the next move."""
    return position.ply == 0 and "swap" in position.play(position.legal_moves()[0]).legal_moves()


@functools.lru_cache(maxsize=16)
def fair_first_moves(net: Net, size: int) -> tuple[str, ...]:
    """The first moves after which a net, at first sight, thinks both sides about equally well off.

    The net's policy is no help there: it names the moves that are best if nobody swaps.
    """
    empty = core().Position.start(net.game, size)
    unfairness = {move: abs(net.judge(empty.play(move)).win_chance - 0.5) for move in empty.legal_moves()}
    least = min(unfairness.values())
    return tuple(move for move, found in unfairness.items() if found <= least + SLACK)
