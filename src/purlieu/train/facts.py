"""What a net's file says of itself, read so that nobody reckons with what is no number.

A file may say anything: JSON nested thousands deep, a whole number of a hundred digits, NaN.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
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
