"""A run's folder: what is in it, and that only one run uses it at a time."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from purlieu.rules import PurlieuError


class Folder:
    """The paths of a run. Holds a lock until it is closed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.replay = path / "replay"
        self.log = path / "log.jsonl"
        self.net = path / "net.onnx"
        self.curves = path / "curves.svg"
        self.card = path / "card.md"
        if path.exists() and not path.is_dir():
            raise PurlieuError(f"{path} is a file; a run is kept in a folder")
        path.mkdir(parents=True, exist_ok=True)
        self._lock: IO[bytes] = (path / "lock").open("ab")
        try:
            _lock(self._lock, path)
        except BaseException:
            self._lock.close()
            raise

    def close(self) -> None:
        """Let others use it."""
        self._lock.close()


def _lock(file: IO[bytes], path: Path) -> None:
    """No two runs write to one folder; where the system has no such locks, nobody checks."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise PurlieuError(f"{path} is in use by another run") from error
