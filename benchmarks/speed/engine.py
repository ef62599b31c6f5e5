"""What the engine costs besides its search, and what threads bring.

    python -m benchmarks.speed.engine [--minute]

- a best_move() call from Python, less the time that the core says it searched;
- a fresh process, from the start of `import purlieu` to the first move of level 1;
- simulations a second on 1, 2, 4 … threads in one tree, all numbers of threads taken in turn, five rounds;
- with --minute, the memory of the process after a minute of thinking on all cores with the default bound.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import purlieu
from benchmarks.common import machine
from purlieu.core import core
from purlieu.engine import Engine

GAMES = [("petrify", 8), ("pilo", 8), ("pentwall", 10), ("pyloff", 6)]
FIRST_MOVE = """
import time; begun = time.perf_counter()
import purlieu; from purlieu.engine import Engine
position = purlieu.start({game!r}, {size}).play({move!r}); Engine(1).best_move(position)
print(time.perf_counter() - begun)
"""


def spread(values: list[float], unit: str) -> str:
    """The median, with the least and the most."""
    return f"{statistics.median(values):.2f} {unit} [{min(values):.2f}, {max(values):.2f}]"


def middle(game: str, size: int) -> purlieu.Position:
    """A position a few turns into a game."""
    position = purlieu.start(game, size)
    for _ in range(4 if game != "pentwall" else 1):
        moves = [move for move in position.legal_moves() if str(move) != "swap"]
        position = position.play(moves[len(moves) // 3])
    return position


def overhead(game: str, size: int) -> str:
    """Of a best_move() call: Python's part of it."""
    position, times = middle(game, size), []
    engine = Engine(9, seed=1)
    for _ in range(30):
        begun = time.perf_counter()
        report = engine.analyse(position, simulations=1000)
        whole = time.perf_counter() - begun
        times.append(1000 * (whole - report.seconds))
    begun = time.perf_counter()
    for _ in range(30):
        engine.best_move(position, simulations=1)
    call = 1000 * (time.perf_counter() - begun) / 30
    return f"analyse() {spread(times, 'ms')} beside the search; best_move() of one simulation {call:.2f} ms in all"


def first_move(game: str, size: int) -> str:
    """From nothing to a move."""
    code = FIRST_MOVE.format(game=game, size=size, move=str(purlieu.start(game, size).legal_moves()[20]))
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(9)]
    return spread([1000 * float(run.stdout) for run in runs], "ms")


def threads(game: str, size: int, most: int) -> str:
    """Simulations a second by number of threads, as multiples of one thread's."""
    counts = [n for n in (1, 2, 4, 8, 16, 32) if n <= most]
    start = core().Position.parse(middle(game, size).text())
    speeds: dict[int, list[float]] = {n: [] for n in counts}
    for turn in range(5):
        for n in counts:
            report = core().Search(start, threads=n, seed=turn + 1, memory_mb=1024).run(seconds=0.5)
            speeds[n].append(report.simulations / report.seconds)
    one = statistics.median(speeds[1])
    parts = [f"{n}: {spread([s / one for s in speeds[n]], '×')}" for n in counts[1:]]
    return f"one thread {one:,.0f}/s; " + "; ".join(parts)


def memory() -> str:
    """Resident memory after a minute on all cores."""
    engine = Engine(9, threads=os.cpu_count() or 1, seed=1)
    before = resident()
    found = engine.analyse(middle("petrify", 8), seconds=60)
    return f"{resident() - before:.0f} MB more after {found.simulations:,} simulations ({before:.0f} MB before)"


def resident() -> float:
    """Of this process, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minute", action="store_true", help="memory after a minute, too")
    asked = parser.parse_args()
    print(machine())
    for title, measure in (("Python beside the core", overhead), ("from import to the first move", first_move)):
        print(f"\n{title}")
        for game, size in GAMES:
            print(f"{game} {size}: {measure(game, size)}", flush=True)
    print("\nthreads in one tree")
    for game, size in GAMES:
        print(f"{game} {size}: {threads(game, size, os.cpu_count() or 1)}", flush=True)
    if asked.minute:
        print(f"\nmemory, bound 256 MB: {memory()}")


if __name__ == "__main__":
    main()
