"""What can be played here: the games, their sizes, and the computer's levels."""

from __future__ import annotations

from functools import cache

from purlieu import __version__
from purlieu.engine import LEVELS
from purlieu.rules import GAMES
from purlieu.sentences import IN_A_SENTENCE

from ..domain.acts import CAN_BE_DRAWN
from .plain import TypedDict, as_sent
from .view import Said


@as_sent
class GameAbout(TypedDict):
    """What one needs to know to begin a game."""

    name: str
    title: str
    sentence: str
    sentence_said: Said
    designer: str
    year: int | None
    sizes: list[int]
    recommended: list[int]
    default_size: int
    colours: list[str]
    has_pie_rule: bool
    can_be_drawn: bool
    rules_version: int


@as_sent
class LevelAbout(TypedDict):
    """One of the computer's levels."""

    number: int
    name: str
    name_said: Said
    sentence: str
    sentence_said: Said


@as_sent
class Catalogue(TypedDict):
    """All there is to choose from."""

    version: str
    games: list[GameAbout]
    levels: list[LevelAbout]


@cache
def catalogue() -> Catalogue:
    """The games and the levels."""
    return Catalogue(
        version=__version__,
        games=[
            GameAbout(
                name=name,
                title=game.title,
                sentence=IN_A_SENTENCE[name],
                sentence_said=IN_A_SENTENCE[name].data(),
                designer=game.designer,
                year=game.year,
                sizes=list(game.sizes),
                recommended=list(game.recommended),
                default_size=game.default_size,
                colours=[colour.value for colour in game.colours],
                has_pie_rule=game.has_pie_rule,
                can_be_drawn=name in CAN_BE_DRAWN,
                rules_version=game.rules_version,
            )
            for name, game in GAMES.items()
        ],
        levels=[
            LevelAbout(
                number=level.number,
                name=level.name,
                name_said=level.name.data(),
                sentence=level.sentence,
                sentence_said=level.sentence.data(),
            )
            for level in LEVELS.values()
        ],
    )
