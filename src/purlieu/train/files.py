"""Files that are there whole or not at all, whenever the process is killed, and whoever else would write them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from purlieu.kit.locks import hold
from purlieu.rules import PurlieuError

CHECKPOINTS = f"checkpoint-{9 * '[0-9]'}.pt"
"""What a run's checkpoints are called. Files of other names are somebody else's."""
PART, LOCK = ".part", ".lock"
"""What a file that is being written ends in, and one that keeps others from doing so."""


def write_whole(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Let `write` fill a file beside it, make sure that it is on the disk, and put it in the place of `path`."""
    beside = path.with_name(path.name + PART)
    with beside.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write_text(path: Path, text: str) -> None:
    """The same for a text."""
    write_whole(path, lambda file: file.write(text.encode()))


def sweep(folder: Path, *names: str) -> None:
    """Throw away what a killed process left half written of files with such names. Others' stay where they are."""
    for name in names:
        for left in folder.glob(name + PART):
            left.unlink(missing_ok=True)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep others from a file for as long as it takes to do what it is to hold, or say that they are at it."""
    busy = f"{path} is being written by another run; wait for its end, or give another file"
    beside = path.with_name(path.name + LOCK)
    with beside.open("ab") as lock:
        hold(lock, busy)
        if not beside.exists() or not os.path.samestat(os.fstat(lock.fileno()), beside.stat()):
            raise PurlieuError(busy)  # whoever held it has just removed it
        try:
            yield
        finally:
            beside.unlink(missing_ok=True)


def require_writable(path: Path) -> None:
    """Say that a file cannot be written before the work is done that it is to hold, not after."""
    try:
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise PurlieuError(f"{path} cannot be written: {error.strerror}; give another file") from None
