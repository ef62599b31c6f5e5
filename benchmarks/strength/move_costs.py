"""What a move costs at each level: `python -m benchmarks.strength.move_costs [GAME…]`.

Each level plays itself on its usual board, from openings of random turns, and so do the two simple players. Before and
after each move of choice a search with the net is asked for the mover's chance to win: what the move has cost is the
difference. Level 8 shows how much of that is the judge's own doubt.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from statistics import fmean, stdev

from benchmarks.common import add_games, in_sentences, machine, whole_number
from purlieu.arena.openings import PLIES, openings
from purlieu.arena.stats import Z95
from purlieu.engine import Engine
from purlieu.players import PLAYERS
from purlieu.rules import GAMES, Position, start

MISTAKE, BLUNDER = 0.1, 0.3
"""What a move costs that is called so."""
PLAYED = ("random", "greedy", *map(str, range(1, 9)))
Play = Callable[[Position], str]


@dataclass(frozen=True, slots=True)
class Told:
    """What the moves of a game cost, each, and how many turns it had."""

    costs: list[float]
    turns: int


def player(name: str, seed: int) -> Play:
    """One of the simple players, or a level."""
    if name in PLAYERS:
        pick, random = PLAYERS[name], Random(seed)
        return lambda position: str(pick(position, random))
    engine = Engine(int(name), seed=seed)
    return lambda position: str(engine.best_move(position))


def chance(judge: Engine, position: Position, seat: str) -> float:
    """A seat's chance to win."""
    if position.outcome:
        winner = position.outcome.winner
        return 0.5 if winner is None else float(winner == seat)
    found = judge.analyse(position).win_chance
    return found if position.to_move == seat else 1 - found


def played(position: Position, play: Play, judge: Engine) -> Told:
    """A game from there to its end."""
    costs, turns = [], 0
    while not position.is_over:
        choice = len(position.legal_moves()) > 1
        seat = position.to_move
        before = chance(judge, position, seat) if choice else 0.0
        position = position.play(play(position))
        turns += 1
        if choice:
            costs.append(before - chance(judge, position, seat))
    return Told(costs, turns)


def games(name: str, game: str, options: argparse.Namespace) -> Iterator[Told]:
    """The games of a player."""
    size = GAMES[game].default_size
    for number, moves in enumerate(openings(game, size, PLIES[game], options.seed, options.games)):
        position = start(game, size)
        for move in moves:
            position = position.play(move)
        judge = Engine(simulations=options.simulations, seed=number)
        yield played(position, player(name, number), judge)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{game}, {name}: {number + 1} of {options.games} games ")


def row(name: str, told: list[Told]) -> str:
    """What they say, with an interval from games, as the moves of one are not independent."""
    costs = [cost for each in told for cost in each.costs]
    means = [fmean(each.costs) for each in told if each.costs]
    reach = Z95 * stdev(means) / len(means) ** 0.5
    shares = [f"{100 * fmean(cost >= least for cost in costs):.1f} %" for least in (MISTAKE, BLUNDER)]
    shown = name if name in PLAYERS else f"level {name}"
    return f"| {shown} | {100 * fmean(means):.1f} ± {100 * reach:.1f} | {' | '.join(shares)} | {len(costs)} |"


def main() -> None:
    """Print a table for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_games(parser)
    parser.add_argument("--games", type=whole_number(2), default=10, help="of each player with itself [10]")
    parser.add_argument("--simulations", type=whole_number(1), default=100, help="of the judge, a position [100]")
    parser.add_argument("--seed", type=whole_number(0), default=1)
    parser.add_argument(
        "--player", nargs="+", choices=PLAYED, default=PLAYED, metavar="WHO", help="random, greedy, 1 to 8"
    )
    options = parser.parse_args()
    print(f"{machine()}; {options.games} games of each, judged with {options.simulations} simulations a position")
    for game in options.game:
        print(f"\n| {GAMES[game].title} | points lost a move | 10 or more | 30 or more | moves |")
        print("| --- | --- | --- | --- | --- |")
        for who in options.player:
            print(row(who, list(games(who, game, options))), flush=True)


if __name__ == "__main__":
    sys.exit(in_sentences(main, "stopped"))
