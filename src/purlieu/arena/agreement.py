"""When a game is as good as over: both players have said for some turns that the same seat wins."""

from __future__ import annotations

from collections.abc import Sequence

TURNS = 4
"""In a row: two of each player's."""


def agreed_winner(chances: Sequence[float | None], least: float) -> int | None:
    """The seat to which the last turns all gave that chance or more; None if they do not agree, or one was silent.

    Chances are the first seat's, whoever gave them.

    >>> agreed_winner([0.5, 0.98, 0.99, 0.99, 1.0], 0.97)
    0
    """
    last = [chance for chance in chances[-TURNS:] if chance is not None]
    if len(last) < TURNS:
        return None
    return 0 if min(last) >= least else 1 if max(last) <= 1 - least else None
