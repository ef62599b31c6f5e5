"""The nine levels. Those from 1 to 8 do a fixed amount of work, so that they play as well on every machine."""

from __future__ import annotations

from dataclasses import dataclass

from purlieu.kit.suggestions import did_you_mean
from purlieu.languages import say
from purlieu.rules import Message, PurlieuError


@dataclass(frozen=True, slots=True)
class Level:
    """How well to play. What a level does for a move depends on the game: `purlieu.engine.ladder` has it."""

    number: int
    name: Message
    sentence: Message
    takes_time: bool = False
    """Whether it thinks for as long as it is given; the others do a fixed amount of work."""

    @property
    def title(self) -> Message:
        """``level 4, Hedge``."""
        return Message("level.numbered", "level {number}, {name}", number=self.number, name=self.name)

    def __str__(self) -> str:
        return self.title


LEVELS: dict[int, Level] = {
    level.number: level
    for level in (
        Level(
            1,
            Message("level.seedling", "Seedling"),
            Message("level.seedling.about", "Has just learnt the rules; wins only if you let it."),
        ),
        Level(
            2, Message("level.sprout", "Sprout"), Message("level.sprout.about", "Sees what is right in front of it.")
        ),
        Level(
            3,
            Message("level.sapling", "Sapling"),
            Message("level.sapling.about", "Makes sensible moves, and forgets about yours."),
        ),
        Level(
            4,
            Message("level.hedge", "Hedge"),
            Message("level.hedge.about", "Punishes careless play: a first opponent to learn from."),
        ),
        Level(
            5,
            Message("level.orchard", "Orchard"),
            Message("level.orchard.about", "Plays soundly; you need a plan to beat it."),
        ),
        Level(
            6,
            Message("level.grove", "Grove"),
            Message("level.grove.about", "A club player who rarely overlooks anything."),
        ),
        Level(
            7,
            Message("level.copse", "Copse"),
            Message("level.copse.about", "Strong: wins the fights that you thought were even."),
        ),
        Level(
            8,
            Message("level.forest", "Forest"),
            Message("level.forest.about", "Very strong, and still quick on boards of the usual size."),
        ),
        Level(
            9,
            Message("level.wildwood", "Wildwood"),
            Message("level.wildwood.about", "As strong as it gets: thinks for all the time it is given."),
            takes_time=True,
        ),
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
    by_name = {name.lower(): level for level in LEVELS.values() for name in (level.name, say(level.name))}
    text = str(wanted).strip().lower()
    found = by_name.get(text) or {str(number): level for number, level in LEVELS.items()}.get(text)
    if found:
        return found
    hint = did_you_mean(text, by_name, Message("engine.levels", "levels go from 1 to 9"))
    raise PurlieuError("engine.no_level", "there is no level {wanted}; {hint}", wanted=repr(wanted), hint=hint)
