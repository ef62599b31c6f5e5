"""How long something may take, from now on."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Wait:
    """A time that several steps share; None has no end."""

    seconds: float | None
    begun: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float | None:
        """The seconds that are left, 0 at the least."""
        return None if self.seconds is None else max(0.0, self.begun + self.seconds - time.monotonic())
