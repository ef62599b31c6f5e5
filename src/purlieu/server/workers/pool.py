"""The supervisor: a thread for each worker process, one bounded queue, and a new process for one that died.

A worker that crashes, hangs or answers nonsense costs its job one try of three; the last try is made at the
lowest level. One that says itself that it cannot is not ended for it, except before a last try, which may fare better
in a new process. Nobody else's job is touched.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from purlieu.engine.core import core

from ..errors import Problem
from .jobs import Answer, Declined, Job, WorkerFailed

LOG = logging.getLogger("purlieu.server")
TRIES = 3
LOOK_UP = 0.05
"""How often, in seconds, a thread looks whether its job was stopped or its process hangs."""
MOST_GIVEN_WAY = 3
"""How often an analysis gives way to a move and is begun anew; the next time it tells what it has found by then."""
START_SECONDS = 60.0
"""How long a new process may take until its first word, on a very busy machine."""


class Pool:
    """Worker processes, started when they are first needed."""

    def __init__(
        self,
        workers: int,
        *,
        moves_waiting: int,
        analyses_waiting: int,
        analyses_per_caller: int,
        main: Callable[[Connection], None],
    ) -> None:
        self.moves_waiting = moves_waiting
        self.analyses_waiting = analyses_waiting
        self.analyses_per_caller = analyses_per_caller
        self.main = main
        self.waiting: list[Job] = []
        self.running: list[Job] = []
        self.changed = threading.Condition()
        self.closing = False
        self.threads = [
            threading.Thread(target=self._work, name=f"worker {number + 1}", daemon=True) for number in range(workers)
        ]
        for thread in self.threads:
            thread.start()

    def submit(self, job: Job) -> Job:
        """Put a job in the queue; over a bound it is refused. A move that finds only analyses running ends one."""
        with self.changed:
            alike = [other for other in self.waiting if other.is_move == job.is_move]
            most = self.moves_waiting if job.is_move else self.analyses_waiting
            if self.closing or len(alike) >= most:
                raise Problem("busy", "the computer has too much to think about just now", retry_s=5)
            if not job.is_move:
                mine = [other for other in (*alike, *self.running) if other.owner == job.owner and not other.is_move]
                if len(mine) >= self.analyses_per_caller:
                    message = f"you have {len(mine)} analyses waiting; one more has to wait for them"
                    raise Problem("rate", message, retry_s=2)
            self.waiting.append(job)
            if job.is_move and len(self.running) + len(alike) >= len(self.threads):
                for other in self.running:
                    if not other.is_move and not other.stopped.is_set():  # that one makes room for an earlier move
                        other.give_way()
                        break
            self.changed.notify()
        return job

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
                answer = self._think(job, pipe)
                _check(job, answer)
            except (EOFError, OSError, WorkerFailed) as error:
                if isinstance(error, Declined) and job.attempts != TRIES - 1:
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
            while not self.waiting and not self.closing:
                self.changed.wait()
            if self.closing:
                return None
            job = self.next_job()
            self.waiting.remove(job)
            self.running.append(job)
            return job

    def next_job(self) -> Job:
        """The one begun next: moves first; then whoever has an analysis under way lets those of others go first."""
        owners = {other.owner for other in self.running if not other.is_move}
        return min(self.waiting, key=lambda job: (not job.is_move, job.owner in owners, job.rank))

    def _finish(self, job: Job) -> None:
        with self.changed:
            if job in self.running:
                self.running.remove(job)

    def _put_back(self, job: Job) -> bool:
        """An analysis that was ended for a move is done again, so that nobody takes a part of it for the whole."""
        with self.changed:
            if not job.gives_way or job.given_way == MOST_GIVEN_WAY or self.closing or job.future.cancelled():
                return False
            job.begin_anew()
            self.waiting.append(job)
            self.changed.notify()
            return True

    def _start(self) -> tuple[BaseProcess, Connection]:
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=self.main, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        return process, ours

    def _think(self, job: Job, pipe: Connection) -> Answer:
        """Hand the task over and wait; a worker may take twice its time and a second, then it is ended."""
        job.attempts += 1
        task = job.task
        if job.attempts == TRIES:
            task = replace(task, level=1)
        pipe.send(("think", job.number, task))
        deadline = time.monotonic() + START_SECONDS + 2 * task.seconds + 1
        told_to_stop = False
        while not self.closing:
            if pipe.poll(LOOK_UP):
                match pipe.recv():
                    case ("answer", job.number, Answer() as answer):
                        return answer
                    case ("done", job.number, float(done)):
                        deadline = min(deadline, time.monotonic() + 2 * task.seconds + 1)
                        job.on_progress(done)
                    case ("failed", job.number, str(sentence)):
                        raise Declined(sentence)
                    case other:
                        raise WorkerFailed(f"an answer that makes no sense: {str(other)[:80]}")
            if job.stopped.is_set() and not told_to_stop:
                told_to_stop = True
                pipe.send(("stop", job.number))
                deadline = min(deadline, time.monotonic() + START_SECONDS + 1)
            if time.monotonic() > deadline:
                raise WorkerFailed("it stopped answering")
        raise WorkerFailed("the server is stopping")

    def _failed(self, job: Job, error: Exception) -> None:
        self._finish(job)
        LOG.warning("a worker failed at try %d: %s", job.attempts, error)
        with self.changed:
            if job.attempts < TRIES and not self.closing and not job.future.cancelled():
                self.waiting.append(job)
                self.changed.notify()
                return
        if job.future.set_running_or_notify_cancel():
            job.future.set_exception(WorkerFailed(str(error)))


def _check(job: Job, answer: Answer) -> None:
    """A worker's word is not taken for it that a move is legal."""
    position = core().Position.parse(job.task.start)
    for move in job.task.moves:
        position = position.play(move)
    if answer.move not in position.legal_moves():
        raise WorkerFailed(f"its move {answer.move[:40]} is not legal")
