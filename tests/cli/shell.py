"""Running purlieu as people do: as a command, through a pipe, and at a terminal.

A process of its own takes most of a second to start, so `purlieu` runs the same `main` inside the test's process, with
streams of its own; what only a process shows (signals, encodings, the very end) is left to `process` and `Terminal`.
"""

from __future__ import annotations

import contextlib
import io
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from fcntl import ioctl
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self
from unittest import mock

from purlieu.cli import main

BIN = Path(sys.executable).parent
PLAIN = {"TERM": "dumb", "COLUMNS": "80", "PATH": f"{BIN}:{os.environ['PATH']}", "LANG": "C.UTF-8"}


class Ran(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


class _Kept(io.BytesIO):
    """What was written, kept when the stream is closed."""

    def close(self) -> None:
        self.flush()


def purlieu(*args: str, typed: str = "", cwd: Path | None = None) -> Ran:
    """Runs ``purlieu`` with its input and output as if from and into pipes."""
    out, err = _Kept(), _Kept()
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, {**PLAIN}, clear=True))
        stack.enter_context(contextlib.chdir(cwd or "."))
        stack.enter_context(mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8")))
        stack.enter_context(mock.patch("sys.stdout", io.TextIOWrapper(out, "utf-8")))
        stack.enter_context(mock.patch("sys.stderr", io.TextIOWrapper(err, "utf-8")))
        try:
            main([*args])
            code = 0
        except SystemExit as left:
            assert isinstance(left.code, int | None)
            code = left.code or 0
        sys.stdout.flush()
        sys.stderr.flush()
    return Ran(code, out.getvalue().decode(), err.getvalue().decode())


def process(*args: str, typed: str = "", cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Ran:
    """Runs ``purlieu`` in a process of its own, with its input from a pipe."""
    done = subprocess.run(
        [sys.executable, "-m", "purlieu", *args],
        input=typed.encode(),
        capture_output=True,
        cwd=cwd,
        env={**PLAIN, **(env or {})},
        timeout=60,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def shell(line: str) -> Ran:
    """Runs a line of shell, with nothing to be read."""
    done = subprocess.run(line, shell=True, stdin=subprocess.DEVNULL, capture_output=True, env=PLAIN, check=False)
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def _at_a_terminal() -> None:
    """In the new process: the terminal is its own, and Ctrl-C interrupts even if whoever runs the tests ignores it."""
    ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """``purlieu`` at a terminal of 80 columns, typed at by a program."""

    def __init__(
        self, *args: str, cwd: Path | None = None, rows: int = 24, columns: int = 80, term: str = "xterm-256color"
    ) -> None:
        self.master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        env = {name: value for name, value in PLAIN.items() if name != "COLUMNS"} | {"TERM": term}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "purlieu", *args],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=cwd,
            env=env,
            start_new_session=True,
            preexec_fn=_at_a_terminal,
        )
        os.close(slave)
        self.seen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def type(self, text: str) -> None:
        """Types a line and presses Enter."""
        os.write(self.master, f"{text}\n".encode())

    def press(self, key: bytes) -> None:
        """Presses a key: ``\\x03`` is Ctrl-C, ``\\x04`` is Ctrl-D."""
        os.write(self.master, key)

    def interrupt(self, expected: str) -> str:
        """Presses Ctrl-C and waits for that text. Once more if nothing comes: Python's readline misses a Ctrl-C that
        is pressed at the very moment when it begins to wait."""
        self.press(b"\x03")
        end = time.monotonic() + 10
        while expected not in self.seen and (piece := self._read(end)):
            self.seen += piece
        if expected not in self.seen:
            self.press(b"\x03")
        return self.until(expected)

    def until(self, text: str, seconds: float = 20) -> str:
        """Waits for that text and gives all that was printed up to it and had not been given yet."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            piece = self._read(end)
            assert piece, f"waited for {text!r} and saw only {self.seen!r}"
            self.seen += piece
        before, found, self.seen = self.seen.partition(text)
        return before + found

    def code(self, seconds: float = 20) -> int:
        """Waits for the end, keeps what was printed in `seen`, and gives the exit code."""
        self._read_all(time.monotonic() + seconds)
        return self.process.wait(1)

    def _read_all(self, end: float) -> None:
        """Reads up to the end of all that is printed, or of the time."""
        while piece := self._read(end):
            self.seen += piece

    def _read(self, end: float) -> str:
        """What is printed next; nothing when all is printed, or when the time is up."""
        ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
        if not ready:
            return ""
        try:
            return os.read(self.master, 65536).decode(errors="replace")
        except OSError:  # Linux's way to say that the other side is closed
            return ""
