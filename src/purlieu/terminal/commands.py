"""The words that the table understands beside moves, and what each is for."""

from __future__ import annotations

import re
import textwrap

from rich.text import Text

from purlieu.kit import suggestions
from purlieu.rules import Message

from .screen import entry, said

EVERYWHERE: dict[str, str] = {
    "help": Message("help.help", "this list; ? does the same"),
    "moves": Message("help.moves", "the legal moves; moves c lists those that begin with c"),
    "captures": Message("help.captures", "the legal moves that capture"),
    "why": Message("help.why", "why c3xf6: the rule that forbids a move, or what it would do"),
    "hint": Message("help.hint", "the move that the engine would play, and why"),
    "analyse": Message("help.analyse", "the best moves with their chances; analyse 5 thinks for 5 seconds"),
    "analysis": Message("help.analysis", "analysis on: who is ahead, in a line after every turn; analysis off"),
    "score": Message("help.score", "the count as it stands, in a line an entry"),
    "count": Message("help.count", "the same count, drawn and walked through"),
    "board": Message("help.board", "draw the board again"),
    "undo": Message("help.undo", "take a move back (the computer's reply with it); redo plays it again"),
    "redo": Message("help.redo", "play again what undo took back"),
    "save": Message("help.save", "save game.pur: write the game to a file; save! overwrites one"),
    "position": Message("help.position", "the position in one line, for purlieu play, draw and perft"),
    "rules": Message("help.rules", "the rules of this game"),
    "resign": Message("help.resign", "give up"),
    "quit": Message("help.quit", "leave; an unfinished game can be taken up again"),
}
PENTWALL: dict[str, str] = {
    "pool": Message("help.pool", "the unused pentominoes, drawn"),
    "pick": Message("help.pick", "pick W (or just W): take a pentomino in hand"),
    "turn": Message("help.turn", "turn it a quarter to the right"),
    "flip": Message("help.flip", "flip it, left for right"),
    "at": Message("help.at", "at c3: hold it with the bottom left corner of its box on c3"),
    "left": Message("help.left", "left, right, up, down: push it one square"),
    "right": "",
    "up": "",
    "down": "",
    "paint": Message("help.paint", "paint it where it is held"),
    "drop": Message("help.drop", "put it back in the pool"),
}
HOW_TO_MOVE = {
    "petrify": Message("help.petrify", "A move is a square, c3, or a capture, c3xf6."),
    "pilo": Message("help.pilo", "A move is a square, c3, or a capture, c3xc6."),
    "pentwall": Message(
        "help.pentwall", "A move is a letter and five squares, Wc3d3d4e4e5; or pick W, turn, flip, at c3, paint."
    ),
    "pyloff": Message("help.pyloff", "A move is a point of level 1, c3, or of a higher level, 2c3."),
}
ALIASES = {
    **{"?": "help", "h": "help", "exit": "quit", "q": "quit", "bye": "quit", "ledger": "score", "save!": "save"},
    **{"analyze": "analyse", "an": "analyse"},
}


def words_for(game: str) -> dict[str, str]:
    """The commands of a game, each with its explanation."""
    return PENTWALL | EVERYWHERE if game == "pentwall" else EVERYWHERE


def help_lines(game: str, width: int = 80) -> list[Text]:
    """The commands as a list, the game's own first; what is too long goes on under its own beginning."""
    lines = [Text(line) for line in textwrap.wrap(said(HOW_TO_MOVE[game]), width)]
    for word, text in words_for(game).items():
        if text:
            lines += entry(word, text, width, margin=11)
    return lines


def nearest(word: str, game: str) -> str | None:
    """The command that was probably meant: ``udno`` is near ``undo``."""
    return suggestions.nearest(word, [*words_for(game), "pass", "swap"])


_CAPTURE = re.compile(r"([a-z][1-9]\d?)(?:\s*(?:->|[-:>x*]|takes|to)\s*|\s+|)([a-z][1-9]\d?)", re.IGNORECASE)


def generous(text: str, game: str) -> str:
    """A move as people type it, brought nearer to the notation: ``c3-f6``, ``W: c3, d3, d4``, ``2 c3``."""
    text = text.strip()
    if game in ("petrify", "pilo") and (match := _CAPTURE.fullmatch(text)):
        return f"{match[1]}x{match[2]}"
    return re.sub(r"[\s,;:.-]+", " ", text) if game in ("pentwall", "pyloff") else text
