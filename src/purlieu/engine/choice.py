"""Which of the moves is played: the best one, or at low levels now and then another good one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from purlieu.nets import Judgement
from purlieu.rules import Swap

from .ladder import Work

if TYPE_CHECKING:
    from purlieu.core._core import Position as CorePosition

    from .analysis import Analysis

MOST_FOLLOWED = 300
"""With more moves than this, what could follow each takes long to list, and only a move that ends the game itself is
found. No last turn is missed for it: games that end with passes have fewer by then, and Pentwall has no passes."""


def choose(
    position: CorePosition, analysis: Analysis, work: Work | None, random: Random, *, swap_is_decided: bool = False
) -> str:
    """The move to play after a search. A swap that is decided is no matter of taste."""
    best = str(analysis.best_move)
    if work is None or work.temperature == 0 or (swap_is_decided and best == "swap"):
        return best
    if swap_is_decided:
        analysis = replace(analysis, moves=tuple(found for found in analysis.moves if found.move != Swap()))
    return _pick(position, position.legal_moves(), found_shares(analysis, work), best, random)


def choose_at_first_sight(position: CorePosition, sight: Judgement, work: Work, random: Random) -> str:
    """The move to play by a net's first sight."""
    legal = position.legal_moves()
    if len(legal) == 1:
        return legal[0]
    shares = seen_shares(sight, work, can_swap="swap" in legal)
    return _pick(position, legal, shares, max(shares, key=shares.__getitem__), random)


def _pick(position: CorePosition, legal: Sequence[str], shares: Mapping[str, float], best: str, random: Random) -> str:
    """One of the moves, as often as its share says. But a win that is there is taken, and a loss avoided, always."""
    follow = len(legal) <= MOST_FOLLOWED
    ends = {move: end for move in legal if (end := _end_after(position, move, follow=follow))}
    wins = [move for move, end in ends.items() if end == "win"]
    if wins:
        return best if best in wins else wins[0]
    losses = {move for move, end in ends.items() if end == "loss"}
    good = {move: share for move, share in shares.items() if move not in losses}
    if good:
        return random.choices(list(good), list(good.values()))[0]
    if best in losses and len(losses) < len(legal):
        return random.choice([move for move in legal if move not in losses])
    return best


def found_shares(analysis: Analysis, work: Work) -> dict[str, float]:
    """How often to play each of the moves that a search found good; none where it proved how the game ends."""
    best = next((found for found in analysis.moves if found.move == analysis.best_move), None)
    if best is None or analysis.proven or best.proven:
        return {}
    least = best.win_chance - work.margin
    visits = {
        str(found.move): float(found.visits)
        for found in analysis.moves
        if found.visits > 0 and found.proven != "loss" and found.win_chance >= least
    }
    return _tempered(visits, work)


SWAP_TEMPERATURE = 0.5
"""The most for a swap. What flattens a hundred moves to a beginner's choice would toss a coin between two."""


def seen_shares(sight: Judgement, work: Work, *, can_swap: bool = False) -> dict[str, float]:
    """How often to play each of the moves that look good to a net at first sight.

    A swap is the likelier the worse it looks for the side to move, and may be misjudged when that is nearly even.
    """
    shares = _tempered(sight.policy, work)
    if can_swap:
        warmth = min(work.temperature, SWAP_TEMPERATURE)
        stay, swap = (chance ** (1 / warmth) for chance in (sight.win_chance, 1 - sight.win_chance))
        shares["swap"] = sum(shares.values()) * swap / max(stay, 1e-9)
    return shares


def _tempered(shares: Mapping[str, float], work: Work) -> dict[str, float]:
    most = max(shares.values(), default=0.0)
    return {
        move: (share / most) ** (1 / work.temperature)
        for move, share in shares.items()
        if share > 0 and share >= work.floor * most
    }


def _end_after(position: CorePosition, move: str, *, follow: bool) -> str | None:
    """``win``, ``loss`` or ``draw`` for the side to move if the game is decided by this one move.

    A turn without a choice, such as the passes that end a game, does not count as a turn where we follow it.
    """
    after = position.play(move)
    while not after.is_over:
        if not follow:
            return None
        forced = after.legal_moves()
        if len(forced) > 1:
            return None
        after = after.play(forced[0])
    if after.winner == "draw":
        return "draw"
    return "win" if after.winner == position.to_move else "loss"
