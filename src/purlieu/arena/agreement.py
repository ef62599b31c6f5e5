"""When a game is as good as over: both players have said for some turns that the same seat wins, or one has."""

from __future__ import annotations

from collections.abc import Sequence

TURNS = 4
"""In a row: two of each player's."""
OWN_TURNS = 3
"""Of one player's, in a row."""


def agreed_winner(chances: Sequence[float | None], least: float) -> int | None:
    """The seat to which the last turns all gave that chance or more; None if they do not agree, or one was silent.

    Chances are the first seat's, whoever gave them.

    >>> agreed_winner([0.5, 0.98, 0.99, 0.99, 1.0], 0.97)
    0
    """
    return _winner(chances[-TURNS:], TURNS, least)


def sure_winner(chances: Sequence[float | None], least: float) -> int | None:
    """The seat to which whoever moved last gave that chance or more, on its last turns; whatever the other one says.

    >>> sure_winner([0.5, 0.98, 0.4, 0.99, 0.6, 0.99], 0.97)
    0
    """
    return _winner(chances[: -2 * OWN_TURNS : -2], OWN_TURNS, least)


def _winner(chances: Sequence[float | None], turns: int, least: float) -> int | None:
    """The seat to which all of so many turns gave that chance or more."""
    told = [chance for chance in chances if chance is not None]
    if len(told) < turns:
        return None
    return 0 if min(told) >= least else 1 if max(told) <= 1 - least else None
