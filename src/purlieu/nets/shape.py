"""What a game's nets take in and give out: the core says it, checkpoints keep it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from purlieu.core import core
from purlieu.rules.registry import game as find_game


@dataclass(frozen=True, slots=True)
class Shape:
    """The planes of a game's nets, on every size."""

    game: str
    inputs: int
    policy: int
    maps: int
    names: tuple[str, ...]
    scales: tuple[float, ...]

    @classmethod
    def of(cls, game: str, size: int | None = None) -> Shape:
        """The shape that this build of the core has for a game, whose rules say which sizes there are."""
        start = find_game(game).start(size)
        found = core().net_shape(start.game, start.size)
        return cls(start.game, found.inputs, found.policy, found.maps, tuple(found.names), tuple(found.scales))

    @property
    def fingerprint(self) -> str:
        """Changes with the meaning of any plane: a net fits a core whose fingerprint is the same."""
        text = repr((self.game, self.names, [f"{scale:.9g}" for scale in self.scales], self.policy, self.maps))
        return hashlib.sha256(text.encode()).hexdigest()[:16]
