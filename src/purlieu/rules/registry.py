"""The four games by name."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass

from . import blocks, pentwall, petrify, pilo, pyloff
from .errors import BadNotation, BadSize, UnknownGame
from .messages import Message
from .notation import shown
from .position import Position
from .seats import Colour


@dataclass(frozen=True, slots=True)
class Game:
    """What one needs to know to begin a game."""

    name: str
    """As code and files write it."""
    title: str
    designer: str
    year: int | None
    sizes: range
    recommended: range
    """The sizes that the rulebook recommends; all, where it recommends none."""
    default_size: int
    colours: tuple[Colour, Colour]
    has_pie_rule: bool
    rules_version: int
    """Bumped when a ruling changes; a record keeps the version it was played under."""
    start_at: Callable[[int], Position]
    parse_fields: Callable[[list[str]], Position]
    draw: Callable[..., Position]

    def start(self, size: int | None = None) -> Position:
        """The game's first position, on a board of that side or of the default one."""
        size = self.default_size if size is None else size
        if type(size) is not int or size not in self.sizes:
            first, last = self.sizes[0], self.sizes[-1]
            told = {"title": self.title, "first": first, "last": last, "size": repr(size)}
            if first == last:
                raise BadSize(
                    "text.no_such_size", "{title} is played on {first}×{first}; {size} is not such a size", **told
                )
            raise BadSize(
                "text.not_of_these_sizes",
                "{title} is played on {first}×{first} to {last}×{last}; {size} is not such a size",
                **told,
            )
        return self.start_at(size)


LUIS = "Luis Bolaños Mures"

GAMES: dict[str, Game] = {
    game.name: game
    for game in (
        Game(
            name="petrify",
            title="Petrify",
            designer=LUIS,
            year=2021,
            sizes=blocks.SIZES,
            recommended=blocks.RECOMMENDED,
            default_size=blocks.DEFAULT_SIZE,
            colours=petrify.PetrifyPosition.colours,
            has_pie_rule=True,
            rules_version=1,
            start_at=petrify.start,
            parse_fields=petrify.parse,
            draw=petrify.draw,
        ),
        Game(
            name="pilo",
            title="Pilo",
            designer=LUIS,
            year=2021,
            sizes=blocks.SIZES,
            recommended=blocks.RECOMMENDED,
            default_size=blocks.DEFAULT_SIZE,
            colours=pilo.PiloPosition.colours,
            has_pie_rule=True,
            rules_version=1,
            start_at=pilo.start,
            parse_fields=pilo.parse,
            draw=pilo.draw,
        ),
        Game(
            name="pentwall",
            title="Pentwall",
            designer="Kanare Kato",
            year=None,
            sizes=pentwall.SIZES,
            recommended=pentwall.SIZES,
            default_size=pentwall.SIZE,
            colours=pentwall.PentwallPosition.colours,
            has_pie_rule=False,
            rules_version=1,
            start_at=pentwall.start,
            parse_fields=pentwall.parse,
            draw=pentwall.draw,
        ),
        Game(
            name="pyloff",
            title="Pyloff",
            designer="Cameron Browne",
            year=2006,
            sizes=pyloff.SIZES,
            recommended=pyloff.SIZES,
            default_size=pyloff.DEFAULT_SIZE,
            colours=pyloff.PyloffPosition.colours,
            has_pie_rule=False,
            rules_version=1,
            start_at=pyloff.start,
            parse_fields=pyloff.parse,
            draw=pyloff.draw,
        ),
    )
}

LONGEST_TEXT = 200_000
"""A size-19 Pyloff game of the greatest length fits; nothing longer is a position."""


def game(name: str) -> Game:
    """The game of that name, in any case; a near miss is told the right name."""
    if not isinstance(name, str):
        raise UnknownGame(
            "text.game_is_called_by",
            "a game is called by its name, not by {name}; the games are {known}",
            name=repr(name),
            known=", ".join(GAMES),
        )
    found = GAMES.get(name.strip().lower())
    if found:
        return found
    near = difflib.get_close_matches(name.strip().lower()[:20], GAMES, n=1)
    if near:
        message = Message(
            "text.near_game", "there is no game called {name}; did you mean {near}?", name=shown(name), near=near[0]
        )
    else:
        message = Message(
            "text.no_game",
            "there is no game called {name}; the games are {known}",
            name=shown(name),
            known=", ".join(GAMES),
        )
    raise UnknownGame(message)


def start(name: str, size: int | None = None) -> Position:
    """The first position of a game.

    >>> start("petrify").size
    8
    """
    return game(name).start(size)


def parse(text: str) -> Position:
    """The position that a line of text describes; the inverse of `Position.text`.

    >>> parse("petrify b2/3/3 ply=1").text()
    'petrify b2/3/3 ply=1 blue=first passes=0 last=first'
    """
    if not isinstance(text, str):
        raise BadNotation(
            "text.position_is_line_of", "a position is a line of text, not {name}", name=type(text).__name__
        )
    if len(text) > LONGEST_TEXT:
        raise BadNotation(
            "text.this_text_is_characters",
            "this text is {count} characters long; a position has at most {longest_text}",
            count=len(text),
            longest_text=LONGEST_TEXT,
        )
    text = text.strip(" \n")
    if strange := next((letter for letter in text if letter != " " and not letter.isprintable()), None):
        raise BadNotation(
            "text.position_is_one_line",
            "a position is one line, its parts separated by spaces; this text holds {strange}",
            strange=repr(strange),
        )
    name, *fields = text.split(" ") or [""]
    fields = [field for field in fields if field]
    if name.lower() not in GAMES:
        raise BadNotation(
            "text.position_begins_with_its",
            "a position begins with its game's name ({known}), not with {name}",
            known=", ".join(GAMES),
            name=shown(name),
        )
    if not fields:
        raise BadNotation(
            "text.after_position_names_its",
            "after {name} a position names its board, row by row from the top",
            name=name,
        )
    return GAMES[name.lower()].parse_fields(fields)
