"""A run as a picture: how the loss fell and how the strength grew, as an SVG for light and for dark screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from purlieu.arena.stats import FURTHEST_SCORE, elo_of
from purlieu.kit import charts
from purlieu.kit.charts import Line, thinned
from purlieu.rules import GAMES

from ..data.run_folder import latest
from .strength import BASE, Strength, accumulated_gains, anchors, strength_history

WIDTH, ROW, LEFT, GAP, TOP = 900, 260, 52, 66, 44
LOSSES = {"policy_gap": "policy, above the least", "value": "value", "own": "owners", "score": "score"}
AXES: Sequence[tuple[str, Callable[[dict[str, Any]], float]]] = (
    ("thousand games", lambda line: line["games"] / 1e3),
    ("minutes", lambda line: line["seconds"] / 60),
    ("million evaluations", lambda line: line["evals"] / 1e6),
)
"""What strength grows with."""


def curves(title: str, lines: list[dict[str, Any]], kept: int | None = None) -> str:
    """The picture of a run's log; marked is the net that was kept, of so many steps, where the run went on after it."""
    steps, checks, gains = (latest(lines, kind) for kind in ("train", "check", "gain"))
    parts = [charts.text(WIDTH / 2, 22, title, "middle", 14)]
    losses = [
        Line(shown, thinned([(line["seconds"] / 60, line[name]) for line in steps if name in line]))
        for name, shown in LOSSES.items()
    ]
    half = (WIDTH - LEFT - GAP - 20) / 2
    parts += charts.panel(LEFT, TOP, half, ROW, losses, "minutes", "loss, by part", least=0.0)
    speed = [
        Line("thousand evaluations/s", thinned([(line["seconds"] / 60, line["evals_per_s"] / 1000) for line in steps])),
        Line("games/s", thinned([(line["seconds"] / 60, line["games_per_s"]) for line in steps])),
    ]
    parts += charts.panel(LEFT + half + GAP, TOP, half, ROW, speed, "minutes", "speed", least=0.0)
    third = (WIDTH - LEFT - 2 * GAP - 20) / 3
    game = next((line["game"] for line in lines if line.get("kind") == "start"), "")
    base = _first_met(steps + checks, gains)
    mark = next((line for line in checks + gains if line["steps"] == kept), None)
    if mark and not any(line["steps"] > mark["steps"] for line in checks + gains):
        mark = None
    for at, (label, x) in enumerate(AXES):
        heading, met, levels = _strength(game, checks, gains, x)
        left, where = LEFT + at * (third + GAP), None if mark is None else (x(mark), "kept")
        parts += charts.panel(
            left, TOP + ROW, third, ROW, met, label, heading if at == 0 else "", levels=levels, mark=where
        )
        if base:
            heading = f"Elo above the net of {base['steps']:,} steps: what later starts gained (95 %)"
            line = _as_line(accumulated_gains(base, gains), x)
            parts += charts.panel(
                left, TOP + 2 * ROW, third, ROW, [line], label, heading if at == 0 else "", mark=where
            )
    height = TOP + (3 if base else 2) * ROW
    return charts.svg(WIDTH, height, parts)


def _first_met(lines: list[dict[str, Any]], gains: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The line of the first net that a later one met; None if no line tells when it was made."""
    if not gains:
        return None
    steps = min(gains, key=lambda line: float(line["seconds"]))["against_steps"]
    begun = {"steps": 0, "seconds": 0.0, "games": 0, "evals": 0}
    return next((line for line in [begun, *lines] if line["steps"] == steps), None)


def _as_line(found: Sequence[tuple[dict[str, Any], Strength]], x: Callable[[dict[str, Any]], float]) -> Line:
    return Line("", [(x(line), each.elo) for line, each in found], [(each.low, each.high) for _, each in found])


def _strength(
    game: str, checks: list[dict[str, Any]], gains: list[dict[str, Any]], x: Callable[[dict[str, Any]], float]
) -> tuple[str, list[Line], list[tuple[float, str]]]:
    """What the panels of strength are headed, their lines, and the opponents' own Elos with their names.

    One line above the weakest opponent where the others' distances from it are known, else one line for each.
    """
    found = strength_history(game, checks, gains)
    if not checks or found is None:
        return "Elo above plain search (95 %)", _by_opponent(checks, x), []
    heading = f"Elo above plain search of {BASE} simulations a move (95 %)"
    if any(each.is_bound for _, each in found):
        heading += "; hollow with an arrow: won too often to tell, at least so much"
    known = anchors(game, checks[0]["size"])
    met = sorted({BASE, *(check["opponent"] for check in checks)})
    levels = [(known[opponent].elo, f"plain search of {opponent:,}") for opponent in met]
    return heading, [_as_line(found, x)], levels


def _by_opponent(checks: list[dict[str, Any]], x: Callable[[dict[str, Any]], float]) -> list[Line]:
    """A line for each opponent; what is too one-sided for an Elo stands at the edge of what can be told."""

    def elo(score: float) -> float:
        return elo_of(min(FURTHEST_SCORE, max(1 - FURTHEST_SCORE, score)))

    lines = []
    for opponent in sorted({line["opponent"] for line in checks}):
        met = [line for line in checks if line["opponent"] == opponent]
        points = [(x(line), elo(line["score"])) for line in met]
        lines.append(Line(f"of {opponent}", points, [(elo(line["low"]), elo(line["high"])) for line in met]))
    return lines


def run_title(settings: dict[str, Any]) -> str:
    """What a run's picture is headed."""
    return f"{GAMES[settings['game']].title}, {settings['blocks']} blocks of {settings['channels']} channels"
