"""While the engine thinks, people at a terminal see how far it is, and Ctrl-C never costs them the game."""

import io
import re
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

import purlieu
from purlieu import Position, Seat
from purlieu.engine import LEVELS, Engine
from purlieu.records import load
from purlieu.terminal.saving import Saver
from purlieu.terminal.screen import Screen
from purlieu.terminal.session import Session
from purlieu.terminal.table import Table
from purlieu.terminal.thinking import Thinking, fitting

from .desk import Paper

STRONGEST = LEVELS[9]
AGES = 500.0
"""Seconds that a test never waits for."""


class Sheet(io.StringIO):
    """What a terminal was sent. Somebody may press Ctrl-C as soon as they see that the engine thinks."""

    presses = 0

    def write(self, text: str) -> int:
        presses, self.presses = (self.presses, 0) if "thinks" in text else (0, self.presses)
        for _ in range(presses):
            signal.raise_signal(signal.SIGINT)
        return super().write(text)


class Tube(Screen):
    """A screen at a terminal."""

    def __init__(self, width: int = 80) -> None:
        self.sheet = Sheet()
        super().__init__(self.sheet, width=width)
        self.console = Console(file=self.sheet, width=width, force_terminal=True, color_system=None, markup=False)

    @property
    def shown(self) -> list[str]:
        """The lines that told how far it is, one after the other."""
        lines = re.split(r"\x1b\[[?\d]*\w|[\r\n]", self.sheet.getvalue())
        return [line for line in lines if " thinks: " in line]


@pytest.fixture
def position() -> Position:
    return purlieu.start("petrify").play("a1").play("h8")


@pytest.fixture(autouse=True)
def full_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")


def against(screen: Screen, position: Position, seconds: float, saver: Saver | None = None) -> Session:
    """A session where the strongest level has the second seat."""
    thinking = Thinking(screen)
    computers = {Seat.SECOND: thinking.player(STRONGEST, seconds)}
    return Session(Table(position, computers=computers, random=Random(1)), screen, saver, thinking=thinking)


def test_one_line_shows_how_far_the_engine_is_and_spoils_nothing(position: Position) -> None:
    tube = Tube()
    Engine(STRONGEST).best_move(position, simulations=1)  # loads the net, which takes a part of the patience
    Thinking(tube).player(STRONGEST, 0.8)(position, Random(1))
    assert len(tube.shown) >= 2
    for line in tube.shown:
        assert re.fullmatch(r"Blue \(Wildwood\) thinks: \d\.\d s, \d+%; Ctrl-C: play now", line)
    shares = [int(line.split(", ")[1].split("%")[0]) for line in tube.shown]
    assert shares == sorted(shares)
    assert 10 <= shares[0] < shares[-1] <= 100
    assert tube.sheet.getvalue().endswith("\x1b[1A\x1b[2K"), "it vanishes at the end"


def test_with_analysis_on_the_line_tells_the_move_and_its_chance(position: Position) -> None:
    tube = Tube()
    thinking = Thinking(tube)
    thinking.tells = True
    thinking.player(STRONGEST, 0.5)(position, Random(1))
    told = [re.fullmatch(r"Blue .*%; (\w+) \d\d%; Ctrl-C: play now", line) for line in tube.shown]
    assert told
    assert all(found and position.explain(found[1]) is None for found in told)


@pytest.mark.parametrize("width", [40, 60, 80])
def test_the_line_is_one_line_on_a_narrow_terminal_too(width: int) -> None:
    tube = Tube(width)
    thinking = Thinking(tube)
    thinking.tells = True
    thinking.player(STRONGEST, 0.5)(purlieu.start("pentwall"), Random(1))
    assert tube.shown
    assert max(map(len, tube.shown)) < width


def test_what_does_not_fit_is_left_out_from_the_end() -> None:
    assert fitting(["one", "two", "three"], 20) == "one; two; three"
    assert fitting(["one", "two", "three"], 14) == "one; two"
    assert fitting(["one", "two"], 2) == "on"


def test_a_quick_answer_needs_no_line(position: Position) -> None:
    tube = Tube()
    Thinking(tube).player(LEVELS[1])(position, Random(1))
    assert tube.sheet.getvalue() == ""


def test_off_a_terminal_nothing_is_shown(position: Position) -> None:
    paper = Paper()
    Thinking(paper).player(STRONGEST, 0.5)(position, Random(1))
    assert paper.text == ""


def test_a_terminal_that_cannot_write_over_a_line_gets_it_once(
    position: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    tube = Tube()
    Thinking(tube).player(STRONGEST, 0.6)(position, Random(1))
    assert re.fullmatch(r"Blue \(Wildwood\) thinks: [^\x1b\n]+\n", tube.sheet.getvalue())


def test_being_watched_changes_no_move(position: Position) -> None:
    for level in (LEVELS[2], LEVELS[5]):
        watched = Thinking(Tube()).player(level)(position, Random(5))
        assert watched == Thinking(Paper()).player(level)(position, Random(5))


def test_the_first_ctrl_c_makes_it_play_what_it_has_found(position: Position) -> None:
    tube = Tube()
    tube.sheet.presses = 1
    before = signal.getsignal(signal.SIGINT)
    session = against(tube, position, AGES)
    session.enter("c3")
    assert session.table.position.ply == position.ply + 2
    assert "Orange plays " in tube.sheet.getvalue()
    assert signal.getsignal(signal.SIGINT) is before


def test_the_first_ctrl_c_ends_an_analysis_which_says_what_it_has_found(position: Position) -> None:
    tube = Tube()
    tube.sheet.presses = 1
    session = Session(Table(position), tube)
    session.enter(f"analyse {AGES}")
    assert "Ctrl-C: enough" in tube.shown[0]
    assert "Best line: " in tube.sheet.getvalue()


def test_a_second_ctrl_c_leaves_and_the_game_is_kept_with_ones_last_move(position: Position, tmp_path: Path) -> None:
    tube, path = Tube(), tmp_path / "game.pur"
    tube.sheet.presses = 2
    session = against(tube, position, AGES, Saver(path))
    with pytest.raises(KeyboardInterrupt):
        session.enter("c3")
    assert [str(move) for move in load(path)[0].moves] == ["c3"]
    session.farewell()
    assert f"purlieu play --load {path}" in tube.sheet.getvalue()


def test_off_a_terminal_ctrl_c_leaves_at_once(position: Position) -> None:
    def interrupted(act: Callable[[], object]) -> bool:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            act()
        except KeyboardInterrupt:
            return True
        return False

    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        assert interrupted(lambda: Thinking(Paper()).player(STRONGEST, AGES)(position, Random(1)))
    finally:
        signal.signal(signal.SIGALRM, before)
