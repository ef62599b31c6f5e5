"""``purlieu rules``: the rules of a game, with small boards."""

from __future__ import annotations

from typing import Annotated

import typer

from purlieu.kit.streams import use_ascii
from purlieu.rules import GAMES
from purlieu.rules import game as find_game
from purlieu.sentences import IN_A_SENTENCE, by_designer

from .options import Ascii, Command, examples


def run(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Without it: a list of the games.")] = None,
    plain: Ascii = False,
) -> None:
    """Explain the rules of a game, with small boards drawn."""
    from purlieu.terminal.rulebook import rule_lines
    from purlieu.terminal.screen import Screen

    if plain:
        use_ascii()
    screen = Screen()
    if game is not None:
        screen.lines(rule_lines(find_game(game).name, screen))
        return
    for name, about in GAMES.items():
        screen.say(by_designer(about), style="bold")
        screen.say(IN_A_SENTENCE[name])
        screen.say(f"  purlieu rules {name}\n")


COMMAND = Command("rules", run, examples("purlieu rules", "purlieu rules petrify", "purlieu rules pyloff | less"))
