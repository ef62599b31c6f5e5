"""What is asked of a worker process, on its way; and answers that are remembered."""

from __future__ import annotations

import enum
import hashlib
import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from ..cache import Cache

if TYPE_CHECKING:
    from purlieu.engine.ladder import Effort

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
    wants: Literal["move", "analysis"] = "move"
    """The answer: the text of the move that the level plays, or an `AnalysisView`."""

    @property
    def lane(self) -> Lane:
        """As an analysis: quick if it is done in a blink."""
        is_quick = self.effort == "quick" if self.effort else self.level <= 7
        return Lane.QUICK if is_quick else Lane.SLOW


@dataclass(frozen=True, slots=True)
class Question:
    """Something to work out from plain data, by its name in `questions.py`."""

    name: str
    given: dict[str, Any]
    seconds: float
    """How much of a processor's time it may take."""
    gzipped: bool = False
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


class Answers:
    """Answers to tasks of fixed work, which every worker answers alike, as they were sent; those asked for of late."""

    def __init__(self, most_bytes: int) -> None:
        self.known: Cache[bytes, bytes] = Cache(most_bytes, len)

    def find(self, task: Task) -> bytes | None:
        """What was sent in answer to the same task."""
        return self.known.get(_name(task))

    def keep(self, job: Job, sent: bytes) -> None:
        """Remember what is sent, if it is what any worker would have found, and whole."""
        task = job.task
        if not isinstance(task, Task) or task.effort is None or job.stopped.is_set() or job.attempts > 1:
            return
        self.known.put(_name(task), sent)


def _name(task: Task) -> bytes:
    """A short name for a task, whose line may have thousands of moves."""
    return hashlib.blake2b(repr(task).encode(), digest_size=16).digest()
