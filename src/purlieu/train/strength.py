"""A run's checks on one scale: Elo above the plain search of 100 simulations, whoever the opponent was.

Once plain searches lose every game, a start's gain over the net that it began with goes on from there.
"""

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
Line = dict[str, Any]
"""Of a run's log."""


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


def grown(game: str, checks: list[Line], gains: list[Line]) -> list[tuple[Line, Strength]] | None:
    """A run's strength as it grew; None if an opponent's own strength is not known on that board.

    A gain is told where the net that it counts from is known, and no check at the same step tells more than a bound.
    """
    found = chained(game, checks)
    if found is None:
        return None
    told = {line["steps"]: (line, shown) for line, shown in zip(checks, found, strict=True)}
    for gain in gains:
        before, now = told.get(gain["against_steps"]), told.get(gain["steps"])
        if before and (now is None or now[1].is_bound) and 1 - SATURATED < gain["score"] < SATURATED:
            told[gain["steps"]] = (gain, plus(before[1], gain))
    return sorted(told.values(), key=lambda each: float(each[0]["seconds"]))


def plus(before: Strength, gain: Line) -> Strength:
    """The strength after a gain."""
    above, low, high = (elo_of(min(NEARLY_ALL, max(1 - NEARLY_ALL, gain[end]))) for end in ("score", "low", "high"))
    if before.is_bound and before.high is None:
        return Strength(before.elo + low, before.elo + low, None)
    elo = before.elo + above
    return Strength(
        elo,
        None if before.low is None else elo - math.hypot(before.elo - before.low, above - low),
        None if before.high is None else elo + math.hypot(before.high - before.elo, high - above),
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
