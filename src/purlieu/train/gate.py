"""The rules gate: no run begins before the core has been in step with the rules on this very machine."""

from __future__ import annotations

from purlieu.core.in_step import OutOfStep, compare
from purlieu.rules import GAMES, PurlieuError

from .order import Tell
from .settings import Settings


def check_rules(settings: Settings, tell: Tell) -> int:
    """Compare core and rules on every size of a run, a game at least; returns how many turns were compared."""
    turns = 0
    title, whole = GAMES[settings.game].title, sum(settings.sizes.values())
    for number, (size, share) in enumerate(settings.sizes.items(), 1):
        tell(f"{title}: comparing the core with the rules on {size}×{size}, size {number} of {len(settings.sizes)}")
        plies = round(settings.gate_plies * share / whole)
        try:
            turns += compare(plies, seed=settings.seed, game=settings.game, size=size).plies
        except OutOfStep as error:
            raise PurlieuError(
                f"nothing is trained on this machine, where the core breaks the rules: {error}"
            ) from None
    return turns
