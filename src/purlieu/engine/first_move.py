"""The first move of a game in which the other side may then swap: it must not be too good."""

from __future__ import annotations

import functools
from statistics import mean
from typing import TYPE_CHECKING

from .core import core
from .symmetry import first_cells, name_of

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

    The net's policy is no help there: it names the moves that are best if nobody swaps. What it says of squares that
    are alike differs by chance, and is averaged.
    """
    empty = core().Position.start(net.game, size)
    groups = [[name_of(cell) for cell in cells] for cells in first_cells(size)]
    unfairness = [abs(mean(net.judge(empty.play(move)).win_chance for move in group) - 0.5) for group in groups]
    least = min(unfairness)
    fair = (group for group, found in zip(groups, unfairness, strict=True) if found <= least + SLACK)
    return tuple(move for group in fair for move in group)
