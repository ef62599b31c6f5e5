"""How far apart the plain searches of the ladder are, measured once by `python -m benchmarks.strength.anchors`.

With that the checks of a run, whoever the opponent was, are on one scale: Elo above the plain search of 100.
"""

from __future__ import annotations

import functools
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from purlieu.arena.stats import Pairs, elo_of

TABLE = Path(__file__).parent / "anchors.json"
BASE = 100
"""The simulations of the search that is 0."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A plain search's Elo above the base, and the standard error of that."""

    elo: float
    error: float


@functools.cache
def anchors(game: str, size: int) -> dict[int, Anchor]:
    """The plain searches whose strength is known on such a board, by their simulations; none on most."""
    table: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    entry = table.get(game)
    if entry is None or entry["size"] != size:
        return {}
    found = {BASE: Anchor(0.0, 0.0)}
    for match in entry["matches"]:
        below = found[match["weaker"]]
        elo, error = distance(Pairs(tuple(match["pairs"])))
        found[match["stronger"]] = Anchor(below.elo + elo, math.hypot(below.error, error))
    return found


def distance(pairs: Pairs) -> tuple[float, float]:
    """The Elo that a match shows, with its standard error."""
    score = pairs.score
    slope = 400 / math.log(10) / (score * (1 - score))
    return elo_of(score), slope * pairs.deviation / math.sqrt(pairs.total)
