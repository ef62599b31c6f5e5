"""A match as a picture: how its score came about, or how many players stand to each other. SVG by hand."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

from .report import unrated_text
from .stats import Pairs, estimate
from .summary import Summary

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 20, 44, 40
INK, PALE, LINE = "#1f2933", "#9fb3c8", "#2a6fb0"
MOST_POINTS = 400


def svg(summary: Summary) -> str:
    """The plot of a match."""
    body = _ratings(summary) if len(summary.players) > 2 else _course(summary)
    height = HEIGHT if len(summary.players) <= 2 else _rows_height(len(summary.players))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _course(summary: Summary) -> list[str]:
    """The score after each pair of games, with its 95 % interval as a band."""
    pairing = summary.pairings[0]
    title = (
        f"{pairing.one} against {pairing.other}: {100 * pairing.estimate.score:.1f} % after {len(pairing.points)} pairs"
    )
    parts = [_text(WIDTH / 2, 22, _short(title, 90), "middle", 14)]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        dash = "" if share == 0.5 else ' stroke-dasharray="2 4"'
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{PALE}"{dash}/>')
        parts.append(_text(LEFT - 8, y + 4, f"{100 * share:.0f} %", "end"))
    parts.append(_text(WIDTH / 2, HEIGHT - 12, "pairs of games", "middle"))
    parts.append(_text(WIDTH - RIGHT, HEIGHT - 12, str(len(pairing.points)), "end"))
    if not pairing.points:
        return parts
    found = [(count, estimate(Pairs.of(pairing.points[:count]))) for count in _steps(len(pairing.points))]
    xs = [LEFT + (WIDTH - LEFT - RIGHT) * count / len(pairing.points) for count, _ in found]
    high = [f"{x:.1f} {_y(one.score_high):.1f}" for x, (_, one) in zip(xs, found, strict=True)]
    low = [f"{x:.1f} {_y(one.score_low):.1f}" for x, (_, one) in zip(xs, found, strict=True)]
    middle = [f"{x:.1f} {_y(one.score):.1f}" for x, (_, one) in zip(xs, found, strict=True)]
    parts.append(f'<path d="M{"L".join(high + low[::-1])}Z" fill="{LINE}" fill-opacity="0.15"/>')
    parts.append(f'<path d="M{"L".join(middle)}" fill="none" stroke="{LINE}" stroke-width="2"/>')
    return parts


def _steps(total: int) -> list[int]:
    step = max(1, math.ceil(total / MOST_POINTS))
    return sorted({*range(step, total + 1, step), total})


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _ratings(summary: Summary) -> list[str]:
    """Each player's rating as a dot on a line as long as its interval, the strongest on top."""
    rated = sorted(
        ((player.name, player.rating) for player in summary.players if player.rating), key=lambda row: -row[1].elo
    )
    parts = [_text(WIDTH / 2, 22, "Elo beside the average, with 95 % intervals", "middle", 14)]
    if not rated:
        return [*parts, _text(WIDTH / 2, TOP + 16, unrated_text(summary), "middle")]
    low = min(rating.low for _, rating in rated)
    span = max(max(rating.high for _, rating in rated) - low, 1.0)
    start = 240

    def x(elo: float) -> float:
        return start + (WIDTH - RIGHT - 50 - start) * (elo - low) / span

    for row, (name, rating) in enumerate(rated):
        y = TOP + 12 + 26 * row
        parts.append(_text(start - 24, y + 4, _short(name, 32), "end"))
        parts.append(f'<path d="M{x(rating.low):.1f} {y}H{x(rating.high):.1f}" stroke="{LINE}" stroke-width="2"/>')
        parts.append(f'<circle cx="{x(rating.elo):.1f}" cy="{y}" r="4" fill="{LINE}"/>')
        parts.append(_text(x(rating.high) + 8, y + 4, f"{rating.elo:+.0f}", "start"))
    return parts


def _rows_height(players: int) -> int:
    return TOP + 26 * players + 20


def _text(x: float, y: float, text: str, anchor: str, size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
