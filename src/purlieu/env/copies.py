"""Copies and pickles of environments: they go on with the same game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from purlieu.core import core

if TYPE_CHECKING:
    from purlieu.core import _core


class KeepsGame:
    """An environment that is copied and pickled with all it has; its position, which the core holds, as its text."""

    _position: _core.Position

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_position": self._position.text()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._position = core().Position.parse(state["_position"])
