"""What games against one opponent say of a net's strength. Needs no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from purlieu.arena.stats import FURTHEST_SCORE, Pairs, elo_of, estimate, wilson

FEWEST_GAMES = 60
"""With fewer games a score is told, but no Elo."""
ENOUGH = 0.9
"""At this score the next stronger opponent takes over."""


@dataclass(frozen=True, slots=True)
class Check:
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
