"""How strong a net is: the results of its matches, and all of them on one Elo scale.

The scale counts from the plain search of 100 simulations. How far apart the plain searches of the ladder are was
measured once (`benchmarks/strength/anchors.py`). Once plain searches lose every game, a start's gain over the net that
it began with goes on from there. Such gains alone say how far a net has come from the first that was met, however many
games plain searches lose.
"""

from __future__ import annotations

import functools
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from purlieu.arena.stats import FURTHEST_SCORE, Pairs, elo_of, estimate, wilson

from ..data.run_folder import Line

SATURATED = 0.99
"""At this score, or the same below, only a bound is told: a few more games could put the Elo anywhere beyond it."""
NEARLY_ALL = 0.999
Z95 = 1.96
FEWEST_GAMES = 60
"""With fewer games a score is told, but no Elo."""
PROMOTION_SCORE = 0.9
"""At this score the next stronger opponent takes over."""
TABLE = Path(__file__).parent / "anchors.json"
BASE = 100
"""The simulations of the search that is 0."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The net's games against one opponent; the interval is 95 %."""

    size: int
    opponent: int
    """The plain search's simulations a move; 0 where the net met itself as it was."""
    wins: int
    draws: int
    losses: int
    pairs: Pairs | None = None
    """Where openings were played from both seats, what their two games gave together."""

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The net's share of the points."""
        return (self.wins + self.draws / 2) / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the score would lie with many more games."""
        if self.pairs and self.pairs.total:
            found = estimate(self.pairs)
            return found.score_low, found.score_high
        low, high = wilson(self.wins + self.draws / 2, max(1, self.games))
        return max(0.0, low), min(1.0, high)

    @property
    def outcome(self) -> dict[str, Any]:
        """How the games went, as a line of a log says it."""
        low, high = self.interval
        counts: dict[str, Any] = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        if self.pairs:
            counts["pairs"] = list(self.pairs.counts)
        return {"size": self.size, **counts, "score": self.score, "low": low, "high": high}

    def elo(self, score: float) -> float | None:
        """A score as Elo above the opponent, where that means something."""
        tells = self.games >= FEWEST_GAMES and 1 - FURTHEST_SCORE <= self.score <= FURTHEST_SCORE
        return elo_of(min(0.999, max(0.001, score))) if tells else None


@dataclass(frozen=True, slots=True)
class Anchor:
    """A plain search's Elo above the base, and the standard error of that."""

    elo: float
    error: float


@functools.cache
def anchors(game: str, size: int) -> dict[int, Anchor]:
    """The plain searches whose strength is known on such a board, by their simulations; none on most."""
    table: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    entry = table.get(game)
    if entry is None or entry["size"] != size:
        return {}
    found = {BASE: Anchor(0.0, 0.0)}
    for match in entry["matches"]:
        below = found[match["weaker"]]
        elo, error = distance(Pairs(tuple(match["pairs"])))
        found[match["stronger"]] = Anchor(below.elo + elo, math.hypot(below.error, error))
    return found


def distance(pairs: Pairs) -> tuple[float, float]:
    """The Elo that a match shows, with its standard error."""
    score = pairs.score
    slope = 400 / math.log(10) / (score * (1 - score))
    return elo_of(score), slope * pairs.deviation / math.sqrt(pairs.total)


@dataclass(frozen=True, slots=True)
class Strength:
    """An Elo with its 95 % interval; an end that the games leave open is None, and one at the Elo itself a bound."""

    elo: float
    low: float | None
    high: float | None

    @property
    def is_bound(self) -> bool:
        """Whether the Elo is only "at least" or "at most" so much."""
        return (self.high is None and self.elo == self.low) or (self.low is None and self.elo == self.high)


def check_strengths(game: str, checks: list[Line]) -> list[Strength] | None:
    """The strength that each check shows; None if an opponent's own strength is not known on that board."""
    met = [anchors(game, check["size"]).get(check["opponent"]) for check in checks]
    known = [anchor for anchor in met if anchor]
    if len(known) < len(met):
        return None
    return [strength(check, anchor) for check, anchor in zip(checks, known, strict=True)]


def strength(check: Line, anchor: Anchor) -> Strength:
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


def strength_history(game: str, checks: list[Line], gains: list[Line]) -> list[tuple[Line, Strength]] | None:
    """A run's strength as it grew; None if an opponent's own strength is not known on that board.

    A gain counts where a check has told the strength of the net that it counts from. Beside a check at the same step
    it does only if that tells no more than "at least", and less.
    """
    found = check_strengths(game, checks)
    if found is None:
        return None
    told = list(zip(checks, found, strict=True))
    place = {line.get("steps"): at for at, line in enumerate(checks)}
    for gain in gains:
        before, now = place.get(gain["against_steps"]), place.get(gain["steps"])
        if before is None:
            continue
        shown = plus(told[before][1], gain)
        if now is None:
            place[gain["steps"]] = len(told)
            told.append((gain, shown))
        elif told[now][1].high is None and told[now][1].is_bound and shown.elo > told[now][1].elo:
            told[now] = (gain, shown)
    return sorted(told, key=lambda each: float(each[0]["seconds"]))


def accumulated_gains(base: Line, gains: list[Line]) -> list[tuple[Line, Strength]]:
    """How far above one net, that after the steps of a line, those are that later starts ended with."""
    told = [(base, Strength(0.0, 0.0, 0.0))]
    place = {base["steps"]: told[0][1]}
    for gain in sorted(gains, key=lambda each: float(each["seconds"])):
        before = place.get(gain["against_steps"])
        if before is not None:
            place[gain["steps"]] = plus(before, gain)
            told.append((gain, place[gain["steps"]]))
    return told


def plus(before: Strength, gain: Line) -> Strength:
    """The strength after a gain."""
    score, low, high = gain["score"], gain["low"], gain["high"]
    if (before.is_bound and before.high is None) or score >= SATURATED:
        least = (before.elo if before.low is None else before.low) + _told(low)
        return Strength(least, least, None)
    if (before.is_bound and before.low is None) or score <= 1 - SATURATED:
        most = (before.elo if before.high is None else before.high) + _told(high)
        return Strength(most, None, most)
    above = elo_of(score)
    elo = before.elo + above
    sure_low, sure_high = before.low is not None and low > 1 - NEARLY_ALL, before.high is not None and high < NEARLY_ALL
    return Strength(
        elo,
        elo - math.hypot(before.elo - (before.low or 0), above - elo_of(low)) if sure_low else None,
        elo + math.hypot((before.high or 0) - before.elo, elo_of(high) - above) if sure_high else None,
    )


def _told(score: float) -> float:
    """A score's Elo, as far as one can be told."""
    return elo_of(min(NEARLY_ALL, max(1 - NEARLY_ALL, score)))


def describe_check(game: str, check: Line) -> str:
    """A check for whoever watches a run: the score and, where it can be told, the Elo on the scale of the curves."""
    told = f"{100 * check['score']:.0f} % against plain search of {check['opponent']}"
    found = check_strengths(game, [check])
    if not found or check["wins"] + check["draws"] + check["losses"] < FEWEST_GAMES:
        return told
    (shown,) = found
    if not shown.is_bound and not 1 - FURTHEST_SCORE <= check["score"] <= FURTHEST_SCORE:
        return told
    bound = "" if not shown.is_bound else "at least " if shown.high is None else "at most "
    return f"{told} ({bound}{round(shown.elo):+} Elo to that of {BASE})"
