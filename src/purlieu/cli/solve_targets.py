"""What ``purlieu solve`` is asked about: a position, or the openings of a game."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from purlieu.rules import GAMES, Position, PurlieuError
from purlieu.rules import game as find_game
from purlieu.rules.messages import listed
from purlieu.rules.notation import shown
from purlieu.solver.openings import distinct_openings

from .targets import find_position, find_record, is_a_file, moment_of


def find_target(
    game: str | None, text: str | None, size: int | None, number: int, ply: int | None
) -> tuple[Position, bool]:
    """The position to solve, and whether it is a whole game that was asked for by its name."""
    if text is None and game is not None and (game == "-" or is_a_file(game)):
        return moment_of(find_record(game, number, size), ply)[2], False
    if ply is not None:
        raise typer.BadParameter("it is for a file of records.", param_hint="--ply")
    if text is not None:
        return find_position(position_text(game, text), size), False
    if game is None:
        raise typer.BadParameter("expected a game's name, a position in quotes, or a file.", param_hint="GAME")
    return find_position(game, size), len(game.split()) == 1


def position_text(game: str | None, text: str) -> str:
    """What --position says, with the game's name before it if it was given apart."""
    first = (text.split() or [""])[0].lower()
    if game is not None:
        name = find_game(game).name
        if first not in GAMES:
            text = f"{name} {text}"
        elif first != name:
            raise PurlieuError(
                "solve.position_of_another_game",
                "--position is one of {title}, and GAME is {name}; leave one of them out",
                title=GAMES[first].title,
                name=name,
            )
    if len(text.split()) < 2:
        raise typer.BadParameter('expected a text such as "petrify 3/1b1/3 ply=2".', param_hint="--position")
    return text


def find_openings(start: Position, wanted: Sequence[str] = ()) -> dict[str, Position]:
    """The distinct openings of a game with the pie rule, or those of them that are wanted."""
    found = distinct_openings(start.game, start.size)
    if unknown := [move for move in wanted if move not in found]:
        raise typer.BadParameter(
            f"{shown(unknown[0])} is none of them; up to turns and mirrors they are {listed(list(found))}.",
            param_hint="--opening",
        )
    return {move: position for move, position in found.items() if not wanted or move in wanted}
