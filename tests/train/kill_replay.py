"""Kills a process that writes games, again and again, and reads what it left: `kill_replay.py FOLDER`."""

from __future__ import annotations

import io
import mmap
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from purlieu.train.learning.replay import ReplayBuffer
from tests.train.played import settings_for, some_games

KILLS = 40
WINDOW = 5
"""Chunks."""


class Slowly(list[bytes]):
    """Pieces that are written one after the other with some time between them, so that a kill finds half of a file."""

    def __iter__(self) -> Iterator[bytes]:
        for piece in super().__iter__():
            yield piece
            time.sleep(0.001)


def write(memory: ReplayBuffer, data: bytes) -> int:
    """A chunk of so many rows."""
    rows = sum(memory.add(data)[1] for _ in range(3))
    memory._pending = Slowly(memory._pending)
    memory.flush()
    return rows


def main(folder: Path) -> None:
    """Every chunk holds the same games: so many rows, or the file is not whole."""
    data = some_games(settings_for("petrify"), 4, 60)
    assert len(data) > io.DEFAULT_BUFFER_SIZE, "each piece is written by itself"
    begun = time.monotonic()
    rows = write(ReplayBuffer(folder, "petrify", threads=1), data)
    usual = time.monotonic() - begun
    chance = random.Random(5)
    told = mmap.mmap(-1, 8)  # the last chunk of which the writer knew that it was on the disk
    last = 1
    for _ in range(KILLS):
        child = os.fork()
        if child == 0:
            memory = ReplayBuffer(folder, "petrify", threads=1)
            memory.load(WINDOW * rows)
            for number in count(last + 1):
                write(memory, data)
                told[:] = number.to_bytes(8)
                memory.trim(WINDOW * rows)
        time.sleep(chance.uniform(0, 5 * usual))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        again = ReplayBuffer(folder, "petrify", threads=1)
        found = again.load(WINDOW * rows)
        chunks = sorted(path.name for path in folder.iterdir())
        last = int(chunks[-1].removesuffix(".games"))
        assert last >= int.from_bytes(told), "what was on the disk stays there"
        assert chunks == [f"{last - back:06}.games" for back in reversed(range(len(chunks)))], "and no half of a file"
        assert found == rows * len(chunks)
        assert len(chunks) == min(last, WINDOW)
    sys.stdout.write(f"{last}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
