"""Nets against the search by playouts and against plain UCT, with the same time: the table of `results/nets.md`.

`python -m benchmarks.strength.equal_time [GAME…]` plays row after row, one thread for each player, and prints the
table. Games are kept in benchmarks/results/equal_time, a file for each row and net: what is there is not played again,
and Ctrl-C, or the end of `--minutes`, costs the games that are being played. `--table` prints what there is, while
others play too, and `--add FOLDER` takes over what another machine has played first. `--net FILE` plays with a net that
is not shipped.
"""

from __future__ import annotations

import _thread
import argparse
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common import RESULTS, above_zero, add_games, in_sentences, machine, play_kept, whole_number
from purlieu.arena import summarise
from purlieu.arena.games import Rules
from purlieu.arena.match import Match
from purlieu.arena.openings import PLIES
from purlieu.arena.players import parse_player
from purlieu.arena.store import GameLine, Key, Store, read_games
from purlieu.nets.shipped import can_run, manifest
from purlieu.rules import GAMES, PurlieuError

OUT = RESULTS / "equal_time"
"""In the repository: a row with a second a move takes hours, so it grows from one day to the next."""
MARGIN, PATIENCE = 5.0, 600.0
"""Seconds that a move may be late, as other work on the machine is no player's fault, and that it may take."""
AGREE = 0.97
"""A game ends when both give one side this chance twice in a row."""
HURRY, SLOW = 0.9, 1.0
"""Once a player gives a side this chance three times in a row, a game with so many seconds a move goes on with a tenth
of them: a net is often sure long before its opponent is, and the rest would take most of the time."""
LARGE = 10
"""A size to measure, whether or not a net plays there already."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table."""

    game: str
    size: int
    seconds: float
    opponent: str
    net: Path | None = None
    """None: the one that ships."""

    @property
    def title(self) -> str:
        """What the row is about, as its first columns."""
        sized = f" {self.size}" if len(GAMES[self.game].sizes) > 1 else ""
        return f"{GAMES[self.game].title}{sized} | {self.seconds:g} s | {self.opponent}"

    def match(self, pairs: int) -> Match:
        """The match to play."""
        net = f"net@{self.net}" if self.net else "net"
        players = tuple(parse_player(f"{kind}:{self.seconds:g}s") for kind in (net, self.opponent))
        hurry = HURRY if self.seconds >= SLOW else None
        rules = Rules(self.game, self.size, MARGIN, PATIENCE, agree=AGREE, hurry=hurry)
        return Match(rules, players, pairs, PLIES[self.game], 1)

    def file(self, folder: Path) -> Path:
        """Where its games are kept; those of another net are elsewhere."""
        net = self.match(1).identity.nets[0] or ""
        return folder / f"{self.game}_{self.size}_{self.seconds:g}s_{self.opponent}_{net[:8]}.jsonl"


def rows_of(options: argparse.Namespace) -> list[Row]:
    """The rows that are asked for: all of a time before the next, usual boards before the others."""
    found = []
    for seconds in options.seconds:
        for usual in (True, False):
            for game in options.game:
                for size in options.size or sorted({*manifest()[game].sizes, LARGE}):
                    if size not in GAMES[game].sizes:
                        continue
                    if (size == GAMES[game].default_size) == usual:
                        found += [Row(game, size, seconds, opponent, options.net) for opponent in options.against]
    return found


def play(row: Row, options: argparse.Namespace) -> str:
    """Plays what a row lacks; the row, or nothing if it has no game."""
    match, path = row.match(options.pairs), row.file(options.out)
    if options.add and row.file(options.add).exists():
        take_over(match, row.file(options.add), path)
    if options.table:
        return told(row, match, read_games(path, match.identity)) if path.exists() else ""
    return told(row, match, play_kept(match, path, row.title, options.workers))


def take_over(match: Match, source: Path, path: Path) -> None:
    """Adds the games of a file that are not there yet to another one."""
    with closing(Store(path, match.identity, resume=True)) as store:
        number = sum(store.add(line) for line in read_games(source, match.identity).values())
        sys.stderr.write(f"{path.name}: {number} games from {source.parent}\n")


def told(row: Row, match: Match, games: dict[Key, GameLine]) -> str:
    """A row of the table, from pairs that are whole."""
    summary = summarise(match, games)
    if not summary.games:
        return ""
    found = summary.pairings[0].estimate
    mishaps = sum(sum(player.failures.values()) for player in summary.players)
    score = f"{100 * found.score:.1f}".removesuffix(".0")
    late = f"; {mishaps} lost by mishap" if mishaps else ""
    interval = f"({100 * found.score_low:.0f} to {100 * found.score_high:.0f})"
    lines = match.counted(games)
    rest = f"{hurried(lines)} | {sum(line.played.agreed for line in lines)} | {thinking(lines)}"
    return f"| {row.title} | {summary.games} | {score} % {interval}{late} | {rest} |"


def thinking(lines: Sequence[GameLine]) -> str:
    """Seconds a turn, of the net and of its opponent: less than the limit where a win was proved or a game hurried."""
    seconds = [sum(line.played.seconds[line.key.seats.index(player)] for line in lines) for player in (0, 1)]
    turns = [sum(line.played.turns[line.key.seats.index(player)] for line in lines) for player in (0, 1)]
    return ", ".join(f"{used / taken:.2f}" for used, taken in zip(seconds, turns, strict=True))


def hurried(lines: Sequence[GameLine]) -> str:
    """How many games were hurried, and what part of all turns came after that."""
    late = [len(line.played.chances) - line.played.hurried for line in lines if line.played.hurried is not None]
    if not late:
        return "–"
    return f"{len(late)}, {100 * sum(late) / sum(len(line.played.chances) for line in lines):.0f} % of turns"


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_games(parser)
    parser.add_argument(
        "--size", type=int, nargs="+", metavar="N", help=f"without it all on which nets play level 9, and {LARGE}"
    )
    parser.add_argument("--seconds", type=above_zero, nargs="+", default=[0.1, 1.0], help="a move [0.1 1]")
    parser.add_argument("--against", choices=("full", "uct"), nargs="+", default=["full", "uct"])
    parser.add_argument("--pairs", type=whole_number(1), default=100, help="of games, in a row [100]")
    cores = max(1, (os.cpu_count() or 1) - 1)
    parser.add_argument("--workers", type=whole_number(1), default=cores, help="games at a time")
    parser.add_argument("--minutes", type=above_zero, help="stop after so many")
    parser.add_argument("--table", action="store_true", help="play nothing")
    parser.add_argument("--add", type=Path, metavar="FOLDER", help="take over the games that are there")
    parser.add_argument("--net", type=Path, metavar="FILE", help="in place of the one that ships; of one game")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    if not can_run():
        raise PurlieuError("nets need what runs them: pip install 'purlieu[net]'")
    if options.net and not options.net.is_file():
        raise PurlieuError(f"there is no net {options.net}")
    if options.add and not options.add.is_dir():
        raise PurlieuError(f"there is no folder {options.add} to take games over from")
    options.out.mkdir(parents=True, exist_ok=True)
    rows = rows_of(options)
    print(f"{machine()}; {options.workers} games at a time")
    heads = ["game", "a move", "against", "games", "score of the net", "hurried", "agreed", "seconds a turn"]
    print(f"\n| {' | '.join(heads)} |")
    print(f"|{' --- |' * len(heads)}")
    if options.minutes:
        bell = threading.Timer(60 * options.minutes, _thread.interrupt_main)
        bell.daemon = True
        bell.start()
    for row in rows:
        if line := play(row, options):
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(in_sentences(main))
