"""What runs in a worker process: read a task, think, answer. It ends when its pipe does."""

from __future__ import annotations

import functools
import os
import queue
import threading
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from purlieu.engine.levels import LEVELS
from purlieu.engine.plan import Settings
from purlieu.engine.thinker import Limit, Line, Thinker

from ..wire.analysis import AnalysisView, analysis_view
from .jobs import Task
from .pool import be_modest

if TYPE_CHECKING:
    from purlieu.engine import Analysis

MEMORY_MB = 128
MOST_KEPT = 2
"""Games whose last search is kept, as the strongest level goes on from it."""

Tasks = queue.SimpleQueue[tuple[int, Task, threading.Event]]
"""Each with its number, and with what is set when it shall end."""


def main(pipe: Connection) -> None:
    """Think about one task after the other."""
    be_modest(10)
    tasks: Tasks = queue.SimpleQueue()
    kept: deque[Thinker] = deque(maxlen=MOST_KEPT)
    threading.Thread(target=listen, args=(pipe, tasks), daemon=True).start()
    while True:
        number, task, stopped = tasks.get()
        try:
            told = functools.partial(tell, pipe, number)
            pipe.send(("answer", number, think(thinker_for(task, kept), task, stopped, told)))
        except Exception as error:
            pipe.send(("failed", number, f"{type(error).__name__}: {error}"))


def thinker_for(task: Task, kept: deque[Thinker]) -> Thinker:
    """One that has thought about this game before, where that helps and it is still here; the others are forgotten."""
    level = LEVELS[task.level]
    if not level.takes_time or task.effort:
        return Thinker(Settings(level, task.effort, memory_mb=MEMORY_MB), task.seed)
    line = Line(task.start, task.moves)
    for at, thinker in enumerate(kept):
        if thinker.goes_on_to(line):
            kept.rotate(-1 - at)  # the last one is the last to be forgotten
            thinker.seed = task.seed  # chances are this task's own
            return thinker
    kept.append(Thinker(Settings(level, memory_mb=MEMORY_MB), task.seed))
    return kept[-1]


def tell(pipe: Connection, number: int, done: float) -> None:
    """How far we are."""
    pipe.send(("done", number, done))


def listen(pipe: Connection, tasks: Tasks) -> None:
    """Hear new tasks and stops; when the server is gone, so are we, whatever we are doing."""
    newest, stopped = 0, threading.Event()  # no more than that: we are asked one thing at a time
    try:
        while True:
            match pipe.recv():
                case ("do", int(number), Task() as task):
                    newest, stopped = number, threading.Event()
                    tasks.put((number, task, stopped))
                case ("stop", int(number)) if number == newest:
                    stopped.set()
    except (EOFError, OSError):
        os._exit(0)


def think(
    thinker: Thinker, task: Task, stopped: threading.Event, on_progress: Callable[[float], object]
) -> str | AnalysisView:
    """Search, and choose as the level does or tell what was found."""
    line, limit = Line(task.start, task.moves), Limit(seconds=task.seconds)
    work = thinker.work(line)
    told = 0.0

    def look_up(analysis: Analysis) -> None:
        nonlocal told
        if stopped.is_set():  # asked from within the search, as a stop may come long before that begins
            thinker.stop()
        done = max(analysis.simulations / work.simulations if work else 0.0, analysis.seconds / task.seconds)
        if done >= told + 0.05:
            told = min(done, 1.0)
            on_progress(told)

    if task.wants == "move":
        return thinker.move(line, limit, look_up)
    return analysis_view(thinker.think(line, limit, look_up, sight=thinker.sight(line)))
