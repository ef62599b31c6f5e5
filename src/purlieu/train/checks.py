"""How strong the net is by now: games against plain searches of fixed size, and against itself as it was."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from purlieu.arena.stats import FURTHEST_SCORE, elo_of, wilson

from .evaluate import Lane
from .selfplay import open_games
from .settings import Settings

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
        low, high = wilson(self.wins + self.draws / 2, max(1, self.games))
        return max(0.0, low), min(1.0, high)

    @property
    def outcome(self) -> dict[str, int | float]:
        """How the games went, as a line of a log says it."""
        low, high = self.interval
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        return {"size": self.size, **counts, "score": self.score, "low": low, "high": high}

    def elo(self, score: float) -> float | None:
        """A score as Elo above the opponent, where that means something."""
        tells = self.games >= FEWEST_GAMES and 1 - FURTHEST_SCORE <= self.score <= FURTHEST_SCORE
        return elo_of(min(0.999, max(0.001, score))) if tells else None


def play_check(
    settings: Settings, lane: Lane, opponent: int, *, seed: int, stop: Callable[[], bool] = lambda: False
) -> tuple[Check, float]:
    """Let the net of a lane meet a plain search until enough games are over; returns how long it took, too.

    Games end in their own time. Two for each place are waited for, so that the short ones count little more.
    """
    begun = time.monotonic()
    slots = lane.planes.shape[0]
    games = open_games(settings, lane.size, slots, seed=seed, threads=settings.threads, opponent=opponent)
    while True:
        games.step(lane.policy, lane.value, lane.planes)
        counts = games.counts
        if counts.games >= 2 * slots or stop():
            break
        lane.run()
    wins, draws = counts.net_wins, counts.net_draws
    check = Check(lane.size, opponent, wins, draws, counts.games - wins - draws)
    return check, time.monotonic() - begun


def play_gain(
    settings: Settings,
    lane: Lane,
    before: Lane,
    *,
    seed: int,
    stop: Callable[[], bool] = lambda: False,
    tell: Callable[[int], object] = lambda _: None,
) -> tuple[Check, float]:
    """Let the net of a lane meet that of another, a game in each place; returns how long it took, too.

    Tells all the time how many games are over.

    Both have the same simulations, and every opening is played from both seats. The interval takes the games for
    independent: a little too wide, as the two of an opening are not.
    """
    begun = time.monotonic()
    slots = lane.planes.shape[0]
    games = open_games(settings, lane.size, slots, seed=seed, threads=settings.threads, opponent="net")
    asks = np.zeros(slots, np.uint8)
    while True:
        games.step(lane.policy, lane.value, lane.planes)
        tell(games.counts.games)
        if games.counts.games == slots or stop():
            break
        games.whose(asks)
        before.planes[:] = lane.planes
        lane.run()
        before.run()
        theirs = asks == 1
        lane.policy[theirs], lane.value[theirs] = before.policy[theirs], before.value[theirs]
    counts = games.counts
    lost = counts.games - counts.net_wins - counts.net_draws
    return Check(lane.size, 0, counts.net_wins, counts.net_draws, lost), time.monotonic() - begun


def check_slots(settings: Settings) -> int:
    """Games at a time in a check."""
    return max(1, settings.check_games // 2)


def gain_slots(settings: Settings) -> int:
    """Games at a time against itself as it was: pairs."""
    return max(2, settings.gain_games // 2 * 2)
