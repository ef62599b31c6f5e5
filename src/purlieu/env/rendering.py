"""Boards as text, for the environments of both kinds."""

from __future__ import annotations

import gymnasium

from purlieu.rules import Position, PurlieuError

MODES = ["ansi"]


def require_mode(mode: str | None) -> str | None:
    """A render mode that there is, or None for no pictures; a sentence for any other."""
    if mode is not None and mode not in MODES:
        raise PurlieuError(
            "env.no_render_mode", "there is no render mode {mode}; it may be ansi or None", mode=repr(mode)
        )
    return mode


def rendered(position: Position, mode: str | None) -> str | None:
    """The board as text; without a render mode a warning, as Gymnasium and PettingZoo have it."""
    if mode is None:
        gymnasium.logger.warn("This environment was made without a render mode; ansi gives the board as text.")
        return None
    from purlieu.terminal.board import flat_board
    from purlieu.terminal.levels import pyramid_board
    from purlieu.terminal.screen import UNICODE

    lines = (pyramid_board if position.game == "pyloff" else flat_board)(position, UNICODE)
    return "\n".join(line.plain.rstrip() for line in lines)
