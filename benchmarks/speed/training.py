"""Where the time of training went, from the logs in runs/.

    python -m benchmarks.speed.training [GAME…]

A row for each start of a run: medians over the lines in which it played and trained at once. The GPU's share is left
out of starts that are older than `keep_replay`: they added up evaluations that overlap.
"""

from __future__ import annotations

import argparse
from statistics import median
from typing import Any

from benchmarks.common import ROOT, add_games
from purlieu.rules import GAMES
from purlieu.train.data.run_folder import read_log

RUNS = ROOT / "runs"


def starts_in(lines: list[dict[str, Any]]) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each start of a run, and its lines with self-play and training."""
    found: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    for line in lines:
        if line["kind"] == "start":
            found.append((line, []))
        elif line.get("training_share", 0) > 0 and line["games_per_s"] > 0:
            found[-1][1].append(line)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_games(parser)
    print("| game | from minute | threads | simulations | evaluations/s | games/s | host | training | GPU |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for game in parser.parse_args().game:
        for start, lines in starts_in(read_log(RUNS / game / "log.jsonl")):
            if not lines:
                continue
            evals, games, host, training, device = (
                median(line[name] for line in lines)
                for name in ("evals_per_s", "games_per_s", "host_share", "training_share", "device_share")
            )
            gpu = f"{device:.0%}" if "keep_replay" in start["settings"] else "–"
            print(
                f"| {GAMES[game].title} | {start['seconds'] / 60:.1f} | {start['threads']} | "
                f"{start['settings']['full_simulations']} | {round(evals, -3):,.0f} | {games:,.0f} | "
                f"{host:.0%} | {training:.0%} | {gpu} |".replace("%", " %")
            )


if __name__ == "__main__":
    main()
