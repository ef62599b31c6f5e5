"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO

from purlieu.rules import Message

PART = ".part"
"""What the name of a file that is being written ends in."""


def write_whole(path: Path, data: bytes | Callable[[IO[bytes]], object]) -> None:
    """Writes a file whole or not at all: into a new file beside it, which then takes its name.

    Large data can be a function that writes into the open file. When this returns, the file is on the disk.
    """
    handle, name = _new_file_beside(path)
    path = Path(os.path.realpath(path))
    try:
        with os.fdopen(handle, "wb") as file:
            if callable(data):
                data(file)
            else:
                file.write(data)
        put_in_place(Path(name), path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def sweep(folder: Path, *names: str) -> None:
    """Deletes what a killed process left half written of files with such names (as `glob` takes them)."""
    for name in names:
        for pattern in (f".{name}.*{PART}", name + PART):  # the second is how older versions of purlieu named them
            for left in folder.glob(pattern):
                left.unlink(missing_ok=True)


def put_in_place(new: Path, path: Path) -> None:
    """Gives a new file another one's name once it is on the disk: whatever happens, one of the two is there, whole."""
    with new.open("rb+") as file:
        os.fsync(file.fileno())
    os.chmod(new, _mode_of(path))
    os.replace(new, path)
    with contextlib.suppress(OSError):  # not every system lets a folder be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def require_folder(path: Path) -> None:
    """Refuses a file whose folder is missing, or takes no new files, before anything is to be lost."""
    handle, name = _new_file_beside(path)
    os.close(handle)
    os.unlink(name)


def _new_file_beside(path: Path) -> tuple[int, str]:
    """A new file in the same folder, open for writing. An OSError names the file that was to be written."""
    import tempfile  # here, since it brings random numbers, which every start of a command would pay for

    real = Path(os.path.realpath(path))
    try:
        return tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.", suffix=PART)
    except OSError as error:
        why = Message("file.unwritable", "cannot be written: {why}", why=told_by(error))
        if not real.parent.exists():
            why = Message("file.no_folder", "there is no folder {folder}", folder=real.parent)
        raise OSError(error.errno, why, str(path)) from None


_FAULTS = {
    errno.EACCES: Message("file.denied", "Permission denied"),
    errno.EISDIR: Message("file.is_folder", "Is a directory"),
    errno.ENOENT: Message("file.missing", "No such file or directory"),
    errno.ENOSPC: Message("file.no_space", "No space left on device"),
    errno.ENOTDIR: Message("file.not_folder", "Not a directory"),
    errno.EROFS: Message("file.read_only", "Read-only file system"),
}


def told_by(error: OSError) -> str:
    """What is wrong with a file; what the system says seldom is left in its words."""
    if isinstance(error.strerror, Message):
        return error.strerror
    return _FAULTS.get(error.errno or 0, error.strerror or str(error))


def _mode_of(path: Path) -> int:
    """The permissions that a plain `open` would have left."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
