"""A run as a picture: how the loss fell and how the strength grew. SVG by hand, as the arena's."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from purlieu.arena.stats import FURTHEST_SCORE, elo_of

from .log import latest

INK, PALE = "#1f2933", "#9fb3c8"
COLOURS = ("#2a6fb0", "#d9822b", "#3f8f5b", "#8a4fa3")
WIDTH, ROW, LEFT, GAP, TOP, BOTTOM = 900, 260, 52, 66, 44, 40
LOSSES = {"policy_gap": "policy, above the least", "value": "value", "own": "owners", "score": "score"}
MOST_POINTS = 300


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a panel: points, and how far each may be off, from and to."""

    name: str
    points: Sequence[tuple[float, float]]
    spans: Sequence[tuple[float, float]] = ()


def curves(title: str, lines: list[dict[str, Any]]) -> str:
    """The picture of a run's log."""
    steps, checks = latest(lines, "train"), latest(lines, "check")
    parts = [_text(WIDTH / 2, 22, title, "middle", 14)]
    losses = [
        Line(shown, _thin([(line["seconds"] / 60, line[name]) for line in steps if name in line]))
        for name, shown in LOSSES.items()
    ]
    half = (WIDTH - LEFT - GAP - 20) / 2
    parts += _panel(LEFT, TOP, half, losses, "minutes", "loss, by part", least=0.0)
    speed = [
        Line("evaluations/s ÷ 1000", _thin([(line["seconds"] / 60, line["evals_per_s"] / 1000) for line in steps])),
        Line("games/s", _thin([(line["seconds"] / 60, line["games_per_s"]) for line in steps])),
    ]
    parts += _panel(LEFT + half + GAP, TOP, half, speed, "minutes", "speed", least=0.0)
    third = (WIDTH - LEFT - 2 * GAP - 20) / 3
    xs: list[tuple[str, Callable[[dict[str, Any]], float]]] = [
        ("thousand games", lambda line: line["games"] / 1e3),
        ("minutes", lambda line: line["seconds"] / 60),
        ("million evaluations", lambda line: line["evals"] / 1e6),
    ]
    for at, (label, x) in enumerate(xs):
        heading = "Elo above plain search" if at == 0 else ""
        parts += _panel(LEFT + at * (third + GAP), TOP + ROW, third, _strength(checks, x), label, heading)
    height = TOP + 2 * ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _strength(checks: list[dict[str, Any]], x: Callable[[dict[str, Any]], float]) -> list[Line]:
    """A line for each opponent; what is too one-sided for an Elo stands at the edge of what can be told."""

    def elo(score: float) -> float:
        return elo_of(min(FURTHEST_SCORE, max(1 - FURTHEST_SCORE, score)))

    lines = []
    for opponent in sorted({line["opponent"] for line in checks}):
        met = [line for line in checks if line["opponent"] == opponent]
        points = [(x(line), elo(line["score"])) for line in met]
        lines.append(Line(f"of {opponent}", points, [(elo(line["low"]), elo(line["high"])) for line in met]))
    return lines


def _panel(
    left: float, top: float, width: float, lines: Sequence[Line], label: str, heading: str, least: float | None = None
) -> list[str]:
    """Axes, lines with dots where there are few, and their names."""
    high, low = ROW - BOTTOM - 30, 24.0
    parts = [_text(left, top + 8, heading, "start", 12), _text(left + width / 2, top + ROW - 14, label, "middle")]
    lines = [line for line in lines if line.points]
    if not lines:
        return [*parts, _text(left + width / 2, top + high / 2 + low, "nothing yet", "middle")]
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points] + [y for line in lines for span in line.spans for y in span]
    ticks = _ticks(min(ys) if least is None else least, max(ys))
    first, last = min(0.0, *xs), max(xs)

    def at(x: float, y: float) -> tuple[float, float]:
        across = (x - first) / ((last - first) or 1)
        up = (y - ticks[0]) / ((ticks[-1] - ticks[0]) or 1)
        return left + width * across, top + low + high * (1 - up)

    for tick in ticks:
        y = at(first, tick)[1]
        parts.append(f'<path d="M{left:.1f} {y:.1f}H{left + width:.1f}" stroke="{PALE}" stroke-dasharray="2 4"/>')
        parts.append(_text(left - 6, y + 4, f"{tick:g}", "end"))
    for tick in _ticks(first, last, 4):
        if first <= tick <= last:
            parts.append(_text(at(tick, 0)[0], top + low + high + 16, f"{tick:g}", "middle"))
    for number, line in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        places = [at(x, y) for x, y in line.points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if line.spans or len(places) == 1:
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        for (x, _), (down, up) in zip(line.points, line.spans, strict=False):
            (column, bottom), (_, peak) = at(x, down), at(x, up)
            parts.append(f'<path d="M{column:.1f} {bottom:.1f}V{peak:.1f}" stroke="{colour}"/>')
        parts.append(
            f'<text x="{left + width:.1f}" y="{top + 8 + 15 * number:.1f}" text-anchor="end" fill="{colour}">'
            f"{escape(line.name)}</text>"
        )
    return parts


def _ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers from below the lowest to above the highest."""
    span = max(high - low, abs(high) * 1e-6, 1e-9)
    rough = span / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [step * at for at in range(math.floor(low / step), math.ceil(high / step) + 1)]


def _thin(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    step = max(1, math.ceil(len(points) / MOST_POINTS))
    return points[::step]


def _text(x: float, y: float, text: str, anchor: str, size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
