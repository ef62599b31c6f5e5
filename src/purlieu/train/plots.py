"""A run as a picture: how the loss fell and how the strength grew. SVG by hand, as the arena's, on paper that is light
or dark as the reader's screen is.

``python -m purlieu.train.plots RUN/log.jsonl`` draws curves.svg beside a log anew. Where net.onnx lies there, and the
run went on without bettering it, a line marks where it was made.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from purlieu.arena.stats import FURTHEST_SCORE, elo_of
from purlieu.nets.check import read_checked
from purlieu.rules import GAMES, PurlieuError

from .anchors import BASE, anchors
from .facts import counters_of
from .files import write_text
from .folder import NET
from .log import latest, read_log
from .strength import Strength, gained, grown

LIGHT = ("#ffffff", "#1f2933", "#9fb3c8", "#2a6fb0", "#b5651d", "#2f7d4b", "#8a4fa3")
DARK = ("#14181d", "#e4e7eb", "#52606d", "#6cb2f2", "#f0a35e", "#6fce93", "#cf9be6")
"""Paper, ink, what is pale, and the lines."""
LINES = len(LIGHT) - 3
WIDTH, ROW, LEFT, GAP, TOP, BOTTOM = 900, 260, 52, 66, 44, 40
ARROW = 16
"""How far an arrow reaches that says: or more."""
LOSSES = {"policy_gap": "policy, above the least", "value": "value", "own": "owners", "score": "score"}
MOST_POINTS = 300
Check = dict[str, Any]
AXES: Sequence[tuple[str, Callable[[Check], float]]] = (
    ("thousand games", lambda line: line["games"] / 1e3),
    ("minutes", lambda line: line["seconds"] / 60),
    ("million evaluations", lambda line: line["evals"] / 1e6),
)
"""What strength grows with."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a panel: points, and how far each may be off, from and to; an end that is open is None.

    A point that is itself an end is only a bound: it is hollow, and the line to it dashed.
    """

    name: str
    points: Sequence[tuple[float, float]]
    spans: Sequence[tuple[float | None, float | None]] = ()


def curves(title: str, lines: list[dict[str, Any]], kept: int | None = None) -> str:
    """The picture of a run's log; marked is the net that was kept, of so many steps, where the run went on after it."""
    steps, checks, gains = (latest(lines, kind) for kind in ("train", "check", "gain"))
    parts = [_text(WIDTH / 2, 22, title, "middle", 14)]
    losses = [
        Line(shown, _thin([(line["seconds"] / 60, line[name]) for line in steps if name in line]))
        for name, shown in LOSSES.items()
    ]
    half = (WIDTH - LEFT - GAP - 20) / 2
    parts += _panel(LEFT, TOP, half, losses, "minutes", "loss, by part", least=0.0)
    speed = [
        Line("thousand evaluations/s", _thin([(line["seconds"] / 60, line["evals_per_s"] / 1000) for line in steps])),
        Line("games/s", _thin([(line["seconds"] / 60, line["games_per_s"]) for line in steps])),
    ]
    parts += _panel(LEFT + half + GAP, TOP, half, speed, "minutes", "speed", least=0.0)
    third = (WIDTH - LEFT - 2 * GAP - 20) / 3
    game = next((line["game"] for line in lines if line.get("kind") == "start"), "")
    base = _first_met(steps + checks, gains)
    mark = next((line for line in checks + gains if line["steps"] == kept), None)
    if mark and not any(line["steps"] > mark["steps"] for line in checks + gains):
        mark = None
    for at, (label, x) in enumerate(AXES):
        heading, met, levels = _strength(game, checks, gains, x)
        left, where = LEFT + at * (third + GAP), None if mark is None else x(mark)
        parts += _panel(left, TOP + ROW, third, met, label, heading if at == 0 else "", levels=levels, mark=where)
        if base:
            heading = f"Elo above the net of {base['steps']:,} steps: what later starts gained (95 %)"
            line = _as_line(gained(base, gains), x)
            parts += _panel(left, TOP + 2 * ROW, third, [line], label, heading if at == 0 else "", mark=where)
    height = TOP + (3 if base else 2) * ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="system-ui, sans-serif" font-size="12" class="ink">\n'
        f"<style>{_style(LIGHT)}@media (prefers-color-scheme: dark) {{{_style(DARK)}}}</style>\n"
        f'<rect width="{WIDTH}" height="{height}" class="paper"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _style(colours: Sequence[str]) -> str:
    paper, ink, pale, *lines = colours
    rules = [f".paper{{fill:{paper}}}", f".ink{{fill:{ink}}}", f".pale{{stroke:{pale};fill:none}}"]
    for at, colour in enumerate(lines):
        rules += [f".line{at}{{stroke:{colour};fill:none}}", f".dot{at}{{fill:{colour}}}"]
        rules.append(f".hollow{at}{{stroke:{colour};fill:{paper}}}")
    return "".join(rules)


def _first_met(lines: list[Check], gains: list[Check]) -> Check | None:
    """The line of the first net that a later one met; None if no line tells when it was made."""
    if not gains:
        return None
    steps = min(gains, key=lambda line: float(line["seconds"]))["against_steps"]
    begun = {"steps": 0, "seconds": 0.0, "games": 0, "evals": 0}
    return next((line for line in [begun, *lines] if line["steps"] == steps), None)


def _as_line(found: Sequence[tuple[Check, Strength]], x: Callable[[Check], float]) -> Line:
    return Line("", [(x(line), each.elo) for line, each in found], [(each.low, each.high) for _, each in found])


def _strength(
    game: str, checks: list[Check], gains: list[Check], x: Callable[[Check], float]
) -> tuple[str, list[Line], list[tuple[float, str]]]:
    """What the panels of strength are headed, their lines, and the opponents' own Elos with their names.

    One line above the weakest opponent where the others' distances from it are known, else one line for each.
    """
    found = grown(game, checks, gains)
    if not checks or found is None:
        return "Elo above plain search (95 %)", _by_opponent(checks, x), []
    heading = f"Elo above plain search of {BASE} simulations a move (95 %)"
    if any(each.is_bound for _, each in found):
        heading += "; hollow with an arrow: won too often to tell, at least so much"
    known = anchors(game, checks[0]["size"])
    met = sorted({BASE, *(check["opponent"] for check in checks)})
    levels = [(known[opponent].elo, f"plain search of {opponent:,}") for opponent in met]
    return heading, [_as_line(found, x)], levels


def _by_opponent(checks: list[Check], x: Callable[[Check], float]) -> list[Line]:
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
    left: float,
    top: float,
    width: float,
    lines: Sequence[Line],
    label: str,
    heading: str,
    *,
    least: float | None = None,
    levels: Sequence[tuple[float, str]] = (),
    mark: float | None = None,
) -> list[str]:
    """Axes, lines with dots where there are few, and their names; levels are lines across with a name each, and a mark
    one upwards, where the net that was kept was made."""
    high, low = ROW - BOTTOM - 30, 24.0
    parts = [_text(left, top + 8, heading, "start", 12), _text(left + width / 2, top + ROW - 14, label, "middle")]
    lines = [line for line in lines if line.points]
    if not lines:
        return [*parts, _text(left + width / 2, top + high / 2 + low, "nothing yet", "middle")]
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points] + [y for y, _ in levels]
    ys += [y for line in lines for span in line.spans for y in span if y is not None]
    ticks = _ticks(min(ys) if least is None else least, max(ys))
    first, last = min(0.0, *xs), max(xs)

    def at(x: float, y: float) -> tuple[float, float]:
        across = (x - first) / ((last - first) or 1)
        up = (y - ticks[0]) / ((ticks[-1] - ticks[0]) or 1)
        return left + width * across, top + low + high * (1 - up)

    for tick in ticks:
        y = at(first, tick)[1]
        parts.append(f'<path d="M{left:.1f} {y:.1f}H{left + width:.1f}" class="pale" stroke-dasharray="2 4"/>')
        parts.append(_text(left - 6, y + 4, f"{tick:g}", "end"))
    for tick in _ticks(first, last, 4):
        if first <= tick <= last:
            parts.append(_text(at(tick, 0)[0], top + low + high + 16, f"{tick:g}", "middle"))
    for level, name in levels:
        y = at(first, level)[1]
        parts.append(f'<path d="M{left:.1f} {y:.1f}H{left + width:.1f}" class="pale" stroke-width="1.5"/>')
        parts.append(_text(left + width, y - 3, name, "end", 10))
    if mark is not None:
        x, _ = at(mark, 0)
        parts.append(f'<path d="M{x:.1f} {top + low:.1f}v{high:.1f}" class="pale" stroke-width="1.5"/>')
        parts.append(_text(x - 4, top + low + 10, "kept", "end", 10))
    for number, line in enumerate(lines):
        parts += _drawn(line, number % LINES, at)
        parts.append(
            f'<text x="{left + width:.1f}" y="{top + 8 + 15 * number:.1f}" text-anchor="end" '
            f'class="dot{number % LINES}">{escape(line.name)}</text>'
        )
    return parts


def _drawn(line: Line, colour: int, at: Callable[[float, float], tuple[float, float]]) -> list[str]:
    """A line, the intervals of its points, and the points."""
    places = [at(x, y) for x, y in line.points]
    if not line.spans:
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        dots = places if len(places) == 1 else []
        return [
            f'<path d="M{path}" class="line{colour}" stroke-width="2"/>',
            *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="dot{colour}"/>' for x, y in dots),
        ]
    parts = []
    bounds = [y in span and None in span for (_, y), span in zip(line.points, line.spans, strict=True)]
    for index, ((x, y), (to_x, to_y)) in enumerate(pairwise(places)):
        dashes = ' stroke-dasharray="5 4"' if bounds[index] or bounds[index + 1] else ""
        path = f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"
        parts.append(f'<path d="{path}" class="line{colour}" stroke-width="2"{dashes}/>')
    for (x, _), (low, high), (across, middle), bound in zip(line.points, line.spans, places, bounds, strict=True):
        bottom = middle + ARROW if low is None else at(x, low)[1]
        peak = middle - ARROW if high is None else at(x, high)[1]
        stem = f"M{across:.1f} {bottom:.1f}V{peak:.1f}"
        stem += "" if high is not None else "m-4 5l4 -5l4 5"
        stem += "" if low is not None else f"M{across - 4:.1f} {bottom - 5:.1f}l4 5l4 -5"
        parts.append(f'<path d="{stem}" class="line{colour}"/>')
        kind = "hollow" if bound else "dot"
        parts.append(f'<circle cx="{across:.1f}" cy="{middle:.1f}" r="3.5" class="{kind}{colour}"/>')
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


USAGE = "usage: python -m purlieu.train.plots RUN/log.jsonl"


def run_title(settings: dict[str, Any]) -> str:
    """What a run's picture is headed."""
    return f"{GAMES[settings['game']].title}, {settings['blocks']} blocks of {settings['channels']} channels"


def _kept(net: Path) -> int | None:
    """After how many steps a net was made, as far as it says."""
    if not net.is_file():
        return None
    try:
        return int(counters_of(read_checked(net)[1])["steps"])
    except (KeyError, ValueError):
        return None


def main(words: list[str]) -> int:
    """Draw the curves of a log anew, beside it."""
    if {"-h", "--help"} & set(words):
        sys.stdout.write(f"{USAGE}\n")
        return 0
    try:
        if len(words) != 1 or words[0].startswith("-"):
            raise PurlieuError(f"expected the log of a run; {USAGE}")
        log = Path(words[0])
        lines = read_log(log)
        start = next((line for line in lines if line.get("kind") == "start"), None)
        if start is None or not isinstance(start.get("settings"), dict):
            raise PurlieuError(f"{log} is no log of a run; expected a file such as RUN/log.jsonl")
        write_text(log.with_name("curves.svg"), curves(run_title(start["settings"]), lines, _kept(log.with_name(NET))))
    except (PurlieuError, OSError) as error:
        sys.stderr.write(f"purlieu: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
