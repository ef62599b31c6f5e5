"""The words that the table understands beside moves, and what each is for."""

from __future__ import annotations

import difflib
import re
import textwrap

from rich.text import Text

from .screen import entry

EVERYWHERE = {
    "help": "this list; ? does the same",
    "moves": "the legal moves; moves c lists those that begin with c",
    "captures": "the legal moves that capture",
    "why": "why c3xf6: the rule that forbids a move, or what it would do",
    "hint": "the move that the engine would play, and why",
    "analyse": "the best moves with their chances; analyse 5 thinks for 5 seconds",
    "analysis": "analysis on: who is ahead, in a line after every turn; analysis off",
    "score": "the count as it stands, in a line an entry",
    "count": "the same count, drawn and walked through",
    "board": "draw the board again",
    "undo": "take a move back (the computer's reply with it); redo plays it again",
    "redo": "play again what undo took back",
    "save": "save game.pur: write the game to a file; save! overwrites one",
    "position": "the position in one line, for purlieu play, draw and perft",
    "rules": "the rules of this game",
    "resign": "give up",
    "quit": "leave; an unfinished game can be taken up again",
}
PENTWALL = {
    "pool": "the unused pentominoes, drawn",
    "pick": "pick W (or just W): take a pentomino in hand",
    "turn": "turn it a quarter to the right",
    "flip": "flip it, left for right",
    "at": "at c3: hold it with the bottom left corner of its box on c3",
    "left": "left, right, up, down: push it one square",
    "right": "",
    "up": "",
    "down": "",
    "paint": "paint it where it is held",
    "drop": "put it back in the pool",
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
    ways = {
        "petrify": "A move is a square, c3, or a capture, c3xf6.",
        "pilo": "A move is a square, c3, or a capture, c3xc6.",
        "pentwall": "A move is a letter and five squares, Wc3d3d4e4e5; or pick W, turn, flip, at c3, paint.",
        "pyloff": "A move is a point of level 1, c3, or of a higher level, 2c3.",
    }
    lines = [Text(line) for line in textwrap.wrap(ways[game], width)]
    for word, text in words_for(game).items():
        if text:
            lines += entry(word, text, width, margin=11)
    return lines


def nearest(word: str, game: str) -> str | None:
    """The command that was probably meant: ``udno`` is near ``undo``."""
    near = difflib.get_close_matches(word.lower()[:20], [*words_for(game), "pass", "swap"], n=1, cutoff=0.6)
    return near[0] if near else None


_CAPTURE = re.compile(r"([a-z][1-9]\d?)(?:\s*(?:->|[-:>x*]|takes|to)\s*|\s+|)([a-z][1-9]\d?)", re.IGNORECASE)


def generous(text: str, game: str) -> str:
    """A move as people type it, brought nearer to the notation: ``c3-f6``, ``W: c3, d3, d4``, ``2 c3``."""
    text = text.strip()
    if game in ("petrify", "pilo") and (match := _CAPTURE.fullmatch(text)):
        return f"{match[1]}x{match[2]}"
    return re.sub(r"[\s,;:.-]+", " ", text) if game in ("pentwall", "pyloff") else text
