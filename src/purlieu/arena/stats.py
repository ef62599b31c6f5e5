"""What a match says about strength, counted in pairs of games: one opening, played from both seats.

Two games of one opening are not independent, so a pair is the unit: its score is one of five, and the counts
of the five are called pentanomial. Elo here is logistic Elo.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from purlieu.rules import PurlieuError

FEWEST_PAIRS = 30
"""With fewer pairs a score is told, but no Elo."""
FURTHEST_SCORE = 0.98
"""Beyond this score, or the same below, an Elo would tell more about luck than about strength."""

ENOUGH_POINTS = 10
"""Of either side, counted in pairs, for the usual interval."""

MOST_ELO = 1000.0
"""As far as the bounds of a test go, either way: 99.7 % of all points."""

Z95 = 1.959963984540054
"""An interval of 95 % reaches so many standard errors to either side."""
_REGULAR = 1e-3
"""Put in the place of an empty count, so that logarithms exist."""


def elo_of(score: float) -> float:
    """The difference in Elo at which that share of points is expected; infinite for none and for all."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    """The share of points expected at a difference in Elo; the inverse of `elo_of`."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True, slots=True)
class Pairs:
    """How many pairs gave one side 0, ½, 1, 1½ and 2 points."""

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @classmethod
    def of(cls, points: Iterable[float]) -> Pairs:
        """The counts of pairs that gave these points, 0 to 2."""
        counts = [0] * 5
        for point in points:
            counts[round(2 * point)] += 1
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]))

    @property
    def total(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The share of all points, from 0 to 1; a half before the first pair."""
        return sum(at * count for at, count in enumerate(self.counts)) / (4 * self.total) if self.total else 0.5

    @property
    def deviation(self) -> float:
        """The standard deviation of one pair's share of its points."""
        if not self.total:
            return 0.5
        squares = sum(count * (at / 4 - self.score) ** 2 for at, count in enumerate(self.counts))
        return math.sqrt(squares / self.total)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score with its 95 % interval, and the same as Elo where that means something."""

    pairs: int
    score: float
    score_low: float
    score_high: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    superiority: float
    """How likely it is, by these results alone, that this side is the stronger one."""


def estimate(pairs: Pairs) -> Estimate:
    """The strength that pairs show."""
    score = pairs.score
    mean, error = _widened(pairs)
    low, high = max(0.0, min(score, mean - Z95 * error)), min(1.0, max(score, mean + Z95 * error))
    tells = pairs.total >= FEWEST_PAIRS and 1 - FURTHEST_SCORE <= score <= FURTHEST_SCORE
    return Estimate(
        pairs=pairs.total,
        score=score,
        score_low=low,
        score_high=high,
        elo=elo_of(score) if tells else None,
        elo_low=elo_of(low) if tells else None,
        elo_high=elo_of(high) if tells else None,
        superiority=_normal((mean - 0.5) / error),
    )


def _widened(pairs: Pairs) -> tuple[float, float]:
    """About where the score would lie with many more pairs, and the standard error of that: never 0.

    Near 0 and 100 % the few points that one side has tell little of how often it gets one, and the usual interval would
    be the shorter the fewer they are. So it counts with up to two pairs more for either side, as Agresti and Coull do.
    When all pairs gave the same, and not all points, the interval is no shorter than the rule of three's.
    """
    score, number = pairs.score, pairs.total
    points = min(score, 1 - score) * number
    more = Z95**2 / 2 * max(0.0, 1 - points / ENOUGH_POINTS)
    in_all = max(1.0, number + 2 * more)
    mean = (number * score + more) / in_all
    square = (number * (pairs.deviation**2 + score**2) + more) / in_all
    error = math.sqrt(max(0.0, square - mean**2) / in_all)
    if not pairs.deviation and 0 < score < 1:
        error = max(error, 3 / in_all / Z95)
    return mean, error


Verdict = Literal["better", "not better", "open"]


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of "at least `elo1` stronger" against "at most `elo0`", which stops as soon as it knows.

    It is the generalised sequential probability ratio test over pairs: the likelihood of the counts under the
    likeliest distribution with either mean.
    """

    elo0: float = 0.0
    elo1: float = 15.0
    alpha: float = 0.05
    """How often it may say "better" of what is only `elo0` stronger."""
    beta: float = 0.05
    """How often it may say "not better" of what is `elo1` stronger."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise PurlieuError(
                "arena.sprt_bounds_order",
                "an SPRT needs its first bound below its second, and {elo0} is not below {elo1}",
                elo0=f"{self.elo0:g}",
                elo1=f"{self.elo1:g}",
            )
        if self.elo0 < -MOST_ELO or self.elo1 > MOST_ELO:
            raise PurlieuError(
                "arena.sprt_bounds_range",
                "an SPRT's bounds lie between -{most_elo} and {most_elo} Elo, and {elo0} to {elo1} goes further",
                most_elo=f"{MOST_ELO:g}",
                elo0=f"{self.elo0:g}",
                elo1=f"{self.elo1:g}",
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise PurlieuError("arena.bad_alpha_beta", "alpha and beta lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The test ends when the log-likelihood ratio leaves these."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pairs) -> float:
        """The log-likelihood ratio of the counts; above 0 speaks for `elo1`."""
        if not pairs.total:
            return 0.0
        counts = [count or _REGULAR for count in pairs.counts]
        under0, under1 = (_likeliest(counts, score_of(elo)) for elo in (self.elo0, self.elo1))
        return sum(count * math.log(p1 / p0) for count, p0, p1 in zip(counts, under0, under1, strict=True))

    def verdict(self, pairs: Pairs) -> Verdict:
        """What the counts say."""
        low, high = self.bounds
        ratio = self.llr(pairs)
        return "better" if ratio >= high else "not better" if ratio <= low else "open"


def _likeliest(counts: Sequence[float], mean: float) -> list[float]:
    """The distribution over shares 0, ¼ … 1 with that mean under which the counts are likeliest.

    It has the form p / (1 + x·(share − mean)) for the one x that gives it the mean; found by halving.
    """
    total = sum(counts)
    offsets = [at / (len(counts) - 1) - mean for at in range(len(counts))]
    low, high = -1 / offsets[-1], -1 / offsets[0]

    def excess(x: float) -> float:
        return sum(count * offset / (1 + x * offset) for count, offset in zip(counts, offsets, strict=True))

    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if excess(middle) > 0:
            low = middle
        else:
            high = middle
    x = (low + high) / 2
    return [count / total / (1 + x * offset) for count, offset in zip(counts, offsets, strict=True)]


def _normal(z: float) -> float:
    return 0.5 * (1 + math.erf(z / math.sqrt(2)))


def wilson(won: float, games: int) -> tuple[float, float]:
    """Where a share lies, 95 %, by Wilson: for games or positions that do not come in pairs."""
    middle = (won + Z95**2 / 2) / (games + Z95**2)
    reach = Z95 * math.sqrt(won * (games - won) / games + Z95**2 / 4) / (games + Z95**2)
    return middle - reach, middle + reach
