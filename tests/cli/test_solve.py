"""``purlieu solve``: what it says, what it keeps, and how it stops."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

import purlieu as rules
from purlieu.kit import progress
from purlieu.records import Record, write_records

from .shell import Terminal, purlieu

CENTRE = "petrify 3/1b1/3 ply=2 blue=second"
COSTLY = "pentwall 3L6/3Lppp3/3Lpp4/I2LL3nn/I5nnn1/I9/I7y1/ITTT2ZZy1/2T3Zyy1/2T2ZZ1y1"
"""Five pentominoes are left: some 250,000 nodes."""


@pytest.mark.parametrize(("game", "margins"), [("petrify", [0, -6, -6]), ("pilo", [-1, -1, -1])])
def test_the_openings_of_3_are_solved_at_once(game: str, margins: list[int]) -> None:
    code, out, err = purlieu("solve", game, "--size", "3", "--score", "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert answer["solved"]
    assert [opening["opening"] for opening in answer["openings"]] == ["a1", "b1", "b2"]
    assert [opening["margin"] for opening in answer["openings"]] == margins
    assert {opening["winning_colour"] for opening in answer["openings"]} == {"blue"}
    assert answer["nodes"] < 100_000
    for opening in answer["openings"]:
        end = rules.parse(opening["position"])
        for move in opening["line"]:
            end = end.play(move)
        assert end.outcome
        assert end.outcome.winner is rules.Seat.SECOND


def test_for_people_every_opening_has_its_winner_line_and_cost_and_the_pie_rule_a_sentence() -> None:
    code, out, _ = purlieu("solve", "petrify", "--size", "3", "--score")
    assert code == 0
    assert re.search(
        r"^  a1: Blue wins by the tie rule \([\d,]+ nodes, [\d.]+ s\)\n      [a-c1-3x ]+pass pass$", out, re.M
    )
    assert re.search(r"^  b2: Blue wins by 6 \(", out, re.M)
    summary = " ".join(out.splitlines()[-2:])
    assert summary.endswith("the second seat wins: swap after a1, b1 and b2. The first seat loses least with a1.")


def test_one_opening_alone_says_nothing_of_the_others() -> None:
    code, out, _ = purlieu("solve", "petrify", "--size", "3", "--opening", "b2")
    assert code == 0
    assert "  b2: Blue wins (" in out
    assert "a1" not in out.splitlines()[1]
    assert out.endswith("With the pie rule, as far as this is proved: swap after b2.\n")


def test_a_position_is_taken_in_place_of_the_game_as_an_option_or_from_a_file(tmp_path: Path) -> None:
    with (tmp_path / "game.pur").open("w") as file:
        write_records([Record.of(rules.start("petrify", 3), ["b2", "swap", "a1"])], file)
    answers = [
        purlieu("solve", CENTRE, "--json"),
        purlieu("solve", "--position", CENTRE, "--json"),
        purlieu("solve", "petrify", "--position", CENTRE.removeprefix("petrify "), "--size", "3", "--json"),
        purlieu("solve", "game.pur", "--ply", "2", "--json", cwd=tmp_path),
    ]
    for code, out, err in answers:
        assert (code, err) == (0, "")
        answer = json.loads(out)
        assert (answer["value"], answer["winning_seat"], answer["winning_colour"]) == ("loss", "second", "blue")
        assert answer["position"].startswith(CENTRE)


def test_a_game_not_begun_is_told_by_seats_because_colours_may_change() -> None:
    code, out, _ = purlieu("solve", "petrify 3/3/3")
    assert code == 0
    assert "Petrify 3×3, Blue (first seat) to move: the second seat wins" in out


def test_every_move_is_listed_with_its_value_the_best_first() -> None:
    position = rules.parse("petrify 3/1b1/3 ply=1")
    code, out, _ = purlieu("solve", position.text(), "--every-move", "--score")
    assert code == 0
    listed = dict(re.findall(r"^  (\S+) +((?:wins|loses).*)$", out, re.M))
    assert set(listed) == {str(move) for move in position.legal_moves()}
    assert listed.pop("swap") == "wins by 6"
    assert out.index("swap  wins") < out.index("loses")
    assert all(value.startswith("loses by ") for value in listed.values())


def test_a_finished_game_is_worth_its_outcome() -> None:
    code, out, _ = purlieu("solve", "petrify bbb/###/oob ply=15 blue=first passes=2 last=first")
    assert code == 0
    assert "Petrify 3×3, the game is over: " in out


def test_pyloff_is_told_as_far_as_superko_allows() -> None:
    code, out, _ = purlieu("solve", "pyloff", "--size", "3")
    assert code == 0
    assert "from the empty board: Black wins by 12 at least, beginning with b2\n" in out
    assert "after a1: White wins by 12 at least" in out
    assert "after b1: nothing is claimed\n" in out
    assert "Where nothing is claimed, ko may decide." in " ".join(out.split())


# -- limits, files, Ctrl-C --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "within"),
    [
        (["petrify", "--size", "6", "--nodes", "5000"], "not solved within 5,000 nodes: a1, b1, c1, b2, c2 and c3"),
        (["pentwall", "--seconds", "0.1"], "not solved within 0.1 s: Pentwall 10×10"),
        (["pyloff", "--size", "3", "--nodes", "100"], "not solved within 100 nodes"),
    ],
)
def test_a_limit_that_comes_first_is_told_and_exits_with_1(args: list[str], within: str) -> None:
    code, out, err = purlieu("solve", *args)
    assert code == 1
    assert within in err
    assert "wins" not in out


@pytest.mark.parametrize("args", [["pentwall"], ["petrify", "--size", "6"], ["pilo", "--size", "4"]])
def test_what_is_out_of_reach_is_said_before_it_is_tried(args: list[str]) -> None:
    _, _, err = purlieu("solve", *args, "--nodes", "2000")
    assert "a proof may take hours or be out of reach" in err.splitlines()[0]


def test_a_run_stopped_by_a_limit_goes_on_and_what_is_proved_is_not_proved_again(tmp_path: Path) -> None:
    def solve(*args: str) -> tuple[int, dict[str, object], str]:
        fixed = ["--score", "--json", "--memory", "64", "--out", "end.jsonl"]
        code, out, err = purlieu("solve", COSTLY, *fixed, *args, cwd=tmp_path)
        return code, json.loads(out), err

    code, answer, err = solve("--nodes", "50000")
    assert (code, answer["solved"]) == (1, False)
    assert "what was found is in end.jsonl and end.proofs, and the same command goes on from there" in err
    code, answer, err = solve()
    assert (code, answer["solved"], answer["value"]) == (0, True, "win")
    assert "proved positions of an earlier run" in err
    written = (tmp_path / "end.jsonl").read_text()
    code, again, _ = solve("--nodes", "1")
    assert (code, again) == (0, answer)
    assert (tmp_path / "end.jsonl").read_text() == written


def test_without_a_terminal_progress_comes_as_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.3)
    _, out, err = purlieu("solve", "petrify", "--size", "6", "--opening", "a1", "--seconds", "1")
    assert re.search(r"^a1: [\d,]+ nodes, [\d,]+ a second, \d s$", err, re.M)
    assert "\r" not in out + err


def test_ctrl_c_stops_a_search_at_once_keeps_what_it_found_and_says_how_to_go_on(tmp_path: Path) -> None:
    with Terminal("solve", "petrify", "--size", "6", "--out", "six.jsonl", cwd=tmp_path) as terminal:
        terminal.until(" a second, ")
        began = time.monotonic()
        said = terminal.interrupt("the same command goes on from there")
        assert terminal.code() == 130
        assert time.monotonic() - began < 9  # On an idle machine, well below a second.
    assert "interrupted: a1, b1, c1, b2, c2 and c3 (" in said
    assert "Traceback" not in said + terminal.seen
    assert (tmp_path / "six.proofs").stat().st_size > 100
    _, _, err = purlieu("solve", "petrify", "--size", "6", "--out", "six.jsonl", "--nodes", "1", cwd=tmp_path)
    assert "going on with " in err


def test_ctrl_c_in_the_proof_of_pyloff_exits_with_130() -> None:
    with Terminal("solve", "pyloff", "--size", "3") as terminal:
        terminal.until(" positions, ")
        terminal.interrupt("there is nothing to keep")
        assert terminal.code() == 130


BAD = [
    ([], 2, "expected a game's name, a position in quotes, or a file."),
    (["petrfy"], 2, "did you mean petrify?"),
    (["petrify", "--size", "11"], 2, "3×3 to 10×10"),
    (["petrify 9/9"], 1, "row"),
    ([CENTRE, "--size", "4"], 1, "--size says 4, but this position's board has side 3"),
    (["pilo", "--position", CENTRE], 1, "--position is one of Petrify, and GAME is pilo"),
    (["--position", "petrify"], 2, 'expected a text such as "petrify 3/1b1/3 ply=2".'),
    (["--position", "nonsense here"], 2, "there is no game called 'nonsense here'"),
    (["gmae.pur"], 2, "there is no such file"),
    (["petrify", "--ply", "3"], 2, "it is for a file of records."),
    (["--position", CENTRE, "--ply", "3"], 2, "it is for a file of records."),
    (["petrify", "--size", "3", "--opening", "c3"], 2, "up to turns and mirrors they are a1, b1 and b2."),
    ([CENTRE, "--opening", "a1"], 2, "it is for a whole game with the pie rule."),
    (["petrify", "--size", "3", "--every-move"], 2, "every opening is listed anyway"),
    (["petrify", "--size", "3", "--out", "proofs.txt"], 2, "'proofs.txt' must end in .jsonl."),
    (["petrify", "--size", "3", "--out", "no/such/p.jsonl"], 2, "no/such/p.jsonl: No such file or directory"),
    (["petrify", "--size", "3", "--out", "other.jsonl"], 1, "other.jsonl, line 1 is no proof that purlieu wrote"),
    (["petrify", "--size", "3", "--seconds", "0"], 2, "expected a number above 0."),
    (["petrify", "--size", "3", "--seconds", "nan"], 2, "expected a number above 0."),
    (["petrify", "--size", "3", "--nodes", "0"], 2, "0 is too small; expected a whole number, 1 or more."),
    (["petrify", "--size", "3", "--threads", "0"], 2, "expected a whole number from 1 to 1024."),
    (["petrify", "--size", "3", "--memory", "0"], 2, "expected a whole number from 1 to 1048576."),
    (["pyloff", "--size", "4"], 1, "Pyloff 4×4 is out of reach"),
    (["pyloff", "--size", "3", "--out", "p.jsonl"], 2, "Pyloff takes no --every-move, --opening or --out"),
]


@pytest.mark.parametrize(("args", "code", "sentence"), BAD, ids=lambda value: str(value)[:50])
def test_what_cannot_be_solved_is_refused_with_a_sentence(
    tmp_path: Path, args: list[str], code: int, sentence: str
) -> None:
    (tmp_path / "other.jsonl").write_text("{}\n")
    ran = purlieu("solve", *args, cwd=tmp_path)
    assert (ran.code, ran.out) == (code, "")
    assert sentence in " ".join(ran.err.split())
    assert "Traceback" not in ran.err
    assert (tmp_path / "other.jsonl").read_text() == "{}\n"
