"""Files that are there whole or not at all, whenever the process is killed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO

PART = ".part"
"""What a file that is being written ends in."""


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


def sweep(folder: Path) -> None:
    """Throw away what a killed process left half written."""
    for left in folder.glob(f"*{PART}"):
        left.unlink(missing_ok=True)
