"""A run's folder: its files, its lock, and its log.

The log is JSON Lines that only grow; a line that a kill has cut off is dropped.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import IO, Any

from purlieu.kit.files import sweep
from purlieu.kit.locks import hold
from purlieu.rules import PurlieuError

NET, LOG = "net.onnx", "log.jsonl"
CHECKPOINTS = f"checkpoint-{9 * '[0-9]'}.pt"
"""What a run's checkpoints are called. Files of other names are somebody else's."""
Line = dict[str, Any]
"""Of a log, as it is read."""


class RunFolder:
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


class Log:
    """The open log of a run."""

    def __init__(self, path: Path) -> None:
        self.lines = read_log(path)
        whole = path.read_bytes().rfind(b"\n") + 1 if path.exists() else 0
        self._file = path.open("ab")
        self._file.truncate(whole)

    def add(self, kind: str, **values: Any) -> None:
        """Write a line."""
        line = line_of(kind, **values)
        self.lines.append(line)
        self._file.write(as_json_line(line).encode())
        self._file.flush()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def line_of(kind: str, **values: Any) -> Line:
    """A line. Its numbers are rounded to what matters."""
    return {"kind": kind, **{name: _short(value) for name, value in values.items()}}


def as_json_line(line: Line) -> str:
    """A line as it stands in the file."""
    return json.dumps(line, separators=(",", ":")) + "\n"


def read_log(path: Path) -> list[Line]:
    """The whole lines of a log; none if there is no such file."""
    if not path.exists():
        return []
    lines = []
    for line in path.read_bytes().split(b"\n")[:-1]:
        try:
            found = json.loads(line)
        except ValueError:
            continue  # the disk was full, say; the rest is still good
        if isinstance(found, dict):
            lines.append(found)
    return lines


def latest(lines: list[Line], kind: str) -> list[Line]:
    """The lines of a kind that lead to the last one: what a kill has undone does not count, nor what was done again.

    Only a later start does anything again. Within one all lines count, in whatever order: `gain --log` puts some in.
    """
    before: list[Line] = []
    own: list[Line] = []  # of the same start
    for line in lines:
        if line.get("kind") == "start":
            before = [each for each in before + own if each.get("steps", 0) <= line.get("resumed_at", math.inf)]
            own = []
        if line.get("kind") == kind and isinstance(line.get("seconds"), int | float):
            while before and before[-1]["seconds"] >= line["seconds"]:
                before.pop()
            own.append(line)
    return before + own


def _short(value: Any) -> Any:
    return float(f"{value:.5g}") if isinstance(value, float) and abs(value) < 1e5 else value
