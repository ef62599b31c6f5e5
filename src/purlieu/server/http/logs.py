"""Keeping the log small when a library repeats itself."""

from __future__ import annotations

import errno
import logging
import time

SECONDS = 10.0
REMEMBERED = 100
NO_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
LIBRARIES = ("asyncio", "uvicorn.error")


class Seldom(logging.Filter):
    """Lets the same message pass once in ten seconds, and turns tracebacks that clients cause into sentences.

    asyncio writes one for every connection that it cannot accept, uvicorn one for every frame that is not UTF-8, and a
    line for every request that is no HTTP. Other tracebacks always pass.
    """

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, OSError) and error.errno in NO_FILES:
            record.msg = f"a connection was not accepted: {error.strerror}"
            record.args = record.exc_info = record.exc_text = None
        elif isinstance(error, UnicodeDecodeError) and record.name == "uvicorn.error":  # a frame that is no text
            record.exc_info = record.exc_text = None
        elif error is not None:
            return True
        message, now = str(record.msg), time.monotonic()
        if now - self.last.get(message, -SECONDS) < SECONDS:
            return False
        if len(self.last) >= REMEMBERED:
            self.last.clear()
        self.last[message] = now
        return True


ONCE_IN_A_WHILE = Seldom()


def bound_log() -> None:
    """Bound what the libraries below us write."""
    for name in LIBRARIES:
        logging.getLogger(name).addFilter(ONCE_IN_A_WHILE)
