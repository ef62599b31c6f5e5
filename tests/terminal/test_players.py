"""The simple computer players, and perft."""

import time
from random import Random

import pytest

import purlieu
from purlieu import GAMES, Position
from purlieu.core.perft import divide, perft
from purlieu.players import PLAYERS, Choose, choose_greedy, lead_after
from purlieu.rules import petrify, pyloff

from .desk import played_out


@pytest.mark.parametrize("choose", PLAYERS.values(), ids=[*PLAYERS])
@pytest.mark.parametrize("game", GAMES)
def test_players_choose_legal_moves_and_the_same_ones_from_the_same_seed(game: str, choose: Choose) -> None:
    line = played_out(game, GAMES[game].sizes[0], most=30)
    for position, _ in line[::3]:
        move = choose(position, Random(7))
        assert position.explain(move) is None
        assert move == choose(position, Random(7))


def test_greedy_takes_the_best_lead() -> None:
    atari: Position = pyloff.draw(". . . .\n. b . .\nb w b .\n. . . .")
    assert str(choose_greedy(atari, Random(0))) == "b1"


def test_greedy_swaps_when_that_gives_the_better_colour() -> None:
    position = purlieu.start("petrify", 6).play("c3")
    assert str(choose_greedy(position, Random(0))) == "swap"
    assert lead_after(position, position.read_move("swap"), position.to_move) == 36


def test_the_first_move_of_pentwall_takes_less_than_a_second() -> None:
    position = purlieu.start("pentwall")
    choose_greedy(position, Random(0))
    began = time.perf_counter()
    choose_greedy(position, Random(1))
    assert time.perf_counter() - began < 1


def test_a_finished_game_adds_nothing_to_perft() -> None:
    last = petrify.draw("b b b\nb b b\nb b .")
    assert [perft(last, depth) for depth in range(5)] == [1, 1, 1, 1, 0]


@pytest.mark.parametrize("game", ["petrify", "pilo", "pyloff"])
def test_divide_adds_up_to_perft(game: str) -> None:
    position = purlieu.start(game, 3)
    assert sum(count for _, count in divide(position, 3)) == perft(position, 3)


def test_perft_of_an_empty_pyramid() -> None:
    assert [perft(purlieu.start("pyloff", 6), depth) for depth in (1, 2)] == [36, 1260]
    assert perft(purlieu.start("pentwall"), 1) == 4096


def test_the_names_of_players_are_those_of_the_command_line() -> None:
    from purlieu.cli.opponent import OPPONENTS

    assert {*PLAYERS} == {*OPPONENTS} - {"person"}
