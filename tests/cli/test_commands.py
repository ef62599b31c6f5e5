"""The other commands, their exit codes, and what they say when something is wrong."""

import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

import purlieu as rules
from purlieu.cli import COMMANDS, main
from purlieu.records import Record, load, write_jsonl, write_records

from .shell import PLAIN, Terminal, purlieu, shell


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a game in game.pur and three in games.jsonl."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    moves = ["c3", "swap", "d4", "c3xd4", "e5", "d4xe5", "a1", "b2", "a2", "b3", "a3", "b4"]
    record = Record.of(rules.start("petrify", 6), moves, first="Ana", second="Bo")
    with open("game.pur", "w") as text:
        write_records([record], text)
    with open("games.jsonl", "w") as lines:
        write_jsonl([record, Record.of(rules.start("pyloff", 4), ["b2"]), record], lines)
    return tmp_path


# -- bench ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--size", "50"), "no game is played on 50×50; the largest board has a side of 19"),
        (("pilo", "--size", "50"), "Pilo is played on 3×3 to 10×10; 50 is not such a size"),
        (("pilo", "--seconds", "-1"), "'-1' will not do; expected a number above 0."),
        (("pilo", "--seconds", "nan"), "'nan' will not do; expected a number above 0."),
        (("gomoku",), "there is no game called 'gomoku'"),
    ],
)
def test_a_bench_that_cannot_be_run_prints_nothing_but_why(words: tuple[str, ...], sentence: str) -> None:
    code, out, err = purlieu("bench", *words)
    assert code in (1, 2)
    assert out == ""
    assert sentence in " ".join(err.split())


def test_a_bench_of_a_size_is_of_the_games_that_have_it() -> None:
    code, out, _ = purlieu("bench", "--size", "11", "--seconds", "0.01")
    assert code == 0
    assert [line.split()[:2] for line in out.splitlines()] == [["game", "size"], ["pyloff", "11"]]


# -- check ------------------------------------------------------------------------------------------


def test_check_counts_the_games_of_good_files(folder: Path) -> None:
    code, out, err = purlieu("check", "game.pur", "games.jsonl")
    assert (code, err) == (0, "")
    assert out == "game.pur: 1 game, all legal\ngames.jsonl: 3 games, all legal\n"


def test_check_names_the_first_wrong_move_and_the_rule(folder: Path) -> None:
    Path("bad.pur").write_text('[Game "Petrify"]\n[Size "6"]\n\n1. c3 d4 2. c3 e5\n\n[Game "Pilo"]\n\n1. c3 *\n')
    code, out, _ = purlieu("check", "bad.pur", "game.pur")
    assert code == 1
    assert "bad.pur: game 1, line 4" in out
    assert "ply 3: c3: c3 holds a blue disk" in out
    assert "[occupied]" in out
    assert "bad.pur: 2 games, 1 wrong\ngame.pur: 1 game, all legal\n" in out


def test_check_says_2_for_a_file_it_cannot_read(folder: Path) -> None:
    code, out, err = purlieu("check", "absent.txt", "game.pur")
    assert code == 2
    assert err == "purlieu: absent.txt: there is no such file\n"
    assert "game.pur: 1 game, all legal" in out


@pytest.mark.parametrize("name", ["game.pur", "games.jsonl"])
def test_check_reads_standard_input(folder: Path, name: str) -> None:
    ran = purlieu("check", "-", typed=Path(name).read_text())
    assert ran.code == 0
    assert ran.out.startswith("standard input: ")


@pytest.mark.parametrize(
    "args", [["check"], ["play", "--load"], ["show"], ["draw", "-o", "x.svg"], ["convert", "-o", "x.pur"]]
)
def test_a_mistyped_file_is_told_the_nearest_one(folder: Path, args: list[str]) -> None:
    code, out, err = purlieu(*args, "gmae.pur")
    assert (code, out, err) == (2, "", "purlieu: gmae.pur: there is no such file; did you mean 'game.pur'?\n")


# -- convert, draw, sheet ---------------------------------------------------------------------------


def test_converting_there_and_back_loses_nothing(folder: Path) -> None:
    assert purlieu("convert", "games.jsonl", "-o", "games.pur").code == 0
    assert purlieu("convert", "games.pur", "-o", "again.jsonl").code == 0
    assert load("again.jsonl") == load("games.jsonl")
    code, _, err = purlieu("convert", "games.pur", "-o", "games.pur")
    assert code == 2
    assert "the same file" in err


def test_converting_nothing_leaves_what_was_there(folder: Path) -> None:
    kept = (folder / "game.pur").read_bytes()
    (folder / "empty.pur").write_text("")
    for source in ("empty.pur", "-"):
        code, _, err = purlieu("convert", source, "-o", "game.pur")
        assert code == 1
        assert "holds no game, so game.pur was not written" in " ".join(err.split())
        assert (folder / "game.pur").read_bytes() == kept


@pytest.mark.parametrize("target", ["game.pur", "petrify", "pyloff bw1/wb1/3;b1/2 ply=4"])
def test_draw_takes_a_file_a_name_or_a_position(folder: Path, target: str) -> None:
    assert purlieu("draw", target, "-o", "board.svg").code == 0
    assert Path("board.svg").read_text().startswith("<svg")
    assert purlieu("draw", target, "--width", "200", "-o", "board.png").code == 0
    assert Path("board.png").read_bytes().startswith(b"\x89PNG")


def test_a_drawn_record_brings_its_own_size_and_a_game_takes_the_one_asked_for(folder: Path) -> None:
    code, _, err = purlieu("draw", "game.pur", "--size", "6", "-o", "x.svg")
    assert code == 2
    assert "a record brings its own size" in err
    assert not Path("x.svg").exists()
    assert purlieu("draw", "petrify", "--size", "4", "-o", "x.svg").code == 0


def test_sheet_makes_a_pdf(folder: Path) -> None:
    assert purlieu("sheet", "pentwall", "--paper", "letter", "-o", "sheet.pdf").code == 0
    assert Path("sheet.pdf").read_bytes().startswith(b"%PDF")


# -- show, rules, perft -----------------------------------------------------------------------------


def test_show_prints_every_position_of_a_game(folder: Path) -> None:
    code, out, _ = purlieu("show", "game.pur")
    assert code == 0
    assert out.startswith("Ana – Bo, Petrify 6×6: unfinished\n")
    assert "\n4. Blue c3xd4\n" in out
    assert out.count("    a  b  c  d  e  f") == 26
    assert max(map(len, out.splitlines())) <= 80


def test_show_can_print_one_position_of_any_game(folder: Path) -> None:
    code, out, _ = purlieu("show", "games.jsonl", "--game", "2", "--ply", "1")
    assert (code, out.count("level 1")) == (0, 1)
    code, _, err = purlieu("show", "game.pur", "--ply", "99")
    assert (code, err) == (1, "purlieu: this game has the positions after turns 0 to 12, and 99 is not among them\n")
    assert purlieu("show", "games.jsonl", "--game", "9").code == 1


def test_show_steps_at_a_terminal(folder: Path) -> None:
    with Terminal("show", "game.pur", cwd=folder) as terminal:
        for typed, seen in (("", "0 of 12"), ("", "1 of 12"), ("b", "2 of 12"), ("7", "1 of 12"), ("e", "7 of 12")):
            terminal.until(seen)
            terminal.until("> ")
            terminal.type(typed)
        terminal.until("12 of 12")
        terminal.type("q")
        assert terminal.code() == 0


def test_rules_lists_the_games_and_their_designers() -> None:
    code, out, _ = purlieu("rules")
    assert code == 0
    assert all(f"{game.title}, by {game.designer}" in out for game in rules.GAMES.values())


def test_perft_counts_exactly() -> None:
    assert purlieu("perft", "pyloff", "--size", "6", "--depth", "2").out == "perft 2 1260\n"
    assert purlieu("perft", "petrify", "--size", "3", "--moves", "a1", "--depth", "1").out == "perft 1 9\n"
    assert purlieu("perft", "pentwall", "--depth", "0").out == "perft 0 1\n"
    lines = purlieu("perft", "petrify", "--size", "3", "--depth", "2", "--divide").out.splitlines()
    assert lines[0] == "a1 9"
    assert sum(int(line.split()[1]) for line in lines[:-1]) == int(lines[-1].split()[2])


def test_an_interrupted_perft_says_what_was_done() -> None:
    with Terminal("perft", "petrify", "--size", "8", "--depth", "4") as terminal:
        terminal.until("first moves, ")
        assert re.search(r"interrupted: \d+ of 64 first moves done", terminal.interrupt("sequences among them"))
        assert terminal.code() == 130


# -- errors -----------------------------------------------------------------------------------------

BAD = [
    (["plya"], 2, "Did you mean 'play'"),
    (["play", "petrfy"], 2, "did you mean petrify?"),
    (["play", "petrify", "--size", "11"], 2, "3×3 to 10×10"),
    (["play", "petrify", "--size", "big"], 2, "'--size' / '-s': 'big' is no whole number"),
    (["play", "petrify", "--sise", "6"], 2, "--size"),
    (["play", "petrify", "--versus", "gredy"], 2, "did you mean greedy?"),
    (["play", "petrify", "--seat", "third"], 2, "first, second"),
    (["play"], 2, "purlieu: the input ended before a game was chosen"),
    (["play", "petrify", "--load", "game.pur"], 2, "brings its own game"),
    (["play", "--load", "none.pur"], 2, "no such file"),
    (["play", "petrify", "--save", "no/such/game.pur"], 2, "no/such/game.pur: there is no folder"),
    (["play", "petrify", "--save", "game.pur/game.pur"], 2, "game.pur/game.pur: cannot be written"),
    (["play", "--save", "no/such/game.pur"], 2, "no/such/game.pur: there is no folder"),
    (["play", "petrify", "--save", "game.pdf"], 1, "saved as .pur or .jsonl"),
    (["play", "petrify 9/9"], 1, "row"),
    (["play", "."], 2, "is a folder; expected a game's name"),
    (["play", "game.pur"], 2, "purlieu play --load game.pur"),
    (["show", "gmae.pur"], 2, "did you mean 'game.pur'?"),
    (["show", "."], 2, "directory"),
    (["show", "zzz"], 2, "the games are"),
    (["show"], 2, "FILE"),
    (["check"], 2, "FILE"),
    (["check", "binary.pur"], 1, ""),
    (["check", "empty.pur"], 1, ""),
    (["show", "binary.pur"], 1, "purlieu: "),
    (["show", "empty.pur"], 1, "holds no game"),
    (["perft", "petrify"], 2, "--depth"),
    (["perft", "petrify", "--depth", "-1"], 2, "-1 is too small; expected a whole number from 0 to 100."),
    (["perft", "petrify", "--depth", "101"], 2, "101 is too big; expected a whole number from 0 to 100."),
    (["perft", "game.pur", "--depth", "1"], 2, "is a file; expected a game's name"),
    (["show", "game.pur", "--game", "0"], 2, "0 is too small; expected a whole number, 1 or more."),
    (["perft", "petrify", "--size", "3", "--moves", "a1 a1", "--depth", "1"], 1, "holds a blue disk"),
    (["perft", "pilo b1/b/o ply=1", "--depth", "1"], 1, "purlieu: "),
    (["draw", "petrify", "-o", "x.gif"], 2, "'x.gif' must end in .svg or .png."),
    (["draw", "petrify", "-o", "no/such/x.svg"], 2, "no/such/x.svg: there is no folder"),
    (["sheet", "pentwall", "-o", "no/such/x.pdf"], 2, "no/such/x.pdf: there is no folder"),
    (["convert", "game.pur", "-o", "no/such/x.pur"], 2, "no/such/x.pur: there is no folder"),
    (["draw", "petrify", "--width", "3", "-o", "x.png"], 2, "from 16 to 10000"),
    (["draw", "petrify", "--theme", "drak", "-o", "x.svg"], 2, "did you mean dark?"),
    (["draw", "petrify", "--ply", "3", "-o", "x.svg"], 1, "is not among them"),
    (["sheet", "pentwall", "--paper", "lettr", "-o", "x.pdf"], 2, "did you mean letter?"),
    (["sheet", "pentwall", "--size", "9", "-o", "x.pdf"], 2, "10×10"),
    (["rules", "chess"], 2, "the games are"),
    (["convert", "game.pur", "-o", "x.txt"], 2, ".pur or .jsonl"),
    (["--nonsense"], 2, "--nonsense"),
    (["rules", "\x1b[31mred"], 2, "there is no game called"),
]


@pytest.mark.parametrize(("args", "code", "said"), BAD, ids=[" ".join(args) for args, _, _ in BAD])
def test_what_is_wrong_is_said_in_a_sentence(folder: Path, args: list[str], code: int, said: str) -> None:
    Path("binary.pur").write_bytes(bytes(range(256)) * 4)
    Path("empty.pur").write_bytes(b"")
    got, out, err = purlieu(*args)
    assert got == code, err
    assert said in err
    assert "Traceback" not in out + err
    assert "\x1b" not in out + err


def test_a_reader_that_goes_away_is_no_trouble(folder: Path) -> None:
    ran = shell("(purlieu show game.pur; echo $? >&2) | head -1")
    assert (ran.code, ran.err) == (0, "141\n")
    assert ran.out.startswith("Ana")


PRINTING = [
    ["--help"],
    ["--version"],
    ["play", "petrify"],
    ["play"],
    ["show", "game.pur"],
    ["check", "game.pur"],
    ["convert", "game.pur", "-o", "x.jsonl"],
    ["perft", "petrify", "--size", "3", "--depth", "1"],
    ["rules", "pilo"],
    ["sheet", "pentwall", "-o", "x.pdf"],
    ["draw", "petrify", "-o", "x.svg"],
    ["nonsense"],
    ["rules", "chess"],
]


@pytest.mark.parametrize("args", PRINTING, ids=" ".join)
def test_a_closed_pipe_is_a_silent_141_everywhere(folder: Path, args: list[str]) -> None:
    """Sentences about errors are sent into the pipe as well, as ``2>&1`` does."""
    reading, writing = os.pipe()
    os.close(reading)
    with (
        open(writing, "w", encoding="utf-8", closefd=False) as out,
        open(os.dup(writing), "w", encoding="utf-8") as err,
        mock.patch("sys.stdin", io.StringIO()),
        mock.patch("sys.stdout", out),
        mock.patch("sys.stderr", err),
        pytest.raises(SystemExit) as left,
    ):
        main(args)
    os.close(writing)
    assert left.value.code == 141


def test_a_closed_pipe_is_a_silent_141_to_the_very_end() -> None:
    assert shell("(purlieu --version; echo $? >&2) | true") == (0, "", "141\n")


def test_a_full_disk_is_said_in_a_sentence() -> None:
    assert shell("purlieu rules petrify > /dev/full") == (2, "", "purlieu: No space left on device\n")


# -- help -------------------------------------------------------------------------------------------


def test_help_is_quick_because_it_loads_only_what_it_needs() -> None:
    code = "import sys; sys.exit = print; from purlieu.cli import main; main(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=PLAIN, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert "purlieu.rules" in loaded
    assert not {"rich.console", "purlieu.drawing", "purlieu.sheets", "purlieu.records"} & {*loaded}


def test_help_documents_the_exit_codes() -> None:
    ran = purlieu("--help")
    assert ran.code == 0
    assert all(f"\n  {command.name} " in ran.out for command in COMMANDS)
    assert all(f"\n    {code} " in ran.out for code in (0, 1, 2, 70, 130, 141))
    assert max(map(len, ran.out.splitlines())) <= 80


def test_the_version_is_the_packages() -> None:
    assert purlieu("--version") == (0, f"purlieu {rules.__version__}\n", "")


def examples_of(epilog: str) -> list[str]:
    found = re.search(r"Examples:\n((?:  .*\n)+)", epilog)
    assert found
    return [line.strip() for line in found[1].splitlines()]


EXAMPLES = [(command.name, line) for command in COMMANDS for line in examples_of(command.epilog)]


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_help_names_arguments_and_options_plainly(name: str) -> None:
    out = purlieu(name, "--help").out
    assert not set("{}") & set(out)
    assert not re.search(r"<(str|int|list|path)\b|x>=|<=x", out)
    assert name != "check" or "Usage: purlieu check [OPTIONS] FILE...\n" in out
    assert name != "draw" or "--width PIXELS " in out
    assert name != "perft" or "--depth D " in out


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_help_shows_the_examples(name: str) -> None:
    code, out, _ = purlieu(name, "--help")
    assert code == 0
    assert all(f"    {line}\n" in out for command, line in EXAMPLES if command == name)


def test_the_help_of_the_arena_names_every_kind_of_player() -> None:
    refused = purlieu("arena", "nobody", "random").err
    _, _, kinds = refused.strip().partition("expected ")
    told = purlieu("arena", "--help").out
    assert len(re.split(", | or ", kinds)) > 5
    assert [kind for kind in [*re.split(", | or ", kinds), "net@FILE:"] if kind not in told] == []


ELSEWHERE = ("serve", "backup", "check-db", "copy-db", "train")
"""They work on a database in the user's own folder, or for hours; tests/server and tests/train run them on others."""


@pytest.mark.parametrize("line", [line for name, line in EXAMPLES if line != "purlieu play" and name not in ELSEWHERE])
def test_every_example_in_the_help_works(folder: Path, line: str) -> None:
    if line == "purlieu play petrify --save game.pur":
        Path("game.pur").unlink()
    if not set(line) & set("|<*"):  # the rest needs a shell
        code, _, err = purlieu(*shlex.split(line)[1:])
        assert (code, err) == (0, "")
        return
    ran = shell(line)
    assert (ran.code, ran.err) == (0, "")
