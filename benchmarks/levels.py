"""How far apart the levels are: each plays the one below it, and level 1 plays at random.

`benchmarks/levels.py GAME [PAIRS [HIGHEST]]` prints one line a step. Steps should be about equal, and level 1 well
above random; where they are not, change the work in `purlieu.engine.levels`. Run it anew when the search changes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from purlieu.arena import play_match, summarise
from purlieu.arena.report import elo_text
from purlieu.arena.run import make_match
from purlieu.arena.store import Store


def step(game: str, stronger: str, weaker: str, pairs: int) -> str:
    """One step's score and Elo, as text."""
    match = make_match([stronger, weaker], game, None, pairs, None, 1, None, 0.2, 600.0)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "step.jsonl", match.identity, resume=False)
        try:
            play_match(match, store)
        finally:
            store.close()
    summary = summarise(match, store.games)
    found = summary.pairings[0].estimate
    time = 1000 * summary.players[0].seconds_a_turn
    return f"{stronger:8} against {weaker:8} {100 * found.score:5.1f} %  {elo_text(found):24} {time:7.1f} ms a turn"


def main(game: str, pairs: int = 40, highest: int = 7) -> None:
    """Print every step."""
    weaker = "random"
    for number in range(1, highest + 1):
        print(step(game, f"level:{number}", weaker, pairs), flush=True)
        weaker = f"level:{number}"


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
