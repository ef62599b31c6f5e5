"""How far apart the levels are: each plays the one below it, and level 1 the simple players.

`python -m benchmarks.strength.levels [GAME…]` prints a table for each game on its usual board, paired openings with
colours exchanged. Steps should be about equal, and level 1 well above random moves; where they are not, edit
`purlieu.engine.ladder` and run this anew, as after any change of the nets or the search. `--playouts` measures the
levels as they are without nets, `--net FILE` those of a net that is not shipped. `--turns` tells the time of a turn
instead. `--out FOLDER` keeps the games: the same command goes on with them, and after Ctrl-C only those that were being
played are lost.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from time import process_time

from benchmarks.common import above_zero, add_games, in_sentences, machine, play_kept, whole_number
from purlieu.arena import summarise
from purlieu.arena.control import Clock, Control
from purlieu.arena.games import Rules
from purlieu.arena.match import Match
from purlieu.arena.openings import PLIES
from purlieu.arena.players import PlayerSpec, parse_player
from purlieu.arena.report import elo_text
from purlieu.engine.ladder import WITH_NETS, WITHOUT_NETS
from purlieu.rules import GAMES, PurlieuError, start

FIRST_OF_THE_TOP = 7
"""From this level on games take long, and there are fewer of them."""
MARGIN = 5.0
"""Seconds that a level by the clock may be late: other work on the machine is not its fault."""
PATIENCE = 600.0
MOST_TURNS = 40
"""Of the game in which the time of a turn is taken."""
NO_CLOCKS = (Clock(Control(), 0.0), Clock(Control(), 0.0))


@dataclass(frozen=True)
class Step:
    """Two players and how often they meet."""

    stronger: PlayerSpec
    weaker: PlayerSpec
    pairs: int


def main() -> None:
    """Print a table for each game."""
    parser = argparse.ArgumentParser(description="How far apart the levels are.")
    add_games(parser)
    parser.add_argument("--pairs", type=whole_number(1), default=20, help="of games, in a low step [20]")
    top = f"the same from level {FIRST_OF_THE_TOP} on [10]"
    parser.add_argument("--top-pairs", type=whole_number(1), default=10, help=top)
    parser.add_argument("--seconds", type=above_zero, default=1.0, help="a move, for level 9 [1]")
    numbers = range(1, 10)
    parser.add_argument(
        "--step", type=int, nargs="+", choices=numbers, default=list(numbers), metavar="N", help="only these"
    )
    parser.add_argument("--seed", type=whole_number(0), default=1)
    parser.add_argument("--workers", type=whole_number(1), default=1, help="games at a time [1]")
    parser.add_argument("--playouts", action="store_true", help="the levels without nets")
    parser.add_argument("--net", metavar="FILE", help="a net instead of the shipped one")
    parser.add_argument("--turns", action="store_true", help="only how long the levels think, in processor time")
    kept = "keeps the games here, and goes on with those that are, as long as the ladder is the same"
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=kept)
    options = parser.parse_args()
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    print(f"{machine()}; {options.workers} at a time; level 9 with {options.seconds:g} s a move")
    for game in options.game:
        side = GAMES[game].default_size
        if options.turns:
            print(f"{GAMES[game].title} {side}, a turn of levels 1 to 8: {', '.join(turns(game, options))} ms")
            continue
        print(f"\n| {GAMES[game].title} {side} | games | score | Elo |")
        print("| --- | --- | --- | --- |")
        for step in steps(options):
            print(row(step, Rules(game, side, MARGIN, PATIENCE), options), flush=True)


def steps(options: argparse.Namespace) -> list[Step]:
    """The steps that the options ask for, from the lowest."""
    levels = {number: level(number, options) for number in range(1, 10)}
    found = []
    for number in options.step:
        below = [levels[number - 1]] if number > 1 else [parse_player("random"), parse_player("greedy")]
        pairs = options.top_pairs if number >= FIRST_OF_THE_TOP else options.pairs
        found += [Step(levels[number], weaker, pairs) for weaker in below]
    return found


def level(number: int, options: argparse.Namespace) -> PlayerSpec:
    """A level as the options want it."""
    spec = parse_player(f"level@{options.seconds:g}s:9" if number == 9 else f"level:{number}")
    settings = replace(spec.settings, preset="full" if options.playouts else "best", net=options.net)
    return replace(spec, settings=settings)


def turns(game: str, options: argparse.Namespace) -> list[str]:
    """How many milliseconds of processor time a turn of each level takes: the mean over a game that it plays."""
    found = []
    for number in range(1, 9):
        player, position = level(number, options).make(), start(game)
        player.new_game(game, position.size, options.seed)
        moves: list[str] = []
        begun = 0.0
        while not position.is_over and len(moves) < MOST_TURNS:
            moves.append(player.choose(moves, NO_CLOCKS, PATIENCE))
            position = position.play(moves[-1])
            if len(moves) == 1:  # the first one loads the net
                begun = process_time()
        found.append(f"{1000 * (process_time() - begun) / (len(moves) - 1):.0f}")
    return found


def row(step: Step, rules: Rules, options: argparse.Namespace) -> str:
    """Plays a step; its score and Elo with their 95 % intervals, as a line of a table."""
    match = Match(rules, (step.stronger, step.weaker), step.pairs, PLIES[rules.game], options.seed)
    names = f"{step.stronger.text} over {step.weaker.text}"
    work = sha256(repr((WITH_NETS, WITHOUT_NETS)).encode()).hexdigest()
    with tempfile.TemporaryDirectory() as nowhere:
        path = (options.out or Path(nowhere)) / f"{rules.game}_{re.sub(r'[^a-z0-9.]+', '_', names)}_{work[:8]}.jsonl"
        summary = summarise(match, play_kept(match, path, f"{rules.game}, {names}", options.workers))
    found = summary.pairings[0].estimate
    if mishaps := [player.failures for player in summary.players if player.failures]:
        raise PurlieuError(f"games that were not played out: {mishaps}")
    score = f"{100 * found.score:.0f} % ({100 * found.score_low:.0f} to {100 * found.score_high:.0f})"
    return f"| {names} | {2 * step.pairs} | {score} | {elo_text(found)} |"


if __name__ == "__main__":
    sys.exit(in_sentences(main, "stopped; with --out FOLDER the same command goes on"))
