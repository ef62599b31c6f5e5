"""The way into an engine's input: each line goes whole, from any thread, and none waits for ever."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import threading
from typing import IO

from .wait import Wait

GLANCE_MS = 100
"""How often one who waits for room looks whether the pipe was closed meanwhile."""


class Outlet:
    """A pipe that somebody else reads, or does not: then it is full after some 64 kB."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._is_closed = False
        self._sending = threading.Lock()
        self._room = select.poll()
        self._room.register(pipe, select.POLLOUT)
        os.set_blocking(pipe.fileno(), False)

    def send(self, data: bytes, wait: Wait) -> bool:
        """Whether all of it went in time. Raises OSError if nobody can read it any more."""
        left = wait.left
        if not self._sending.acquire(timeout=-1 if left is None else left):
            return False
        try:
            rest = memoryview(data)
            while rest:
                if self._is_closed:
                    raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
                try:
                    rest = rest[os.write(self._pipe.fileno(), rest) :]
                except BlockingIOError:
                    if wait.left == 0:
                        return False
                    self._room.poll(GLANCE_MS)
            return True
        finally:
            self._sending.release()

    def close(self) -> None:
        """Let nobody send any more; one who waits for room is not waited for longer than a glance."""
        self._is_closed = True
        with self._sending, contextlib.suppress(OSError):
            self._pipe.close()
