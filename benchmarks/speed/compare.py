"""Two versions of purlieu, in turn on one machine: is the newer one slower anywhere?

    python -m benchmarks.speed.compare OLD NEW [--rounds 8]

OLD and NEW are folders of the source, each with a `.venv` in which that version is installed (not as an editable). Each
round asks both the same, the older one first in every other round; the ratio is that of the medians, with the
range of the rounds' own ratios. Times below 1 are faster, rates above 1 are.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.common import machine

SIMULATIONS = """
import sys, purlieu
try: from purlieu.core import core
except ImportError: from purlieu.engine.core import core
start = core().Position.parse(purlieu.start(sys.argv[1], int(sys.argv[2])).text())
report = core().Search(start, threads=1, seed=1, memory_mb=512).run(seconds=0.7)
print(report.simulations / report.seconds)
"""
GAMES = [("petrify", 8), ("pilo", 8), ("pentwall", 10), ("pyloff", 6)]


def answer(tree: Path, *words: str) -> str:
    """What a command of that version prints."""
    return subprocess.run(
        [tree / ".venv/bin" / words[0], *words[1:]], cwd=tree, capture_output=True, text=True, check=True
    ).stdout


def seconds(tree: Path, *words: str) -> float:
    """How long a command of that version takes."""
    begun = time.perf_counter()
    answer(tree, *words)
    return time.perf_counter() - begun


def turn_ns(tree: Path, game: str, size: int) -> float:
    """Nanoseconds a turn of random games."""
    row = answer(tree, "purlieu", "bench", game, "--size", str(size), "--seconds", "0.5", "--json")
    return float(json.loads(row.splitlines()[-1])["ns_per_ply"])


def probes() -> dict[str, Callable[[Path], float]]:
    """What is asked of both, by its name."""
    asked: dict[str, Callable[[Path], float]] = {
        "import purlieu, s": lambda tree: seconds(tree, "python", "-c", "import purlieu"),
        "purlieu --help, s": lambda tree: seconds(tree, "purlieu", "--help"),
    }
    for game, size in GAMES:
        asked[f"{game} {size}, ns a turn"] = lambda tree, game=game, size=size: turn_ns(tree, game, size)  # type: ignore[misc]
        asked[f"{game} {size}, simulations/s"] = lambda tree, game=game, size=size: float(  # type: ignore[misc]
            answer(tree, "python", "-c", SIMULATIONS, game, str(size))
        )
    return asked


def main() -> None:
    """Print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--rounds", type=int, default=8)
    given = parser.parse_args()
    print(machine())
    for name, probe in probes().items():
        old: list[float] = []
        new: list[float] = []
        for number in range(given.rounds):
            for tree, found in ((given.old, old), (given.new, new))[:: -1 if number % 2 else 1]:
                found.append(probe(tree.resolve()))
        ratios = [n / o for n, o in zip(new, old, strict=True)]
        medians = statistics.median(new), statistics.median(old)
        print(
            f"{name}: {medians[1]:.4g} → {medians[0]:.4g}, {medians[0] / medians[1]:.3f} "
            f"({min(ratios):.3f} to {max(ratios):.3f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
