"""Saving a game so that nothing is ever lost or overwritten by surprise."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from purlieu.rules import PurlieuError


class FileTaken(PurlieuError):
    """The file exists and is not this session's own."""


KINDS = (".pur", ".jsonl")


class Saver:
    """Writes one game's record, whole or not at all, and remembers which files are this session's own."""

    def __init__(self, path: Path | None = None, *, own: Path | None = None) -> None:
        self.path = path
        """Where the game is kept after every turn, if anywhere."""
        self._own = {own.resolve()} if own else set()
        if path:
            self.require_free(path)

    def require_free(self, path: Path) -> None:
        """Refuses a file that holds something else, or whose kind we do not write."""
        if path.suffix.lower() not in KINDS:
            raise PurlieuError(f"a game is saved as .pur or .jsonl, and {path.name} is neither")
        if path.is_dir():
            raise PurlieuError(f"{path} is a folder")
        if path.exists() and path.resolve() not in self._own:
            raise FileTaken(f"{path} exists already, and nothing was written")

    def save(self, path: Path, data: bytes, *, overwrite: bool = False) -> None:
        """Writes the file; from now on it is this session's own, and keeps the game unless another file does."""
        if not overwrite:
            self.require_free(path)
        write_whole(path, data)
        self._own.add(path.resolve())
        self.path = self.path or path


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all: into a new file beside it, which then takes its name."""
    handle, name = _new_file_beside(path)
    path = Path(os.path.realpath(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode_of(path))
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def require_folder(path: Path) -> None:
    """Refuses a file whose folder is missing, or takes no new files, before anything is to be lost."""
    handle, name = _new_file_beside(path)
    os.close(handle)
    os.unlink(name)


def _new_file_beside(path: Path) -> tuple[int, str]:
    """A new file in the same folder, open for writing. An OSError names the file that was to be written."""
    real = Path(os.path.realpath(path))
    try:
        return tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
    except OSError as error:
        missing = not real.parent.exists()
        why = f"there is no folder {real.parent}" if missing else f"cannot be written: {error.strerror}"
        raise OSError(error.errno, why, str(path)) from None


def _mode_of(path: Path) -> int:
    """The permissions that a plain `open` would have left."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
