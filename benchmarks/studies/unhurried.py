"""What hurrying changes: hurried games at equal time, played on with all their time from where they began to hurry.

`python -m benchmarks.studies.unhurried [GAME…]` takes the games of benchmarks/results/equal_time: of each row those
that the player who was sure did not win, all that the net's opponent was sure of, and `--others` of the rest, the same
ones as long as the row is. It plays them on and prints how many end otherwise. Games are kept in
benchmarks/results/unhurried: what is there is not played again, and Ctrl-C costs the games that are being played.
`--table` plays nothing.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks.common import RESULTS, add_games, in_sentences, machine, play_kept, whole_number
from benchmarks.strength.equal_time import OUT as HURRIED
from benchmarks.strength.equal_time import Row
from benchmarks.studies.agreement import sure_player
from purlieu.arena.store import GameLine, Key, read_games
from purlieu.arena.worker import Task

OUT = RESULTS / "unhurried"
PAIRS = 100


@dataclass(frozen=True, slots=True)
class Sure:
    """Hurried games of a row, by what came of being sure."""

    wrong: dict[Key, GameLine]
    right: dict[Key, GameLine]

    def chosen(self, others: int) -> list[Task]:
        """The wrong ones, the opponent's and so many of the others, as games that begin where these began to hurry."""
        its = [key for key, line in self.right.items() if sure_player(line) == (1, True)]
        rest = sorted(key for key in self.right if key not in its)
        drawn = Random(1).sample(rest, min(others, len(rest)))
        lines = [*self.wrong.values(), *(self.right[key] for key in (*its, *drawn))]
        return [Task(line.key, line.played.moves[: line.opening + (line.played.hurried or 0)]) for line in lines]


def sure_games(games: dict[Key, GameLine]) -> Sure:
    """Those that were hurried, and not lost by a mishap."""
    found = Sure({}, {})
    for key, line in games.items():
        if (sure := sure_player(line)) and not line.played.reason:
            (found.right if sure[1] else found.wrong)[key] = line
    return found


def rows_of(names: set[str]) -> list[Row]:
    """The rows whose games are kept, of the nets that ship."""
    rows = []
    for path in sorted(HURRIED.glob("*.jsonl")):
        game, size, seconds, opponent = path.stem.split("_")[:4]
        row = Row(game, int(size), float(seconds.removesuffix("s")), opponent)
        if game in names and row.file(HURRIED) == path:
            rows.append(row)
    return rows


def play(row: Row, options: argparse.Namespace) -> str:
    """Plays what a row lacks; the row, or nothing if it has no game."""
    match, path = row.match(PAIRS), row.file(options.out)
    match = replace(match, rules=replace(match.rules, hurry=None))
    sure = sure_games(read_games(row.file(HURRIED), match.identity))
    tasks = sure.chosen(options.others)
    if options.table:
        return told(row, sure, read_games(path, match.identity)) if path.exists() else ""
    if not tasks:
        return ""
    return told(row, sure, play_kept(match, path, row.title, options.workers, tasks))


def told(row: Row, sure: Sure, games: dict[Key, GameLine]) -> str:
    """A row of the table."""
    cells = []
    for lines in (sure.wrong, sure.right):
        again = [(line.points_of_one(), games[key].points_of_one()) for key, line in lines.items() if key in games]
        more = sum(points > before for before, points in again)
        fewer = sum(points < before for before, points in again)
        turned = [f"{number} {where}" for number, where in ((more, "to the net"), (fewer, "from the net")) if number]
        cells += [f"{len(again)} of {len(lines)}", ", ".join(turned) or ("none" if again else "–")]
    game, seconds, opponent = row.title.split(" | ")
    return f"| {game} against `{opponent}`, {seconds} | {' | '.join(cells)} |"


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_games(parser)
    games, cores = whole_number(0), max(1, (os.cpu_count() or 1) - 1)
    parser.add_argument("--others", type=games, default=0, metavar="N", help="of a row's other hurried games too [0]")
    parser.add_argument("--workers", type=whole_number(1), default=cores, help="games at a time")
    parser.add_argument("--table", action="store_true", help="play nothing")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    print(f"{machine()}; {options.workers} games at a time\n")
    print("| game | who was sure lost: played on | turned | won: played on | turned |")
    print("| --- | --- | --- | --- | --- |")
    for row in rows_of(set(options.game)):
        if line := play(row, options):
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(in_sentences(main))
