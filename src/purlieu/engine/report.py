"""What a player knows of a position after a search, in the core's texts; chances are those of the side to move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from purlieu.core import Proven

if TYPE_CHECKING:
    from purlieu.core._core import Report as CoreReport


@dataclass(frozen=True, slots=True)
class MoveReport:
    """What is known of one move."""

    move: str
    visits: int
    share: float
    win_chance: float
    expected_score: float
    proven: Proven | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of a position."""

    simulations: int
    nodes: int
    seconds: float
    best_move: str
    win_chance: float
    expected_score: float
    proven: Proven | None
    line: tuple[str, ...]
    """How the game would go on."""
    moves: tuple[MoveReport, ...]
    """Those that were looked at, the best first."""


def report_of(found: CoreReport) -> Report:
    """A search's report: after the best move come the others, the more they were looked at the sooner."""
    looked_at = [move for move in found.moves if move.visits > 0 or move.proven or move.move == found.best_move]
    looked_at.sort(key=lambda move: (move.move != found.best_move, -move.visits))
    return Report(
        found.simulations,
        found.nodes,
        found.seconds,
        found.best_move,
        found.win_chance,
        found.expected_score,
        found.proven,
        tuple(found.line),
        tuple(
            MoveReport(move.move, move.visits, move.share, move.win_chance, move.expected_score, move.proven)
            for move in looked_at
        ),
    )
