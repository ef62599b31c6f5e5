"""What the table answers when it is asked: which moves are legal, which capture, and why not this one."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.text import Text

from purlieu.rules import Position, Refusal, Rule
from purlieu.rules.moves import Capture
from purlieu.rules.notation import LETTERS
from purlieu.sentences import marbles_taken

from .board import Marks
from .screen import Screen
from .status import board

MOST_LISTED = 120
_NOTHING_TO_SEE = {Rule.GAME_OVER, Rule.OFF_BOARD, Rule.OCCUPIED, Rule.NOT_YOURS, Rule.NO_ENEMY, Rule.PASS, Rule.SWAP}


def moves_text(position: Position, prefix: str = "", width: int = 80) -> str:
    """The legal moves, or those whose notation begins so; Pentwall's thousands are counted by letter."""
    moves = position.legal_moves()
    prefix = prefix.strip().lower()[:20]
    if position.game == "pentwall" and not prefix and len(moves) > MOST_LISTED:
        counts = dict.fromkeys(LETTERS, 0)
        for move in moves:
            counts[str(move)[0]] += 1
        told = ", ".join(f"{letter} {count}" for letter, count in counts.items() if count)
        return f"{len(moves)} legal moves: {told}. For one letter: moves W."
    names = [str(move) for move in moves if str(move).lower().startswith(prefix)]
    return _listed(names, "legal move", f" that begin with {prefix}" if prefix else "", width)


def captures_text(position: Position, prefix: str = "", width: int = 80) -> str:
    """The legal moves that capture something, with what they take in Pyloff."""
    if position.game == "pentwall":
        return "Nothing is captured in Pentwall."
    names = []
    for move in position.legal_moves():
        taken = marbles_taken(position, move) if position.game == "pyloff" else int(isinstance(move, Capture))
        if taken and str(move).lower().startswith(prefix.strip().lower()):
            names.append(f"{move} (takes {taken})" if position.game == "pyloff" else str(move))
    return _listed(names, "legal capture", f" from {prefix}" if prefix else "", width)


def refusal_lines(
    move: str, refusal: Refusal, positions: Sequence[Position], screen: Screen, *, always: bool = False
) -> list[Text]:
    """Why a move is refused, with the board pointing at the squares when that helps to see it."""
    position = positions[-1]
    named = refusal.message.startswith(f"{move} ")
    lines = [Text(f"{refusal.message}." if named else f"{move}: {refusal.message}.")]
    if always:
        lines.append(Text(f"The rule: {refusal.rule.value}.", style="grey50"))
    if refusal.squares and refusal.rule not in _NOTHING_TO_SEE:
        lines += board(position, screen, Marks(pointed=frozenset(refusal.squares)))
    if refusal.ply is not None and 0 <= refusal.ply - positions[0].ply < len(positions):
        lines.append(Text(f"The board after turn {refusal.ply} was this:"))
        lines += board(positions[refusal.ply - positions[0].ply], screen)
    return lines


def _listed(names: Sequence[str], what: str, which: str, width: int) -> str:
    if not names:
        return f"No {what}{which}."
    head = f"{len(names)} {what}{'s' if len(names) > 1 else ''}{which}"
    more = f" … and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    held = "  ".join(name.replace(" ", "\N{NO-BREAK SPACE}") for name in names[:MOST_LISTED])
    indented = textwrap.fill(held + more, width, initial_indent="  ", subsequent_indent="  ")
    return f"{head}:\n{indented}".replace("\N{NO-BREAK SPACE}", " ")
