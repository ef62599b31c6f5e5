"""The supervisor: a thread for each worker process, one bounded queue, and a new process for one that died.

A worker that crashes, hangs or answers nonsense costs its job one try of a few; the last try of a
move is made at the lowest level. One that says itself that it cannot is not ended for it, except before a last try,
which may fare better in a new process. Nobody else's job is touched.
"""

from __future__ import annotations

import logging
import math
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any

from purlieu.rules import Message

from ..cache import Cache
from ..domain.refusals import Problem
from .jobs import Declined, Job, Lane, WorkerFailed

if TYPE_CHECKING:
    from purlieu.core._core import Position as CorePosition

LOG = logging.getLogger("purlieu.server")
LOOK_UP = 0.05
"""How often, in seconds, a thread looks whether its job was stopped or its process hangs."""
MOST_GIVEN_WAY = 3
"""How often an analysis gives way to a move and is begun again; the next time it tells what it has found by then."""
AGES = 3.0
"""A slow job that has waited for so many seconds goes among the quick ones."""
HALF_LIFE = 10.0
"""After so many seconds, half of what somebody used is forgotten."""
MOST_CALLERS = 10_000
MOST_ADDRESS_SPACE = 4 << 30
START_SECONDS = 60.0
"""How long a new process may take until its first word, on a very busy machine."""


class Pool:
    """Worker processes, started when they are first needed."""

    def __init__(
        self,
        workers: int,
        *,
        main: Callable[[Connection], None],
        most_moves: int = 0,
        most_waiting: int,
        most_each: int,
    ) -> None:
        """`most_waiting` jobs may wait beside `most_moves` moves, and `most_each` of them may be one caller's."""
        self.main = main
        self.most_moves = most_moves
        self.most_waiting = most_waiting
        self.most_each = most_each
        self.most_slow = self.most_running_each = max(1, workers - 1)
        self.waiting: list[Job] = []
        self.running: list[Job] = []
        self.shares = Shares()
        self.changed = threading.Condition()
        self.closing = False
        self.threads = [
            threading.Thread(target=self._work, name=f"worker {number + 1}", daemon=True) for number in range(workers)
        ]
        for thread in self.threads:
            thread.start()

    def submit(self, job: Job) -> Job:
        """Put a job in the queue; over a bound it is refused. A move that finds only other jobs running ends one."""
        with self.changed:
            if self.closing:
                raise busy()
            alike = [other for other in self.waiting if other.is_move == job.is_move]
            self._admit(job, alike)
            self.waiting.append(job)
            if job.is_move and len(self.running) + len(alike) >= len(self.threads):
                for other in self.running:
                    if not other.is_move and not other.stopped.is_set():  # that one makes room for an earlier move
                        other.give_way()
                        break
            self.changed.notify_all()
        return job

    def _admit(self, job: Job, alike: list[Job]) -> None:
        """Refuse the job, or make room for it at the expense of the caller who has the most jobs waiting."""
        if not job.is_move:
            mine = [other for other in (*alike, *self.running) if other.owner == job.owner and not other.is_move]
            if len(mine) >= self.most_each:
                message = Message(
                    "refusal.you_have_requests_of",
                    "you have {count} requests of this kind waiting; one more has to wait for them",
                    count=len(mine),
                )
                raise Problem("rate", message, retry_s=2)
        if len(alike) < (self.most_moves if job.is_move else self.most_waiting):
            return
        for by in ("place", "owner"):  # an address may have many sessions
            waiting = Counter(getattr(other, by) for other in alike)
            heaviest, count = waiting.most_common(1)[0]
            if count > waiting[getattr(job, by)] + 1:
                bumped = next(other for other in reversed(alike) if getattr(other, by) == heaviest)
                self.waiting.remove(bumped)
                alike.remove(bumped)
                if bumped.future.set_running_or_notify_cancel():
                    bumped.future.set_exception(busy())
                return
        raise busy()

    def withdraw(self, job: Job) -> None:
        """Nobody waits for this job any more."""
        job.stop()
        with self.changed:
            job.future.cancel()  # also of a job that runs: if its worker fails, it is not tried again
            if job in self.waiting:
                self.waiting.remove(job)

    def close(self) -> None:
        """End all processes; what they were thinking is lost, and will be asked again."""
        with self.changed:
            self.closing = True
            for job in self.waiting:
                job.future.cancel()
            self.waiting.clear()
            self.changed.notify_all()
        for thread in self.threads:
            thread.join(timeout=5)

    # -- one thread for each process ------------------------------------------------------------

    def _work(self) -> None:
        process: BaseProcess | None = None
        pipe: Connection | None = None
        while job := self._take():
            try:
                if process is None or pipe is None:
                    process, pipe = self._start()
                answer = self._ask(job, pipe)
                job.check(job, answer)
            except Problem as problem:
                self._finish(job)
                if job.future.set_running_or_notify_cancel():
                    job.future.set_exception(problem)
            except (EOFError, OSError, WorkerFailed) as error:
                if isinstance(error, Declined) and job.attempts != job.tries - 1:
                    self._failed(job, error)
                    continue
                if process:
                    process.kill()
                    process.join()
                if pipe:
                    pipe.close()
                process = pipe = None
                self._failed(job, error)
            else:
                self._finish(job)
                if self._put_back(job):
                    continue
                if job.future.set_running_or_notify_cancel():
                    job.future.set_result(answer)
        if process:
            process.kill()
            process.join()
        if pipe:
            pipe.close()

    def _take(self) -> Job | None:
        with self.changed:
            while not self.closing and (job := self.next_job()) is None:
                self.changed.wait(1.0 if self.waiting else None)
            if self.closing or job is None:
                return None
            self.waiting.remove(job)
            self.running.append(job)
            return job

    def next_job(self) -> Job | None:
        """The one begun next: moves first, then quick jobs, then slow ones; among them, whose callers had least lately.

        An address is a caller as much as a session: many sessions at one address have its share between them.
        """
        others = Counter(job.owner for job in self.running if not job.is_move)
        slow = sum(job.lane is Lane.SLOW for job in self.running)
        now = time.monotonic()

        def may_begin(job: Job) -> bool:
            if job.is_move:
                return True
            return others[job.owner] < self.most_running_each and (job.lane is not Lane.SLOW or slow < self.most_slow)

        def order(job: Job) -> tuple[float, float, float, int]:
            lane = max(Lane.QUICK, job.lane - (now - job.since) // AGES) if job.lane else job.lane
            return lane, self.shares.of(f"at {job.place}", now), self.shares.of(job.owner, now), job.number

        return min(filter(may_begin, self.waiting), key=order, default=None)

    def _finish(self, job: Job) -> None:
        with self.changed:
            if job in self.running:
                self.running.remove(job)
            self.shares.charge(f"at {job.place}", job.spent)
            self.shares.charge(job.owner, job.spent)
            self.changed.notify_all()

    def _put_back(self, job: Job) -> bool:
        """An analysis that was ended for a move is done again, so that nobody takes a part of it for the whole."""
        with self.changed:
            if not job.gives_way or job.given_way == MOST_GIVEN_WAY or self.closing or job.future.cancelled():
                return False
            job.begin_again()
            self.waiting.append(job)
            self.changed.notify_all()
            return True

    def _start(self) -> tuple[BaseProcess, Connection]:
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=self.main, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return process, ours

    def _ask(self, job: Job, pipe: Connection) -> Any:
        """Hand the task over and wait; a worker that takes much longer than it may is ended."""
        job.attempts += 1
        pipe.send(("do", job.number, job.last_try() if job.attempts == job.tries else job.task))
        begun = time.monotonic()
        deadline = begun + START_SECONDS + job.patience
        asked_to_stop = False
        try:
            while not self.closing:
                if pipe.poll(LOOK_UP):
                    match pipe.recv():
                        case ("answer", job.number, answer):
                            return answer
                        case ("done", job.number, float(done)):
                            deadline = min(deadline, time.monotonic() + job.patience)
                            job.on_progress(done)
                        case ("refused", job.number, Problem() as problem):
                            raise problem
                        case ("failed", job.number, str(sentence)):
                            raise Declined(sentence)
                        case other:
                            raise WorkerFailed(f"an answer that makes no sense: {str(other)[:80]}")
                if job.stopped.is_set() and not asked_to_stop:
                    asked_to_stop = True
                    pipe.send(("stop", job.number))
                    deadline = min(deadline, time.monotonic() + START_SECONDS + 1)
                if time.monotonic() > deadline:
                    raise WorkerFailed("it stopped answering")
        finally:
            job.spent = time.monotonic() - begun
        raise WorkerFailed("the server is stopping")

    def _failed(self, job: Job, error: Exception) -> None:
        self._finish(job)
        LOG.warning("a worker failed at try %d: %s", job.attempts, error)
        with self.changed:
            if job.attempts < job.tries and not self.closing and not job.future.cancelled():
                self.waiting.append(job)
                self.changed.notify_all()
                return
        if job.future.set_running_or_notify_cancel():
            job.future.set_exception(WorkerFailed(str(error)))


def busy() -> Problem:
    """The refusal where too much is waiting."""
    return Problem(
        "busy", Message("refusal.too_much_is_waiting", "too much is waiting to be worked out just now"), retry_s=5
    )


def only_legal(position: Callable[[], CorePosition]) -> Callable[[Job, object], None]:
    """A check of answers: a worker's word is not taken for it that its move is legal in that position."""

    def check(job: Job, answer: object) -> None:
        move = answer.get("best_move") if isinstance(answer, dict) else answer
        if not isinstance(move, str):
            raise WorkerFailed(f"an answer that makes no sense: {str(answer)[:80]}")
        try:
            position().play(move)
        except ValueError:
            raise WorkerFailed(f"its move {move[:40]} is not legal") from None

    return check


class Shares:
    """How much of the workers' time each caller had, so that everybody gets a fair part. What lies back counts less."""

    def __init__(self) -> None:
        self.used: Cache[str, tuple[float, float]] = Cache(MOST_CALLERS)

    def of(self, caller: str, now: float) -> float:
        """How many seconds the caller has used lately."""
        seconds, since = self.used.peek(caller) or (0.0, 0.0)
        return seconds * math.pow(0.5, (now - since) / HALF_LIFE)

    def charge(self, caller: str, seconds: float) -> None:
        """The caller has used so much more."""
        now = time.monotonic()
        self.used.put(caller, (self.of(caller, now) + seconds, now))


def be_modest(niceness: int) -> None:
    """What a worker process does first: leave the machine to its people, with low priority and bounded memory.

    Ctrl-C is for the server, which ends us itself. Beside a program that takes all it can get, a niceness of 5 leaves
    a quarter of a processor, 10 a tenth, 15 a thirtieth.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        import resource

        os.nice(niceness)
        resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESS_SPACE, MOST_ADDRESS_SPACE))
    except (ImportError, OSError, ValueError):
        return  # not on this system; other bounds still hold
