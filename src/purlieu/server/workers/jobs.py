"""What is asked of a worker, and what it answers."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from purlieu.engine.ladder import Effort
    from purlieu.engine.report import MoveReport

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Task:
    """A position to think about: plain data, as it goes to the process."""

    start: str
    """A position's text."""
    moves: tuple[str, ...]
    level: int
    seconds: float
    """The most time to take. Levels of fixed work are mostly done long before."""
    seed: int
    effort: Effort | None = None
    """How hard level 9 looks, where it is not for all of that time."""
    with_sight: bool = False
    """Whether the game's net is asked, too, what it sees at first sight."""

    @property
    def slowness(self) -> int:
        """0 for a blink, 1 for a search that one may wait for, 2 for one that takes all of its seconds."""
        if self.effort:
            return int(self.effort == "thorough")
        return max(0, self.level - 7)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of thinking."""

    move: str
    """The move that the level plays."""
    best_move: str
    win_chance: float
    expected_score: float
    proven: str | None
    line: tuple[str, ...]
    moves: tuple[MoveReport, ...]
    simulations: int
    seconds: float
    policy: Mapping[str, float] | None = None
    """How likely the likeliest moves are the best, at first sight; None where no net was asked."""
    owners: Mapping[str, float] | None = None
    """Who will own each square, or each line of a pile: from 1 for the side to move to -1 for the other."""


@dataclass(eq=False)
class Job:
    """A task on its way: who waits for it, how often it was tried, and whether it should end now."""

    task: Task
    is_move: bool
    """A game's move goes before any analysis."""
    owner: str = ""
    on_progress: Callable[[float], object] = lambda done: None
    """Hears the part that is done, from 0 to 1, in a thread of the pool."""
    number: int = field(default_factory=lambda: next(_numbers))
    attempts: int = 0
    future: Future[Answer] = field(default_factory=Future)
    stopped: threading.Event = field(default_factory=threading.Event)
    given_way: int = 0
    """How often it was ended for a move."""
    gives_way: bool = False
    """It is being ended for a move."""

    @property
    def rank(self) -> tuple[int, int]:
        """Quick work before slow, then first come."""
        return self.task.slowness, self.number

    def stop(self) -> None:
        """Answer soon, with what was found so far."""
        self.stopped.set()

    def give_way(self) -> None:
        """A move needs the worker."""
        self.gives_way = True
        self.stop()

    def begin_anew(self) -> None:
        """It gave way, and is to be done from its beginning."""
        self.given_way += 1
        self.attempts -= 1
        self.gives_way = False
        self.stopped.clear()


class WorkerFailed(Exception):
    """The computer could not find a move, even at its simplest."""


class Declined(WorkerFailed):
    """A worker said itself that it could not, and waits for the next task."""
