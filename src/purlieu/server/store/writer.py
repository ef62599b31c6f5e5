"""The one writer: waiting writes share a commit, and each is answered only when that commit is on the disk."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from ..errors import Problem

LOG = logging.getLogger("purlieu.server")
MOST_WAITING = 1024
MOST_AT_ONCE = 64

Result = TypeVar("Result")


@dataclass(eq=False)
class Write:
    """Something to write, and who waits for it."""

    run: Callable[[Connection], Any]
    future: Future[Any] = field(default_factory=Future)
    result: Any = None
    error: Exception | None = None


class Writer:
    """A thread with the only connection that writes."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.waiting: queue.Queue[Write | None] = queue.Queue(MOST_WAITING)
        self.thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self.thread.start()

    def write(self, run: Callable[[Connection], Result]) -> Future[Result]:
        """Have it run in a transaction. The future ends after the commit, with what it returned or raised.

        What it raises takes back only its own work. It may be run twice, so it does nothing but ask this connection.
        """
        write = Write(run)
        try:
            self.waiting.put_nowait(write)
        except queue.Full:
            raise Problem("busy", "too many moves are waiting to be saved", retry_s=1) from None
        return cast("Future[Result]", write.future)

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
        for write in batch:
            if not write.future.set_running_or_notify_cancel():
                continue
            if write.error:
                write.future.set_exception(write.error)
            else:
                write.future.set_result(write.result)


def told(error: Exception) -> Exception:
    """What whoever waits is told: their own mistake as it is, the database's trouble in a sentence."""
    if not isinstance(error, SQLAlchemyError):
        return error
    LOG.error("a write failed: %s", str(getattr(error, "orig", None) or error).splitlines()[0])
    return Problem("storage", "this could not be saved; nothing was changed", retry_s=2)
