"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


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
