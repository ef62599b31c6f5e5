"""Worker processes that misbehave or lack something, each in its own way."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

from purlieu.server.workers import child

Main = Callable[[Connection], None]


def dies(pipe: Connection) -> None:
    """Is killed in the middle of its work."""
    pipe.recv()
    os.kill(os.getpid(), signal.SIGKILL)


def hangs(pipe: Connection) -> None:
    """Begins, and then never says another word."""
    _, number, _ = pipe.recv()
    pipe.send(("done", number, 0.1))
    time.sleep(3600)


def babbles(pipe: Connection) -> None:
    """Says what nobody asked."""
    pipe.recv()
    pipe.send({"what": "ever"})
    time.sleep(3600)


def cheats(pipe: Connection) -> None:
    """Answers with a move that is not legal."""
    _, number, _ = pipe.recv()
    pipe.send(("answer", number, "c3xc3"))
    time.sleep(3600)


def fails(pipe: Connection) -> None:
    """Says that it cannot, and who says so, whatever it is asked."""
    while True:
        _, number, _ = pipe.recv()
        pipe.send(("failed", number, f"no idea, says process {os.getpid()}"))


def weak_at_first(pipe: Connection) -> None:
    """Dies of anything but the lowest level."""
    _, number, task = pipe.recv()
    if task.level > 1:
        os._exit(1)
    pipe.send(("answer", number, "d4"))
    pipe.recv()


def dies_when_stopped(pipe: Connection) -> None:
    """Begins, and dies of the word that it shall end; only at the lowest level does it answer at once."""
    while True:
        _, number, task = pipe.recv()
        if task.level == 1:
            pipe.send(("answer", number, "d4"))
            continue
        pipe.send(("done", number, 0.1))
        pipe.recv()
        os._exit(1)


def netless(pipe: Connection) -> None:
    """Works, but what runs nets is not installed."""
    sys.modules["onnxruntime"] = None  # type: ignore[assignment]
    child.main(pipe)


ALL: dict[str, Main] = {
    "dies": dies,
    "hangs": hangs,
    "babbles": babbles,
    "cheats": cheats,
    "fails": fails,
}
