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
            raise PurlieuError(f"reset knows no option {name!r}; it knows position, a text or a position of the rules")
    given = options.get("position")
    if given is None:
        return core().Position.start(table.game, table.size)
    position = given if isinstance(given, Position) else parse(given)
    if (position.game, position.size) != (table.game, table.size):
        raise PurlieuError(
            f"this environment plays {table.game} {table.size}, and the position is one of {position.game} "
            f"{position.size}"
        )
    if position.is_over:
        raise PurlieuError(f"the game is over in {position.text()}; expected a position with a move to play")
    return core().Position.parse(position.text())
