"""What the nets know of openings and scores, as pictures and tables.

    python -m benchmarks.studies.knowledge [FOLDER]

Reads docs/knowledge/GAME.json, which `python -m purlieu.train.openings` has played, and writes the pictures beside
them. Prints the tables of docs/knowledge.md. Also writes what the levels know of first moves and swaps. With a folder,
all that is written goes there.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.common import ROOT
from benchmarks.studies.knowledge.pictures import first_move_maps, first_seat_picture, score_pictures
from benchmarks.studies.knowledge.tallies import (
    Tally,
    chance,
    close,
    evening,
    fairest,
    games_of,
    luck,
    margin,
    margin_error,
    spread,
    together,
    told,
)
from purlieu.engine.first_move import PLAYED
from purlieu.rules import GAMES

FOLDER = ROOT / "docs" / "knowledge"

LEAST_DIFFERENCE = 0.03, 0.5
"""How far first moves are thought to differ from guesses at least, however alike their games: in chance, in points."""

FirstMoves = dict[str, tuple[float, float]]
"""The chance and the margin of the colour that began, by move."""


def first_moves(size: int, tallies: list[Tally]) -> FirstMoves:
    """The chance and the margin of the colour that began after each first move, less the luck of so few games."""
    chances, trust = steadied(
        [chance(tally) for tally in tallies],
        [tally["seen"][0] for tally in tallies],
        mean(chance(tally) * (1 - chance(tally)) / games_of(tally) for tally in tallies),
        LEAST_DIFFERENCE[0],
    )
    margins, _ = steadied(
        [margin(tally) for tally in tallies],
        [tally["seen"][1] for tally in tallies],
        mean(spread(tally) / games_of(tally) for tally in tallies),
        LEAST_DIFFERENCE[1],
    )
    print(f"{size}×{size}: what tells first moves apart is {trust:.2f} of it games, the rest first sight")
    return {
        tally["moves"][0]: (round(min(0.99, max(0.01, won)), 3), round(ahead, 1))
        for tally, won, ahead in zip(tallies, chances, margins, strict=True)
    }


def steadied(played: list[float], seen: list[float], luck: float, least: float) -> tuple[list[float], float]:
    """What games say, and as far as that may be luck what the net says at first sight, on the level of all games.

    How far games and such guesses differ beyond luck, a variance, is how far games are trusted (empirical Bayes), and
    `least` how far at the least. The trust is returned too.
    """
    guesses = [mean(played) - mean(seen) + sight for sight in seen]
    beside = sum((value - guess) ** 2 for value, guess in zip(played, guesses, strict=True)) / (len(played) - 1)
    differ = max(beside - luck, least**2)
    trust = differ / (differ + luck)
    return [guess + trust * (value - guess) for value, guess in zip(played, guesses, strict=True)], trust


def points_of(tally: Tally) -> str:
    """The mean margin with its interval."""
    return f"{margin(tally):+.1f} ± {margin_error(tally):.1f}"


def mean_turns(tally: Tally) -> str:
    """How long games were."""
    return f"{tally['turns'] / games_of(tally):.0f}"


def rarely(share: float) -> str:
    """A share of drawings, as far as so many can tell."""
    return "less than 0.1 %" if share < 0.001 else f"{100 * share:.2g} %"


def points_on(game: str, size: int) -> int:
    """All that there is to win: squares, or the marbles of a pile."""
    return sum(side**2 for side in range(1, size + 1)) if game == "pyloff" else size**2


def print_close_games(all_found: list[dict[str, Any]]) -> None:
    """The share of close games, by game and size."""
    sizes = sorted({int(size) for found in all_found for size in found["sizes"]})
    print(f"\n| close games | {' | '.join(f'{size}×{size}' for size in sizes)} |")
    print(f"| --- |{' --- |' * len(sizes)}")
    for found in all_found:
        told_of = {int(size): together(tallies) for size, tallies in found["sizes"].items()}
        shares = [
            f"{100 * close(told_of[size], points_on(found['game'], size)):.0f} %" if size in told_of else "–"
            for size in sizes
        ]
        print(f"| {GAMES[found['game']].title} | {' | '.join(shares)} |")


def print_steadied(told_of: dict[str, dict[str, FirstMoves]]) -> None:
    """After which first moves the colour that began is behind, even or ahead, to a percent, from 5×5 on."""
    print("\n| steadied, on 5×5 to 10×10 | Blue is behind | even | ahead |\n| --- | --- | --- | --- |")
    for game, sizes in told_of.items():
        behind, even = [], []
        for size, moves in sizes.items():
            for move, (won, _) in moves.items():
                percent = round(100 * won)
                if int(size) >= 5 and percent < 50:
                    behind.append(f"{move} on {size}×{size} ({percent} %)")
                elif int(size) >= 5 and percent == 50:
                    even.append(f"{move} on {size}×{size}")
        rest = "after all others" if behind or even else "after all"
        print(f"| {GAMES[game].title} | {', '.join(behind) or '–'} | {', '.join(even) or '–'} | {rest} |")


def written(told_of: dict[str, dict[str, FirstMoves]]) -> str:
    """As JSON, a line for each size."""
    games = []
    for game, sizes in told_of.items():
        lines = ",\n".join(f'  "{size}": {json.dumps(moves)}' for size, moves in sizes.items())
        games.append(f' "{game}": {{\n{lines}\n }}')
    return "{\n" + ",\n".join(games) + "\n}\n"


def main() -> None:
    """Draw and print."""
    pictures, known = (Path(sys.argv[1]), Path(sys.argv[1]) / PLAYED.name) if sys.argv[1:] else (FOLDER, PLAYED)
    all_found = [json.loads((FOLDER / f"{game}.json").read_text()) for game in GAMES]
    told_of: dict[str, dict[str, FirstMoves]] = {}
    for found in all_found:
        mapped = any(tally["moves"] for tallies in found["sizes"].values() for tally in tallies)
        sizes = sorted(found["sizes"].items(), key=lambda item: int(item[0]))
        print(f"\n{GAMES[found['game']].title}: {found['simulations']} simulations a move, net {found['net']}\n")
        if mapped:
            (pictures / f"{found['game']}.svg").write_text(first_move_maps(found))
            told_of[found["game"]] = {size: first_moves(int(size), tallies) for size, tallies in sizes}
            print()
            heads = ["size", "any first move", "mean margin", "fairest first move", "strongest first move", "by luck"]
            print(f"| {' | '.join(heads)} | games a move | turns |")
            print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        else:
            print("| size | the first seat wins | mean margin | what would even it out | turns | games (different) |")
            print("| --- | --- | --- | --- | --- | --- |")
        for size, tallies in sizes:
            if mapped:
                even, best = fairest(tallies), max(tallies, key=chance)
                moves = [f"{tally['moves'][0]}: {told(tally)}" for tally in (even, best)]
                every, each = together(tallies), games_of(tallies[0])
                cells = [told(every), points_of(every), *moves, rarely(luck(tallies)), each, mean_turns(every)]
                print(f"| {size}×{size} | {' | '.join(map(str, cells))} |")
            else:
                (tally,) = tallies
                played = f"{games_of(tally):,} ({tally['different']:,})"
                evened = "{:+d} ({:+d} to {:+d})".format(*evening(tally))
                begun = f"{told(tally)} | {points_of(tally)} | {evened}"
                print(f"| {size}×{size} | {begun} | {mean_turns(tally)} | {played} |")
    print_close_games(all_found)
    print_steadied(told_of)
    (pictures / "first_seat.svg").write_text(first_seat_picture(all_found))
    (pictures / "scores.svg").write_text(score_pictures(all_found))
    known.write_text(written(told_of))


if __name__ == "__main__":
    main()
