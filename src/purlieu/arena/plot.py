"""A match as a picture: how its score came about, or how many players stand to each other."""

from __future__ import annotations

from purlieu.kit import charts

from .report import unrated_text
from .stats import Pairs, estimate
from .summary import Summary

WIDTH, HEIGHT, TOP, LEFT, RIGHT = 640, 320, 44, 56, 20
NAMES = 240
"""How far the names of many players reach."""
MOST_POINTS = 400


def svg(summary: Summary) -> str:
    """The plot of a match."""
    if len(summary.players) > 2:
        return charts.svg(WIDTH, TOP + charts.ROW * len(summary.players) + 20, _ratings(summary))
    return charts.svg(WIDTH, HEIGHT, _course(summary))


def _course(summary: Summary) -> list[str]:
    """The score after each pair of games, with its 95 % interval as a band."""
    pairing = summary.pairings[0]
    total = len(pairing.points)
    title = f"{pairing.one} against {pairing.other}: {100 * pairing.estimate.score:.1f} % after {total} pairs"
    counts = sorted({*range(1, total + 1, max(1, -(-total // MOST_POINTS))), *([total] if total else [])})
    found = [(count, estimate(Pairs.of(pairing.points[:count]))) for count in counts]
    line = charts.Line(
        "",
        [(count, 100 * one.score) for count, one in found],
        band=[(100 * one.score_low, 100 * one.score_high) for _, one in found],
    )
    where = LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP
    return [
        charts.text(WIDTH / 2, 22, _short(title, 90), "middle", 14),
        *charts.panel(*where, [line], "pairs of games", "score in %", least=0, most=100, levels=[(50, "")]),
    ]


def _ratings(summary: Summary) -> list[str]:
    """Each player's rating as a dot on a line as long as its interval, the strongest on top."""
    rated = sorted(
        ((player.name, player.rating) for player in summary.players if player.rating), key=lambda row: -row[1].elo
    )
    parts = [charts.text(WIDTH / 2, 22, "Elo beside the average, with 95 % intervals", "middle", 14)]
    if not rated:
        return [*parts, charts.text(WIDTH / 2, TOP + 16, unrated_text(summary), "middle")]
    rows = [(_short(name, 32), found.elo, found.low, found.high, f"{found.elo:+.0f}") for name, found in rated]
    return [*parts, *charts.interval_rows(NAMES, TOP + 12, WIDTH - RIGHT - 50 - NAMES, rows)]


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
