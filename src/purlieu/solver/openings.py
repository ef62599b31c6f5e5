"""The openings of small boards."""

from __future__ import annotations

from purlieu.core.symmetry import name_of
from purlieu.rules import GAMES, Position
from purlieu.rules import start as begin


def distinct_openings(game: str, size: int) -> dict[str, Position]:
    """What is on the board after each first move that differs from the others by more than a turn or a mirror.

    The pie rule is off: where there is one, it is the position after the swap, with the same board, the same colours
    and the same colour to move. Not for Pentwall, where a first move is a whole pentomino.

    >>> list(distinct_openings("petrify", 4))
    ['a1', 'b1', 'b2']
    """
    start = begin(game, size)
    half = (size + 1) // 2
    names = [name_of((column, row)) for row in range(half) for column in range(row, half)]
    after = {name: start.play(name) for name in names}
    return {name: one.play("swap") for name, one in after.items()} if GAMES[game].has_pie_rule else after
