"""The engine at work for the people at a screen: one line shows how far it is, and Ctrl-C ends it early.

The engine is imported when it is first asked, so that a game between people starts as quickly as ever.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import TYPE_CHECKING

from rich.text import Text

from purlieu.players import Choose
from purlieu.rules import Message, Move, Position

from .opinions import chance
from .screen import Screen, said

if TYPE_CHECKING:
    from rich.live import Live

    from purlieu.engine import Analysis, Engine, Level
    from purlieu.engine.ladder import Effort, Work

PATIENCE = 0.3
"""Seconds before the line is shown: what is quicker needs none."""


class Thinking:
    """The engine, for one screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.tells = False
        """Whether the line may tell the move and the chance found so far; unasked, that would spoil the game."""

    def player(self, level: Level, seconds: float | None = None, net: str | None = None) -> Choose:
        """A computer player of that level, with a net of one's own where one is given; the strongest one takes so many
        seconds a move, and goes on from what it has found before."""
        kept: Engine | None = None

        def choose(position: Position, random: Random) -> Move:
            nonlocal kept
            from purlieu.engine import Engine

            engine = kept or Engine(level, net=net, seed=random.getrandbits(32))
            kept = engine if level.takes_time else None
            colour = position.colour_to_move.title
            who = Message("thinking.player", "{colour} ({level})", colour=colour, level=level.name)
            early = Message("thinking.play_now", "Ctrl-C: play now")
            with self._watched(engine, who, seconds, early) as told:
                return engine.best_move(position, seconds=seconds, on_progress=told)

        return choose

    def analyse(self, position: Position, seconds: float | None = None, effort: Effort = "thorough") -> Analysis:
        """What the engine thinks of a position. Without a time it does a fixed amount of work, so that the same
        question always has the same answer; and none of it touches the chances of the computer players."""
        from purlieu.engine import Engine

        engine = Engine(effort=None if seconds else effort, seed=1)
        who, early = Message("thinking.engine", "The engine"), Message("thinking.enough", "Ctrl-C: enough")
        with self._watched(engine, who, seconds, early) as told:
            return engine.analyse(position, seconds=seconds, on_progress=told)

    @contextmanager
    def _watched(
        self, engine: Engine, who: str, seconds: float | None, early: str
    ) -> Iterator[Callable[[Analysis], None] | None]:
        """Gives what the engine shall report to while it thinks; nothing where nobody watches."""
        if not self.screen.is_terminal:
            yield None
            return
        with ExitStack() as stack:
            line = _Line(self.screen, stack)
            stopped = stack.enter_context(_first_ctrl_c_calls(engine.stop))

            def told(analysis: Analysis) -> None:
                if stopped.is_set():  # it came before the search began, so the search does not know
                    engine.stop()
                line.show(self._parts(analysis, engine.work(analysis.position), who, seconds, early))

            yield told

    def _parts(self, analysis: Analysis, work: Work | None, who: str, seconds: float | None, early: str) -> list[str]:
        """What the line says, the most important first."""
        from purlieu.engine.levels import DEFAULT_SECONDS

        done = analysis.simulations / work.simulations if work else analysis.seconds / (seconds or DEFAULT_SECONDS)
        parts: list[str] = [
            Message(
                "thinking.progress",
                "{who} thinks: {seconds} s, {done}",
                who=who,
                seconds=f"{analysis.seconds:.1f}",
                done=f"{min(done, 1):.0%}",
            )
        ]
        if self.tells:
            parts.append(f"{analysis.best_move} {said(chance(analysis.win_chance, analysis.proven))}")
        return [*parts, early]


class _Line:
    """One line that is written over and over, and vanishes at the end; a terminal that cannot do that gets it once."""

    def __init__(self, screen: Screen, stack: ExitStack) -> None:
        self.screen = screen
        self.stack = stack
        self.began = time.monotonic()
        self.live: Live | None = None
        self.said = False

    def show(self, parts: list[str]) -> None:
        if time.monotonic() - self.began < PATIENCE:
            return
        if self.screen.console.is_dumb_terminal:
            if not self.said:
                self.screen.say(fitting(parts, self.screen.width - 1))
            self.said = True
            return
        if self.live is None:
            from rich.live import Live

            live = Live(console=self.screen.console, auto_refresh=False, transient=True, redirect_stdout=False)
            self.live = self.stack.enter_context(live)
        self.live.update(Text(fitting(parts, self.screen.width - 1), style="grey50"), refresh=True)


def fitting(parts: list[str], width: int) -> str:
    """As many of the parts, from the first, as fit side by side; the first in any case, cut if it must be."""
    first, *more = map(said, parts)
    text = first[:width]
    for part in more:
        if len(text) + 2 + len(part) <= width:
            text = f"{text}; {part}"
    return text


@contextmanager
def _first_ctrl_c_calls(stop: Callable[[], None]) -> Iterator[threading.Event]:
    """Meanwhile the first Ctrl-C only calls `stop`, and sets what is given; the next one interrupts as ever."""
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():  # Python hears signals in the main one only
        yield pressed
        return

    def on_ctrl_c(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        pressed.set()
        stop()

    before = signal.signal(signal.SIGINT, on_ctrl_c)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)
