"""The nine levels. Those from 1 to 8 do a fixed amount of work, so that they play as well on every machine."""

from __future__ import annotations

from dataclasses import dataclass

from purlieu.kit.suggestions import did_you_mean
from purlieu.rules import PurlieuError


@dataclass(frozen=True, slots=True)
class Level:
    """How well to play. What a level does for a move depends on the game: `purlieu.engine.ladder` has it."""

    number: int
    name: str
    sentence: str
    takes_time: bool = False
    """Whether it thinks for as long as it is given; the others do a fixed amount of work."""

    def __str__(self) -> str:
        return f"level {self.number}, {self.name}"


LEVELS: dict[int, Level] = {
    level.number: level
    for level in (
        Level(1, "Seedling", "Has just learnt the rules; wins only if you let it."),
        Level(2, "Sprout", "Sees what is right in front of it."),
        Level(3, "Sapling", "Makes sensible moves, and forgets about yours."),
        Level(4, "Hedge", "Punishes careless play: a first opponent to learn from."),
        Level(5, "Orchard", "Plays soundly; you need a plan to beat it."),
        Level(6, "Grove", "A club player who rarely overlooks anything."),
        Level(7, "Copse", "Strong: wins the fights that you thought were even."),
        Level(8, "Forest", "Very strong, and still quick on boards of the usual size."),
        Level(9, "Wildwood", "As strong as it gets: thinks for all the time it is given.", takes_time=True),
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
    raise PurlieuError(f"there is no level {wanted!r}; {did_you_mean(text, by_name, 'levels go from 1 to 9')}")
