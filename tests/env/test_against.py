"""One agent against an opponent, as Gymnasium would have it."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from purlieu import PurlieuError, Seat
from purlieu.engine import Engine
from purlieu.env import Against, against
from purlieu.players import choose_greedy

from .games import BOARDS


@pytest.mark.parametrize(("game", "size"), BOARDS)
@pytest.mark.parametrize("seat", ["first", "second", "random"])
def test_gymnasiums_own_test_passes(game: str, size: int, seat: Literal["first", "second", "random"]) -> None:
    check_env(against(game, size, seat=seat), skip_render_check=True)


def play(env: Against, seed: int) -> tuple[list[int], float]:
    """A whole game of random actions, and its reward."""
    _, info = env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    actions = []
    while True:
        assert np.array_equal(env.action_masks(), info["action_mask"] == 1)
        actions.append(int(chance.choice(np.flatnonzero(info["action_mask"]))))
        observation, reward, terminated, truncated, info = env.step(actions[-1])
        assert not truncated
        if terminated:
            assert not info["action_mask"].any()
            assert not observation.any()
            return actions, reward
        assert reward == 0
        assert env.position.to_move is env.seat


@pytest.mark.parametrize("seat", [Seat.FIRST, Seat.SECOND])
def test_the_reward_is_the_agents_and_the_same_seed_gives_the_same_game(seat: Seat) -> None:
    env = against("petrify", 4, seat=seat)
    rewards = set()
    for seed in range(8):
        actions, reward = play(env, seed)
        outcome = env.position.outcome
        assert outcome is not None
        assert reward == (1 if outcome.winner is seat else -1)
        assert play(env, seed) == (actions, reward)
        rewards.add(reward)
    assert rewards == {1, -1}


def test_an_engine_and_a_function_can_be_the_opponent() -> None:
    lost = sum(play(against("petrify", 4, opponent=Engine(level=6, seed=1)), seed)[1] < 0 for seed in range(4))
    assert lost >= 3
    play(against("pyloff", 3, opponent=choose_greedy, seat="second"), 1)


def test_a_random_seat_is_drawn_for_each_game() -> None:
    env = against("petrify", 4, seat="random")
    seats = set()
    for seed in range(20):
        env.reset(seed=seed)
        seats.add(env.seat)
    assert seats == set(Seat)


def test_an_illegal_action_loses_at_once_and_the_game_is_over_then() -> None:
    env = against("petrify", 4)
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(env.table.swap_action)
    assert (reward, terminated, info["illegal"]) == (-1, True, True)
    with pytest.raises(PurlieuError, match="reset begins another"):
        env.step(0)


def test_an_opponent_that_breaks_the_rules_is_named() -> None:
    with pytest.raises(PurlieuError, match="the opponent answered 'zz', which is no legal move in petrify"):
        against("petrify", 4, opponent=lambda position, random: "zz", seat="second")  # type: ignore[arg-type,return-value]


def test_a_strange_seat_or_opponent_is_refused_with_a_sentence() -> None:
    with pytest.raises(PurlieuError, match="first, second or random"):
        against("petrify", 4, seat="third")  # type: ignore[arg-type]
    with pytest.raises(PurlieuError, match="an Engine"):
        against("petrify", 4, opponent="engine")  # type: ignore[arg-type]
