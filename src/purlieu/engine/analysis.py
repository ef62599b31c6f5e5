"""What an engine says about a position, in the words of the rules: the one form from the core to the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from purlieu.core import Proven
from purlieu.nets import Judgement
from purlieu.rules import Move, Position

if TYPE_CHECKING:
    from purlieu.core._core import Report


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """What was found about one move. Chances and scores are those of the side to move."""

    move: Move
    visits: int
    share: float
    """The part of all the work that went into this move."""
    win_chance: float
    """From 0 to 1; a draw counts half."""
    expected_score: float
    """By how many points the side to move should end ahead."""
    proven: Proven | None = None
    """``win``, ``loss`` or ``draw`` if that is certain."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was found about a position. Chances and scores are those of the side to move."""

    position: Position
    best_move: Move
    win_chance: float
    expected_score: float
    proven: Proven | None
    line: tuple[Move, ...]
    """How the game would go on, best moves on both sides."""
    moves: tuple[MoveAnalysis, ...]
    """The moves that were looked at, the best first."""
    simulations: int
    nodes: int
    seconds: float
    policy: Mapping[str, float] | None = None
    """How likely each move on the board, by its notation, is the best, at first sight: nets judge no swap, and a pass
    is forced. None where there is no net that learned this size."""
    owners: Mapping[str, float] | None = None
    """Who will own each square, from 1 for the side to move to -1 for the other; in Pyloff each vertical line, by its
    lowest point. None where there is no net that learned this size."""

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON can hold it: the position as its text, moves in their notation."""
        return {
            **{field.name: getattr(self, field.name) for field in fields(self)},
            "position": self.position.text(),
            "best_move": str(self.best_move),
            "line": [str(move) for move in self.line],
            "moves": [{**asdict(found), "move": str(found.move)} for found in self.moves],
        }


def analysis_of(position: Position, report: Report, sight: Judgement | None = None) -> Analysis:
    """A report of the core, its texts read as moves, and what a net says at first sight.

    After the best move come the others that were looked at, the more the sooner.
    """
    looked_at = [found for found in report.moves if found.visits > 0 or found.proven or found.move == report.best_move]
    looked_at.sort(key=lambda found: (found.move != report.best_move, -found.visits))
    kind = type(position)
    return Analysis(
        position=position,
        best_move=read_move(kind, report.best_move),
        win_chance=report.win_chance,
        expected_score=report.expected_score,
        proven=report.proven,
        line=tuple(read_move(kind, move) for move in report.line),
        moves=tuple(
            MoveAnalysis(
                read_move(kind, found.move),
                found.visits,
                found.share,
                found.win_chance,
                found.expected_score,
                found.proven,
            )
            for found in looked_at
        ),
        simulations=report.simulations,
        nodes=report.nodes,
        seconds=report.seconds,
        policy=sight.policy if sight else None,
        owners=sight.owners if sight else None,
    )


@lru_cache(maxsize=50_000)
def read_move(kind: type[Position], text: str) -> Move:
    """The move that a text of the core names: the same few are told again and again while a search runs."""
    return kind.read_move(text)
