"""Whether games that ended by agreement went to the right player.

    python -m benchmarks.studies.proved_agreements [--nodes N] MATCH.jsonl…

For matches of `purlieu arena` with --agree, such as those of benchmarks/results/equal_time: proves who wins where the
players stopped, with up to so many nodes, and counts how often that is whom they agreed on.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.common import in_sentences, whole_number, with_interval
from purlieu.arena.games import WINS
from purlieu.arena.store import GameLine, read_games
from purlieu.rules import Position, start
from purlieu.solver.solve import solve_position


def end_of(line: GameLine, game: str, size: int) -> Position:
    """Where a game stopped."""
    position = start(game, size)
    for move in line.played.moves:
        position = position.play(move)
    return position


def is_right(line: GameLine, end: Position, nodes: int) -> bool | None:
    """Whether the player who was given the game wins from there; None if that takes more nodes."""
    solution = solve_position(end, every_move=False, nodes=nodes)
    if solution is None:
        return None
    winner = {"win": end.to_move, "loss": end.to_move.other}.get(solution.value)
    return winner is not None and line.played.result == WINS[winner.value == "second"]


def told(name: str, agreed: int, proved: list[bool]) -> str:
    """What so many games tell, of which some are proved."""
    wrong = with_interval(proved.count(False), len(proved))
    return f"{name}: {agreed:,} games ended by agreement, {len(proved):,} of these ends proved; wrong: {wrong}"


def main() -> None:
    """A line for each match, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("match", nargs="+", type=Path, metavar="MATCH.jsonl", help="named as in results/equal_time")
    parser.add_argument("--nodes", type=whole_number(1), default=100_000, help="for each proof [100000]")
    options = parser.parse_args()
    number = 0
    all_proved: list[bool] = []
    for path in options.match:
        game, size = path.stem.split("_")[:2]
        if game == "pyloff":
            sys.stderr.write(f"{path.name}: positions return in Pyloff, so its ends are not proved here\n")
            continue
        agreed = [line for line in read_games(path).values() if line.played.agreed]
        found = [is_right(line, end_of(line, game, int(size)), options.nodes) for line in agreed]
        proved = [right for right in found if right is not None]
        print(told(path.name, len(agreed), proved), flush=True)
        number, all_proved = number + len(agreed), all_proved + proved
    print(told("all", number, all_proved))


if __name__ == "__main__":
    sys.exit(in_sentences(main, "stopped"))
