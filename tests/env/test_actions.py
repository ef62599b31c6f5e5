"""Actions have one number and one name each, and it is the rules that decide which are legal."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import purlieu
from purlieu import GAMES, BadNotation, Capture, Place, PurlieuError, Square
from purlieu.core import core
from purlieu.env import action_table, aec

from .games import BOARDS

EVERY_BOARD = [(name, size) for name, game in GAMES.items() for size in game.sizes]


@pytest.mark.parametrize(("game", "size"), EVERY_BOARD)
def test_every_name_of_the_table_leads_back_to_its_action(game: str, size: int) -> None:
    table = action_table(game, size)
    named = [action for action, name in enumerate(table.names) if name is not None]
    assert [table.index(table.name(action)) for action in named] == named
    assert table.name(table.pass_action) == "pass"
    assert table.name(table.swap_action) == "swap"
    assert len(table) == core().BatchEnv(game, size, 1).actions


@pytest.mark.parametrize(("game", "size"), BOARDS)
def test_in_random_games_the_mask_is_exactly_the_legal_moves_of_the_rules(game: str, size: int) -> None:
    random = Random(7)
    seen = set()
    for _ in range({"pentwall": 2, "pyloff": 3}.get(game, 12)):
        env = aec(game, size)
        env.reset()
        position = purlieu.start(game, size)
        table = action_table(game, size)
        while moves := position.legal_moves():
            observation = env.observe(env.agent_selection)
            by_action = {table.index(move): move for move in moves}
            assert len(by_action) == len(moves)
            assert set(np.flatnonzero(observation["action_mask"])) == set(by_action)
            action = random.choice(list(by_action))
            if table.swap_action in by_action and random.random() < 0.5:
                action = table.swap_action
            seen.add(table.names[action])
            assert table.move(position, action) == by_action[action]
            position = position.after(by_action[action])
            env.step(action)
        assert env.unwrapped.position == position
        assert all(env.terminations.values())
    if GAMES[game].has_pie_rule:
        assert "swap" in seen
    if game != "pentwall":
        assert "pass" in seen


def test_a_forced_pass_is_the_only_action_then() -> None:
    env = aec("petrify", 3)
    env.reset()
    table = action_table("petrify", 3)
    random = Random(1)
    passes = 0
    while not any(env.terminations.values()):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        if table.pass_action in legal:
            assert list(legal) == [table.pass_action]
            passes += 1
        env.step(int(random.choice(list(legal))))
    assert passes >= 2


def test_an_action_means_what_its_line_meets() -> None:
    table = action_table("petrify", 8)
    assert (
        table.index("c3xf6")
        == table.index("c3xd4")
        == table.index("c3xne")
        == table.index(Capture(Square(3, 3), Square(8, 8)))
    )
    assert table.index(Place(Square(1, 1))) == 0
    position = purlieu.start("petrify", 8).play("c3").play("f6")
    assert str(table.move(position, table.index("c3xne"))) == "c3xf6"


def test_in_pyloff_the_points_above_each_other_are_one_action() -> None:
    table = action_table("pyloff", 6)
    assert table.index("c3") == table.index("3b2") == table.index("5a1")
    assert table.index("2b2") == table.index("4a1") != table.index("c3")


@pytest.mark.parametrize(
    ("game", "size", "text"),
    [
        ("petrify", 4, "e1"),
        ("petrify", 4, "a1xb3"),
        ("pilo", 8, "c3xf6"),
        ("pyloff", 4, "2d4"),
        ("petrify", 4, "hello"),
    ],
)
def test_what_is_no_move_of_the_board_has_no_number(game: str, size: int, text: str) -> None:
    with pytest.raises(BadNotation):
        action_table(game, size).index(text)


@pytest.mark.parametrize("action", [-1, 16 + 12, 10_000])
def test_an_action_that_can_never_be_played_has_no_name(action: int) -> None:
    # 28 is the capture to the north from the top row.
    with pytest.raises(PurlieuError, match="stands for no move"):
        action_table("petrify", 4).name(action)


@pytest.mark.parametrize(("game", "size"), [("pilo", 4), ("petrify", 5)])
def test_a_position_of_another_board_is_refused_with_the_table_that_fits_it(game: str, size: int) -> None:
    sentence = (
        f"these are the actions of petrify 4, and the position is one of {game} {size}; "
        f"action_table({game!r}, {size}) has its actions"
    )
    with pytest.raises(PurlieuError) as refused:
        action_table("petrify", 4).move(purlieu.start(game, size), 0)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("action", [True, 1.0, np.float32(1), np.True_, "b1", None], ids=repr)
def test_what_is_no_whole_number_is_no_action(action: Any) -> None:
    table, start = action_table("petrify", 4), purlieu.start("petrify", 4)
    for ask in (lambda: table.name(action), lambda: table.move(start, action)):
        with pytest.raises(PurlieuError) as refused:
            ask()
        assert str(refused.value) == f"an action is a whole number, not {action!r}"
    assert table.name(np.int8(1)) == str(table.move(start, np.uint64(1))) == "b1"


def test_an_action_that_is_not_legal_is_no_move_of_the_position() -> None:
    with pytest.raises(PurlieuError, match="not legal"):
        action_table("petrify", 4).move(purlieu.start("petrify", 4), action_table("petrify", 4).swap_action)
