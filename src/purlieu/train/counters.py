"""What a run has done so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(slots=True)
class Counters:
    """What a run has done in all its starts."""

    seconds: float = 0.0
    games: float = 0
    rows: float = 0
    evaluations: float = 0
    samples: float = 0
    steps: float = 0
    starts: float = 0
    rung: float = 0
    """Which opponent of the ladder it meets."""
    due: float = 0
    """Rows that may be trained on now: each new one a few times. What the last part of a start saw counts nothing."""

    @classmethod
    def of(cls, counts: Mapping[str, float]) -> Counters:
        """Counters that were kept."""
        return cls(**{name: counts.get(name, 0.0) for name in cls.__dataclass_fields__})
