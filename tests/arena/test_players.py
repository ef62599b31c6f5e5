"""How players, limits and openings are written."""

import sys
from pathlib import Path

import pytest

import purlieu
from purlieu import GAMES, PurlieuError
from purlieu.arena.control import Clock, Control, parse_control
from purlieu.arena.openings import PLIES, openings
from purlieu.arena.players import UgiPlayer, parse_player
from purlieu.nets import load
from purlieu.ugi.client import EngineFailure, UgiEngine

RUNS = Path(__file__).parents[2] / "runs"
ODD = [sys.executable, str(Path(__file__).parents[1] / "ugi" / "odd_engine.py")]


def test_each_kind_of_player_is_read() -> None:
    assert parse_player("random").kind == "random"
    level = parse_player("level:4").settings.level
    assert level
    assert level.number == 4
    assert parse_player("level@0.5s:9").control == Control(seconds=0.5)
    assert parse_player("uct:1000").settings.preset == "uct"
    assert parse_player("full:0.1s").control == Control(seconds=0.1)
    assert parse_player("full:10+0.1s").control == Control(base=10, increment=0.1)
    assert parse_player("full:500,rave_k=0,exploration=0.3,threads=2").settings.extra == (
        ("exploration", 0.3),
        ("rave_k", 0),
    )
    engine = parse_player("ugi@250:./mine --with: colons")
    assert (engine.command, engine.control) == ("./mine --with: colons", Control(simulations=250))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'' is no player"),
        ("level:0", "there is no level '0'; levels go from 1 to 9"),
        ("level:seedlin", "did you mean seedling"),
        ("level:", "is no player"),
        ("full:", "is no player"),
        ("full:fast", "'fast' is no limit"),
        ("full:0s", "'0s' is no limit"),
        ("full:100,rave", "'rave' is no setting"),
        ("full:100,rave_k=nan", "'rave_k=nan' is no setting; expected name=number"),
        ("full:100,threads=nan", "'threads=nan' is no setting; expected name=number"),
        ("full:100,memory_mb=inf", "'memory_mb=inf' is no setting; expected name=number"),
        ("full:100,threads=1.7", r"'threads=1\.7' will not do; threads is a whole number from 1 to 1024"),
        ("full:100,threads=0", "threads is a whole number from 1 to 1024"),
        ("full:100,memory_mb=1e9", "memory_mb is a whole number from 1 to 1048576"),
        ("ugi:", "is no player"),
        ("minimax:4", "is no player"),
    ],
)
def test_what_names_no_player_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(PurlieuError, match=sentence):
        parse_player(text)


def test_a_player_with_a_net_has_it_before_the_clock_runs() -> None:
    load.cache_clear()
    parse_player(f"net@{RUNS / 'pilo' / 'net.onnx'}:0.1s").make().new_game("pilo", 4, 1)
    assert load.cache_info().currsize == 1


def test_a_net_of_another_game_is_refused_with_a_sentence() -> None:
    player = parse_player(f"net@{RUNS / 'pilo' / 'net.onnx'}:16").make()
    with pytest.raises(PurlieuError, match=r"net\.onnx is a net of pilo, not of petrify"):
        player.new_game("petrify", 4, 1)
    player.restart()  # as the arena does after a failure


def test_what_goes_wrong_in_reading_an_engine_is_its_failure_and_not_the_arenas() -> None:
    def on_line(way: str, line: str) -> None:
        if line.startswith("bestmove"):
            raise ValueError("I cannot read this")

    clocks = Clock(parse_control("1"), 0.0), Clock(parse_control("1"), 0.0)
    with UgiEngine(ODD, on_line=on_line) as engine:
        player = UgiPlayer(engine, parse_control("1"))
        player.new_game("petrify", 3, 1)
        with pytest.raises(EngineFailure, match="odd engine was not understood: ValueError: I cannot read this"):
            player.choose([], clocks, 20.0)


def test_a_clock_runs_and_forgives_the_margin() -> None:
    clock = Clock(parse_control("1+0.5s"), margin=0.2)
    assert clock.spend(0.7)
    assert clock.left == pytest.approx(0.8)
    assert clock.spend(0.95)
    assert clock.left == pytest.approx(0.5)
    assert not clock.spend(0.71)
    assert Clock(parse_control("100"), margin=0).spend(1e6)


@pytest.mark.parametrize("game", GAMES)
def test_openings_are_legal_differ_and_come_again_with_their_seed(game: str) -> None:
    size, plies = GAMES[game].default_size, PLIES[game]
    found = openings(game, size, plies, seed=7, count=40)
    assert found == openings(game, size, plies, seed=7, count=60)[:40]
    assert found != openings(game, size, plies, seed=8, count=40)
    boards = set()
    for moves in found:
        position = purlieu.start(game, size)
        for move in moves:
            position = position.play(move)
        assert len(moves) == plies
        assert not position.is_over
        assert "swap" not in map(str, position.legal_moves()) or plies < 2
        boards.add(position.text())
    assert len(boards) == 40


def test_where_all_boards_are_used_up_openings_come_again() -> None:
    found = openings("petrify", 3, 12, seed=1, count=180)
    assert len(found) == 180
    assert found[:90] == openings("petrify", 3, 12, seed=1, count=90)
    boards = set()
    for moves in found:
        position = purlieu.start("petrify", 3)
        for move in moves:
            position = position.play(move)
        assert len(position.legal_moves()) > 1
        boards.add(position.text())
    assert 90 <= len(boards) < 180


def test_a_board_too_small_for_openings_says_so() -> None:
    with pytest.raises(PurlieuError, match="Petrify on 3×3 has no openings of 60 turns"):
        openings("petrify", 3, 60, seed=1, count=1)
