"""How much of the workers' time each caller had lately, so that everybody gets a fair part of it."""

from __future__ import annotations

import math
import time
from collections import OrderedDict

HALF_LIFE = 10.0
"""After so many seconds, half of what somebody used is forgotten."""
MOST_CALLERS = 10_000


class Shares:
    """Seconds of work by caller. What lies back longer counts less."""

    def __init__(self) -> None:
        self.used: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def of(self, caller: str, now: float) -> float:
        """What the caller has used lately."""
        seconds, since = self.used.get(caller, (0.0, 0.0))
        return seconds * math.pow(0.5, (now - since) / HALF_LIFE)

    def charge(self, caller: str, seconds: float) -> None:
        """The caller has used so much more."""
        now = time.monotonic()
        self.used[caller] = self.of(caller, now) + seconds, now
        self.used.move_to_end(caller)
        if len(self.used) > MOST_CALLERS:
            self.used.popitem(last=False)
