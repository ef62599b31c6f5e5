"""Which of a search's moves is played: the best one, or at low levels now and then another good one."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from .levels import Level

if TYPE_CHECKING:
    from ._core import MoveReport, Report
    from ._core import Position as CorePosition

MOST_LOOKED_AT = 100
"""With more moves than this on the board, no game is one turn from its end."""


def choose(position: CorePosition, report: Report, level: Level | None, random: Random) -> str:
    """The move to play: a win that is there is taken, a loss that is there avoided, at every level."""
    if level is None or level.temperature == 0:
        return report.best_move
    legal = position.legal_moves()
    ends = {move: end for move in legal if (end := _end_after(position, move))} if len(legal) <= MOST_LOOKED_AT else {}
    wins = [move for move, end in ends.items() if end == "win"]
    if wins:
        return report.best_move if report.best_move in wins else wins[0]
    losses = {move for move, end in ends.items() if end == "loss"}
    good = [move for move in good_moves(report, level.margin) if move.move not in losses]
    if good:
        most = max(move.visits for move in good)
        weights = [(move.visits / most) ** (1 / level.temperature) for move in good]
        return random.choices(good, weights)[0].move
    if report.best_move in losses and len(losses) < len(legal):
        return random.choice([move for move in legal if move not in losses])
    return report.best_move


def good_moves(report: Report, margin: float) -> list[MoveReport]:
    """The moves among which a level may pick freely; none where the search proved how the game ends."""
    best = next((move for move in report.moves if move.move == report.best_move), None)
    if best is None or report.proven or best.proven:
        return []
    floor = best.win_chance - margin
    return [move for move in report.moves if move.visits > 0 and move.proven != "loss" and move.win_chance >= floor]


def _end_after(position: CorePosition, move: str) -> str | None:
    """``win``, ``loss`` or ``draw`` for the side to move if the game is decided by this one move.

    A turn without a choice, such as the passes that end a game, does not count as a turn.
    """
    after = position.play(move)
    while not after.is_over:
        forced = after.legal_moves()
        if len(forced) > 1:
            return None
        after = after.play(forced[0])
    if after.winner == "draw":
        return "draw"
    return "win" if after.winner == position.to_move else "loss"
