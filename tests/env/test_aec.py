"""The environments are PettingZoo's in every respect that PettingZoo tests."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import purlieu
from purlieu import Colour, PurlieuError
from purlieu.core import core
from purlieu.env import GameEnv, aec, against, pentwall, petrify, pilo, pyloff

from .games import BOARDS

with (
    warnings.catch_warnings()
):  # Where pygame is there too, these import PettingZoo's own games, which warn of themselves.
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, seed_test

# What PettingZoo says of every environment with masks that is not its own.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    # After the end there is nothing to see.
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros"),
]


@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_pettingzoos_own_test_passes(game: str, size: int) -> None:
    api_test(aec(game, size, render_mode="ansi"), num_cycles=200)


@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_the_same_seed_gives_the_same_game(game: str, size: int) -> None:
    seed_test(lambda: aec(game, size), num_cycles=200)


def test_each_game_has_its_name_and_its_default_size() -> None:
    for make, name, side in [
        (petrify, "petrify", 8),
        (pilo, "pilo", 8),
        (pentwall, "pentwall", 10),
        (pyloff, "pyloff", 6),
    ]:
        env = make()
        assert str(env) == f"purlieu_{name}_v0"
        assert env.observation_space("player_0")["observation"].shape[1:] == (side, side)


def test_the_agent_to_move_sees_what_a_net_sees_and_the_other_nothing() -> None:
    env = petrify(4)
    env.reset()
    env.step(5)
    assert env.agent_selection == "player_1"
    expected = core().Position.start("petrify", 4).play("b2").planes()
    assert np.array_equal(env.observe("player_1")["observation"], expected)
    assert not env.observe("player_0")["observation"].any()
    assert not env.observe("player_0")["action_mask"].any()


def test_the_winner_gets_1_and_the_loser_minus_1_and_seats_keep_their_agents_through_a_swap() -> None:
    env = petrify(3)
    env.reset()
    env.step(4)
    env.step(env.unwrapped.table.swap_action)
    while not any(env.terminations.values()):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    outcome = env.unwrapped.position.outcome
    assert outcome is not None
    assert outcome.winner is not None
    winner = {"first": "player_0", "second": "player_1"}[outcome.winner.value]
    assert env.rewards == {agent: 1 if agent == winner else -1 for agent in env.agents}
    score = env.unwrapped.position.score()
    lead = score[Colour.ORANGE] - score[Colour.BLUE]
    assert lead != 0
    assert env.infos == {"player_0": {"margin": lead}, "player_1": {"margin": -lead}}, "the first seat plays Orange now"


def test_an_illegal_action_loses_at_once() -> None:
    env = petrify(4)
    env.reset()
    env.step(5)
    env.step(5)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 0, "player_1": -1}


def test_after_an_illegal_action_nobody_sees_anything() -> None:
    env = petrify(4)
    env.reset()
    env.step(100)
    told = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert (terminated, truncated) == (True, True)
        assert not observation["observation"].any()
        assert not observation["action_mask"].any()
        told.append((agent, reward))
        env.step(None)
    assert sorted(told) == [("player_0", -1), ("player_1", 0)]
    env.reset()
    assert env.observe("player_0")["action_mask"].sum() == 16


def test_the_seed_of_reset_leaves_the_action_spaces_alone() -> None:
    def drawn(seed: int) -> list[int]:
        env = petrify(4)
        env.action_space("player_0").seed(3)
        env.reset(seed=seed)
        return [int(env.action_space("player_0").sample()) for _ in range(8)]

    assert drawn(1) == drawn(2)


@pytest.mark.parametrize("make", [petrify, lambda size: GameEnv("petrify", size)], ids=["wrapped", "bare"])
@pytest.mark.parametrize("action", [np.array(5), np.int8(5), np.uint32(5)], ids=["array", "int8", "uint32"])
def test_whole_numbers_of_numpy_are_actions(make: Callable[[int], Any], action: Any) -> None:
    env = make(4)
    env.reset()
    env.step(action)
    assert env.unwrapped.position == purlieu.start("petrify", 4).play("b2")


@pytest.mark.parametrize("make", [petrify, lambda size: GameEnv("petrify", size)], ids=["wrapped", "bare"])
@pytest.mark.parametrize("action", [3.7, 5.0, np.float32(5), "b2", True, np.True_, np.array(True), np.array([5, 6])])
def test_what_is_no_whole_number_is_refused_in_a_sentence_and_nothing_changes(
    make: Callable[[int], Any], action: Any
) -> None:
    env = make(4)
    env.reset()
    with pytest.raises(PurlieuError, match="an action is a whole number, not "):
        env.step(action)
    assert env.unwrapped.position.ply == 0
    env.step(5)
    assert env.unwrapped.position.ply == 1


def test_none_is_no_action_while_the_game_goes_on() -> None:
    env = GameEnv("petrify", 4)
    env.reset()
    with pytest.raises(PurlieuError, match="an action is a whole number, not None"):
        env.step(None)


def test_without_wrappers_too_reset_begins_the_first_game() -> None:
    env = GameEnv("petrify", 4)
    with pytest.raises(PurlieuError, match="no game is going on; reset begins one"):
        env.step(5)
    assert env.position.ply == 0
    with pytest.raises(PurlieuError, match="no game is going on; reset begins one"):
        copy.deepcopy(env).step(5)


def test_without_wrappers_a_game_that_both_agents_have_left_is_no_game_to_step_in() -> None:
    env = GameEnv("petrify", 3)
    env.reset()
    while env.agents:
        env.step(None if env.terminations[env.agent_selection] else first_legal(env))
    for action in (None, 5):
        with pytest.raises(PurlieuError, match="no game is going on; reset begins one"):
            env.step(action)
    env.reset()
    env.step(5)
    assert env.position.ply == 1


def test_without_wrappers_an_illegal_action_is_refused_and_nothing_changes() -> None:
    env = GameEnv("petrify", 4)
    env.reset()
    env.step(5)
    before = env.position
    with pytest.raises(PurlieuError, match="action 5 is not legal here"):
        env.step(5)
    assert env.position == before


def test_the_board_is_rendered_as_text() -> None:
    env = petrify(3, render_mode="ansi")
    env.reset()
    env.step(env.unwrapped.table.index("b2"))
    assert env.render() == "    a  b  c\n 3  ·  ·  ·  3\n 2  ·  ●  ·  2\n 1  ·  ·  ·  1\n    a  b  c"
    with pytest.raises(PurlieuError, match="ansi"):
        petrify(3, render_mode="human")


@pytest.mark.parametrize("make", [petrify, lambda size: GameEnv("petrify", size)], ids=["wrapped", "bare"])
def test_a_game_may_begin_with_any_position_or_its_text_and_the_next_one_begins_as_ever(
    make: Callable[[int], Any],
) -> None:
    position = purlieu.start("petrify", 4).play("b2").play("swap").play("c3")
    env = make(4)
    for given in (position, position.text()):
        env.reset(options={"position": given})
        assert env.unwrapped.position == position
        assert env.agent_selection == "player_1"
        legal = np.flatnonzero(env.observe("player_1")["action_mask"])
        assert [env.unwrapped.table.move(position, action) for action in legal] == sorted(
            position.legal_moves(), key=env.unwrapped.table.index
        )
    env.reset()
    assert env.unwrapped.position.ply == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"positoin": "x"}, "reset knows no option 'positoin'; it knows position, a text or a position of the rules"),
        ({"position": 3}, "a position is a line of text, not int"),
        (
            {"position": "petrify b2/3/3 ply=1"},
            "this environment plays petrify 4, and the position is one of petrify 3",
        ),
    ],
    ids=["misspelt", "no text", "another board"],
)
@pytest.mark.parametrize("make", [aec, GameEnv, against], ids=["wrapped", "bare", "against"])
def test_options_that_no_game_can_begin_with_are_refused_and_the_game_goes_on(
    make: Callable[[str, int], Any], options: dict[str, Any], sentence: str
) -> None:
    env = make("petrify", 4)
    env.reset()
    env.step(5)
    before = env.unwrapped.position
    with pytest.raises(PurlieuError) as refused:
        env.reset(options=options)
    assert str(refused.value) == sentence
    assert env.unwrapped.position == before


def test_no_game_begins_where_it_is_over() -> None:
    over = "petrify bbb/###/oob ply=15 blue=first passes=2 last=first"
    with pytest.raises(PurlieuError, match=f"the game is over in {over}; expected a position with a move to play"):
        petrify(3).reset(options={"position": over})


def first_legal(env: Any) -> int:
    return int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0])


def state(env: Any) -> tuple[object, ...]:
    """All that a player or a learner can see."""
    seen = [(agent, env.observe(agent)) for agent in env.possible_agents]
    planes = [(agent, part["observation"].tolist(), part["action_mask"].tolist()) for agent, part in seen]
    counts = env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards
    return env.unwrapped._position.text(), env.agent_selection, env.agents, planes, counts


COPIES: list[Callable[[Any], Any]] = [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]


@pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "pickle"])
@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_a_copy_goes_on_with_the_same_game_and_leaves_the_first_alone(
    game: str, size: int, copied: Callable[[Any], Any]
) -> None:
    env = aec(game, size, render_mode="ansi")
    env.reset()
    env.action_space("player_0").seed(3)
    while env.agents:
        other, before = copied(env), state(env)
        assert state(other) == before
        action = None if env.terminations[env.agent_selection] else first_legal(env)
        other.step(action)
        assert state(env) == before
        env.step(action)
        assert state(other) == state(env)
    assert copied(env).action_space("player_0").sample() == env.action_space("player_0").sample()
    assert copied(env).render() == env.render()
    again = copied(env)
    again.reset()
    assert again.unwrapped.position.ply == 0


def test_an_environment_can_be_pickled_before_reset() -> None:
    other = pickle.loads(pickle.dumps(pilo(5)))
    other.reset()
    assert other.unwrapped.position.size == 5


def test_without_the_packages_the_import_says_what_to_install() -> None:
    script = "import sys; sys.modules['pettingzoo'] = None\nimport purlieu.env"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.stderr.strip().endswith("ImportError: purlieu.env needs pettingzoo: pip install 'purlieu[env]'")


@pytest.mark.parametrize("action", [-1, 10_000, 146])
def test_a_number_that_is_no_action_is_an_error_and_changes_nothing(action: int) -> None:
    game = petrify(size=4)
    game.reset()
    with pytest.raises(PurlieuError, match=f"actions are numbered from 0 to 145, not {action}"):
        game.step(action)
    assert game.agent_selection == "player_0"
    assert not any(game.terminations.values())
