"""The nine levels: each is a fixed amount of work, so that it plays as well on every machine."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from purlieu.rules import PurlieuError


@dataclass(frozen=True, slots=True)
class Level:
    """How well to play: the work done for a move, and how freely one of the good moves is then picked."""

    number: int
    name: str
    sentence: str
    simulations: int | None
    """The games tried out in thought before a move; None for the level that takes the time it is given."""
    temperature: float = 0.0
    """0 plays the best move found; 1 plays each good move as often as the search looked at it."""
    margin: float = 0.0
    """A move whose chance of winning is this much below the best one's is never played."""

    def __str__(self) -> str:
        return f"level {self.number}, {self.name}"


LEVELS: dict[int, Level] = {
    level.number: level
    for level in (
        Level(1, "Seedling", "Has just learnt the rules; wins only if you let it.", 6, 1.2, 0.35),
        Level(2, "Sprout", "Sees what is right in front of it.", 20, 0.8, 0.25),
        Level(3, "Sapling", "Makes sensible moves, and forgets about yours.", 60, 0.5, 0.20),
        Level(4, "Hedge", "Punishes careless play: a first opponent to learn from.", 160, 0.3, 0.15),
        Level(5, "Orchard", "Plays soundly; you need a plan to beat it.", 450, 0.15, 0.10),
        Level(6, "Grove", "A club player who rarely overlooks anything.", 1_200),
        Level(7, "Copse", "Strong: wins the fights that you thought were even.", 3_500),
        Level(8, "Forest", "Very strong, and still quick on boards of the usual size.", 11_000),
        Level(9, "Wildwood", "As strong as it gets: thinks for all the time it is given.", None),
    )
}
"""The levels by number."""

DEFAULT_SECONDS = 3.0
"""How long level 9 thinks about a move when nobody says."""


def find_level(wanted: Level | int | str) -> Level:
    """The level of that number or name; a near miss is told the right word.

    >>> find_level("seedling").number
    1
    """
    if isinstance(wanted, Level):
        return wanted
    by_name = {level.name.lower(): level for level in LEVELS.values()}
    text = str(wanted).strip().lower()
    found = by_name.get(text) or {str(number): level for number, level in LEVELS.items()}.get(text)
    if found:
        return found
    near = difflib.get_close_matches(text, by_name, n=1)
    hint = f"did you mean {near[0]}?" if near else "levels go from 1 to 9"
    raise PurlieuError(f"there is no level {wanted!r}; {hint}")
