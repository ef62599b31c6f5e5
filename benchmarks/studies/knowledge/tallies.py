"""Games of `python -m purlieu.train.openings`, counted: what the colour that began won, and by how much."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from purlieu.arena.stats import Z95, wilson

Tally = dict[str, Any]

DRAWINGS = 100_000
CLOSE = 0.1
"""A game is close if its margin is at most this part of all the points that a board has."""


def games_of(tally: Tally) -> int:
    """How many were played."""
    return int(tally["wins"] + tally["draws"] + tally["losses"])


def chance(tally: Tally) -> float:
    """The share that the colour that began won, a draw counting half."""
    return float(tally["wins"] + tally["draws"] / 2) / games_of(tally)


def interval(tally: Tally) -> tuple[float, float]:
    """Wilson's, 95 %."""
    return wilson(games_of(tally) * chance(tally), games_of(tally))


def per_cent(share: float) -> str:
    """As a whole number; never 100 or 0 by rounding alone."""
    whole = round(100 * share)
    if whole in (0, 100) and abs(whole / 100 - share) > 1e-9:
        return f"{min(99.9, max(0.1, 100 * share)):.1f}"
    return str(whole)


def told(tally: Tally) -> str:
    """A chance with its interval."""
    low, high = interval(tally)
    return f"{per_cent(chance(tally))} % ({per_cent(low)} to {per_cent(high)})"


def together(tallies: list[Tally]) -> Tally:
    """All games of a size, whatever the first move: many more, and so much surer."""
    margins: dict[str, int] = {}
    for tally in tallies:
        for points, games in tally["margins"].items():
            margins[points] = margins.get(points, 0) + games
    counted = ("wins", "draws", "losses", "turns")
    return {name: sum(tally[name] for tally in tallies) for name in counted} | {"margins": margins}


def fairest(tallies: list[Tally]) -> Tally:
    """The first move after which the game is nearest to even."""
    return min(tallies, key=lambda tally: abs(chance(tally) - 0.5))


def luck(tallies: list[Tally]) -> float:
    """How often the same wins, dealt out by chance, spread over the first moves at least as widely as they do.

    A drawn game would be half a win; neither of the games with maps has any.
    """
    games = np.array([games_of(tally) for tally in tallies])
    wins = np.array([tally["wins"] for tally in tallies])
    expected = games * wins.sum() / games.sum()
    dealt = np.random.default_rng(1).multivariate_hypergeometric(games, wins.sum(), size=DRAWINGS)
    spreads = ((dealt - expected) ** 2 / games).sum(axis=1)
    return float((spreads >= ((wins - expected) ** 2 / games).sum() - 1e-9).mean())


def close(tally: Tally, points: int) -> float:
    """The share of games that ended within a tenth of so many points."""
    within = sum(games for margin, games in tally["margins"].items() if abs(int(margin)) <= CLOSE * points)
    return float(within / games_of(tally))


def margin(tally: Tally) -> float:
    """By how many points the colour that began ended ahead, on average."""
    return float(sum(int(points) * games for points, games in tally["margins"].items())) / games_of(tally)


def evening(tally: Tally) -> tuple[int, int, int]:
    """How many points for the other side would have split these games: the median margin, and its interval by ranks."""
    margins = sorted(int(points) for points, games in tally["margins"].items() for _ in range(games))
    number = len(margins)
    reach = Z95 / 2 * math.sqrt(number)
    ranks = number / 2, number / 2 - reach, number / 2 + reach
    middle, low, high = (margins[min(number - 1, max(0, math.floor(rank)))] for rank in ranks)
    return middle, low, high


def spread(tally: Tally) -> float:
    """The variance of the margins."""
    around = margin(tally)
    squares = (games * (int(points) - around) ** 2 for points, games in tally["margins"].items())
    return float(sum(squares)) / games_of(tally)


def margin_error(tally: Tally) -> float:
    """Half of the mean margin's interval, 95 %."""
    return float(Z95 * math.sqrt(spread(tally) / games_of(tally)))
