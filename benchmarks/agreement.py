"""How often players who agree who wins are wrong, and how many turns it saves to believe them.

``python benchmarks/agreement.py MATCH.jsonl…``: matches of ``purlieu arena`` that were played out, without --agree.
For each chance that might have been asked for, the turns that would not have been played and the games that went the
other way.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from purlieu.arena.agreement import agreed_winner
from purlieu.arena.games import WINS
from purlieu.arena.stats import wilson
from purlieu.arena.store import GameLine, read_games
from purlieu.rules import PurlieuError

LEAST = (0.9, 0.95, 0.97, 0.98, 0.99)
HEAD = "| chance | games ended | turns saved | wrong |\n| --- | --- | --- | --- |\n"


def games_in(path: Path) -> list[GameLine]:
    """The games of a results file whose players decided nothing between them, nor lost by a mishap."""
    return [line for line in read_games(path).values() if not line.played.agreed and not line.played.reason]


def ended_at(line: GameLine, least: float) -> tuple[int, int] | None:
    """After how many turns since the opening the players would have agreed, and on which seat."""
    chances = line.played.chances
    for turns in range(1, len(chances)):
        if (seat := agreed_winner(chances[:turns], least)) is not None:
            return turns, seat
    return None


def row(lines: Sequence[GameLine], least: float) -> str:
    """What asking for one chance would have meant."""
    turns = sum(len(line.played.chances) for line in lines)
    ends = [(line, end) for line in lines if (end := ended_at(line, least))]
    saved = sum(len(line.played.chances) - at for line, (at, _) in ends)
    wrong = sum(line.played.result != WINS[seat] for line, (_, seat) in ends)
    ended = f"| {least:g} | {len(ends)} of {len(lines)} |"
    if not ends:
        return f"{ended} 0 % | 0 |"
    low, high = wilson(wrong, len(ends))
    return f"{ended} {100 * saved / turns:.0f} % | {wrong} ({100 * low:.1f} to {100 * high:.1f} %) |"


def main(paths: Sequence[str]) -> int:
    """Print a table for each match."""
    if not paths or {"-h", "--help"} & set(paths):
        sys.stderr.write(f"{__doc__}\n")
        return 0 if paths else 2
    for path in map(Path, paths):
        try:
            lines = games_in(path)
        except (OSError, PurlieuError) as error:
            sys.stderr.write(f"purlieu: {error}\n")
            return 1
        sys.stdout.write(f"\n{path.name}\n\n{HEAD}")
        for least in LEAST:
            sys.stdout.write(row(lines, least) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
