"""Our engine as others drive it: the documented conversation, bad input, and answers at once."""

import fnmatch
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import purlieu
from purlieu.engine import Engine
from purlieu.ugi.protocol import parse_info

from .talk import Talk

DOCS = Path(__file__).parents[2] / "docs" / "protocol.md"
RUNS = Path(__file__).parents[2] / "runs"


@pytest.fixture(scope="module")
def engine() -> Iterator[Talk]:
    """One for many questions, none of which changes its settings."""
    with Talk() as talk:
        yield talk
        assert talk.end() == (0, [])


def test_the_conversation_in_the_docs_is_what_the_engine_says() -> None:
    text = DOCS.read_text()
    (conversation,) = re.findall(r"```ugi\n(.*?)```", text, re.DOTALL)
    assert len(conversation.splitlines()) > 30
    with Talk() as talk:
        for line in conversation.splitlines():
            if line.startswith("> "):
                talk.say(line[2:])
            else:
                heard, expected = talk.hear(), line[2:]
                pattern = re.sub(r"[\[\]?*]", lambda sign: f"[{sign[0]}]", expected).replace("…", "*")
                assert fnmatch.fnmatchcase(heard, pattern), f"heard {heard!r}, not {expected!r}"
        assert talk.end() == (0, [])


@pytest.mark.parametrize(
    "line",
    [
        "sing",
        "go sideways",
        "go depth 5",
        "go nodes",
        "go nodes 0",
        "position",
        "position startpos moves z99",
        "position startpos moves a1 a1",
        "position fen petrify",
        "position fen chess 8/8",
        "setoption",
        "setoption name Colour value blue",
        "setoption name Size value 2",
        "setoption name Size value ²",
        "setoption name Game value gomoku",
        "setoption name Net value nowhere.onnx",
        f"setoption name Net value {RUNS / 'pilo' / 'net.onnx'}",
        "query",
        "query meaning",
        "\x00\x1b[2J",
        "ugi" * 100_000,
        b"\xff\xfe\x80\n",
        b"x" * 1_200_000 + b"\n",
    ],
)
def test_bad_input_gets_one_error_line_and_the_engine_lives(engine: Talk, line: str | bytes) -> None:
    engine.say(line, "isready")
    answers = [engine.hear()]
    while answers[-1] != "readyok":
        answers.append(engine.hear())
    assert answers[0].startswith("error ")
    assert len(answers[0]) < 300
    assert [answer for answer in answers[1:-1] if answer != "bestmove (none)"] == []
    engine.say("uginewgame", "go nodes 20")
    assert engine.until("bestmove")[9:] in map(str, purlieu.start("petrify").legal_moves())


def test_the_engine_plays_with_the_net_that_it_is_given_until_it_is_taken_away() -> None:
    position = purlieu.start("petrify", 4).play("b2").play("c3")  # on 4×4 playouts play, unless there is a net
    given = str(RUNS / "petrify" / "net.onnx")
    told = []
    with Talk() as talk:
        talk.say("setoption name Seed value 1", f"position fen {position.text()}")
        for net in ("<empty>", given, "<empty>"):
            talk.say(f"setoption name Net value {net}", "go nodes 40")
            told.append(parse_info(talk.until("info").split()[1:]).wdl)
            talk.until("bestmove")
        talk.say(f"setoption name Net value {given}", "setoption name Game value pilo", "ugi")
        assert talk.until("option name Net") == "option name Net type string default <empty>"
    chances = [Engine(net=net, seed=1).analyse(position, simulations=40).win_chance for net in (None, given, None)]
    assert [wdl and wdl[0] for wdl in told] == [round(1000 * chance) for chance in chances]
    assert told[0] != told[1]


def test_stop_isready_and_query_are_answered_while_it_searches() -> None:
    with Talk() as talk:
        talk.say("position startpos moves d4 e5", "go infinite", "isready")
        assert talk.until("readyok")
        talk.say("query p1turn")
        assert talk.until("response") == "response true"
        assert talk.until("info")
        began = time.monotonic()
        talk.say("stop")
        assert talk.until("bestmove")
        assert time.monotonic() - began < 2


def test_no_move_is_given_before_stop_even_when_all_is_known() -> None:
    with Talk() as talk:
        talk.say("position fen petrify ob1/bob/obo ply=12 blue=first passes=0 last=second", "go infinite")
        assert "score solved win" in talk.hear()
        talk.say("isready")
        assert talk.hear() == "readyok"
        talk.say("stop")
        assert talk.hear().startswith("bestmove")


@pytest.mark.parametrize("limit", ["nodes 10", "movetime 50", "p1time 1000 p2time 1000"])
def test_a_limit_beside_infinite_ends_the_search(limit: str) -> None:
    with Talk() as talk:
        began = time.monotonic()
        talk.say(f"go infinite {limit}")
        while not talk.hear().startswith("bestmove"):
            assert time.monotonic() - began < 10, "it searches on"


@pytest.mark.parametrize("limit", ["movetime 0", "p1time 0 p2time 0", "p1time -40 p2time 5000"])
def test_who_has_no_time_left_is_still_given_a_move(limit: str) -> None:
    with Talk() as talk:
        talk.say(f"go {limit}")
        assert talk.until("bestmove")[9:] in map(str, purlieu.start("petrify").legal_moves())


def test_a_stop_that_comes_at_once_is_not_lost() -> None:
    with Talk() as talk:
        for _ in range(5):
            talk.say("go infinite", "stop")
            talk.until("bestmove")


def test_quit_and_the_end_of_the_input_end_it_at_once() -> None:
    with Talk() as talk:
        talk.say("go infinite", "isready")
        talk.until("readyok")
        talk.say("quit")
        assert talk.process.wait(5) == 0
    with Talk() as talk:
        talk.say("go infinite")
        code, rest = talk.end()
        assert code == 0
        assert rest[-1].startswith("bestmove")


def test_ctrl_c_stops_the_search_lets_it_have_its_last_word_and_exits_with_130() -> None:
    command = [sys.executable, "-m", "purlieu", "engine"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as engine:
        assert engine.stdin
        assert engine.stdout
        engine.stdin.write(b"go infinite\n")
        engine.stdin.flush()
        assert engine.stdout.readline().startswith(b"info")
        engine.send_signal(signal.SIGINT)
        try:
            out, err = engine.communicate(timeout=20)
        finally:
            engine.kill()
        assert (engine.returncode, err) == (130, b"")
        assert out.splitlines()[-1].startswith(b"bestmove ")


def test_a_script_may_end_before_the_answer() -> None:
    with Talk() as talk:
        talk.say("setoption name Size value 4", "go nodes 300")
        code, rest = talk.end()
        assert code == 0
        assert rest[-1].startswith("bestmove")


def test_an_engine_whose_reader_has_gone_stops_its_search_and_ends_without_a_word() -> None:
    command = [sys.executable, "-m", "purlieu.ugi.server"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as engine:
        assert engine.stdin
        assert engine.stdout
        assert engine.stderr
        engine.stdin.write(b"go movetime 60000\n")
        engine.stdin.close()
        assert engine.stdout.readline().startswith(b"info")
        engine.stdout.close()
        try:
            assert engine.wait(20) == 141
        finally:
            engine.kill()
        assert engine.stderr.read() == b""


def test_under_a_running_search_nothing_is_changed_and_after_stop_there_is_no_need_to_wait() -> None:
    with Talk() as talk:
        talk.say("position startpos moves a1", "go infinite", "position startpos", "setoption name Level value 1", "go")
        for command in ("position", "setoption", "go"):
            assert talk.until("error") == f"error {command}: a search is running; stop it first"
        talk.say("stop", "position startpos moves a1 b2", "query p1turn")
        talk.until("bestmove")
        assert talk.hear() == "response true"


def test_one_thread_and_a_seed_repeat_themselves() -> None:
    said = []
    for _ in range(2):
        with Talk() as talk:
            talk.say("setoption name Seed value 5", "position startpos moves c3 d4", "go nodes 500")
            wdl = None
            while not (line := talk.hear()).startswith("bestmove"):
                wdl = parse_info(line.split()[1:]).wdl if line.startswith("info") else wdl
            said.append((wdl, line))
    assert said[0] == said[1]


def test_several_lines_are_told_the_best_first() -> None:
    with Talk() as talk:
        talk.say("setoption name MultiPV value 3", "position startpos moves c3 d4", "go nodes 500")
        lines: list[list[str]] = []
        while not (line := talk.hear()).startswith("bestmove"):
            lines.append(line.split())
        last = lines[-3:]
        assert [line[:3] for line in last] == [["info", "multipv", str(number)] for number in (1, 2, 3)]
        assert line == f"bestmove {last[0][last[0].index('pv') + 1]}"


def test_the_clock_is_not_overstepped() -> None:
    with Talk() as talk:
        talk.say("go nodes 1")
        talk.until("bestmove")
        began = time.monotonic()
        talk.say("go p1time 1000 p2time 1000 p1inc 0 p2inc 0")
        talk.until("bestmove")
        assert time.monotonic() - began < 1


@pytest.mark.parametrize("game", ["petrify", "pilo", "pentwall", "pyloff"])
def test_it_plays_all_four_games(game: str) -> None:
    position = purlieu.start(game)
    moves = ""
    with Talk() as talk:
        talk.say(f"setoption name Game value {game}", "setoption name Level value 2")
        for _ in range(4):
            talk.say(f"position startpos{' moves' if moves else ''}{moves}", "go")
            move = talk.until("bestmove")[9:]
            position = position.play(move)
            moves += f" {move}"
