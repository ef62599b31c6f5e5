"""Any UGI engine as a player: its process, its options, its moves; every wait has an end.

>>> import sys
>>> with UgiEngine([sys.executable, "-m", "purlieu.ugi.server"]) as engine:
...     engine.new_game("petrify", 4)
...     answer = engine.search((), Go(nodes=50))
>>> answer.move in {f"{column}{row}" for column in "abcd" for row in "1234"}
True
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Self

from purlieu.rules import PurlieuError
from purlieu.rules.notation import shown

from .inbox import Inbox
from .outlet import Outlet
from .protocol import NO_MOVE, Go, Info, Setup, parse_info
from .wait import Wait

START_SECONDS = 20.0
"""How long an engine may take to say ``ugiok``, and later ``readyok``."""
FAREWELL_SECONDS = 1.0
"""How long the end of a dead engine's output is waited for, and room in its input for the word to stop."""
LONGEST_LINE = 1_000_000


class EngineFailure(PurlieuError):
    """An engine did not do its part; the sentence says what it did instead."""


class EngineCrashed(EngineFailure):
    """Its process has ended."""


class EngineSilent(EngineFailure):
    """It gave no answer in time."""


class EngineRefused(EngineFailure):
    """It answered with an error, or with something that is no answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An engine's move as it wrote it, what it last told about it, and how long it took."""

    move: str
    info: Info
    seconds: float


class UgiEngine:
    """An engine in a process of its own; it starts when it is first needed and can be started anew."""

    def __init__(
        self,
        command: str | Sequence[str],
        options: Mapping[str, str] | None = None,
        *,
        start_seconds: float = START_SECONDS,
        on_line: Callable[[str, str], object] | None = None,
    ) -> None:
        try:
            self.command = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            wrong = (
                "a quotation mark is not closed" if "quotation" in str(error) else "nothing follows its last backslash"
            )
            raise PurlieuError(
                "ugi.no_command",
                "{command} is no command: {wrong}; write it as for a shell",
                command=shown(str(command)),
                wrong=wrong,
            ) from error
        if not self.command:
            raise PurlieuError("ugi.empty_command", "an engine's command is empty")
        self.name = os.path.basename(self.command[0])
        """What the engine calls itself, once it has been started."""
        self.options: dict[str, str] = dict(options or {})
        self.declared: set[str] = set()
        """The names of the options that it offers, in lower case."""
        self._start_seconds = start_seconds
        self._on_line = on_line
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._listener: threading.Thread | None = None
        self._inbox = Inbox()
        self._outlet: Outlet | None = None
        self._last_words: deque[str] = deque(maxlen=5)

    def start(self) -> None:
        """Start the process and greet it; does nothing if it runs already."""
        if self._process:
            return
        try:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for us: we tell the engine
            )
        except OSError as error:
            raise EngineCrashed(f"{shlex.join(self.command)}: {error.strerror or error}") from error
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self._process = process
        self._inbox, self._outlet = Inbox(), Outlet(process.stdin)
        self._last_words.clear()
        self._reader = _pump(process.stdout, self._inbox.put, at_end=self._inbox.end)
        self._listener = _pump(process.stderr, self._last_words.append)
        try:
            self._greet()
        except EngineFailure:
            self.kill()
            raise

    def _greet(self) -> None:
        self._send("ugi")
        for line in self._until("ugiok", Wait(self._start_seconds)):
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])
            elif words[:2] == ["option", "name"] and "type" in words:
                self.declared.add(" ".join(words[2 : words.index("type")]).lower())
        for name, value in self.options.items():
            self._send(f"setoption name {name} value {value}")
        self._ready()

    def set_option(self, name: str, value: str) -> None:
        """Set an option, now and whenever the engine is started anew."""
        self.options[name] = value
        if self._process:
            self._send(f"setoption name {name} value {value}")

    def new_game(self, game: str, size: int) -> None:
        """Begin a game; one that offers the options Game and Size is told them."""
        self.start()
        for name, value in (("Game", game), ("Size", str(size))):
            if name.lower() in self.declared:
                self._send(f"setoption name {name} value {value}")
        self._send("uginewgame")
        self._ready()

    def search(self, moves: Sequence[str], go: Go, *, start: str | None = None, timeout: float | None = None) -> Answer:
        """The engine's move after these moves. Raises EngineFailure if there is none in time."""
        self.start()
        wait = Wait(timeout)
        self._send(Setup(start, tuple(moves)).line(), wait)
        self._send(go.text(), wait)
        info = Info()
        complaint = ""
        for line in self._until("bestmove", wait):
            words = line.split()
            if words[0] == "info" and (told := parse_info(words[1:])).wdl:
                info = told
            elif words[0] == "error":
                complaint = line
            elif words[0] == "bestmove":
                if len(words) < 2 or words[1] == NO_MOVE:
                    raise EngineRefused(f"{self.name} gave no move: {shown(complaint or line)}")
                return Answer(words[1], info, time.monotonic() - wait.begun)
        raise AssertionError("unreachable")

    def query(self, question: str, timeout: float | None = None) -> str:
        """The engine's answer to ``query``."""
        self.start()
        self._send(f"query {question}")
        for line in self._until("response", Wait(timeout or self._start_seconds)):
            if line.startswith("error"):
                raise EngineRefused(f"{self.name} does not answer {question}: {shown(line)}")
        return line.partition(" ")[2]

    def stop(self) -> None:
        """Ask for the move now, from any thread."""
        with contextlib.suppress(EngineFailure):
            self._send("stop", Wait(FAREWELL_SECONDS))

    def close(self, patience: float = 2.0) -> None:
        """Say goodbye, and end the process if it does not go by itself."""
        if process := self._process:
            wait = Wait(patience)
            with contextlib.suppress(EngineFailure):
                self._send("quit", wait)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(wait.left)
            self.kill()

    def kill(self) -> None:
        """End the process and whatever it started; the next game starts a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if self._outlet:
            self._outlet.close()
        self._inbox.close()
        if self._reader:
            self._reader.join(FAREWELL_SECONDS)  # what it started may have got away, and hold its output open

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ready(self) -> None:
        self._send("isready")
        for line in self._until("readyok", Wait(self._start_seconds)):
            if line.startswith("error"):
                raise EngineRefused(f"{self.name} refuses the game: {shown(line)}")

    def _send(self, line: str, wait: Wait | None = None) -> None:
        """Say a line. An engine that does not read has the same time as one that does not answer."""
        outlet = self._outlet
        if self._process is None or outlet is None:
            raise EngineCrashed(f"{self.name} is not running")
        if self._on_line:
            self._on_line(">", line)
        if wait is None or wait.seconds is None:
            wait = Wait(self._start_seconds)
        try:
            went = outlet.send(f"{line}\n".encode(), wait)
        except OSError as error:
            raise self._crash() from error
        if not went:
            raise EngineSilent(f"{self.name} did not read {line.split()[0]} within {wait.seconds:g} s")

    def _until(self, word: str, wait: Wait) -> Iterator[str]:
        """The lines up to and with the one that begins with the word."""
        while True:
            try:
                left = wait.left
                if left == 0:
                    raise TimeoutError  # it may talk and talk
                line = self._inbox.get(left)
            except TimeoutError:
                raise EngineSilent(f"{self.name} did not say {word} within {wait.seconds:g} s") from None
            if line is None:
                raise self._crash()
            if self._on_line:
                self._on_line("<", line)
            yield line
            if line.split()[0] == word:
                return

    def _crash(self) -> EngineCrashed:
        process = self._process
        code: int | None = None
        if process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = process.wait(1.0)
        if code is not None and self._listener:
            self._listener.join(1.0)  # it may still be reading what a dead engine has said
        how = "has closed its output" if code is None else _exit_sentence(code)
        last = f"; its last words: {shown(self._last_words[-1])}" if self._last_words else ""
        return EngineCrashed(f"{self.name} {how}{last}")


def _exit_sentence(code: int) -> str:
    if code >= 0:
        return f"has ended with code {code}"
    with contextlib.suppress(ValueError):
        return f"was ended by {signal.Signals(-code).name}"
    return f"was ended by signal {-code}"


def _pump(
    pipe: IO[bytes], take: Callable[[str], object], at_end: Callable[[], object] | None = None
) -> threading.Thread:
    """Hand on the lines of a pipe from a thread of its own, each cut to a bearable length, until one is not taken."""

    def run() -> None:
        with pipe:
            while raw := pipe.readline(LONGEST_LINE):
                text = raw.decode("utf-8", "replace").strip()
                if text and take(text) is False:
                    break
        if at_end:
            at_end()

    thread = threading.Thread(target=run, name="engine output", daemon=True)
    thread.start()
    return thread
