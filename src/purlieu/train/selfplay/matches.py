"""How strong the net is by now: games against plain searches of fixed size, and against itself as it was."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from purlieu.arena.stats import Pairs

from ..data.settings import TrainingSettings
from ..network.evaluation import Lane
from ..report.strength import MatchResult
from .pool import open_games


def play_check(
    settings: TrainingSettings, lane: Lane, opponent: int, *, seed: int, stop: Callable[[], bool] = lambda: False
) -> tuple[MatchResult, float]:
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
    check = MatchResult(lane.size, opponent, wins, draws, counts.games - wins - draws)
    return check, time.monotonic() - begun


def play_gain(
    settings: TrainingSettings,
    lane: Lane,
    before: Lane,
    *,
    seed: int,
    stop: Callable[[], bool] = lambda: False,
    show: Callable[[int], object] = lambda _: None,
) -> tuple[MatchResult, float]:
    """Let the net of a lane meet that of another, a game in each place; returns how long it took, too.

    After every step `show` is called with the number of games that are over.

    Both have the same simulations, and every opening is played from both seats: the interval is from such pairs.
    """
    begun = time.monotonic()
    slots = lane.planes.shape[0]
    games = open_games(settings, lane.size, slots, seed=seed, threads=settings.threads, opponent="net")
    asks = np.zeros(slots, np.uint8)
    while True:
        games.step(lane.policy, lane.value, lane.planes)
        show(games.counts.games)
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
    pairs = Pairs(games.pairs)
    return MatchResult(lane.size, 0, counts.net_wins, counts.net_draws, lost, pairs), time.monotonic() - begun


def check_slots(settings: TrainingSettings) -> int:
    """Games at a time in a check."""
    return max(1, settings.check_games // 2)


def gain_slots(settings: TrainingSettings) -> int:
    """Games at a time against itself as it was: pairs."""
    return max(2, settings.gain_games // 2 * 2)
