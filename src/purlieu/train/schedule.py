"""How the numbers of a run change while it goes on."""

from __future__ import annotations

import math

from .settings import Settings


def window_rows(settings: Settings, total: float) -> int:
    """How many of the newest rows are trained on, of so many ever made: KataGo's formula."""
    base, a = settings.window_base, settings.window_exponent
    if total <= base:
        return round(base)
    return int(base * (1 + settings.window_slope * ((total / base) ** a - 1) / a))


def learning_rate(settings: Settings, step: int, fall: float = 0.0) -> float:
    """The rate of a step; `fall` goes from 0 to 1 in the last part of a run, where the rate falls to a hundredth."""
    warm = min(1.0, (step + 1) / max(1, settings.warm_up))
    return settings.lr * warm * (0.01 + 0.99 * (1 + math.cos(math.pi * min(1.0, max(0.0, fall)))) / 2)


def averaging(settings: Settings, step: int, *, taught: bool = False) -> float:
    """The share of the averaged weights that a step keeps; at first little, since they know nothing yet, unless they
    came from a net."""
    return settings.ema if taught else min(settings.ema, (1 + step) / (10 + step))


def final_steps(settings: Settings, rows: int) -> float:
    """The most steps of the last part of a run: twice through all rows is enough."""
    return max(10.0, 2 * rows / settings.batch)


def final_seconds(settings: Settings, seconds: float, rows: int, step_seconds: float | None) -> float:
    """How much of the time that a run is given its last part needs: its share, or less if its steps take less."""
    share = settings.final_share * seconds
    return share if step_seconds is None else min(share, step_seconds * final_steps(settings, rows))
