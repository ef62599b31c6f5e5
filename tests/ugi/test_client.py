"""Any UGI engine can sit at our board, and none can keep us waiting."""

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from purlieu import PurlieuError
from purlieu.ugi.client import EngineCrashed, EngineFailure, EngineRefused, EngineSilent, UgiEngine
from purlieu.ugi.protocol import Go

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
