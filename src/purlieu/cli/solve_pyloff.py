"""``purlieu solve pyloff``: what can be forced on the smallest board whatever ko does, and what cannot be claimed."""

from __future__ import annotations

import json
import time

import typer

from purlieu.kit.progress import StatusLine
from purlieu.kit.streams import ignore_interrupts
from purlieu.languages import say
from purlieu.rules import Colour, Message, Position, PurlieuError
from purlieu.rules.messages import semicolons
from purlieu.rules.pyloff import BLACK, WHITE, PyloffPosition
from purlieu.solver.openings import distinct_openings
from purlieu.solver.pyloff import KoFreeGraph, State, Strategy, best_margin
from purlieu.terminal.screen import Screen

from .options import tell, warn
from .solve_words import limits

UNSOLVED, INTERRUPTED = 1, 130

SUPERKO = Message(
    "solve.superko",
    "Under superko a board's worth depends on the boards before it. What is claimed here holds all the same: the "
    "winner's strategy meets no board twice, so ko never matters. Where nothing is claimed, ko may decide.",
)


class _LimitReached(Exception):
    """The end of a search that was not to take so long."""


def run_pyloff(position: Position, is_start: bool, *, seconds: float | None, nodes: int | None, as_json: bool) -> int:
    """Prints what either side forces without ko, from a position or after each opening; the exit code."""
    if position.size != 3:
        raise PurlieuError(
            "solve.pyloff_out_of_reach",
            "Pyloff {size}×{size} is out of reach: positions return in it, so all of them must be looked at, "
            "and only 3×3 has few enough",
            size=position.size,
        )
    status, began = StatusLine(), time.monotonic()

    def looked_at(number: int) -> None:
        spent = time.monotonic() - began
        if (seconds is not None and spent >= seconds) or (nodes is not None and number > nodes):
            raise _LimitReached
        if number % 1000 == 0:
            told = {"positions": f"{number:,}", "seconds": f"{spent:.0f}"}
            status.show(say(Message("solve.positions", "{positions} positions, {seconds} s", **told)))

    named: dict[str, Position] = {Message("solve.from_here", "from this position"): position}
    if is_start:
        openings = distinct_openings("pyloff", 3)
        named = {
            Message("solve.from_start", "from the empty board"): position,
            **{Message("solve.after", "after {move}", move=move): one for move, one in openings.items()},
        }
    try:
        graph = KoFreeGraph(3, state_of(position), looked_at)
        found = {}
        for name, one in named.items():
            told = {"positions": f"{len(graph.after):,}", "name": name}
            status.show(say(Message("solve.looking", "{positions} positions, {name}", **told)))
            found[name] = claims(graph, one)
    except _LimitReached:
        status.clear()
        warn(
            Message(
                "solve.ten_seconds",
                "not solved within {limits}; it takes some ten seconds",
                limits=limits(seconds, nodes),
            )
        )
        return UNSOLVED
    except KeyboardInterrupt:
        ignore_interrupts()
        status.clear()
        warn(Message("solve.nothing_to_keep", "interrupted; there is nothing to keep, it takes some ten seconds"))
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
    tell(
        Message(
            "solve.forced",
            "Pyloff 3×3, what either side forces without ko ({positions} positions on {boards} boards, {seconds} s):",
            positions=f"{len(graph.after):,}",
            boards=f"{graph.boards:,}",
            seconds=f"{spent:.1f}",
        )
    )
    for name, one in named.items():
        claim = Message("solve.claim", "{name}: {claims}", name=name, claims=sentence(state_of(one), found[name]))
        tell(f"  {say(claim)}")
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
        told = {"side": Colour(side).title, "margin": abs(strategy.margin)}
        if strategy.margin > 0:
            part = Message("claim.wins", "{side} wins by {margin} at least", **told)
        elif strategy.margin < 0:
            part = Message("claim.loses", "{side} loses by {margin} at most", **told)
        else:
            part = Message("claim.does_not_lose", "{side} does not lose", **told)
        if state in strategy.moves:
            part = Message("claim.begins", "{claim}, beginning with {move}", claim=part, move=strategy.moves[state])
        parts.append(part)
    return semicolons(parts) if parts else Message("claim.none", "nothing is claimed")
