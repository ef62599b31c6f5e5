"""A run's checks on one scale: Elo above the plain search of 100 simulations, whoever the opponent was."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from purlieu.arena.stats import elo_of

from .anchors import BASE, Anchor, anchors
from .checks import FEWEST_GAMES

SATURATED = 0.99
"""At this score, or the same below, only a bound is told: a few more games could put the Elo anywhere beyond it."""
NEARLY_ALL = 0.999
Z95 = 1.96


@dataclass(frozen=True, slots=True)
class Strength:
    """An Elo with its 95 % interval; an end that the games leave open is None, and one at the Elo itself a bound."""

    elo: float
    low: float | None
    high: float | None

    @property
    def is_bound(self) -> bool:
        """Whether the Elo is only "at least" or "at most" so much."""
        return self.elo in (self.low, self.high)


def chained(game: str, checks: list[dict[str, Any]]) -> list[Strength] | None:
    """The strength that each check shows; None if an opponent's own strength is not known on that board."""
    met = [anchors(game, check["size"]).get(check["opponent"]) for check in checks]
    known = [anchor for anchor in met if anchor]
    if len(known) < len(met):
        return None
    return [strength(check, anchor) for check, anchor in zip(checks, known, strict=True)]


def strength(check: dict[str, Any], anchor: Anchor) -> Strength:
    """What a check shows against an opponent of that strength."""
    score, low, high = check["score"], check["low"], check["high"]
    reach = Z95 * anchor.error
    if score >= SATURATED:
        least = anchor.elo + elo_of(low) - reach
        return Strength(least, least, None)
    if score <= 1 - SATURATED:
        most = anchor.elo + elo_of(high) + reach
        return Strength(most, None, most)
    above = elo_of(score)
    elo = anchor.elo + above
    return Strength(
        elo,
        elo - math.hypot(above - elo_of(low), reach) if low > 1 - NEARLY_ALL else None,
        elo + math.hypot(elo_of(high) - above, reach) if high < NEARLY_ALL else None,
    )


def in_words(game: str, check: dict[str, Any]) -> str:
    """A check for whoever watches a run: the score and, where it can be told, the Elo on the scale of the curves."""
    told = f"{100 * check['score']:.0f} % against plain search of {check['opponent']}"
    found = chained(game, [check])
    if not found or check["wins"] + check["draws"] + check["losses"] < FEWEST_GAMES:
        return told
    (shown,) = found
    bound = "" if not shown.is_bound else "at least " if shown.high is None else "at most "
    return f"{told} ({bound}{round(shown.elo):+} Elo to that of {BASE})"
