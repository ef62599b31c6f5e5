"""Reading, and the one writer: waiting writes share a commit, and each is answered when that commit is on the disk."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from purlieu.rules import Message

from ..domain.refusals import Problem
from ..metrics import Counts
from .database import Database, reading, reason_of

LOG = logging.getLogger("purlieu.server")
MOST_WAITING = 1024
MOST_AT_ONCE = 64

Result = TypeVar("Result")


class Store:
    """The database, for whoever runs on the event loop: questions go to threads, writes to the writer's."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self.database = database
        self.writer = writer
        self.is_shared = not database.is_sqlite
        """Whether other servers may work on it too."""

    async def read(self, ask: Callable[[Connection], Any]) -> Any:
        """Ask the database something, off the loop."""

        def run() -> Any:
            try:
                with reading(self.database) as connection:
                    return ask(connection)
            except SQLAlchemyError as error:
                LOG.error("a question to the database failed: %s", reason_of(error))
                raise Problem(
                    "storage",
                    Message("refusal.database_does_not_answer", "the database does not answer just now"),
                    retry_s=2,
                ) from error

        return await asyncio.to_thread(run)

    async def write(self, run: Callable[[Connection], Any]) -> Any:
        """Have something written; it is on the disk when this returns."""
        return await self.writer.write_soon(run)


@dataclass(eq=False)
class Write:
    """Something to write, and who waits for it."""

    run: Callable[[Connection], Any]
    future: Future[Any] | asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop | None = None
    """Where the future is to be settled, if it belongs to a loop."""
    result: Any = None
    error: Exception | None = None


class Writer:
    """A thread with the only connection that writes."""

    def __init__(self, engine: Engine, counts: Counts) -> None:
        self.engine = engine
        self.counts = counts
        self.waiting: queue.Queue[Write | None] = queue.Queue(MOST_WAITING)
        self.thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self.thread.start()

    def write(self, run: Callable[[Connection], Result]) -> Future[Result]:
        """Have it run in a transaction. The future ends after the commit, with what it returned or raised.

        What it raises takes back only its own work. It may be run twice, so it does nothing but ask this connection.
        """
        future: Future[Result] = Future()
        self._put(Write(run, future))
        return future

    def write_soon(self, run: Callable[[Connection], Result]) -> asyncio.Future[Result]:
        """The same for whoever waits on the running loop: all writes of a commit wake it once, not once each."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        self._put(Write(run, future, loop))
        return future

    def _put(self, write: Write) -> None:
        try:
            self.waiting.put_nowait(write)
        except queue.Full:
            raise Problem(
                "busy", Message("refusal.too_many_moves_are", "too many moves are waiting to be saved"), retry_s=1
            ) from None

    @property
    def is_full(self) -> bool:
        """Whether writes are refused just now."""
        return self.waiting.full()

    def close(self) -> None:
        """Write what waits, then end."""
        self.waiting.put(None)
        self.thread.join(timeout=10)

    def _work(self) -> None:
        while (write := self.waiting.get()) is not None:
            batch = [write]
            closing = False
            while len(batch) < MOST_AT_ONCE:
                try:
                    more = self.waiting.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    closing = True
                    break
                batch.append(more)
            self._commit(batch)
            if closing:
                return

    def _commit(self, batch: list[Write]) -> None:
        """All in one transaction; if one of them fails, each in its own, so that it harms nobody else."""
        begun = time.monotonic()
        try:
            with self.engine.begin() as connection:
                for write in batch:
                    write.result = write.run(connection)
        except Exception as error:
            if len(batch) > 1:
                for write in batch:
                    self._commit([write])
                return
            batch[0].error = told(error)
        self.counts.note("commits")
        self.counts.note("writes", len(batch))
        self.counts.note("commit_seconds", time.monotonic() - begun)
        settle([write for write in batch if write.loop is None])
        for loop in {write.loop for write in batch if write.loop}:
            loop.call_soon_threadsafe(settle, [write for write in batch if write.loop is loop])


def settle(writes: Sequence[Write]) -> None:
    """Answer those who wait, unless they have gone."""
    for write in writes:
        if write.future.done():
            continue
        if write.error:
            write.future.set_exception(write.error)
        else:
            write.future.set_result(write.result)


def told(error: Exception) -> Exception:
    """What whoever waits is told: their own mistake as it is, the database's trouble in a sentence."""
    if not isinstance(error, SQLAlchemyError):
        return error
    LOG.error("a write failed: %s", reason_of(error))
    return Problem(
        "storage",
        Message("refusal.this_may_not_have", "this may not have been saved; send it again, which does no harm"),
        retry_s=2,
    )
