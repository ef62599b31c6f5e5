"""One agent against an opponent, as Gymnasium would have it."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Callable
from random import Random
from typing import Any, Literal

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import purlieu
from purlieu import Colour, Move, Position, PurlieuError, Seat
from purlieu.engine import Engine
from purlieu.env import Against, against
from purlieu.players import choose_greedy

from .games import BOARDS


# Gymnasium would make the environment anew in each render mode from its registry; we are in none.
@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@pytest.mark.parametrize(("game", "size"), BOARDS)
@pytest.mark.parametrize("seat", ["first", "second", "random"])
def test_gymnasiums_own_test_passes(game: str, size: int, seat: Literal["first", "second", "random"]) -> None:
    check_env(against(game, size, seat=seat, render_mode="ansi"))


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


@pytest.mark.parametrize("swap", [False, True])
def test_at_the_end_the_margin_is_the_agents_whatever_colour_it_has(swap: bool) -> None:
    env = against("petrify", 4, seat=Seat.SECOND)
    margins = set()
    for seed in range(4):
        _, info = env.reset(seed=seed)
        if swap:
            *_, info = env.step(env.table.swap_action)
        while "margin" not in info:
            *_, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        score = env.position.score()
        lead = score[Colour.BLUE] - score[Colour.ORANGE]
        assert info["margin"] == (lead if swap else -lead)
        margins.add(lead)
    assert len(margins) > 1


def test_an_engine_and_a_function_can_be_the_opponent() -> None:
    lost = sum(play(against("petrify", 4, opponent=Engine(level=6, seed=1)), seed)[1] < 0 for seed in range(4))
    assert lost >= 3
    play(against("pyloff", 3, opponent=choose_greedy, seat="second"), 1)


def test_an_engine_plays_with_the_limit_that_it_was_made_with() -> None:
    began = time.monotonic()
    games = [play(against("petrify", 4, opponent=Engine(level=9, simulations=8)), 3) for _ in range(2)]
    assert games[0] == games[1]
    assert time.monotonic() - began < 20, "with its own three seconds a move two games take a minute"


def first_moves(env: Against, seeds: range) -> list[str]:
    """The position after the opponent's first move, for each seed."""
    found = []
    for seed in seeds:
        env.reset(seed=seed)
        found.append(env.position.text())
    return found


@pytest.mark.parametrize(("game", "size"), [("petrify", 6), ("petrify", 4), ("pyloff", 4)])
def test_an_engine_plays_another_game_for_each_seed_and_the_same_one_for_the_same(game: str, size: int) -> None:
    found = first_moves(against(game, size, opponent=Engine(level=2), seat="second"), range(8))
    assert len(set(found)) > 1
    assert first_moves(against(game, size, opponent=Engine(level=2, seed=5), seat="second"), range(8)) == found
    games = [play(against(game, size, opponent=Engine(level=1)), seed) for seed in (3, 3)]
    assert games[0] == games[1]


def test_episodes_after_one_seed_differ_too_and_can_be_had_again() -> None:
    def episodes() -> list[str]:
        env = against("petrify", 6, opponent=Engine(level=2), seat="second")
        env.reset(seed=1)
        found = []
        for _ in range(8):
            env.reset()
            found.append(env.position.text())
        return found

    found = episodes()
    assert len(set(found)) > 1
    assert episodes() == found


def test_an_engine_may_be_the_opponent_in_several_environments_and_stays_as_it_was() -> None:
    engine = Engine(level=3, seed=7)
    envs = [against("petrify", 4, opponent=engine) for _ in range(2)]
    alone = play(envs[0], 1)
    for env in envs:
        env.reset(seed=1)
    together = [[env.step(action)[:2] for env in envs] for action in alone[0]]
    for one, other in together:
        assert np.array_equal(one[0], other[0])
    assert together[-1][0][1] == alone[1]
    start = purlieu.start("petrify", 6)
    assert engine.best_move(start) == Engine(level=3, seed=7).best_move(start)


@pytest.mark.parametrize("seat", list(Seat))
def test_a_game_may_begin_with_any_position_and_the_opponent_moves_where_it_is_its_turn(seat: Seat) -> None:
    position = purlieu.start("petrify", 4).play("b2").play("swap").play("c3")  # the second seat's turn
    env = against("petrify", 4, seat=seat)
    for given in (position, position.text()):
        observation, info = env.reset(seed=1, options={"position": given})
        assert env.seat is env.position.to_move is seat
        assert env.position.ply == (3 if seat is Seat.SECOND else 4)
        assert info["action_mask"].sum() == len(env.position.legal_moves())
        assert observation.any()
    env.reset(seed=1)
    assert env.position.ply == (1 if seat is Seat.SECOND else 0)


def test_a_position_that_leaves_the_agent_no_turn_is_refused_in_a_sentence() -> None:
    line = [purlieu.start("petrify", 3)]
    while not line[-1].is_over:
        line.append(line[-1].after(line[-1].legal_moves()[0]))
    last = line[-2]
    env = against("petrify", 3, seat=last.to_move.other)
    with pytest.raises(PurlieuError) as refused:
        env.reset(seed=1, options={"position": last})
    agent = last.to_move.other.value
    assert str(refused.value) == f"from {last.text()} the game ends before the {agent} seat has a turn"
    with pytest.raises(PurlieuError, match="no game is going on; reset begins one"):
        env.step(0)


def test_nobody_plays_before_reset() -> None:
    asked: list[Position] = []

    def choose(position: Position, random: Random) -> Move:
        asked.append(position)
        return random.choice(position.legal_moves())

    env = against("petrify", 4, opponent=choose, seat="second")
    assert not asked
    assert env.action_space.n == len(env.table)  # type: ignore[attr-defined]
    assert env.observation_space.shape == (27, 4, 4)
    assert not env.action_masks().any()
    for early in (lambda: env.step(0), lambda: env.seat):
        with pytest.raises(PurlieuError, match="reset begins"):
            early()
    env.reset(seed=1)
    assert len(asked) == 1
    assert env.seat is Seat.SECOND


COPIES: list[Callable[[Any], Any]] = [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]


@pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "pickle"])
@pytest.mark.parametrize("opponent", ["random", choose_greedy, Engine(level=2)], ids=["random", "greedy", "engine"])
@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_a_copy_goes_on_with_the_same_game_and_leaves_the_first_alone(
    game: str, size: int, opponent: Any, copied: Callable[[Any], Any]
) -> None:
    env = against(game, size, opponent=opponent, seat="random")
    untouched = copied(env)
    env.reset(seed=2)
    for _ in range(2):
        env.step(int(np.flatnonzero(env.action_masks())[-1]))
    other = copied(env)
    assert other.table is env.table
    for _ in range(2):  # to the end of this game, and through one more
        before = env.position
        ends = [to_the_end(each) for each in (other, env)]
        assert ends[0] == ends[1]
        assert before != env.position
        for each in (env, other):
            each.reset()
    with pytest.raises(PurlieuError, match="reset begins"):
        untouched.step(0)


def to_the_end(env: Against) -> list[tuple[str, float]]:
    """The first legal action each time: positions and rewards."""
    found = []
    over = False
    while not over:
        _, reward, over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
        found.append((env.position.text(), reward))
    return found


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
    for each in (env, copy.deepcopy(env)):
        with pytest.raises(PurlieuError, match="no game is going on; reset begins one"):
            each.step(0)


def test_whole_numbers_of_numpy_are_actions_and_fractions_are_refused_while_the_game_goes_on() -> None:
    env = against("petrify", 4)
    env.reset(seed=1)
    for wrong in (3.7, np.float32(3), "d1", None, True, np.False_):
        with pytest.raises(PurlieuError, match="an action is a whole number, not "):
            env.step(wrong)  # type: ignore[arg-type]
    assert env.position.ply == 0
    for whole in (np.array(5), np.int8(0)):
        env.reset(seed=1)
        assert "illegal" not in env.step(whole)[-1]
        assert env.position.ply == 2


def test_the_board_is_rendered_as_text() -> None:
    env = against(
        "petrify", 3, seat="second", opponent=lambda position, random: position.read_move("b2"), render_mode="ansi"
    )
    env.reset(seed=1)
    assert env.render() == "    a  b  c\n 3  ·  ·  ·  3\n 2  ·  ●  ·  2\n 1  ·  ·  ·  1\n    a  b  c"
    with pytest.raises(PurlieuError, match="there is no render mode 'human'; it may be ansi or None"):
        against("petrify", 3, render_mode="human")
    with pytest.warns(UserWarning, match="made without a render mode"):
        assert against("petrify", 3).render() is None


def test_nobody_plays_the_turn_of_an_opponent_that_was_interrupted() -> None:
    def interrupted(position: Position, random: Random) -> Move:
        if position.ply > 1:
            raise KeyboardInterrupt
        return position.legal_moves()[0]

    env = against("petrify", 4, opponent=interrupted, seat="first")
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    with pytest.raises(KeyboardInterrupt):
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert not env.action_masks().any()
    with pytest.raises(PurlieuError, match="no game is going on; reset begins one"):
        env.step(0)


def test_an_opponent_that_breaks_the_rules_is_named() -> None:
    with pytest.raises(PurlieuError, match="the opponent answered 'zz', which is no legal move in petrify"):
        against("petrify", 4, opponent=lambda position, random: "zz", seat="second").reset()  # type: ignore[arg-type,return-value]


def test_a_strange_seat_or_opponent_is_refused_with_a_sentence() -> None:
    with pytest.raises(PurlieuError, match="first, second or random"):
        against("petrify", 4, seat="third")  # type: ignore[arg-type]
    with pytest.raises(PurlieuError, match="an Engine"):
        against("petrify", 4, opponent="engine")  # type: ignore[arg-type]
