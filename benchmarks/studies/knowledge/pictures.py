"""What the nets know, drawn: maps of first moves, what beginning is worth, how scores are spread."""

from __future__ import annotations

import math
from typing import Any

from benchmarks.studies.knowledge.tallies import (
    Tally,
    chance,
    fairest,
    games_of,
    interval,
    margin,
    margin_error,
    per_cent,
    together,
)
from purlieu.drawing.canvas import Canvas
from purlieu.drawing.theme import theme_named
from purlieu.rules import GAMES

MAP, GAP, TOP, COLUMNS = 250.0, 34.0, 46.0, 2
"""Two beside each other: a phone must still show their numbers."""
COLOURS = {"petrify": ("Blue", "Orange"), "pilo": ("Blue", "Orange"), "pentwall": ("Solid", "Striped")}
COLOURS["pyloff"] = ("Black", "White")
STRONGEST = 0.85
"""How opaque a square is that wins or loses every game."""
ROOMY = 50.0
"""A square this wide has room for its interval too."""


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
        f"per cent that {blue} wins after beginning there, with 95 % intervals;",
        f"ringed: nearest to even; above 50 {orange} should swap",
    )
    return _captioned(canvas, width, height, f"{title}: the first move", words)


def _map(canvas: Canvas, left: float, top: float, size: int, tallies: list[Tally]) -> None:
    cell = MAP / size
    canvas.text(f"{size}×{size}", left, top - 16, 15, text_anchor="start", font_weight=600)
    widest = max(high - low for low, high in map(interval, tallies)) / 2
    canvas.text(f"± {100 * widest:.0f} at most", left + MAP, top - 16, 13, text_anchor="end", fill="muted")
    canvas.rect(left, top, MAP, MAP, fill="board")
    even = fairest(tallies)
    for tally in tallies:
        share = chance(tally)
        role = "blue" if share >= 0.5 else "orange"
        for move in tally["moves"]:
            x, y = left + (ord(move[0]) - ord("a")) * cell, top + (size - int(move[1:])) * cell
            canvas.rect(x, y, cell, cell, fill=role, fill_opacity=STRONGEST * abs(2 * share - 1))
            canvas.rect(x, y, cell, cell, fill="none", stroke="grid", stroke_width=1)
            told = per_cent(share)
            roomy = cell >= ROOMY
            high = min(20 if roomy else 22, cell * (0.42 if len(told) < 4 else 0.31))  # 99.8 is wider than 100
            canvas.text(told, x + cell / 2, y + cell * (0.4 if roomy else 0.5), high, font_weight=600)
            if roomy:
                ends = "–".join(per_cent(end) for end in interval(tally))
                canvas.text(ends, x + cell / 2, y + cell * 0.69, cell * 0.19)
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
        every = together(tallies)
        canvas.text(f"{GAMES[game].title} {size}×{size}", left, top - 16, 15, text_anchor="start", font_weight=600)
        average = f"mean {margin(every):+.1f} ± {margin_error(every):.1f}"
        canvas.text(average, left + MAP, top - 16, 13, text_anchor="end", fill="muted")
        _spread(canvas, left, top, high, _margins(every), COLOURS[game])
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


def first_seat_picture(all_found: list[dict[str, Any]]) -> str:
    """What beginning is worth: a line for each game and size, with its interval."""
    rows = [(found["game"], size) for found in all_found for size in sorted(found["sizes"], key=int)]
    tallies = {(found["game"], size): together(of) for found in all_found for size, of in found["sizes"].items()}
    canvas = Canvas(theme_named("auto"))
    width, left, right, high = COLUMNS * (MAP + GAP) + GAP, 130.0, 60.0, 24.0
    across = width - left - right
    height = len(rows) * high + (len(all_found) - 1) * high / 2 + TOP + 70
    canvas.rect(0, 0, width, height, rx=14, fill="card")
    for share in (0, 25, 50, 75, 100):
        x = left + across * share / 100
        canvas.text(f"{share} %", x, TOP - 20, 12, fill="muted")
        canvas.line(x, TOP - 8, x, height - 66, stroke="grid", stroke_width=2 if share == 50 else 1)
    y, before = TOP + high / 2, rows[0][0]
    for game, size in rows:
        y += high / 2 * (game != before)
        before, tally = game, tallies[game, size]
        low, high_end = interval(tally)
        role = "blue" if chance(tally) >= 0.5 else "orange"
        canvas.text(f"{GAMES[game].title} {size}×{size}", left - 18, y, 13, text_anchor="end")
        canvas.line(left + across * low, y, left + across * high_end, y, stroke=role, stroke_width=3)
        canvas.circle(left + across * chance(tally), y, 5.5, fill=role)
        canvas.text(per_cent(chance(tally)), width - right + 34, y, 13, font_weight=600)
        y += high
    words = (
        "per cent of the nets' games that the side that begins wins, with 95 % intervals;",
        "Petrify and Pilo: over all first moves alike, and nobody swaps",
    )
    return _captioned(canvas, width, height, "What beginning is worth", words)


def _shown_sizes(found: dict[str, Any]) -> list[str]:
    """The usual size, a small one and a large one."""
    usual, sizes = GAMES[found["game"]].default_size, sorted(map(int, found["sizes"]))
    smaller = [size for size in sizes if size < usual][-2:][:1]
    larger = [size for size in sizes if size > usual][:2][-1:]
    return [str(size) for size in (*smaller, usual, *larger)]


def _margins(tally: Tally) -> dict[int, float]:
    """Margins and their shares."""
    return {int(points): games / games_of(tally) for points, games in tally["margins"].items()}


def _spread(
    canvas: Canvas, left: float, top: float, high: float, shares: dict[int, float], names: tuple[str, str]
) -> None:
    reach = max(map(abs, shares))
    step = max(1, math.ceil(2 * reach / 40))  # so many points a bar
    bars: dict[int, float] = {}
    for points, share in shares.items():
        # A draw has a bar of its own; the others are counted from 1 on both sides.
        at = 0 if points == 0 else int(math.copysign((abs(points) - 1) // step + 1, points))
        bars[at] = bars.get(at, 0) + share
    most, last = max(bars.values()), max(abs(at) for at in bars)
    wide = MAP / (2 * last + 1)
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
