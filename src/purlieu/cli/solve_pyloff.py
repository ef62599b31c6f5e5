"""``purlieu solve pyloff``: what can be forced on the smallest board whatever ko does, and what cannot be claimed."""

from __future__ import annotations

import json
import time

import typer

from purlieu.kit.progress import StatusLine
from purlieu.kit.streams import ignore_interrupts
from purlieu.rules import Position, PurlieuError
from purlieu.rules.pyloff import BLACK, WHITE, PyloffPosition
from purlieu.solver.openings import distinct_openings
from purlieu.solver.pyloff import KoFreeGraph, State, Strategy, best_margin
from purlieu.terminal.screen import Screen

from .solve_words import limits

UNSOLVED, INTERRUPTED = 1, 130

SUPERKO = """\
Under superko a board's worth depends on the boards before it. What is claimed here holds all the same: the winner's \
strategy meets no board twice, so ko never matters. Where nothing is claimed, ko may decide."""


class _LimitReached(Exception):
    """The end of a search that was not to take so long."""


def run_pyloff(position: Position, is_start: bool, *, seconds: float | None, nodes: int | None, as_json: bool) -> int:
    """Prints what either side forces without ko, from a position or after each opening; the exit code."""
    if position.size != 3:
        raise PurlieuError(
            f"Pyloff {position.size}×{position.size} is out of reach: positions return in it, so all of them must be "
            "looked at, and only 3×3 has few enough"
        )
    status, began = StatusLine(), time.monotonic()

    def tell(number: int) -> None:
        spent = time.monotonic() - began
        if (seconds is not None and spent >= seconds) or (nodes is not None and number > nodes):
            raise _LimitReached
        if number % 1000 == 0:
            status.show(f"{number:,} positions, {spent:.0f} s")

    named = {"from this position": position}
    if is_start:
        openings = distinct_openings("pyloff", 3)
        named = {"from the empty board": position, **{f"after {move}": one for move, one in openings.items()}}
    try:
        graph = KoFreeGraph(3, state_of(position), tell)
        found = {}
        for name, one in named.items():
            status.show(f"{len(graph.after):,} positions, {name}")
            found[name] = claims(graph, one)
    except _LimitReached:
        status.clear()
        typer.echo(f"purlieu: not solved within {limits(seconds, nodes)}; it takes some ten seconds", err=True)
        return UNSOLVED
    except KeyboardInterrupt:
        ignore_interrupts()
        status.clear()
        typer.echo("purlieu: interrupted; there is nothing to keep, it takes some ten seconds", err=True)
        return INTERRUPTED
    status.clear()
    spent = time.monotonic() - began
    if as_json:
        margins = {
            name: {side: strategy.margin if strategy else None for side, strategy in both.items()}
            for name, both in found.items()
        }
        data = {"game": "pyloff", "size": 3, "position": position.text(), "forced_margin_without_ko": margins}
        counts = {"positions": len(graph.after), "boards": graph.boards}
        typer.echo(json.dumps({**data, **counts, "seconds": round(spent, 3)}))
        return 0
    looked_at = f"{len(graph.after):,} positions on {graph.boards:,} boards"
    typer.echo(f"Pyloff 3×3, what either side forces without ko ({looked_at}, {spent:.1f} s):")
    for name, one in named.items():
        typer.echo(f"  {name}: {sentence(state_of(one), found[name])}")
    Screen().say(SUPERKO)
    return 0


def state_of(position: Position) -> State:
    """A position without its past."""
    assert isinstance(position, PyloffPosition)
    return position.board, (BLACK, WHITE)[position.ply % 2], position.passes


def claims(graph: KoFreeGraph, position: Position) -> dict[str, Strategy | None]:
    """The best that Black and White are found to force without ko."""
    assert isinstance(position, PyloffPosition)
    state = state_of(position)
    return {
        name: best_margin(graph, colour, state, position.boards)
        for name, colour in (("black", BLACK), ("white", WHITE))
    }


def sentence(state: State, forced: dict[str, Strategy | None]) -> str:
    """What is claimed of one board."""
    parts = []
    for side, strategy in forced.items():
        if strategy is None:
            continue
        begins = f", beginning with {strategy.moves[state]}" if state in strategy.moves else ""
        what = f"wins by {strategy.margin} at least" if strategy.margin > 0 else f"loses by {-strategy.margin} at most"
        parts.append(f"{side.capitalize()} {what if strategy.margin else 'does not lose'}{begins}")
    return "; ".join(parts) or "nothing is claimed"
