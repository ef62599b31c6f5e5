"""Whole games through the real command: piped, at 80 columns, without colour; and at a terminal."""

import re
import shlex
import sys
from pathlib import Path
from random import Random

import pytest

import purlieu as rules
from purlieu import GAMES
from purlieu.records import load

from .shell import Terminal, process, purlieu

SMALL = {"petrify": 4, "pilo": 4, "pentwall": 10, "pyloff": 3}


def moves_of_a_game(game: str, seed: int = 4) -> list[str]:
    """A random game without the forced passes, which play themselves."""
    random, position, moves = Random(seed), rules.start(game, SMALL[game]), []
    while not position.is_over:
        move = random.choice(position.legal_moves())
        position = position.play(move)
        if str(move) != "pass":
            moves.append(str(move))
    return moves


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_piped_game_is_printed_plainly_and_counted(game: str) -> None:
    ran = purlieu("play", game, "--size", str(SMALL[game]), typed="\n".join(moves_of_a_game(game)))
    assert (ran.code, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "The game is over. The count:" in ran.out
    assert " wins: " in ran.out or "A draw: " in ran.out


@pytest.mark.parametrize("versus", ["greedy", "random"])
def test_the_computer_replies_alike_from_the_same_seed(versus: str) -> None:
    args = ("play", "pyloff", "--size", "4", "--versus", versus, "--seat", "second", "--seed", "7")
    one, two = (purlieu(*args, typed="hint\nquit\n") for _ in range(2))
    assert one == two
    assert f"● Black     1  first, {versus}" in one.out
    assert one.code == 0


def test_without_what_runs_nets_a_game_against_the_computer_begins_with_a_word_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def begun(*args: str) -> str:
        return purlieu("play", *args, typed="quit\n").out

    with_level = ("petrify", "--size", "6", "--level", "1")
    assert "playouts" not in begun(*with_level)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    told = "Without onnxruntime the computer plays by playouts; pip install 'purlieu[net]'"
    assert told in " ".join(begun(*with_level).split())
    assert "playouts" not in begun("petrify", "--size", "6", "--versus", "greedy")
    assert "playouts" not in begun("petrify", "--size", "3", "--level", "1"), "no net plays there anyhow"


def test_the_end_of_the_input_leaves_politely_and_prints_the_position() -> None:
    ran = purlieu("play", "petrify", "--size", "6", typed="c3\nd4")
    assert ran.code == 0
    position = "petrify 6/6/3o2/2b3/6/6 ply=2 blue=first passes=0 last=second"
    assert ran.out.endswith(f"To go on from this position:\n  purlieu play '{position}'\n")


def test_what_is_printed_on_leaving_can_be_pasted_and_seats_the_same_opponent(tmp_path: Path) -> None:
    seating = ["--versus", "greedy", "--seat", "second"]
    args = ["play", "pyloff", "--size", "3", *seating, "--seed", "1"]
    for more in ([], ["--save", "my game.pur"]):
        out = purlieu(*args, *more, typed="quit\n", cwd=tmp_path).out
        pasted = shlex.split(out.splitlines()[-1])
        assert pasted[:2] == ["purlieu", "play"]
        assert pasted[-4:] == seating
        again = purlieu(*pasted[1:], typed="quit\n", cwd=tmp_path)
        assert (again.code, again.err) == (0, "")
        assert "turn 2" in again.out
        assert "first, greedy" in again.out


def test_a_file_that_could_not_be_written_is_not_named_on_leaving(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with Terminal("play", "petrify", "--size", "6", "--save", "folder/game.pur", cwd=tmp_path, term="dumb") as terminal:
        terminal.until("Blue> ")
        terminal.type("c3")
        terminal.until("Orange> ")
        (folder / "game.pur").unlink()
        folder.rmdir()
        terminal.type("d4")
        assert "Not saved! folder/game.pur: there is no folder" in " ".join(terminal.until("Blue> ").split())
        terminal.type("quit")
        assert terminal.code() == 0
        assert "--load" not in terminal.seen
        assert "purlieu play 'petrify 6/6/3o2/2b3/6/6 ply=2" in terminal.seen


def test_a_position_in_quotes_is_played_on() -> None:
    ran = purlieu("play", "petrify 6/6/3o2/2b3/6/6 ply=2", typed="c3xd4\n")
    assert ran.code == 0
    assert "[█]" in ran.out


def test_a_refused_line_is_seen_in_the_exit_code_of_a_script() -> None:
    assert purlieu("play", "petrify", typed="c3\nc3\n").code == 1
    assert purlieu("play", "petrify", typed="nonsense\n").code == 1


def test_a_game_is_kept_loaded_and_played_on(tmp_path: Path) -> None:
    kept = purlieu("play", "pilo", "--size", "6", "--save", "game.pur", typed="c3\n", cwd=tmp_path)
    assert "purlieu play --load game.pur --save game.pur" in kept.out
    again = purlieu("play", "--load", "game.pur", "--save", "game.pur", typed="d4\n", cwd=tmp_path)
    assert again.code == 0
    assert [str(move) for move in load(tmp_path / "game.pur")[0].moves] == ["c3", "d4"]
    clash = purlieu("play", "pilo", "--save", "game.pur", typed="a1\n", cwd=tmp_path)
    assert clash.code == 1
    assert clash.err == "purlieu: game.pur exists already, and nothing was written\n"


def test_ascii_and_strange_encodings_print_ascii_only() -> None:
    args, typed = ("play", "pyloff", "--size", "3"), "b2\nhelp\nrules\n"
    for ran in (purlieu(*args, "--ascii", typed=typed), process(*args, typed=typed, env={"PYTHONIOENCODING": "ascii"})):
        assert ran.code == 0
        assert (ran.out + ran.err).isascii()
        assert "[X]" in ran.out


def test_the_menu_reads_from_a_pipe_too() -> None:
    ran = purlieu("play", typed="2\n4\np\nc3\nquit\n")
    assert (ran.code, ran.err) == (0, "")
    assert "Game, 1 to 4 [1]: 2\nSide of the board, 3 to 10 [8]: 4\n\nWho plays against you?" in ran.out
    assert "Pilo 4×4  turn 2" in ran.out
    assert purlieu("play", typed="quit\n").code == 0


def test_an_answer_that_the_menu_refuses_is_seen_in_the_exit_code_of_a_script() -> None:
    ran = purlieu("play", typed="petrfy\npetrify\n6\np\nquit\n")
    assert ran.code == 1
    assert "\npetrfy: did you mean petrify?\n" in ran.out


@pytest.mark.parametrize("typed", ["", "2\n", "2\n4\n", "2\n4\n2\n"])
def test_a_menu_whose_input_ends_says_so(typed: str) -> None:
    ran = purlieu("play", typed=typed)
    assert ran.code == 2
    assert re.fullmatch("purlieu: the input ended before a game was chosen; [^\n]+\n", ran.err)


# -- at a terminal ----------------------------------------------------------------------------------


def test_without_a_game_a_menu_asks_and_enter_takes_the_defaults() -> None:
    with Terminal("play") as terminal:
        menu = terminal.until("Game, 1 to 4 [1]: ")
        assert all(game.designer in menu for game in GAMES.values())
        terminal.type("pollo")
        terminal.until("did you mean pilo?")
        terminal.type("")
        terminal.until("[8]: ")
        terminal.type("99")
        terminal.until("sides of 3 to 10")
        terminal.type("6")
        terminal.until("from 1 to 9 [1]: ")
        terminal.type("")
        terminal.until("2 second [1]: ")
        terminal.type("")
        assert "second, level 1, Seedling" in terminal.until("Blue> ")
        terminal.type("quit")
        assert terminal.code() == 0


def test_a_terminal_gets_colour_and_walks_through_the_count_with_enter() -> None:
    moves = moves_of_a_game("petrify")
    with Terminal("play", "petrify", "--size", "4", rows=40) as terminal:
        for move in moves:
            terminal.until("> ")
            terminal.type(move)
        shown = terminal.until("Enter: go on, s: skip to the total> ")
        assert "\x1b[" in shown
        assert "Patch 1 of" in shown
        terminal.type("s")
        assert " wins: " in terminal.until("game over> ")
        terminal.type("quit")
        assert terminal.code() == 0


def test_no_color_and_a_dumb_terminal_are_respected() -> None:
    with Terminal("rules", "pilo", term="dumb") as terminal:
        assert terminal.code() == 0
        assert "\x1b[" not in terminal.seen
        assert "●2" in terminal.seen


def test_ctrl_c_leaves_with_130_and_tells_how_to_go_on(tmp_path: Path) -> None:
    with Terminal("play", "petrify", "--save", "game.pur", cwd=tmp_path) as terminal:
        terminal.until("Blue> ")
        terminal.type("c3")
        terminal.until("Orange> ")
        terminal.interrupt("purlieu play --load game.pur")
        terminal.press(b"\x03\x03\x03")
        assert terminal.code() == 130
        assert "Traceback" not in terminal.seen
        assert "KeyboardInterrupt" not in terminal.seen
    assert len(load(tmp_path / "game.pur")[0].moves) == 1


def test_tab_completes_commands_and_moves() -> None:
    with Terminal("play", "pentwall") as terminal:
        terminal.until("Solid> ")
        terminal.press(b"pai\t")
        terminal.type("")
        terminal.until("no pentomino is in hand")
        terminal.until("Solid> ")
        terminal.press(b"Xb1a2\t")
        terminal.type("")
        assert "Xb1a2b2c2b3" in terminal.until("Striped> ")
        terminal.press(b"\x04")
        assert terminal.code() == 0
