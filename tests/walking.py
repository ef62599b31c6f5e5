"""The walks of docs/architecture.md, and traces of real runs of purlieu, in this process and in its workers."""

from __future__ import annotations

import inspect
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import purlieu

PACKAGE = f"{Path(purlieu.__file__).parent}{os.sep}"
Main = Callable[[Connection], None]
"""What a worker process runs."""
Call = tuple[str, str]
"""A file, from the package's folder or the page's, and the name of a function in it."""
ROOT = Path(__file__).parents[1]


@dataclass
class Walk:
    """One part of the page: what is called in one program, and what it passes through besides."""

    files: int
    steps: list[Call] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)


def read_walks() -> dict[str, Walk]:
    """The walks by their headings, which also say how many files they have."""
    walks: dict[str, Walk] = {}
    for part in (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("\n### ")[1:]:
        heading, _, text = part.partition("\n")
        title, _, files = heading.removesuffix(" files)").partition(" (")
        walk = walks[title] = Walk(int(files))
        for path, name, said in re.findall(r"^\d+\. `([\w./]+):([\w.]+)` — (.*)$", text, re.MULTILINE):
            walk.steps.append((path, name))
            walk.said.append(said)
        (below,) = re.findall(r"^Below these: (.*?)\n\n", f"{text}\n\n", re.MULTILINE | re.DOTALL)
        walk.below = re.findall(r"`([\w./]+)`", below)
    return walks


WALKS = read_walks()


def is_below(path: str, walk: Walk) -> bool:
    return any(path == each or path.startswith(f"{each}/") for each in walk.below)


def hold_to(walk: Walk, visited: set[str]) -> None:
    """The walk names every file that was visited, and none that was not."""
    named = {path for path, _ in walk.steps}
    passed = sorted(path for path in visited - named if not is_below(path, walk))
    assert not passed, f"visited, and not on the page: {' '.join(passed)}"
    idle = [each for each in walk.below if not any(path == each or path.startswith(f"{each}/") for path in visited)]
    assert not idle, f"on the page, and not visited: {' '.join(idle)}"


def follow(title: str, calls: Sequence[Call]) -> None:
    """The walk's steps are called in its order, and nothing is visited that it does not name."""
    walk, left = WALKS[title], iter(calls)
    for step in walk.steps:
        assert step in left, f"{step} is not called there"
    hold_to(walk, {path for path, _ in calls})


# -- calls in Python --------------------------------------------------------------------------------


def _called(code: CodeType) -> Call | None:
    """What a frame of our code stands for; no module's body, no class's, and nothing that is not ours."""
    if not code.co_filename.startswith(PACKAGE) or not code.co_flags & inspect.CO_OPTIMIZED:
        return None
    return code.co_filename.removeprefix(PACKAGE), code.co_qualname


class Tracer:
    """Hears of every call in threads that begin while it is open; workers write theirs into a file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._heard: list[tuple[int, CodeType]] | None = None

    def _hear(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and self._heard is not None:
            self._heard.append((time.monotonic_ns(), frame.f_code))

    @contextmanager
    def open(self) -> Iterator[Tracer]:
        """Threads that begin now are heard for as long as they live, this one until the end."""
        self.file.touch()
        before = sys.getprofile(), threading.getprofile()
        sys.setprofile(self._hear)
        threading.setprofile(self._hear)
        try:
            yield self
        finally:
            sys.setprofile(before[0])
            threading.setprofile(before[1])

    def begin(self) -> None:
        """What is called from now on counts."""
        self._since, self._heard = time.monotonic_ns(), []

    def end(self) -> list[Call]:
        """Every call since then, in order. A coroutine that goes on is called again."""
        assert self._heard is not None
        heard, self._heard = self._heard, None
        calls = [(at, called) for at, code in heard if (called := _called(code))]
        for line in self.file.read_text().splitlines():
            at, path, name = line.split("\t")
            if int(at) >= self._since:
                calls.append((int(at), (path, name)))
        return [called for _, called in sorted(calls)]

    def worker(self, main: Main) -> Main:
        """The same process, traced."""
        return partial(_traced, main, self.file)


def _traced(main: Main, file: Path, pipe: Connection) -> None:
    trace = os.open(file, os.O_WRONLY | os.O_APPEND)

    def hear(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and (called := _called(frame.f_code)):
            os.write(trace, f"{time.monotonic_ns()}\t{called[0]}\t{called[1]}\n".encode())

    sys.setprofile(hear)
    threading.setprofile(hear)
    main(pipe)
