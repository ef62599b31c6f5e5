"""What is asked of a worker process, and what it answers."""

from __future__ import annotations

import enum
import itertools
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

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
    def lane(self) -> Lane:
        """As an analysis: quick if it is done in a blink."""
        is_quick = self.effort == "quick" if self.effort else self.level <= 7
        return Lane.QUICK if is_quick else Lane.SLOW


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


@dataclass(frozen=True, slots=True)
class Question:
    """Something to work out from plain data, by its name in `questions.py`."""

    name: str
    given: dict[str, Any]
    seconds: float
    """How much of a processor's time it may take."""
    packed: bool = False
    """Whether a long answer is to be packed with gzip."""


class Lane(enum.IntEnum):
    """What goes first. A slow job never takes the last worker, so that quick ones need not wait for it."""

    MOVE = 0
    """The computer's move in a game."""
    QUICK = 1
    """What somebody waits for with a hand over the board."""
    SLOW = 2


@dataclass(eq=False)
class Job:
    """A task on its way: who waits for it, how often it was tried, and whether it should end now."""

    task: Task | Question
    lane: Lane
    owner: str = ""
    """Who asked: a session, or the address of somebody who has none."""
    place: str = ""
    """The address they asked from."""
    on_progress: Callable[[float], object] = lambda done: None
    """Called with the part that is done, from 0 to 1, in a thread of the pool."""
    check: Callable[[Job, Any], None] = lambda job, answer: None
    """Raises WorkerFailed for an answer that no sound worker gives."""
    number: int = field(default_factory=lambda: next(_numbers))
    since: float = field(default_factory=time.monotonic)
    attempts: int = 0
    spent: float = 0.0
    """For how many seconds a worker was at it."""
    future: Future[Any] = field(default_factory=Future)
    stopped: threading.Event = field(default_factory=threading.Event)
    given_way: int = 0
    """How often it was ended for a move."""
    gives_way: bool = False
    """It is being ended for a move."""

    @property
    def is_move(self) -> bool:
        """Whether a game waits for it."""
        return self.lane is Lane.MOVE

    @property
    def tries(self) -> int:
        """How often it is tried, in case a worker fails."""
        return 3 if isinstance(self.task, Task) else 2

    @property
    def patience(self) -> float:
        """After how many seconds a worker that has not answered is taken for dead."""
        seconds = self.task.seconds
        return 2 * seconds + 1 if isinstance(self.task, Task) else 10 * seconds + 5

    def last_try(self) -> Task | Question:
        """What is asked once everything else has failed."""
        return replace(self.task, level=1) if isinstance(self.task, Task) else self.task

    def again(self) -> Job:
        """The same job, as if it had never been submitted."""
        return Job(self.task, self.lane, self.owner, self.place, self.on_progress, self.check)

    def stop(self) -> None:
        """Answer soon, with what was found so far."""
        self.stopped.set()

    def give_way(self) -> None:
        """A move needs the worker."""
        self.gives_way = True
        self.stop()

    def begin_again(self) -> None:
        """It gave way, and is to be done from its beginning."""
        self.given_way += 1
        self.attempts -= 1
        self.gives_way = False
        self.stopped.clear()


class WorkerFailed(Exception):
    """The computer could not find a move, even at its simplest."""


class Declined(WorkerFailed):
    """A worker said itself that it could not, and waits for the next task."""
