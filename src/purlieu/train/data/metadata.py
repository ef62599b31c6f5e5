"""What a run has done so far, and what a net's file says of that.

A file may say anything: JSON nested thousands deep, a whole number of a hundred digits, NaN. Here it is read so that
nobody calculates with what is not a number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

MOST = 2**53
"""The most that a counter may be: so far all whole numbers are exact."""
Kind = TypeVar("Kind", dict[str, Any], list[Any])


def fact(facts: Mapping[str, str], name: str, kind: type[Kind]) -> Kind:
    """A fact that is written as JSON; ValueError where there is none of that kind."""
    try:
        found = json.loads(facts[name])
    except (KeyError, RecursionError):
        found = None
    if not isinstance(found, kind):
        raise ValueError(f"no {name}")
    return found


def counters_of(facts: Mapping[str, str]) -> dict[str, float]:
    """What the run that made a net had done; ValueError where its file does not say."""
    return counts_of(fact(facts, "counters", dict))


def counts_of(found: Mapping[str, Any]) -> dict[str, float]:
    """Counters as plain numbers; ValueError where one is something else, or cannot be counted to."""
    if not all(type(count) in (int, float) and 0 <= count <= MOST for count in found.values()):
        raise ValueError("no numbers")
    return {str(name): float(count) for name, count in found.items()}


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
