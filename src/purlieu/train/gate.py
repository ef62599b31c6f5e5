"""The rules gate: no run begins before the core has been in step with the rules on this very machine."""

from __future__ import annotations

from purlieu.engine.in_step import OutOfStep, compare
from purlieu.rules import PurlieuError

from .settings import Settings


def check_rules(settings: Settings) -> int:
    """Compare core and rules on every size of a run; returns how many turns were compared."""
    turns = 0
    for size in settings.sizes:
        try:
            turns += compare(settings.gate_plies, seed=settings.seed, game=settings.game, size=size).plies
        except OutOfStep as error:
            raise PurlieuError(
                f"nothing is trained on this machine, where the core breaks the rules: {error}"
            ) from None
    return turns
