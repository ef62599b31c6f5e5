"""Playing against the computer through the real command: levels by number or name, its time, the menu, Ctrl-C."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from purlieu import GAMES
from purlieu.engine import LEVELS
from purlieu.records import load

from .shell import PLAIN, Ran, Terminal, process, purlieu

RUNS = Path(__file__).parents[2] / "runs"


def refused(ran: Ran) -> str:
    """The one sentence with which a wrong command line is refused."""
    assert (ran.code, ran.out) == (2, "")
    return " ".join(ran.err.split())


def test_a_level_goes_by_its_number_or_its_name_and_is_named_on_the_board_and_in_the_record(tmp_path: Path) -> None:
    by_number, by_name = (
        purlieu(
            "play", "petrify", "--level", level, "--seed", "5", "--save", f"{level}.pur", typed="c3\n", cwd=tmp_path
        )
        for level in ("4", "Hedge")
    )
    assert by_number.out.replace("4.pur", "Hedge.pur") == by_name.out
    assert "second, level 4, Hedge" in by_name.out
    record = load(tmp_path / "Hedge.pur")[0]
    assert record.second == "level 4, Hedge"
    assert len(record.moves) == 2


def test_the_computer_the_hints_and_the_analyses_are_the_same_from_the_same_seed() -> None:
    args = ("play", "pilo", "--size", "5", "--level", "3", "--seat", "second", "--seed", "7")
    typed = "hint\nanalyse\nanalysis on\nundo\nquit\n"
    one, two = (purlieu(*args, typed=typed) for _ in range(2))
    assert one == two
    assert "first, level 3, Sapling" in one.out
    assert "Hint: " in one.out


def test_a_piped_game_gets_plain_lines_only() -> None:
    ran = purlieu("play", "petrify", "--level", "9", "--time", "0.5", typed="analysis on\nc3\n")
    assert (ran.code, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    assert "\r" not in ran.out
    assert "thinks" not in ran.out


def test_the_computer_plays_with_a_net_of_ones_own_which_the_board_names_and_the_last_line_brings_back() -> None:
    net = str(RUNS / "pilo" / "net.onnx")
    ran = purlieu("play", "pilo", "--size", "4", "--level", "5", "--net", net, "--seed", "1", typed="b2\nquit\n")
    assert "second, level 5, Orchard, with net.onnx" in ran.out
    pasted = shlex.split(ran.out.splitlines()[-1])
    assert pasted[-4:] == ["--level", "5", "--net", net]
    strongest = purlieu("play", "pilo", "--size", "4", "--net", net, "--time", "0.1", typed="b2\nquit\n")
    assert "second, level 9, Wildwood, with" in strongest.out, "and the file on the next line"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("petrify", "--net", str(RUNS / "pilo" / "net.onnx")), "net.onnx is a net of pilo, not of petrify."),
        (("pilo", "--net", "nowhere.onnx"), "the net nowhere.onnx cannot be read"),
        (("pilo", "--net", "x.onnx", "--versus", "greedy"), "greedy plays without a net; give --level, or nothing."),
    ],
    ids=["another game's", "missing", "of a simple player"],
)
def test_a_net_that_cannot_play_is_refused_before_the_game(args: tuple[str, ...], sentence: str) -> None:
    ran = purlieu("play", *args, typed="b2\n")
    assert ran.code in (1, 2)
    assert ran.out == ""
    assert sentence in " ".join(ran.err.split())


def test_the_line_printed_on_leaving_seats_the_same_level_with_its_time() -> None:
    args = ["--level", "9", "--time", "0.1", "--seat", "second"]
    pasted = shlex.split(purlieu("play", "pilo", "--size", "4", *args, typed="quit\n").out.splitlines()[-1])
    assert pasted[-6:] == args
    assert "first, level 9, Wildwood" in purlieu(*pasted[1:], typed="quit\n").out


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--level", "10"], "there is no level '10'; levels go from 1 to 9."),
        (["--level", "hegde"], "there is no level 'hegde'; did you mean hedge?"),
        (["--level", "8", "--time", "2"], "only level 9 takes a time"),
        (["--time", "2"], "only level 9 takes a time"),
        (["--level", "9", "--time", "0"], "'0' is no time; expected seconds, above 0 and up to 3600."),
        (["--level", "9", "--time", "nan"], "'nan' is no time"),
        (["--level", "9", "--time", "soon"], "'soon' is no time"),
        (["--level", "2", "--versus", "greedy"], "both name an opponent; give one."),
    ],
)
def test_an_opponent_that_is_none_is_refused_in_a_sentence(args: list[str], sentence: str) -> None:
    assert sentence in refused(purlieu("play", "petrify", *args))


# -- the menu -------------------------------------------------------------------------------------


def test_the_menu_shows_every_level_and_enter_takes_the_easiest() -> None:
    out = purlieu("play", typed="1\n6\n\n\nquit\n").out
    for level in LEVELS.values():
        assert f"\n  {level.number}  {level.name:<10}{level.sentence}\n" in out
    assert "greedy" not in out
    assert "second, level 1, Seedling" in out


@pytest.mark.parametrize(
    ("typed", "seated"),
    [
        ("4", "level 4, Hedge"),
        ("Hedge", "level 4, Hedge"),
        ("level 4", "level 4, Hedge"),
        ("greedy", "greedy"),
        ("random", "random"),
    ],
)
def test_the_menu_takes_a_number_or_a_name_and_then_asks_for_the_seat(typed: str, seated: str) -> None:
    ran = purlieu("play", typed=f"1\n4\n{typed}\n2\nquit\n")
    assert ran.code == 0
    assert f"first, {seated}\n" in ran.out
    assert "second, you" in ran.out


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("sproot", "there is no level 'sproot'; did you mean sprout?"),
        ("12", "there is no level '12'; levels go from 1 to 9"),
        ("preson", "preson: did you mean person?"),
    ],
)
def test_an_opponent_that_the_menu_does_not_know_is_asked_for_again(typed: str, told: str) -> None:
    ran = purlieu("play", typed=f"1\n4\n{typed}\np\nquit\n")
    assert f"\n{told}\n" in ran.out
    assert "Blue> quit" in ran.out


def test_the_menu_does_not_ask_for_an_opponent_that_the_command_line_named() -> None:
    ran = purlieu("play", "--level", "2", "--seat", "second", typed="1\n4\nquit\n")
    assert "Who plays against you?" not in ran.out
    assert "first, level 2, Sprout" in ran.out
    assert "Blue> quit" in purlieu("play", "--versus", "person", typed="1\n4\nquit\n").out


@pytest.mark.parametrize("game", GAMES)
def test_the_menu_the_board_and_the_analysis_fit_into_sixty_columns(game: str) -> None:
    size = "" if len(GAMES[game].sizes) == 1 else "\n"
    typed = f"{game}\n{size}orchard\n2\nanalysis on\nanalyse\nhelp\nquit\n"
    ran = process("play", typed=typed, env={"COLUMNS": "60"})
    assert ran.code == 0
    lines = ran.out.partition("To go on from this position:")[0].splitlines()
    assert max(map(len, lines)) <= 60
    assert "level 5, Orchard" in ran.out


# -- at a terminal --------------------------------------------------------------------------------


def test_ctrl_c_while_it_thinks_makes_it_play_and_the_game_goes_on(tmp_path: Path) -> None:
    args = ("play", "petrify", "--level", "wildwood", "--time", "600", "--save", "game.pur")
    with Terminal(*args, cwd=tmp_path) as terminal:
        terminal.until("Blue> ")
        terminal.type("c3")
        terminal.until("Orange (Wildwood) thinks: ")
        assert " s, 0%" in terminal.until("%"), "half a second is nothing of ten minutes"
        assert len(load(tmp_path / "game.pur")[0].moves) == 1
        terminal.press(b"\x03")
        shown = terminal.until("> ")
        assert "Orange plays" in shown or "The seats swap colours" in shown
        terminal.type("hint")
        terminal.until("Hint: ")
        terminal.until("> ")
        terminal.type("quit")
        assert terminal.code() == 0
        assert "--level 9 --time 600" in terminal.seen
    assert len(load(tmp_path / "game.pur")[0].moves) == 2


# -- starting up ----------------------------------------------------------------------------------


def test_a_game_between_people_does_not_load_the_engine() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "purlieu", "play", "petrify"]
    done = subprocess.run(command, input=b"c3\nquit\n", capture_output=True, env=PLAIN, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert "purlieu.terminal.session" in loaded
    assert not [name for name in loaded if name.startswith(("purlieu.engine", "rich.live"))]
