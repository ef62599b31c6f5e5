"""The first move of a game in which the other side may then swap, and whether to: games tell more than a glance."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from .core import core
from .symmetry import first_cells, name_of

if TYPE_CHECKING:
    from purlieu.nets import Net

    from ._core import Position as CorePosition

SLACK = 0.02
"""A first move is fair if it is this much further from even chances than the fairest one, or less."""
PLAYED = Path(__file__).parents[1] / "nets" / "shipped" / "first_moves.json"
"""What the colour that began won in the nets' own games after each first move: `benchmarks/knowledge.py`."""


def is_offered_for_swap(position: CorePosition) -> bool:
    """Whether the other side may swap after the next move."""
    return position.ply == 0 and "swap" in position.play(position.legal_moves()[0]).legal_moves()


@functools.cache
def played_chances(game: str, size: int) -> Mapping[str, float]:
    """What the colour that begins wins after each first move, by games; empty where none were played."""
    found: dict[str, float] = json.loads(PLAYED.read_text(encoding="utf-8")).get(game, {}).get(str(size), {})
    return {name_of(cell): found[name_of(cells[0])] for cells in first_cells(size) for cell in cells} if found else {}


@functools.lru_cache(maxsize=16)
def _after_first_moves(game: str, size: int) -> Mapping[str, float]:
    """The chances of the side to move, by the text of the position."""
    empty = core().Position.start(game, size)
    return {empty.play(move).text(): 1 - chance for move, chance in played_chances(game, size).items()}


def chance_without_swap(position: CorePosition) -> float | None:
    """Of a side that may swap and does not, by games after the same first move; None where none were played."""
    return _after_first_moves(position.game, position.size).get(position.text()) if position.ply == 1 else None


@functools.lru_cache(maxsize=16)
def fair_first_moves(net: Net, size: int) -> tuple[str, ...]:
    """The first moves after which both sides are about equally well off, by games or else at a net's first sight.

    The net's policy is no help there: it names the moves that are best if nobody swaps. What it says of squares that
    are alike differs by chance, and is averaged.
    """
    empty, played = core().Position.start(net.game, size), played_chances(net.game, size)
    groups = [[name_of(cell) for cell in cells] for cells in first_cells(size)]
    chances = [
        played[group[0]] if played else mean(net.judge(empty.play(move)).win_chance for move in group)
        for group in groups
    ]
    least = min(abs(chance - 0.5) for chance in chances)
    fair = (group for group, chance in zip(groups, chances, strict=True) if abs(chance - 0.5) <= least + SLACK)
    return tuple(move for group in fair for move in group)
