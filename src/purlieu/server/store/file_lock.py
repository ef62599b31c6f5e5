"""The lock on an SQLite database: one server has it at a time, by whatever name the file was opened."""

from __future__ import annotations

import errno
import os
import struct
import sys
from pathlib import Path
from typing import IO

from purlieu.rules import PurlieuError

AT = 2**62
"""Where a server's lock begins in the database: far behind the bytes that SQLite locks."""
FLOCK = "hhqqi"
"""C's struct flock: kind, whence, start, length, process."""
HELD: set[tuple[int, int]] = set()
"""The files that are locked in this process, by device and inode."""


class FileLock:
    """The lock, held until it is closed. If another server has it, it fails with a sentence that says so.

    A file beside the database is locked, and says which process has it. On Linux the database itself is locked too,
    because hard links of it may lie anywhere. Close the lock after SQLite's last connection: when a process closes any
    descriptor of a file, the system drops the locks on it that SQLite has in this process.
    """

    def __init__(self, path: Path) -> None:
        self.inode: tuple[int, int] | None = None
        self.files: list[IO[str] | IO[bytes]] = []
        if sys.platform == "win32":  # SQLite's own locks must do
            return
        if path.is_dir():
            raise PurlieuError(f"{path} is a folder; expected a file for the database")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock_beside(path)
            if sys.platform == "linux":
                self._lock_inode(path)
        except OSError as error:
            self.close()
            raise PurlieuError(f"the database {path} cannot be opened: {error.strerror}") from error
        except PurlieuError:
            self.close()
            raise

    def close(self) -> None:
        """Let others have it."""
        for file in self.files:
            file.close()
        if self.inode:
            HELD.discard(self.inode)

    def _lock_beside(self, path: Path) -> None:
        import fcntl

        file = open(path.with_name(path.name + ".lock"), "a+", encoding="utf-8")  # noqa: SIM115 - held until close
        self.files.append(file)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise in_use(path, file.read(20).strip()) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()

    def _lock_inode(self, path: Path) -> None:
        """A lock of the open file, so that no other descriptor's end drops it; its length is the process's number."""
        import fcntl

        if path.exists() and inode_of(path.stat()) in HELD:  # to open and close the file here would do harm: see above
            raise in_use(path, str(os.getpid()))
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+b")
        self.files.append(file)
        wanted = struct.pack(FLOCK, fcntl.F_WRLCK, os.SEEK_SET, AT, os.getpid(), 0)
        try:
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, wanted)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                return  # a file system without such locks; the one beside must do
            found = struct.unpack(FLOCK, fcntl.fcntl(file, fcntl.F_OFD_GETLK, wanted))
            raise in_use(path, str(found[3])) from None
        self.inode = inode_of(os.fstat(file.fileno()))
        HELD.add(self.inode)


def inode_of(found: os.stat_result) -> tuple[int, int]:
    """What is the same for all names of a file."""
    return found.st_dev, found.st_ino


def in_use(path: Path, process: str) -> PurlieuError:
    """The refusal to the second server."""
    return PurlieuError(f"{path} is in use by another purlieu (process {process or 'unknown'}); stop that one first")
