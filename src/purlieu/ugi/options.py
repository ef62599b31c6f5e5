"""The options of our own engine: what it declares, and what each may be set to."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

from purlieu.engine import LEVELS
from purlieu.nets import load
from purlieu.rules import GAMES
from purlieu.rules.notation import shown
from purlieu.rules.registry import game as find_game

from .protocol import Option, UgiError

_SIZES = [size for game in GAMES.values() for size in game.sizes]
_MOST_SEED = 2**48 - 1
NONE = "<empty>"
"""How UGI, like UCI, writes a text that is not there."""


@dataclass(frozen=True, slots=True)
class Options:
    """How the engine is set."""

    game: str = "petrify"
    size: int = field(default=GAMES["petrify"].default_size)
    level: int = 9
    threads: int = 1
    hash_mb: int = 256
    seed: int = 0
    """0 for another one each game."""
    several: int = 1
    """How many of the best moves it tells about."""
    net: str = NONE
    """The file of a net to play with in place of the one that is shipped."""

    def declared(self) -> list[Option]:
        """The options in the order in which they are declared, as they stand."""
        cores = os.cpu_count() or 1
        return [
            Option("Game", "combo", self.game, choices=tuple(GAMES)),
            Option("Size", "spin", str(self.size), min(_SIZES), max(_SIZES)),
            Option("Level", "spin", str(self.level), min(LEVELS), max(LEVELS)),
            Option("Threads", "spin", str(self.threads), 1, max(64, cores)),
            Option("Hash", "spin", str(self.hash_mb), 1, 65_536),
            Option("Seed", "spin", str(self.seed), 0, _MOST_SEED),
            Option("MultiPV", "spin", str(self.several), 1, 100),
            Option("Net", "string", self.net),
        ]

    def with_value(self, name: str, value: str) -> Options:
        """These options with one changed; names and games in any case. A game comes with its usual size and net."""
        option = next((option for option in self.declared() if option.name.lower() == name.lower()), None)
        if option is None:
            names = ", ".join(option.name for option in self.declared())
            raise UgiError(f"there is no option {shown(name)}; the options are {names}")
        if option.name == "Game":
            game = find_game(value)
            if game.name == self.game:
                return self
            return replace(self, game=game.name, size=game.default_size, net=NONE)
        if option.name == "Net":
            return replace(self, net=value if value == NONE else _net_of(value, self.game))
        number = _number(option, value)
        if option.name == "Size" and number not in GAMES[self.game].sizes:
            sizes = GAMES[self.game].sizes
            raise UgiError(f"{GAMES[self.game].title} is played on sizes {sizes[0]} to {sizes[-1]}, not on {number}")
        match option.name:
            case "Size":
                return replace(self, size=number)
            case "Level":
                return replace(self, level=number)
            case "Threads":
                return replace(self, threads=number)
            case "Hash":
                return replace(self, hash_mb=number)
            case "Seed":
                return replace(self, seed=number)
            case _:
                return replace(self, several=number)


def _net_of(path: str, game: str) -> str:
    """The file of a net that can play the game."""
    if (net := load(path)).game != game:
        raise UgiError(f"{shown(path)} is a net of {net.game}, and Game is {game}")
    return path


def _number(option: Option, text: str) -> int:
    assert option.least is not None
    assert option.most is not None
    if text.isascii() and text.isdigit() and len(text) < 19 and option.least <= int(text) <= option.most:
        return int(text)
    raise UgiError(f"{option.name} takes a whole number from {option.least} to {option.most}, not {shown(text)}")
