"""Cutting a stream of text into lines, and the lines into games, without reading ahead.

A game ends where the next one's tags begin. That is told from the lines alone, so that an unclosed
comment spoils one game and not the rest of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TextIO

from purlieu.rules import Message

from .errors import RecordError
from .tags import NAME

LONGEST_GAME = 4_000_000
"""The most characters that one game, or one line, may have."""

QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“”", "«": "»"}
"""What may open a tag's value, and what then closes it."""

BYTE_ORDER_MARK = "\ufeff"

_LINE_END = re.compile("\r\n|\r|\n")
_TAG_LINE = re.compile(rf"[ \t{BYTE_ORDER_MARK}]*+\[\s*+({NAME.pattern})\s+[{''.join(QUOTES)}]")


class TextLine(NamedTuple):
    """A line without its end, its number from 1, and the number of bytes before it."""

    number: int
    text: str
    byte: int


@dataclass(slots=True)
class GameText:
    """The lines of one game, or why they could not be gathered."""

    lines: list[TextLine] = field(default_factory=list)
    error: RecordError | None = None


def text_lines(source: Iterable[str] | TextIO) -> Iterator[TextLine]:
    """The lines of a text that comes in pieces of any kind; a line end is LF, CRLF or CR.

    A line that is too long is cut to one character more than is allowed, so that memory stays bounded.
    """
    held: list[str] = []
    number, begun, byte, length, after_cr = 1, 0, 0, 0, False
    for piece in pieces(source):
        at = 1 if after_cr and piece.startswith("\n") else 0
        byte += at
        begun += at
        for end in _LINE_END.finditer(piece, at):
            yield _line(number, [*held, piece[at : end.start()]], begun)
            byte += _byte_length(piece[at : end.end()])
            held, length, number, begun, at = [], 0, number + 1, byte, end.end()
        byte += _byte_length(piece[at:])
        if length <= LONGEST_GAME and at < len(piece):
            held.append(piece[at:])
            length += len(piece) - at
        after_cr = piece.endswith("\r") if piece else after_cr
    if held:
        yield _line(number, held, begun)


def _line(number: int, pieces: list[str], byte: int) -> TextLine:
    text = "".join(pieces)[: LONGEST_GAME + 1]
    if number == 1 and text.startswith(BYTE_ORDER_MARK):
        return TextLine(number, text[1:], byte + _byte_length(BYTE_ORDER_MARK))
    return TextLine(number, text, byte)


def pieces(source: Iterable[str] | TextIO) -> Iterator[str]:
    """The text bit by bit, no bit of a file longer than is allowed."""
    readline = getattr(source, "readline", None)
    if readline is None:
        yield from source
    else:
        while piece := readline(LONGEST_GAME):
            yield piece


def _byte_length(text: str) -> int:
    """How long the line was in its file; a byte that was not UTF-8 is one character here."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def game_texts(source: Iterable[str] | TextIO) -> Iterator[GameText]:
    """The games of a file, one after the other; each is handed out when the next one's tags begin."""
    cutter = _Cutter()
    try:
        for line in text_lines(source):
            if done := cutter.take(line):
                yield done
    except UnicodeDecodeError as error:
        cutter.game.error = RecordError(
            Message("record.this_text_is_not", "this text is not UTF-8: {reason}", reason=error.reason),
            expected="UTF-8",
        )
    if cutter.game.lines or cutter.game.error:
        yield cutter.game


class _Cutter:
    """The game being gathered, and what its lines have shown so far."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.game = GameText()
        self.first_line = self.size = 0
        self.has_tags = self.has_game_tag = self.has_moves = self.after_blank = False

    def take(self, line: TextLine) -> GameText | None:
        """Add a line; if it begins the next game, return the one before it."""
        text = line.text
        if not text.strip(" \t"):
            if not self.after_blank and self.game.error is None:
                self.game.lines.append(line)
            self.after_blank = True
            return None
        done = None
        if tag := _TAG_LINE.match(text):
            is_game_tag = tag[1].lower() == "game"
            begins_again = is_game_tag and self.has_game_tag and self.after_blank
            if self.has_tags and (self.has_moves or begins_again):
                done = self.game
                self._begin()
            self.has_tags = True
            self.has_game_tag = self.has_game_tag or is_game_tag
            self.has_moves = self.has_moves or _has_more_than_tags(text)
        elif self.has_tags and text.lstrip()[:1] not in ";%":
            self.has_moves = True
        self._add(line)
        return done

    def _add(self, line: TextLine) -> None:
        self.after_blank = False
        self.first_line = self.first_line or line.number
        self.size += len(line.text) + 1
        if self.game.error is None:
            self.game.lines.append(line)
            if self.size > LONGEST_GAME:
                message = Message(
                    "record.this_game_is_longer",
                    "this game is longer than {most} characters, the most that one may have",
                    most=LONGEST_GAME,
                )
                self.game = GameText(error=RecordError(message, line=self.first_line, column=1))


def readable(text: str) -> str:
    """A record's text, if it is one that readers take."""
    if len(text) > LONGEST_GAME:
        raise RecordError(
            Message(
                "record.too_long",
                "this record takes {count} characters; no reader takes more than {most}",
                count=len(text),
                most=LONGEST_GAME,
            )
        )
    return text


def _has_more_than_tags(text: str) -> bool:
    """Whether moves follow the tags on their own line."""
    _, closing, rest = text.rpartition("]")
    return bool(closing) and rest.lstrip()[:1] not in ("", ";")
