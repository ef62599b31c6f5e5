"""Play for a long time, and see that the server needs no more at the end than in the middle.

`python -m tests.server.soak DATABASE MINUTES` prints memory, open files and the log's size once a minute.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from .kill_loop import Player, audit, free_port, start_server

SAMPLES = 10
"""How often the server is looked at, whatever the time."""


def soak(database: str, minutes: float, players: int = 8) -> tuple[list[tuple[float, int]], list[str]]:
    """Memory in MB and open files over the time, the first tenth left out; and everything that was wrong."""
    port = free_port()
    server = start_server(database, port)
    crowd = [Player(port, number) for number in range(players)]
    seen: list[tuple[float, int]] = []
    try:
        for player in crowd:
            player.start()
        for _ in range(SAMPLES):
            time.sleep(minutes * 60 / SAMPLES)
            seen.append(needs_of(server.pid or 0))
    finally:
        for player in crowd:
            player.stopping.set()
        for player in crowd:
            player.join(timeout=30)
        server.terminate()
        server.join(timeout=20)
    return seen[1:], audit(database, crowd)[1]


def needs_of(pid: int) -> tuple[float, int]:
    """What a process has of the machine: resident memory in MB, and open files."""
    status = Path(f"/proc/{pid}/status").read_text()
    kilobytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return kilobytes / 1024, len(list(Path(f"/proc/{pid}/fd").iterdir()))


def main() -> None:
    """By hand."""
    seen, wrong = soak(sys.argv[1], float(sys.argv[2]))
    for megabytes, files in seen:
        sys.stdout.write(f"{megabytes:7.1f} MB, {files} open files\n")
    sys.stdout.write(f"{len(wrong)} wrong\n" + "".join(f"{fault}\n" for fault in wrong))


if __name__ == "__main__":
    main()
