"""How far apart the plain searches are that a net meets while it trains.

    python -m benchmarks.strength.anchors [GAME…]

Each search meets the next stronger one in pairs of games, at fixed simulations, so the machine does not matter. The
counts go into `src/purlieu/train/report/anchors.json`; games are kept in build/anchors, so that a run that was broken
off goes on. `--pairs` and `--most` (the strongest search) say how much is played.
"""

from __future__ import annotations

import argparse
import itertools
import json
from typing import Any

from benchmarks.common import ROOT, add_games, play_kept
from purlieu.arena.run import make_match
from purlieu.arena.stats import Pairs
from purlieu.rules import GAMES
from purlieu.train.report.strength import TABLE, distance

LADDER = (100, 300, 1_000, 4_000)
KEPT = ROOT / "build" / "anchors"


def main() -> None:
    """Play what is missing, write the table and print it."""
    parser = argparse.ArgumentParser(description="How far apart the plain searches are.")
    add_games(parser)
    parser.add_argument("--pairs", type=int, default=60, help="openings of a match, each played twice [60]")
    parser.add_argument("--most", type=int, default=LADDER[-1], help="simulations of the strongest search [4000]")
    parser.add_argument("--workers", type=int, help="games at a time [all cores]")
    options = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    print("| game | weaker | stronger | pairs | score of the stronger | Elo (standard error) |")
    print("| --- | --- | --- | --- | --- | --- |")
    for game in options.game:
        rungs = [rung for rung in LADDER if rung <= options.most]
        matches = []
        for weaker, stronger in itertools.pairwise(rungs):
            pairs = meet(game, weaker, stronger, options.pairs, options.workers)
            matches.append({"weaker": weaker, "stronger": stronger, "pairs": list(pairs.counts)})
            elo, error = distance(pairs)
            row = f"{pairs.total} | {100 * pairs.score:.1f} % | {elo:.0f} ({error:.0f})"
            print(f"| {game} {GAMES[game].default_size} | {weaker} | {stronger} | {row} |", flush=True)
        write(game, {"size": GAMES[game].default_size, "matches": matches})


def meet(game: str, weaker: int, stronger: int, pairs: int, workers: int | None) -> Pairs:
    """The pairs of a match between two plain searches, as the stronger fared; played as far as they are missing."""
    players = [f"uct:{stronger}", f"uct:{weaker}"]
    match = make_match(players, game, None, pairs, None, 1, None, 0.2, 600.0)
    path = KEPT / f"{game}-{weaker}-{stronger}.jsonl"
    return Pairs.of(match.points(play_kept(match, path, path.stem, workers), 0, 1))


def write(game: str, entry: dict[str, Any]) -> None:
    """Put a game's matches into the table."""
    table = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
    table[game] = entry
    lines = [f" {json.dumps(name)}: {json.dumps(table[name])}" for name in GAMES if name in table]
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
