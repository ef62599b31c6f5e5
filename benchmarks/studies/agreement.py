"""How often players who agree who wins are wrong, or one who is sure, and how many turns that comes before the end.

``python -m benchmarks.studies.agreement MATCH.jsonl…``: matches of ``purlieu arena`` that were played out, without
--agree and --hurry. For each chance that might have been asked for, the turns that came after it and the games that
went the other way: with --agree those turns are not played, and with --hurry they take a tenth of the time. Of games
that were hurried (those of benchmarks/results/equal_time), how many the player who was sure then did not win, and which
of the two that was.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.common import in_sentences, with_interval
from purlieu.arena.agreement import agreed_winner, sure_winner
from purlieu.arena.games import WINS
from purlieu.arena.store import GameLine, read_games

LEAST = (0.9, 0.95, 0.97, 0.98, 0.99)
HEAD = "| {} | games | turns after it | wrong |\n| --- | --- | --- | --- |"

Winner = Callable[[Sequence[float | None], float], int | None]
KINDS: dict[str, Winner] = {"both agree (--agree)": agreed_winner, "one is sure (--hurry)": sure_winner}


def games_in(path: Path) -> list[GameLine]:
    """The games of a results file that were played out at full length and lost by no mishap."""
    games = read_games(path).values()
    return [game for game in games if not (game.played.agreed or game.played.hurried or game.played.reason)]


def sure_player(line: GameLine) -> tuple[int, bool] | None:
    """Which player of the match was sure when the game began to hurry, and whether it was right; None if it did not."""
    at = line.played.hurried
    if at is None:
        return None
    player = ((line.opening + at - 1) % 2) != line.key.exchanged
    return int(player), line.played.result == WINS[(line.played.chances[at - 1] or 0) < 0.5]


def hurried(path: Path) -> str:
    """What came of the games of a results file that were hurried: how often a player was wrong to be sure then."""
    sure, wrong = [0, 0], [0, 0]  # of the match's first player and of its second
    for line in read_games(path).values():
        if found := sure_player(line):
            player, right = found
            sure[player] += 1
            wrong[player] += not right
    told = (f"{name} {wrong[at]} of {sure[at]}" for at, name in enumerate(("the first player", "the second")))
    return f"{path}: {sum(sure)} games hurried; wrong to be sure then: {', '.join(told)}"


def found_at(line: GameLine, winner: Winner, least: float) -> tuple[int, int] | None:
    """After how many turns since the opening a winner was found, and which seat."""
    chances = line.played.chances
    for turns in range(1, len(chances)):
        if (seat := winner(chances[:turns], least)) is not None:
            return turns, seat
    return None


def row(lines: Sequence[GameLine], winner: Winner, least: float) -> str:
    """What asking for one chance would have meant."""
    turns = sum(len(line.played.chances) for line in lines)
    ends = [(line, end) for line in lines if (end := found_at(line, winner, least))]
    after = sum(len(line.played.chances) - at for line, (at, _) in ends)
    wrong = sum(line.played.result != WINS[seat] for line, (_, seat) in ends)
    ended = f"| {least:g} | {len(ends)} of {len(lines)} |"
    if not ends:
        return f"{ended} 0 % | 0 |"
    return f"{ended} {100 * after / turns:.0f} % | {with_interval(wrong, len(ends))} |"


def main() -> None:
    """Print two tables for each match, and for all of them together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("match", nargs="+", type=Path, metavar="MATCH.jsonl")
    matches: dict[str, list[GameLine]] = {}
    for path in parser.parse_args().match:
        matches[str(path)] = games_in(path)
        print(hurried(path))
    matches = {name: lines for name, lines in matches.items() if lines}
    if len(matches) > 1:
        matches["all"] = [line for lines in matches.values() for line in lines]
    for name, lines in matches.items():
        for kind, winner in KINDS.items():
            print(f"\n{name}, {len(lines)} games\n\n{HEAD.format(kind)}")
            for least in LEAST:
                print(row(lines, winner, least))


if __name__ == "__main__":
    sys.exit(in_sentences(main, "stopped"))
