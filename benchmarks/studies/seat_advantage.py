"""How often the seat decides an opening, and how early the loser knows.

    python -m benchmarks.studies.seat_advantage MATCH.jsonl…

For matches of `purlieu arena` between two players, such as those of benchmarks/results/equal_time: of the openings
played from both seats, how many the first player won twice, lost twice, or split; how many of the split ones went to
the second seat, as whoever sat there won both games; and in how many of the games that the first player lost, and of
those that it won, it gave itself less than half on its first turn.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.common import in_sentences
from purlieu.arena.store import GameLine, Key, read_games


def pairs(games: dict[Key, GameLine]) -> Iterator[tuple[GameLine, GameLine]]:
    """The openings that were played from both seats."""
    for key, line in games.items():
        back = games.get(replace(key, exchanged=True))
        if not key.exchanged and back:
            yield line, back


def first_sight(line: GameLine) -> float | None:
    """The chance that the match's first player gave itself on its first turn; None if it did not say."""
    seat = int(line.key.exchanged)
    turn = (line.opening + seat) % 2  # since the opening
    chances = line.played.chances
    chance = chances[turn] if turn < len(chances) else None
    return chance if chance is None or seat == 0 else 1 - chance


def told(path: Path) -> str:
    """What one match tells."""
    games = read_games(path)
    found = list(pairs(games))
    points = Counter(one.points_of_one() + other.points_of_one() for one, other in found)
    split = [one for one, other in found if {one.points_of_one(), other.points_of_one()} == {0.0, 1.0}]
    seconds = sum(line.played.result == "0-1" for line in split)
    lost, won = ([line for line in games.values() if line.points_of_one() == point] for point in (0, 1))
    worse, yet_won = (
        sum(chance is not None and chance < 0.5 for chance in map(first_sight, lines)) for lines in (lost, won)
    )
    return (
        f"{path.name}: of {len(found)} openings {points[2]} won from both seats, {points[0]} lost, {len(split)} split, "
        f"{seconds} of them to the second seat; the first player saw itself worse on its first turn in {worse} of "
        f"{len(lost)} games that it lost and in {yet_won} of {len(won)} that it won"
    )


def main() -> None:
    """A line for each match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("match", nargs="+", type=Path, metavar="MATCH.jsonl")
    for path in parser.parse_args().match:
        print(told(path))


if __name__ == "__main__":
    sys.exit(in_sentences(main, "stopped"))
