"""A conversation with our engine in a process of its own, in plain lines; no wait is without an end."""

import queue
import subprocess
import sys
import threading
from types import TracebackType
from typing import Self

PATIENCE = 20.0


class Talk:
    """What is said to the engine and what it answers."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "purlieu.ugi.server"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line.decode().rstrip("\n"))
        self._lines.put(None)

    def say(self, *lines: str | bytes) -> None:
        assert self.process.stdin
        for line in lines:
            self.process.stdin.write(line if isinstance(line, bytes) else f"{line}\n".encode())
        self.process.stdin.flush()

    def hear(self) -> str:
        line = self._lines.get(timeout=PATIENCE)
        assert line is not None, "the engine has gone"
        return line

    def until(self, word: str) -> str:
        """The first line that begins with the word."""
        while not (line := self.hear()).startswith(word):
            pass
        return line

    def end(self) -> tuple[int, list[str]]:
        """Close the input; the exit code and what else was said."""
        assert self.process.stdin
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        rest = []
        while (line := self._lines.get(timeout=PATIENCE)) is not None:
            rest.append(line)
        return code, rest

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()
