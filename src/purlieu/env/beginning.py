"""Where a game begins: what `reset` may be told in its options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from purlieu.core import core
from purlieu.rules import Position, PurlieuError, parse

from .actions import ActionTable

if TYPE_CHECKING:
    from purlieu.core import _core

KNOWN = ("position", "options")
"""The second one means nothing: PettingZoo's own test asks for it, to see that options are taken at all."""


def beginning(table: ActionTable, options: Mapping[str, Any] | None) -> _core.Position:
    """The position that the options name, else the empty board."""
    options = options or {}
    for name in options:
        if name not in KNOWN:
            raise PurlieuError(
                "env.unknown_option",
                "reset knows no option {name}; it knows position, a text or a position of the rules",
                name=repr(name),
            )
    given = options.get("position")
    if given is None:
        return core().Position.start(table.game, table.size)
    position = given if isinstance(given, Position) else parse(given)
    if (position.game, position.size) != (table.game, table.size):
        raise PurlieuError(
            "env.position_of_another_game",
            "this environment plays {game} {size}, and the position is one of {other} {side}",
            game=table.game,
            size=table.size,
            other=position.game,
            side=position.size,
        )
    if position.is_over:
        raise PurlieuError(
            "env.game_over",
            "the game is over in {text}; expected a position with a move to play",
            text=position.text(),
        )
    return core().Position.parse(position.text())
