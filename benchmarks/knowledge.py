"""What the nets know of openings and scores, as pictures and tables: `benchmarks/knowledge.py`.

Reads docs/knowledge/GAME.json, which `python -m purlieu.train.openings` has played, and writes the pictures beside
them. Prints the tables of docs/knowledge.md. Also writes what the levels know of first moves and swaps.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from statistics import mean
from typing import Any

from purlieu.arena.stats import wilson
from purlieu.drawing.canvas import Canvas
from purlieu.drawing.theme import theme_named
from purlieu.engine.core import core
from purlieu.engine.first_move import PLAYED
from purlieu.nets import net_for
from purlieu.rules import GAMES

FOLDER = Path(__file__).parents[1] / "docs" / "knowledge"
MAP, GAP, TOP, COLUMNS = 250.0, 34.0, 46.0, 2
"""Two beside each other: a phone must still show their numbers."""
COLOURS = {"petrify": ("Blue", "Orange"), "pilo": ("Blue", "Orange"), "pentwall": ("Solid", "Striped")}
COLOURS["pyloff"] = ("Black", "White")
STRONGEST = 0.85
"""How opaque a square is that wins or loses every game."""

LEAST_DIFFERENCE = 0.03, 0.5
"""How far first moves are thought to differ from guesses at least, however alike their games: in chance, in points."""

Tally = dict[str, Any]
FirstMoves = dict[str, tuple[float, float]]
"""The chance and the margin of the colour that began, by move."""


def games_of(tally: Tally) -> int:
    """How many were played."""
    return int(tally["wins"] + tally["draws"] + tally["losses"])


def chance(tally: Tally) -> float:
    """The share that the colour that began won, a draw counting half."""
    return float(tally["wins"] + tally["draws"] / 2) / games_of(tally)


def interval(tally: Tally) -> tuple[float, float]:
    """Wilson's, 95 %."""
    return wilson(games_of(tally) * chance(tally), games_of(tally))


def per_cent(share: float) -> str:
    """As a whole number; never 100 or 0 by rounding alone."""
    return str(round(100 * share))


def told(tally: Tally) -> str:
    """A chance with its interval."""
    low, high = interval(tally)
    return f"{per_cent(chance(tally))} % ({per_cent(low)} to {per_cent(high)})"


def together(tallies: list[Tally]) -> Tally:
    """All games of a size, whatever the first move: many more, and so much surer."""
    return {name: sum(tally[name] for tally in tallies) for name in ("wins", "draws", "losses")}


def fairest(tallies: list[Tally]) -> Tally:
    """The first move after which the game is nearest to even."""
    return min(tallies, key=lambda tally: abs(chance(tally) - 0.5))


def margin(tally: Tally) -> float:
    """By how many points the colour that began ended ahead, on average."""
    return float(sum(int(points) * games for points, games in tally["margins"].items())) / games_of(tally)


def first_moves(game: str, size: int, tallies: list[Tally]) -> FirstMoves:
    """The chance and the margin of the colour that began after each first move, less the luck of so few games."""
    net, empty = net_for(game), core().Position.start(game, size)
    if net is None:
        raise SystemExit("purlieu: first moves want the shipped nets: pip install 'purlieu[net]'")
    seen = [[net.judge(empty.play(move)) for move in tally["moves"]] for tally in tallies]
    chances = steadied(
        [chance(tally) for tally in tallies],
        [1 - mean(sight.win_chance for sight in sights) for sights in seen],
        mean(chance(tally) * (1 - chance(tally)) / games_of(tally) for tally in tallies),
        LEAST_DIFFERENCE[0],
    )
    margins = steadied(
        [margin(tally) for tally in tallies],
        [-mean(sight.margin for sight in sights) for sights in seen],
        mean(spread(tally) / games_of(tally) for tally in tallies),
        LEAST_DIFFERENCE[1],
    )
    return {
        tally["moves"][0]: (round(min(0.99, max(0.01, won)), 3), round(ahead, 1))
        for tally, won, ahead in zip(tallies, chances, margins, strict=True)
    }


def spread(tally: Tally) -> float:
    """The variance of the margins."""
    around = margin(tally)
    squares = (games * (int(points) - around) ** 2 for points, games in tally["margins"].items())
    return float(sum(squares)) / games_of(tally)


def steadied(played: list[float], seen: list[float], luck: float, least: float) -> list[float]:
    """What games say, and as far as that may be luck what the net says at first sight, on the level of all games.

    How far games and such guesses differ beyond luck, a variance, is how far games are trusted (empirical Bayes).
    """
    guesses = [mean(played) - mean(seen) + sight for sight in seen]
    beside = mean((value - guess) ** 2 for value, guess in zip(played, guesses, strict=True))
    differ = max(beside - luck, least**2)
    trust = differ / (differ + luck)
    return [guess + trust * (value - guess) for value, guess in zip(played, guesses, strict=True)]


def first_move_maps(found: dict[str, Any]) -> str:
    """A board for each size: on each square, what the colour that begins there wins."""
    game, sizes = found["game"], sorted(found["sizes"], key=int)
    title = GAMES[game].title
    canvas = Canvas(theme_named("auto"))
    rows = -(-len(sizes) // COLUMNS)
    width = COLUMNS * (MAP + GAP) + GAP
    height = rows * (MAP + TOP + GAP) + 52
    canvas.rect(0, 0, width, height, rx=14, fill="card")
    for at, size in enumerate(sizes):
        left, top = GAP + at % COLUMNS * (MAP + GAP), at // COLUMNS * (MAP + TOP + GAP) + TOP
        _map(canvas, left, top, int(size), found["sizes"][size])
    blue, orange = COLOURS[game]
    words = (
        f"per cent that {blue} wins after beginning there;",
        f"ringed: nearest to even; above 50 {orange} should swap",
    )
    return _captioned(canvas, width, height, f"{title}: the first move", words)


def _map(canvas: Canvas, left: float, top: float, size: int, tallies: list[Tally]) -> None:
    cell = MAP / size
    canvas.text(f"{size}×{size}", left, top - 16, 15, text_anchor="start", font_weight=600)
    canvas.rect(left, top, MAP, MAP, fill="board")
    even = fairest(tallies)
    for tally in tallies:
        share = chance(tally)
        role = "blue" if share >= 0.5 else "orange"
        for move in tally["moves"]:
            x, y = left + (ord(move[0]) - ord("a")) * cell, top + (size - int(move[1:])) * cell
            canvas.rect(x, y, cell, cell, fill=role, fill_opacity=STRONGEST * abs(2 * share - 1))
            canvas.rect(x, y, cell, cell, fill="none", stroke="grid", stroke_width=1)
            canvas.text(per_cent(share), x + cell / 2, y + cell / 2, min(22, cell * 0.42), font_weight=600)
            if tally is even:
                canvas.circle(x + cell / 2, y + cell / 2, cell * 0.42, fill="none", stroke="ink", stroke_width=2)
    canvas.rect(left, top, MAP, MAP, fill="none", stroke="frame", stroke_width=2)


def score_pictures(all_found: list[dict[str, Any]]) -> str:
    """How the margins of all games are spread, a panel for each game and size."""
    panels = [(found["game"], size, found["sizes"][size]) for found in all_found for size in _shown_sizes(found)]
    canvas = Canvas(theme_named("auto"))
    rows, high = -(-len(panels) // COLUMNS), 120.0
    width, height = COLUMNS * (MAP + GAP) + GAP, rows * (high + TOP + GAP + 10) + 52
    canvas.rect(0, 0, width, height, rx=14, fill="card")
    for at, (game, size, tallies) in enumerate(panels):
        left, top = GAP + at % COLUMNS * (MAP + GAP), at // COLUMNS * (high + TOP + GAP + 10) + TOP
        _spread(canvas, left, top, high, f"{GAMES[game].title} {size}×{size}", _margins(tallies), COLOURS[game])
    words = (
        "points by which the colour that begins wins (right, blue)",
        "or loses (left, orange); share of the games",
    )
    return _captioned(canvas, width, height, "Scores at the end", words)


def _captioned(canvas: Canvas, width: float, height: float, title: str, words: tuple[str, str]) -> str:
    """The picture with two lines of words at its foot."""
    for line, text in enumerate(words):
        canvas.text(text, width / 2, height - 42 + 20 * line, 13, fill="muted")
    return canvas.finish(width, height, 1, title, " ".join(words))


def _shown_sizes(found: dict[str, Any]) -> list[str]:
    """The usual sizes, where they were played, and no more than three."""
    usual = GAMES[found["game"]].default_size
    return sorted(sorted(found["sizes"], key=lambda size: abs(int(size) - usual))[:3], key=int)


def _margins(tallies: list[Tally]) -> dict[int, float]:
    """Margins and their shares, over all first moves alike."""
    shares: dict[int, float] = {}
    for tally in tallies:
        for margin, number in tally["margins"].items():
            shares[int(margin)] = shares.get(int(margin), 0) + number / games_of(tally) / len(tallies)
    return shares


def _spread(
    canvas: Canvas, left: float, top: float, high: float, title: str, shares: dict[int, float], names: tuple[str, str]
) -> None:
    reach = max(abs(margin) for margin in shares)
    step = max(1, math.ceil(2 * reach / 40))  # so many points a bar
    bars: dict[int, float] = {}
    for margin, share in shares.items():
        # A draw has a bar of its own; the others are counted from 1 on both sides.
        at = 0 if margin == 0 else int(math.copysign((abs(margin) - 1) // step + 1, margin))
        bars[at] = bars.get(at, 0) + share
    most, last = max(bars.values()), max(abs(at) for at in bars)
    wide = MAP / (2 * last + 1)
    average = sum(margin * share for margin, share in shares.items())
    canvas.text(title, left, top - 16, 15, text_anchor="start", font_weight=600)
    canvas.text(f"mean {average:+.1f}", left + MAP, top - 16, 13, text_anchor="end", fill="muted")
    for at, share in bars.items():
        tall = high * share / most
        role = "blue" if at > 0 else "orange" if at < 0 else "stone"
        canvas.rect(left + (at + last) * wide, top + high - tall, max(1.0, wide - 0.8), tall, fill=role)
    canvas.line(left, top + high, left + MAP, top + high, stroke="frame", stroke_width=1.5)
    for at in (-last, 0, last):
        canvas.text(
            f"{at * step:+d}" if at else "0", left + (at + last + 0.5) * wide, top + high + 14, 12, fill="muted"
        )
    canvas.text(f"{names[1]} wins", left + MAP * 0.25, top + high + 14, 12, fill="muted")
    canvas.text(f"{names[0]} wins", left + MAP * 0.75, top + high + 14, 12, fill="muted")


def written(told_of: dict[str, dict[str, FirstMoves]]) -> str:
    """As JSON, a line for each size."""
    games = []
    for game, sizes in told_of.items():
        lines = ",\n".join(f'  "{size}": {json.dumps(moves)}' for size, moves in sizes.items())
        games.append(f' "{game}": {{\n{lines}\n }}')
    return "{\n" + ",\n".join(games) + "\n}\n"


def main() -> None:
    """Draw and print."""
    every = [json.loads((FOLDER / f"{game}.json").read_text()) for game in GAMES]
    told_of: dict[str, dict[str, FirstMoves]] = {}
    for found in every:
        mapped = any(tally["moves"] for tallies in found["sizes"].values() for tally in tallies)
        sizes = sorted(found["sizes"].items(), key=lambda item: int(item[0]))
        print(f"\n{GAMES[found['game']].title}: {found['simulations']} simulations a move, net {found['net']}\n")
        if mapped:
            (FOLDER / f"{found['game']}.svg").write_text(first_move_maps(found))
            told_of[found["game"]] = {size: first_moves(found["game"], int(size), tallies) for size, tallies in sizes}
            print("| size | any first move | fairest first move | strongest first move | games a move |")
            print("| --- | --- | --- | --- | --- |")
        else:
            print("| size | the first seat wins | mean margin | turns | games (different) |")
            print("| --- | --- | --- | --- | --- |")
        for size, tallies in sizes:
            if mapped:
                even, best = fairest(tallies), max(tallies, key=chance)
                moves = [f"{tally['moves'][0]}: {told(tally)}" for tally in (even, best)]
                print(
                    f"| {size}×{size} | {told(together(tallies))} | {moves[0]} | {moves[1]} | {games_of(tallies[0])} |"
                )
            else:
                (tally,) = tallies
                turns = tally["turns"] / games_of(tally)
                played = f"{games_of(tally):,} ({tally['different']:,})"
                print(f"| {size}×{size} | {told(tally)} | {margin(tally):+.1f} | {turns:.0f} | {played} |")
    (FOLDER / "scores.svg").write_text(score_pictures(every))
    PLAYED.write_text(written(told_of))


if __name__ == "__main__":
    main()
