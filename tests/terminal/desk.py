"""A screen that keeps what is printed on it, and a table to play at."""

from __future__ import annotations

import io
from random import Random

from rich.text import Text

import purlieu
from purlieu import Position
from purlieu.rules import Move
from purlieu.terminal.screen import ASCII, Glyphs, Screen
from purlieu.terminal.session import Session
from purlieu.terminal.table import Table


class Paper(Screen):
    """A screen without colour, of 80 columns unless told otherwise."""

    def __init__(self, glyphs: Glyphs | None = None, width: int = 80) -> None:
        self.written = io.StringIO()
        super().__init__(self.written, width=width)
        if glyphs:
            self.glyphs = glyphs

    @property
    def text(self) -> str:
        """All that was printed."""
        return self.written.getvalue()


def ascii_paper() -> Paper:
    return Paper(ASCII)


def text_of(lines: list[Text]) -> str:
    """Lines as plain text, without the spaces at their ends."""
    return "\n".join(line.plain.rstrip() for line in lines)


def drawn(picture: str) -> str:
    """A picture in a test, without its indentation and the blank lines round it."""
    lines = picture.strip("\n").split("\n")
    if not lines[-1].strip():
        lines.pop()
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[margin:].rstrip() for line in lines)


def sit_at(position: Position, *typed: str, table: Table | None = None) -> tuple[Session, str]:
    """A session where those lines were typed, and what was printed."""
    paper = Paper()
    session = Session(table or Table(position, random=Random(1)), paper)
    session.begin()
    for line in typed:
        session.enter(line)
    return session, paper.text


def played_out(game: str, size: int | None = None, seed: int = 1, most: int = 400) -> list[tuple[Position, Move]]:
    """A random game: each move with the position before it."""
    random, position = Random(seed), purlieu.start(game, size)
    line: list[tuple[Position, Move]] = []
    while not position.is_over and len(line) < most:
        move = random.choice(position.legal_moves())
        line.append((position, move))
        position = position.play(move)
    return line
