"""The rules of each game in our own words, with small boards drawn by the same printer as the play."""

from __future__ import annotations

from rich.text import Text

from purlieu.rules import GAMES

from ..screen import Screen, beside
from ..status import board
from . import pentwall, petrify, pilo, pyloff
from .page import Figure, Heading, Page

PAGES: dict[str, Page] = {
    "petrify": petrify.PAGE,
    "pilo": pilo.PAGE,
    "pentwall": pentwall.PAGE,
    "pyloff": pyloff.PAGE,
}


def rule_lines(game: str, screen: Screen) -> list[Text]:
    """The rules of a game, laid out for that screen."""
    about = GAMES[game]
    year = f", {about.year}" if about.year else ""
    lines = [Text.assemble((about.title, "bold"), f"  by {about.designer}{year}"), Text()]
    for part in PAGES[game]:
        match part:
            case Heading(text):
                lines.append(Text(text, style="bold"))
            case Figure():
                lines.extend(_figure_lines(part, screen))
                lines.append(Text())
            case str():
                lines.extend(Text(part).wrap(screen.console, min(screen.width, 80)))
                lines.append(Text())
    return lines[:-1]


def _figure_lines(figure: Figure, screen: Screen) -> list[Text]:
    """A board with its caption beside it, or below it where it is too wide."""
    drawn = [Text("  ").append_text(line) for line in board(figure.position, screen, figure.marks)]
    room = min(screen.width, 80) - max(line.cell_len for line in drawn) - 3
    if room >= 26:
        return beside(drawn, [Text(), *Text(figure.caption).wrap(screen.console, room)])
    return [*drawn, *Text(figure.caption).wrap(screen.console, min(screen.width, 80))]
