"""A run's folder: what is in it, and that only one run uses it at a time."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from purlieu.kit.locks import hold
from purlieu.rules import PurlieuError

from .files import CHECKPOINTS, sweep

NET, LOG = "net.onnx", "log.jsonl"


class Folder:
    """The paths of a run. Holds a lock until it is closed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.replay = path / "replay"
        self.log = path / LOG
        self.net = path / NET
        self.curves = path / "curves.svg"
        self.card = path / "card.md"
        if path.exists() and not path.is_dir():
            raise PurlieuError(f"{path} is a file; a run is kept in a folder")
        path.mkdir(parents=True, exist_ok=True)
        self._lock: IO[bytes] = (path / "lock").open("ab")
        try:
            hold(self._lock, f"{path} is in use by another run")
        except BaseException:
            self._lock.close()
            raise

    def sweep(self) -> None:
        """Throw away what a killed run left half written here."""
        sweep(self.path, CHECKPOINTS, *(each.name for each in (self.log, self.net, self.curves, self.card)))

    def close(self) -> None:
        """Let others use it."""
        self._lock.close()
