"""Nothing that Python passes to the core breaks it, and both builds of it are the same game."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purlieu
from purlieu import GAMES, PurlieuError
from purlieu.core import core, core_name
from purlieu.core.perft import divide, divide_by_core

from ..conformance.games import some_positions
from ..conformance.test_perft import LINES, Line

TEXTS = [p.text() for name, game in GAMES.items() for p in some_positions(name, game.sizes[0])]


@given(
    text=st.text(max_size=60) | st.sampled_from(TEXTS).flatmap(lambda t: st.integers(0, len(t)).map(lambda n: t[:n]))
)
def test_any_text_is_a_position_or_a_value_error(text: str) -> None:
    try:
        position = core().Position.parse(text)
    except ValueError:
        return
    assert purlieu.parse(position.text()).text() == position.text()


@pytest.mark.parametrize(
    "text",
    [
        "petrify b2/3/3 ply=4 blue=first passes=0 last=first",
        "petrify b2/3/3 ply=2 blue=second passes=0 last=second",
        "petrify ooo/obo/ooo ply=30 blue=first passes=2 last=second",
        "petrify ooo/obo/ooo ply=31 blue=first passes=1 last=second",
        "pilo o1b1o2/b2o2b2/b1b1b1 ply=9 blue=first passes=1 last=second",
        "pilo b7o71/3/3 ply=20 blue=first passes=0 last=second",
    ],
)
def test_the_core_refuses_what_the_rules_refuse(text: str) -> None:
    with pytest.raises(PurlieuError):
        purlieu.parse(text)
    with pytest.raises(ValueError, match="no position"):
        core().Position.parse(text)


@given(text=st.text(max_size=20) | st.text(alphabet="abcx123 passwWFI", max_size=12))
def test_any_move_text_is_played_or_a_value_error(text: str) -> None:
    for name, game in GAMES.items():
        position = core().Position.start(name, game.sizes[0])
        try:
            after = position.play(text)
        except ValueError:
            continue
        assert text in position.legal_moves()
        assert after.ply == position.ply + 1


@pytest.mark.parametrize(
    ("game", "size"), [("petrify", 2), ("petrify", 11), ("pilo", -1), ("chess", 8), ("pyloff", 20)]
)
def test_a_game_or_size_that_is_not_there_is_a_value_error(game: str, size: int) -> None:
    with pytest.raises(ValueError, match="no game of that name and size"):
        core().Position.start(game, size)


@pytest.mark.parametrize("line", [line for line in LINES if line.count <= 300_000], ids=str)
def test_the_core_counts_what_the_tables_say(line: Line) -> None:
    position = core().Position.start(line.game, line.size)
    for move in line.moves:
        position = position.play(move)
    assert position.perft(line.depth) == line.count


def test_perft_by_the_core_gives_the_same_counts_under_each_move() -> None:
    start = purlieu.start("pilo", 3)
    assert list(divide_by_core(start, 4)) == list(divide(start, 4))


@pytest.mark.parametrize("game", GAMES)
def test_both_builds_play_the_same_random_games(game: str) -> None:
    totals = []
    for name in {"_core", core_name()}:
        start = importlib.import_module(f"purlieu.core.{name}").Position.start(game, GAMES[game].default_size)
        run = start.playouts(games=50, seed=3)
        totals.append((run.games, run.plies, run.first_wins, run.draws))
    assert len(set(totals)) == 1


def test_ctrl_c_stops_a_long_count() -> None:
    # Everything is imported first: an import may swallow what a signal raises in it.
    script = (
        "from purlieu.core import core; position = core().Position.start('petrify', 10);"
        " print('go', flush=True); position.perft(9)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "go\n"
        os.kill(run.pid, signal.SIGINT)
        try:
            _, errors = run.communicate(timeout=60)
        finally:
            run.kill()
    assert "KeyboardInterrupt" in errors


def test_an_unknown_build_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PURLIEU_CORE", "fastest")
    with pytest.raises(PurlieuError, match="plain or avx2"):
        core_name()


def test_the_types_in_the_source_tree_are_those_that_the_build_makes() -> None:
    module = importlib.import_module("purlieu.core._core")
    made = Path(str(module.__file__)).with_name("_core.pyi")
    assert made.read_text() == Path("src/purlieu/core/_core.pyi").read_text(), f"copy {made} there"
