"""An analysis as it is sent: with no more moves and digits than anybody can see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .plain import TypedDict, as_sent

if TYPE_CHECKING:
    from purlieu.engine import Analysis

MOST_MOVES = 30
"""How many moves of a position are told about."""
MOST_LIKELY = 10
"""How many of them as a net sees them."""

Proven = Literal["win", "loss", "draw"]


@as_sent
class MoveFoundView(TypedDict):
    """What was found about one move. Chances and scores are those of the side to move."""

    move: str
    visits: int
    share: float
    win_chance: float
    expected_score: float
    proven: Proven | None


@as_sent
class LikelyView(TypedDict):
    """A move that a net thinks of at first sight, and how likely it is the best."""

    move: str
    share: float


@as_sent
class AnalysisView(TypedDict):
    """What was found about a position. Chances and scores are those of the side to move.

    `policy` and `owners` are a net's, at first sight, and null where the server has none that learned this size.
    `owners` says who will own each square, from 1, surely the side to move, to -1, surely the other; in Pyloff each
    vertical line by its lowest point.
    """

    ply: int
    best_move: str
    win_chance: float
    expected_score: float
    proven: Proven | None
    line: list[str]
    moves: list[MoveFoundView]
    simulations: int
    seconds: float
    policy: list[LikelyView] | None
    owners: dict[str, float] | None


def analysis_view(analysis: Analysis) -> AnalysisView:
    """An analysis as it is sent."""
    policy, owners = analysis.policy, analysis.owners
    likely = None if policy is None else sorted(policy.items(), key=lambda likely: -likely[1])[:MOST_LIKELY]
    return {
        "ply": analysis.position.ply,
        "best_move": str(analysis.best_move),
        "win_chance": round(analysis.win_chance, 4),
        "expected_score": round(analysis.expected_score, 2),
        "proven": analysis.proven,
        "line": [str(move) for move in analysis.line],
        "moves": [
            {
                "move": str(found.move),
                "visits": found.visits,
                "share": round(found.share, 4),
                "win_chance": round(found.win_chance, 4),
                "expected_score": round(found.expected_score, 2),
                "proven": found.proven,
            }
            for found in analysis.moves[:MOST_MOVES]
        ],
        "simulations": analysis.simulations,
        "seconds": round(analysis.seconds, 3),
        "policy": None if likely is None else [{"move": move, "share": round(share, 3)} for move, share in likely],
        "owners": None if owners is None else {place: round(lead, 2) for place, lead in owners.items()},
    }
