"""A run's log: JSON Lines that only grow. A line that a kill has cut off is dropped."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

Line = dict[str, Any]
"""Of a log, as it is read."""


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
        self._file.write(written(line).encode())
        self._file.flush()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def line_of(kind: str, **values: Any) -> Line:
    """A line. Its numbers are rounded to what matters."""
    return {"kind": kind, **{name: _short(value) for name, value in values.items()}}


def written(line: Line) -> str:
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
