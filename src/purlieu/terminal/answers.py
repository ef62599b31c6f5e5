"""What the table answers when it is asked: which moves are legal, which capture, and why not this one."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.text import Text

from purlieu.rules import Message, Position, Refusal, Rule
from purlieu.rules.moves import Capture
from purlieu.rules.notation import LETTERS
from purlieu.sentences import marbles_taken

from .board import Marks
from .screen import Screen, said
from .status import board

MOST_LISTED = 120
_NOTHING_TO_SEE = {Rule.GAME_OVER, Rule.OFF_BOARD, Rule.OCCUPIED, Rule.NOT_YOURS, Rule.NO_ENEMY, Rule.PASS, Rule.SWAP}


_NAMES_ITS_SQUARE = {Rule.OFF_BOARD, Rule.OCCUPIED, Rule.UNSUPPORTED}


def moves_text(position: Position, prefix: str = "", width: int = 80) -> str:
    """The legal moves, or those whose notation begins so; Pentwall's thousands are counted by letter."""
    moves = position.legal_moves()
    prefix = prefix.strip().lower()[:20]
    if position.game == "pentwall" and not prefix and len(moves) > MOST_LISTED:
        counts = dict.fromkeys(LETTERS, 0)
        for move in moves:
            counts[str(move)[0]] += 1
        told = ", ".join(f"{letter} {count}" for letter, count in counts.items() if count)
        return Message(
            "moves.by_letter",
            "{count} legal moves: {letters}. For one letter: moves W.",
            count=len(moves),
            letters=told,
        )
    names = [str(move) for move in moves if str(move).lower().startswith(prefix)]
    found = {"count": len(names), "prefix": prefix}
    if not names:
        none = Message("moves.none_so", "No legal move that begins with {prefix}.", **found)
        return none if prefix else Message("moves.none", "No legal move.")
    if prefix:
        heading = Message.many(
            "moves.so",
            "{count} legal move that begins with {prefix}:",
            "{count} legal moves that begin with {prefix}:",
            **found,
        )
        return _listed(heading, names, width)
    return _listed(Message.many("moves.all", "{count} legal move:", "{count} legal moves:", **found), names, width)


def captures_text(position: Position, prefix: str = "", width: int = 80) -> str:
    """The legal moves that capture something, with what they take in Pyloff."""
    if position.game == "pentwall":
        return Message("captures.pentwall", "Nothing is captured in Pentwall.")
    names = []
    for move in position.legal_moves():
        taken = marbles_taken(position, move) if position.game == "pyloff" else int(isinstance(move, Capture))
        if taken and str(move).lower().startswith(prefix.strip().lower()):
            takes = Message("captures.takes", "{move} (takes {count})", move=move, count=taken)
            names.append(said(takes) if position.game == "pyloff" else str(move))
    found = {"count": len(names), "square": prefix}
    if not names:
        none = Message("captures.none_from", "No legal capture from {square}.", **found)
        return none if prefix else Message("captures.none", "No legal capture.")
    if prefix:
        heading = Message.many(
            "captures.from",
            "{count} legal capture from {square}:",
            "{count} legal captures from {square}:",
            **found,
        )
        return _listed(heading, names, width)
    heading = Message.many("captures.all", "{count} legal capture:", "{count} legal captures:", **found)
    return _listed(heading, names, width)


def refusal_lines(
    move: str, refusal: Refusal, positions: Sequence[Position], screen: Screen, *, always: bool = False
) -> list[Text]:
    """Why a move is refused, with the board pointing at the squares when that helps to see it."""
    position = positions[-1]
    sentence = Message("refused", "{move}: {why}.", move=move, why=refusal.message)
    if refusal.rule in _NAMES_ITS_SQUARE and move in refusal.message.values.values():
        sentence = sentence_of(refusal.message)
    lines = [Text(said(sentence))]
    if always:
        rule = Message("refused.rule", "The rule: {rule}.", rule=refusal.rule.title)
        lines.append(Text(said(rule), style="grey50"))
    if refusal.squares and refusal.rule not in _NOTHING_TO_SEE:
        lines += board(position, screen, Marks(pointed=frozenset(refusal.squares)))
    if refusal.ply is not None and 0 <= refusal.ply - positions[0].ply < len(positions):
        lines.append(Text(said(Message("refused.board", "The board after turn {ply} was this:", ply=refusal.ply))))
        lines += board(positions[refusal.ply - positions[0].ply], screen)
    return lines


def _listed(heading: Message, names: Sequence[str], width: int) -> str:
    more = said(Message("moves.more", "… and {count} more", count=len(names) - MOST_LISTED))
    held = "  ".join(name.replace(" ", "\N{NO-BREAK SPACE}") for name in names[:MOST_LISTED])
    held = f"{held} {more}" if len(names) > MOST_LISTED else held
    indented = textwrap.fill(held, width, initial_indent="  ", subsequent_indent="  ")
    return f"{said(heading)}\n{indented}".replace("\N{NO-BREAK SPACE}", " ")


def sentence_of(clause: str) -> Message:
    """What is wrong, with a full stop."""
    return Message("sentence", "{clause}.", clause=clause)
