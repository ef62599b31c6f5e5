"""A batch plays the very games of the single environments, many at a time."""

from __future__ import annotations

import copy
import gc
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from numpy.typing import ArrayLike

from purlieu import PurlieuError
from purlieu.core import core
from purlieu.env import Batch, GameEnv, batch
from purlieu.rules import BadSize

from .games import BOARDS

STEPS = {"pentwall": 20, "pyloff": 150}


@pytest.mark.parametrize(("game", "size"), [*BOARDS, ("petrify", 9), ("pyloff", 7)])
def test_every_step_shows_what_the_single_environments_show(game: str, size: int) -> None:
    games = batch(game, size, envs=4, threads=2)
    singles = [GameEnv(game, size) for _ in range(4)]
    for single in singles:
        single.reset()
    ended = 0
    for step in range(STEPS.get(game, 100)):
        for i, single in enumerate(singles):
            agent = single.agent_selection
            assert agent == f"player_{games.to_move[i]}"
            observation = single.observe(agent)
            assert np.array_equal(games.planes[i], observation["observation"])
            assert np.array_equal(games.mask[i], observation["action_mask"])
        actions = games.random_actions(step)
        games.step(actions)
        for i, single in enumerate(singles):
            single.step(int(actions[i]))
            assert list(games.reward[i]) == list(single.rewards.values())
            assert games.done[i] == any(single.terminations.values())
            told = [info.get("margin", 0) for info in single.infos.values()]
            assert [games.margin[i], -games.margin[i]] == told
            if games.done[i]:
                assert single.position.outcome is not None
                single.reset()
                ended += 1
    assert ended > 0 or size > 6
    assert [games.position(i) for i in range(4)] == [single.position for single in singles]


def _arrays(games: Batch) -> tuple[np.ndarray, ...]:
    return games.planes, games.mask, games.to_move, games.reward, games.margin, games.done


def history(games: Batch, steps: int) -> list[bytes]:
    """All that a batch shows on its way through random games."""
    shown = []
    for step in range(steps):
        games.step(games.random_actions(step))
        shown.append(b"".join(a.tobytes() for a in _arrays(games)))
    return shown


@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_the_same_seeds_give_the_same_games_whatever_the_number_of_threads(game: str, size: int) -> None:
    first = history(batch(game, size, envs=70), 40)
    assert first == history(batch(game, size, envs=70, threads=3), 40)
    again = batch(game, size, envs=70)
    history(again, 3)
    again.reset()
    assert first == history(again, 40)


def test_another_seed_draws_other_actions_and_all_legal_ones_are_drawn() -> None:
    games = batch("petrify", 3, envs=2000)
    assert list(games.random_actions(1)) != list(games.random_actions(2))
    counts = np.bincount(games.random_actions(1), minlength=9)
    assert len(counts) == 9
    assert counts.min() > 2000 / 9 * 0.7


@pytest.mark.parametrize("action", [0, 5, -1, 10_000, 2**31, 2**32 + 1])
def test_an_illegal_action_is_named_and_nothing_changes(action: int) -> None:
    games = batch("petrify", 4, envs=3)
    games.step([0, 5, 0])
    before = [games.position(i) for i in range(3)]
    shown = games.mask.copy()
    refused = 0 if action == 0 else 1
    actions = [0 if action == 0 else 1, action, 1]
    with pytest.raises(PurlieuError, match=rf"^action {action} is not legal in game {refused}, "):
        games.step(actions)
    assert [games.position(i) for i in range(3)] == before
    assert np.array_equal(games.mask, shown)


def test_the_core_itself_refuses_too() -> None:
    games = core().BatchEnv("petrify", 4, 2)
    with pytest.raises(ValueError, match="action 81 is not legal in game 1"):
        games.step(np.array([0, 81], np.int32))
    with pytest.raises(ValueError, match="3 actions for 2 games"):
        games.step(np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="numbered from 0 to 1"):
        games.text(2)


def test_scribbling_on_the_mask_makes_nothing_legal() -> None:
    games = batch("petrify", 4, envs=1)
    games.mask[:] = 1
    with pytest.raises(PurlieuError, match="not legal"):
        games.step([games.table.pass_action])


def test_gymnasium_draws_legal_actions_by_the_mask() -> None:
    games = batch("petrify", 4, envs=2)
    games.step([0, 5])
    space = spaces.Discrete(len(games.table), seed=1)
    for mask in games.mask:
        assert {int(space.sample(mask)) for _ in range(400)} == set(np.flatnonzero(mask))


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, np.float64(3), "x", None])
def test_what_is_no_seed_is_refused_in_a_sentence(seed: Any) -> None:
    games = batch("petrify", 4, envs=2)
    with pytest.raises(PurlieuError) as refused:
        games.random_actions(seed)
    assert str(refused.value) == f"a seed is a whole number from 0 to 18446744073709551615, not {seed!r}"
    assert len(games.random_actions(2**64 - 1)) == len(games.random_actions(np.uint8(3))) == 2


def test_the_arrays_stay_the_same_ones_and_outlive_the_batch() -> None:
    games = batch("petrify", 4, envs=2)
    mask, planes = games.mask, games.planes
    games.step([0, 1])
    assert mask is games.mask
    assert mask[0, 0] == 0
    del games
    gc.collect()
    assert mask.sum() == 2 * 16
    assert planes.any()


def test_without_planes_everything_else_is_the_same() -> None:
    with_planes, without = batch("pilo", 4, envs=5), batch("pilo", 4, envs=5, planes=False)
    assert without.planes.shape == (0, 27, 4, 4)
    for step in range(60):
        actions = with_planes.random_actions(step)
        with_planes.step(actions)
        without.step(actions)
        assert np.array_equal(with_planes.mask, without.mask)
        assert np.array_equal(with_planes.reward, without.reward)


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8, np.int16])
def test_actions_may_be_whole_numbers_of_any_width(kind: type) -> None:
    games = batch("petrify", 4, envs=2)
    games.step(np.array([3, 4], kind))
    assert games.mask[:, [3, 4]].tolist() == [[0, 1], [1, 0]]


def test_what_makes_no_batch_or_no_actions_is_refused_with_a_sentence() -> None:
    games = batch("petrify", 4, envs=2)
    refusals: list[tuple[ArrayLike, str]] = [
        ([0.5, 1.0], "whole numbers"),
        ([1], "array of 2"),
        ([[1, 2]], "array of 2"),
    ]
    for actions, words in refusals:
        with pytest.raises(PurlieuError, match=words):
            games.step(actions)
    with pytest.raises(PurlieuError, match="from 1 to 1048576 games"):
        batch("petrify", 4, envs=0)
    with pytest.raises(PurlieuError, match="threads"):
        batch("petrify", 4, envs=1, threads=0)
    with pytest.raises(PurlieuError, match="numbered from 0 to 1"):
        games.position(2)
    with pytest.raises(PurlieuError, match=r"numbered from 0 to 1, not 1\.0"):
        games.position(1.0)  # type: ignore[arg-type]
    with pytest.raises(PurlieuError, match=r"whole numbers.*not 1\.5 and 1"):
        batch("petrify", 4, envs=1.5)  # type: ignore[arg-type]
    with pytest.raises(PurlieuError, match="whole numbers that memory has room for"):
        batch("petrify", 4, envs=2**40)
    with pytest.raises(PurlieuError, match="a batch cannot be copied"):
        copy.copy(games)
    with pytest.raises(PurlieuError, match="a batch cannot be copied"):
        copy.deepcopy(games)
    with pytest.raises(PurlieuError, match="a batch cannot be copied"):
        pickle.dumps(games)


def test_sizes_may_be_whole_numbers_of_numpy_and_nothing_else_whatever_was_asked_before() -> None:
    assert batch("petrify", 7, envs=1).table is batch("petrify", np.int64(7), envs=np.int8(1)).table
    with pytest.raises(BadSize):
        batch("petrify", 7.0, envs=1)  # type: ignore[arg-type]
