"""Any UGI engine can sit at our board, and none can keep us waiting."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from purlieu import PurlieuError
from purlieu.ugi.client import EngineCrashed, EngineFailure, EngineRefused, EngineSilent, UgiEngine
from purlieu.ugi.outlet import Outlet
from purlieu.ugi.protocol import Go
from purlieu.ugi.wait import Wait

ODD = [sys.executable, str(Path(__file__).with_name("odd_engine.py"))]
GO = Go(nodes=1)


@pytest.fixture
def engines() -> Iterator[list[UgiEngine]]:
    made: list[UgiEngine] = []
    yield made
    for engine in made:
        engine.kill()


def odd(engines: list[UgiEngine], *how: str) -> UgiEngine:
    engine = UgiEngine([*ODD, *how])
    engines.append(engine)
    engine.new_game("petrify", 3)
    return engine


def test_an_engine_tells_its_name_and_plays_a_move(engines: list[UgiEngine]) -> None:
    engine = odd(engines)
    answer = engine.search(["a1"], GO, timeout=20)
    assert engine.name == "odd engine"
    assert engine.declared == {"game", "size"}
    assert (answer.move, answer.info.wdl, answer.info.pv) == ("b1", (500, 0, 500), ("b1",))
    assert engine.query("gameover") == "true"


def test_an_engine_that_crashes_is_told_from_one_that_is_silent(engines: list[UgiEngine]) -> None:
    with pytest.raises(EngineCrashed, match=r"was ended by SIGSEGV; its last words: 'my last words'"):
        odd(engines, "crash").search([], GO, timeout=20)
    with pytest.raises(EngineCrashed, match="has ended with code 3"):
        odd(engines, "leave").search([], GO, timeout=20)
    with pytest.raises(EngineSilent, match=r"odd engine did not say bestmove within 0\.2 s"):
        odd(engines, "silent").search([], GO, timeout=0.2)


@pytest.mark.parametrize("how", ["hang", "flood", "heir", "loud-heir"])
def test_no_engine_keeps_us_beyond_the_time(engines: list[UgiEngine], how: str) -> None:
    engine = odd(engines, how)
    began = time.monotonic()
    with pytest.raises(EngineSilent):
        engine.search([], GO, timeout=0.3)
    engine.close(patience=0.1)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("ended_by", ["the time", "a kill"])
def test_an_engine_that_no_longer_reads_keeps_us_no_longer_than_one_that_is_silent(
    engines: list[UgiEngine], ended_by: str
) -> None:
    """Nor does what it started and left behind, which holds its input open and does not read either."""
    engine = odd(engines, "deaf-heir")
    with pytest.raises(EngineSilent, match="did not say bestmove"):
        engine.search([], GO, timeout=1)
    said: list[str] = []

    def search() -> None:
        with pytest.raises(EngineFailure) as failure:
            engine.search(["a1"] * 200_000, GO, timeout=0.3 if ended_by == "the time" else 60)
        said.append(str(failure.value))

    sending = threading.Thread(target=search, daemon=True)
    sending.start()
    if ended_by == "a kill":
        sending.join(0.3)
        threading.Thread(target=engine.kill, daemon=True).start()
    sending.join(4)
    assert not sending.is_alive()
    if ended_by == "the time":
        assert said == ["odd engine did not read position within 0.3 s"]


def test_lines_of_two_threads_go_whole_into_a_pipe_that_is_read_late() -> None:
    reading, writing = os.pipe()
    outlet = Outlet(os.fdopen(writing, "wb"))

    def send(letter: bytes) -> None:
        for _ in range(5):
            assert outlet.send(letter * 200_000 + b"\n", Wait(20))

    senders = [threading.Thread(target=send, args=(letter,)) for letter in (b"a", b"b")]
    lines: list[bytes] = []

    def read() -> None:
        time.sleep(0.1)
        with os.fdopen(reading, "rb") as pipe:
            lines.extend(pipe)

    reader = threading.Thread(target=read)
    for thread in (*senders, reader):
        thread.start()
    for sender in senders:
        sender.join()
    outlet.close()
    reader.join()
    assert sorted(lines) == [b"a" * 200_000 + b"\n"] * 5 + [b"b" * 200_000 + b"\n"] * 5


def test_an_engine_that_says_megabytes_that_nobody_reads_has_to_wait(engines: list[UgiEngine], tmp_path: Path) -> None:
    said = tmp_path / "said"
    engine = odd(engines, "gush", "0", str(said))
    engine.search([], GO, timeout=20)
    before = -1
    while before < (now := said.stat().st_size if said.exists() else 0):
        before = now
        time.sleep(1)
    assert before <= 6, "four million characters, one line that waits for room, and one in the pipe"
    assert engine.search([], GO, timeout=60).move == "a1", "it is heard to its end"


def test_an_engine_that_has_failed_is_started_anew_for_the_next_game(engines: list[UgiEngine], tmp_path: Path) -> None:
    engine = odd(engines, "crash", "0", str(tmp_path / "crashed"))
    with pytest.raises(EngineCrashed):
        engine.search([], GO, timeout=20)
    with pytest.raises(EngineCrashed):
        engine.search([], GO, timeout=20)
    engine.kill()
    engine.new_game("petrify", 3)
    assert engine.search([], GO, timeout=20).move == "a1"


def test_an_engine_without_a_move_is_quoted(engines: list[UgiEngine]) -> None:
    with pytest.raises(EngineRefused, match="gave no move: 'error I do not know this one'"):
        odd(engines, "nothing").search([], GO, timeout=20)
    with pytest.raises(EngineRefused, match="refuses the game: 'error I do not play this'"):
        odd(engines, "refuse")


def test_an_engine_that_never_greets_is_given_up(engines: list[UgiEngine]) -> None:
    engine = UgiEngine([*ODD, "mute"], start_seconds=0.5)
    engines.append(engine)
    with pytest.raises(EngineSilent, match="ugiok"):
        engine.start()


def test_a_command_that_is_not_there_is_an_error_in_one_sentence() -> None:
    with pytest.raises(EngineCrashed, match="no-such-engine --fast: No such file"):
        UgiEngine("no-such-engine --fast").start()
    with pytest.raises(PurlieuError, match="empty"):
        UgiEngine("  ")
    with pytest.raises(EngineFailure, match="has ended with code 0"):
        UgiEngine([sys.executable, "-c", "pass"]).start()


def test_closing_leaves_no_process_behind(engines: list[UgiEngine]) -> None:
    engine = odd(engines, "hang")
    process = engine._process
    assert process

    def search() -> None:
        with pytest.raises(EngineFailure):
            engine.search([], GO, timeout=5)

    stuck = threading.Thread(target=search)
    stuck.start()
    engine.close(patience=0.1)
    stuck.join(10)
    assert process.poll() is not None
    assert not stuck.is_alive()
