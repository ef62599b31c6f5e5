"""Whoever speaks another language meets no English: whole sessions and commands in a made-up one.

A language is one folder; nothing in the code knows of this one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pypdfium2  # type: ignore[import-untyped]
import pytest

import purlieu
from purlieu import languages
from purlieu.players import choose_greedy
from purlieu.rules import Seat
from purlieu.terminal.table import Table

from .cli.shell import PLAIN, Ran, process
from .cli.shell import purlieu as run
from .foreign import TAG, english_in, foreign, make_language
from .terminal.desk import sit_at


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of languages, with the made-up one."""
    made = tmp_path_factory.mktemp("languages")
    make_language(made)
    return made


@pytest.fixture(autouse=True)
def spoken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The made-up language, for as long as a test lasts."""
    monkeypatch.setattr(languages, "FOLDER", folder)
    monkeypatch.setitem(PLAIN, "PURLIEU_LANG", TAG)
    languages.language.cache_clear()
    with languages.speaking(TAG):
        yield
    languages.language.cache_clear()


def require_foreign(text: str, *same: str) -> None:
    """No word of the text is English, but for names and what was typed."""
    assert text.strip()
    for word in same:
        text = text.replace(word, "")
    assert english_in(text) == []


def require_foreign_run(ran: Ran, *same: str) -> None:
    """The same of all that a command printed, whose prompts repeat what was typed."""
    told = re.sub(r"> .*|purlieu: |purlieu (play|rules) .*", "", ran.out + ran.err)
    require_foreign(told, *same)


EVERYWHERE = (
    *("help", "moves", "captures", "score", "count", "board", "position", "rules", "undo", "redo", "why", "why zz"),
    *("hint", "analyse", "analyse 0.05", "analyse x", "analysis on", "analysis x", "analysis off", "save"),
    *("save x.txt", "save /nowhere/x", "why a1", "why pass", "why swap", "pass", "z9", "qqq", "udno", "undo", "undo"),
    *("undo", "undo", "resign", "resign", "a1", "undo", "quit"),
)
IN_PENTWALLS_PAGE = ("purlieu", "sheet", "pick", "turn", "flip", "at c3", "paint", "pool")
TYPED = {
    "petrify": ("moves c", "moves z", "captures a", "a1", "swap", "b2", "why b2", "why c1", "why a1xb2", "b2xa1", "b1"),
    "pilo": ("a1", "b1", "why a1xb1", "why a1xd4", "why a1xc2", "a1xb1", "a2", "captures z"),
    "pentwall": (
        *("moves W", "pool", "paint", "at c3", "pick Q", "pick W", "turn", "flip", "paint", "at c3", "left", "at zz"),
        *("paint", "W", "drop", "Fa1", "Fa1b1c1d1e1", "Wa1b1c1d1e1", "Xz1z2z3z4z5", "why Ia1b1c1d1e1", "pool"),
    ),
    "pyloff": ("a1", "b1", "2a1", "why 2a1", "why 9a1", "2z1", "a2", "b2", "2a1", "a3"),
}


@pytest.mark.parametrize("game", TYPED)
def test_a_session_at_the_table_speaks_the_language(game: str, tmp_path: Path) -> None:
    start = purlieu.start(game, None if game == "pentwall" else 4)
    file = tmp_path / "game.pur"
    session, text = sit_at(start, *TYPED[game], *EVERYWHERE, f"save {file}", f"save {file}")
    session.farewell()
    commands = [line.split()[0] for line in text.split("\n") if re.match(r"  [a-z]+ +\S", line)]
    text = re.sub(rf"(?m)^  (?:{'|'.join(commands)}) ", "", text)
    require_foreign(text, "zz", "qqq", "udno", "undo", "Xz1z2z3z4z5", "Fa1", *IN_PENTWALLS_PAGE)


ENDS = (
    "petrify bb#bbo/oo#o##/####oo/bbo#o#/b###oo/bboobb ply=52 blue=first passes=2 last=second",
    "pilo b1o2b1#b2o1/b1#o2o1o1o2/o2####o1/###o2b3#/b1b1o3b1b1o2/#b1b1b1## ply=51 blue=first passes=2 last=first",
    "pentwall 4X1pp2/1t1XXXppn1/1tttX2pn1/1t1uuu1nn1/3u1u1nWW/iFF4WW1/i1FF3W1v/i1FZYYYY1v/iZZZ1LYvvv/iZLLLL4",
    "pyloff 1www/1wbw/1www/4;1bb/1bb/3;1w/2 ply=14 passes=2",
)


@pytest.mark.parametrize("end", ENDS)
def test_the_count_and_the_end_of_a_game_speak_the_language(end: str) -> None:
    _, text = sit_at(purlieu.parse(end), "count", "score", "hint", "analyse", "a1", "why a1", "resign", "quit")
    require_foreign(text, "quit")


def test_superko_shows_the_board_and_says_why() -> None:
    start = "pyloff 2bw/2w1/1b1w/4 ply=6 passes=0 moves=b2,c3,d3,d2,c4,d4"
    _, text = sit_at(purlieu.parse(start), "d3", "why d3")
    require_foreign(text)


def test_the_computer_speaks_the_language_too() -> None:
    start = purlieu.start("petrify", 3)
    table = Table(start, computers={Seat.SECOND: choose_greedy}, names={Seat.SECOND: "Ana"}, random=Random(1))
    _, text = sit_at(start, *["a1", "b2", "c3", "a3", "c1", "a2", "b1"] * 3, table=table)
    require_foreign(text, "Ana")


def test_the_questions_of_play_and_its_farewell_speak_the_language() -> None:
    ran = run("play", typed="9\nq9\n1\n77\n4\nx9\n3\n1\na1\n")
    require_foreign_run(ran, "Petrify")
    require_foreign_run(run("play", "petrify", "--size", "4", "--level", "1", "--seat", "second", typed="c3\n"))
    require_foreign_run(run("play", typed="1\n"))


def test_the_rules_speak_the_language() -> None:
    require_foreign_run(run("rules"))
    for game in purlieu.GAMES:
        require_foreign(run("rules", game).out, *IN_PENTWALLS_PAGE)


RECORDS = {
    "won.pur": '[Game "Petrify"][Size "4"][Termination "Ana resigned"]\n1. c3 {hm} a1 (1... b2 2. a1) 2. b2! 1-0',
    "illegal.pur": '[Game "Petrify"][Size "4"]\n1. c3 c3',
    "bad.pur": '[Game "Petrify"][Size "4"]\n1. c3 (',
    "result.pur": '[Game "Petrify"][Size "4"][Result "0-1"]\n1. c3 1-0',
    "tag.pur": '[Size "x"]\n1. c3',
    "quote.pur": "[Game Petrify]\n1. c3",
    "no.pur": "c3",
    "json.jsonl": '{"game": "petrify", "moves": [3]}\n{"game": "petrify", "move": []}\n{"game": 3, "moves": []}',
    "empty.pur": "",
}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    for name, text in RECORDS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_records_are_shown_checked_and_converted_in_the_language(records: Path) -> None:
    same = ("moves[0]", "move", "Game", "Result", "Size", "size", "game", "hm")
    for command in (
        *(
            ["show", "won.pur"],
            ["show", "won.pur", "--ply", "1"],
            ["show", "wom.pur"],
            ["show", "won.pur", "--ply", "9"],
        ),
        *(["check", *RECORDS], ["check", "missing.pur"], ["convert", "won.pur", "-o", "out.jsonl"]),
        *(["convert", "empty.pur", "-o", "out.pur"], ["show", "won.pur", "--game", "3"], ["show", "empty.pur"]),
    ):
        require_foreign_run(run(*command, cwd=records), *same)
    ran = run("play", "--load", "won.pur", "--save", "won.pur", cwd=records, typed="a2\nundo\nundo\na4\n")
    require_foreign_run(ran)


def test_pictures_and_solutions_speak_the_language(tmp_path: Path) -> None:
    for number, end in enumerate(ENDS):
        require_foreign_run(run("draw", end, "--ledger", "-o", f"{number}.svg", cwd=tmp_path))
        text = (tmp_path / f"{number}.svg").read_text()
        require_foreign("\n".join(re.findall(r">([^<>]+)</(?:text|title|desc)>", text)))
    require_foreign_run(run("solve", "petrify", "--size", "3", "--score"))
    require_foreign_run(run("solve", "petrify 3/1b1/3 ply=2 blue=second", "--every-move", "--score"))
    require_foreign_run(run("solve", "petrify", "--size", "5", "--nodes", "5"), "--out FILE.jsonl")


@pytest.mark.parametrize("game", purlieu.GAMES)
def test_sheets_to_print_speak_the_language(game: str, tmp_path: Path) -> None:
    require_foreign_run(run("sheet", game, "-o", "sheet.pdf", cwd=tmp_path), "sheet.pdf", "a4")
    page = pypdfium2.PdfDocument(tmp_path / "sheet.pdf")[0]
    require_foreign(page.get_textpage().get_text_range(), "purlieu")


def test_errors_speak_the_language() -> None:
    for command in (
        *(["play", "petrifi"], ["play", "xq"], ["play", "petrify", "--size", "99"], ["rules", "xq"]),
        *(["draw", "petrify 3/3", "-o", "x.svg"], ["draw", "petrify x/3/3", "-o", "x.svg"], ["show", "nowhere.pur"]),
        *(["draw", "petrify", "-o", "/nowhere/x.svg"], ["sheet", "petrifi", "-o", "x.pdf"]),
        *(["perft", "petrify", "--size", "3", "--depth", "1", "--moves", "a1 a1"],),
    ):
        ran = run(*command)
        assert ran.code in (1, 2)
        require_foreign_run(ran, "petrifi", "xq")


def test_the_language_is_a_folder_that_the_environment_names(folder: Path) -> None:
    ran = process("rules", env={"PURLIEU_LANGUAGES": os.fspath(folder), "LC_ALL": f"{TAG}_XX.UTF-8"})
    require_foreign_run(ran)
    assert foreign("Petrify with stacks") in ran.out
    assert "Petrify with stacks" in process("rules", env={"PURLIEU_LANG": "en"}).out
