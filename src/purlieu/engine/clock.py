"""How much of a clock's time one move may take."""

from __future__ import annotations

from purlieu.rules import GAMES

OVERHEAD = 0.05
"""Seconds kept back for the way of a move to the clock."""
LEAST = 0.005


def turns_left(game: str, size: int, ply: int) -> float:
    """About how many turns of its own a side has still to take, by the usual length of games."""
    area = size * size
    usual = {"petrify": 1.45 * area, "pilo": 1.5 * area, "pentwall": 12.0}.get(
        game, size * (size + 1) * (2 * size + 1) / 6
    )
    return max(4.0, (usual - ply) / 2)


def seconds_for_move(
    game: str, size: int, ply: int, *, left: float, increment: float = 0.0, turns: int | None = None
) -> float:
    """Seconds to think with so much left on the clock. The first half of a game gets more than its share.

    >>> round(seconds_for_move("petrify", 8, 10, left=60, increment=0.5), 1)
    2.4
    """
    if game not in GAMES:
        raise KeyError(game)
    spread = turns if turns else 0.7 * turns_left(game, size, ply) + 1
    share = (left - OVERHEAD) / spread + 0.8 * increment
    return max(LEAST, min(share, 0.5 * left, left - OVERHEAD))
