"""Games of self-play to try things on, quickly made."""

from __future__ import annotations

import numpy as np

from purlieu.nets.shape import Shape
from purlieu.train.data.settings import TrainingSettings, make_settings
from purlieu.train.network.evaluation import Lane, NullLanes
from purlieu.train.selfplay.pool import open_games

QUICK = {"slots": 24, "threads": 2, "groups": 3, "full_simulations": 4, "considered": 4}


def settings_for(game: str, **overrides: object) -> TrainingSettings:
    """A tiny run's, and smaller still."""
    return make_settings(game, tiny=True, overrides=QUICK | overrides).on("cpu", cores=2)


def opinionated(lane: Lane, seed: int) -> Lane:
    """A lane that has strong opinions, about nothing."""
    random = np.random.default_rng(seed)
    lane.policy[:] = 3 * random.standard_normal(lane.policy.shape)
    lane.value[:, 0] = random.random(len(lane.value))
    return lane


def some_games(settings: TrainingSettings, size: int, games: int) -> bytes:
    """Records of that many games or more."""
    lane = opinionated(NullLanes(Shape.of(settings.game, size)).lane(size, settings.slots), 1)
    playing = open_games(settings, size, settings.slots, seed=1, threads=1)
    while playing.counts.games < games:
        playing.step(lane.policy, lane.value, lane.planes)
    return playing.take()
