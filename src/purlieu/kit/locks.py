"""A file that one process at a time may write to."""

from __future__ import annotations

from typing import IO

from purlieu.rules import PurlieuError


def hold(file: IO[bytes], busy: str) -> None:
    """Keep others out until the file is closed, or say that somebody does so with us.

    Where the system has no such locks, nobody checks.
    """
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise PurlieuError(busy) from error
