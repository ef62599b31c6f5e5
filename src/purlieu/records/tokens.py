"""The words of a record: tags, move numbers, moves, marks, comments, brackets, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from purlieu.rules import Message
from purlieu.rules.notation import shown

from .errors import RecordError
from .games import QUOTES, TextLine
from .tags import NAME
from .texts import half_character


class Kind(Enum):
    """What a token is."""

    TAG = "tag"
    NUMBER = "number"
    WORD = "word"
    MARKS = "marks"
    NAG = "nag"
    COMMENT = "comment"
    OPEN = "open"
    CLOSE = "close"
    STRAY = "stray"


class Token(NamedTuple):
    """A token, where it begins, and for a tag its name beside its value."""

    kind: Kind
    text: str
    line: int
    column: int
    name: str = ""


_TOKEN = re.compile(
    r"""
    [\s\ufeff]*+
    (?: (?P<number> [0-9]++ (?: [.…]+ | \) ) | [.…]+ )
      | (?P<marks> [!?]+ )
      | (?P<nag> \$ [0-9]* )
      | (?P<open> \( )
      | (?P<close> \) )
      | (?P<brace> \{ )
      | (?P<semicolon> ; )
      | (?P<tag> \[ )
      | (?P<word> [^\s\ufeff{}()\[\];!?$]+ )
      | (?P<stray> . )
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_STOP = re.compile(r"\\.|\}", re.DOTALL)
_COMMENT_ESCAPE = re.compile(r"\\([\\}n])")
_TAG_NAME = re.compile(rf"\s*({NAME.pattern})\s*")
_VALUE_ESCAPE = re.compile(rf"\\([\\{''.join(sorted({*QUOTES, *''.join(QUOTES.values())}))}])")
_SPACES = re.compile(r"\s*")


def tokens(lines: Iterable[TextLine]) -> Iterator[Token]:
    """The tokens of one game's lines; raises RecordError where a tag or a comment is not closed."""
    comment: _OpenComment | None = None
    for line in lines:
        _refuse_bad_bytes(line)
        if comment is None and line.text.startswith("%"):
            continue
        at = 0
        while True:
            if comment:
                at = comment.take(line.text, at)
                if not comment.closed:
                    break
                yield comment.token()
                comment = None
            match = _TOKEN.match(line.text, at)
            if not match:
                break
            kind, text = str(match.lastgroup), match[str(match.lastgroup)]
            at, column = match.end(), match.end() - len(text) + 1
            if kind == "brace":
                comment = _OpenComment(line.number, column)
            elif kind == "semicolon":
                yield Token(Kind.COMMENT, line.text[at:], line.number, column)
                break
            elif kind == "tag":
                tag, at = _tag(line, at)
                yield tag
            else:
                yield Token(Kind(kind), text, line.number, column)
    if comment:
        raise comment.unclosed()


def _refuse_bad_bytes(line: TextLine) -> None:
    at = half_character(line.text)
    if at is not None:
        byte = line.byte + len(line.text[:at].encode())
        raise RecordError(
            Message(
                "record.byte_at_offset_is", "the byte at offset {byte} is not UTF-8; save the file as UTF-8", byte=byte
            ),
            line=line.number,
            column=at + 1,
            expected="UTF-8",
        )


class _OpenComment:
    """A comment in braces, gathered line by line."""

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column
        self.closed = False
        self.parts: list[str] = []

    def take(self, text: str, at: int) -> int:
        """Take what the line holds of the comment; where the line goes on after it."""
        end, after = len(text), len(text)
        for stop in _COMMENT_STOP.finditer(text, at):
            if stop[0] == "}":
                end, after, self.closed = stop.start(), stop.end(), True
                break
        self.parts.append(text[at:end].strip(" \t"))
        return after

    def token(self) -> Token:
        """The whole comment: lines joined by a space, an empty line and ``\\n`` read as line ends."""
        folded: list[str] = []
        for part in self.parts:
            if not part:
                folded.append("\n")
            elif folded and folded[-1] != "\n":
                folded += (" ", part)
            else:
                folded.append(part)
        text = _COMMENT_ESCAPE.sub(lambda found: "\n" if found[1] == "n" else found[1], "".join(folded))
        return Token(Kind.COMMENT, text, self.line, self.column)

    def unclosed(self) -> RecordError:
        """The game's lines ended inside the comment."""
        return RecordError(
            Message("record.expected_to_close_comment", "expected }} to close the comment that begins here"),
            line=self.line,
            column=self.column,
            expected="}",
        )


def _tag(line: TextLine, at: int) -> tuple[Token, int]:
    """The tag whose bracket opened just before `at`, and where the line goes on after it."""
    text, column = line.text, at
    name = _TAG_NAME.match(text, at)
    if not name:
        raise _expected(Message("expected.tag_name", "a tag's name"), line, at)
    opening = name.end()
    if opening == len(text) or text[opening] not in QUOTES:
        raise _expected(
            Message("expected.tag_value", 'the tag\'s value in quotes, as in [Game "Petrify"]'), line, opening
        )
    closing = _closing_quote(text, opening)
    if closing is None:
        raise RecordError(
            Message("record.expected_closing_quote", "expected a closing quote"),
            line=line.number,
            column=opening + 1,
            expected="a closing quote",
        )
    bracket = _end_of_spaces(text, closing + 1)
    if not text.startswith("]", bracket):
        raise _expected("]", line, bracket)
    value = _VALUE_ESCAPE.sub(r"\1", text[opening + 1 : closing])
    return Token(Kind.TAG, value, line.number, column, name[1]), bracket + 1


def _closing_quote(text: str, opening: int) -> int | None:
    closers = QUOTES[text[opening]]
    for stop in re.compile(rf"\\.|[{closers}]").finditer(text, opening + 1):
        if stop[0] in closers:
            return stop.start()
    return None


def _end_of_spaces(text: str, at: int) -> int:
    spaces = _SPACES.match(text, at)
    return spaces.end() if spaces else at


def _expected(what: str, line: TextLine, at: int) -> RecordError:
    found: str = Message("expected.end_of_line", "the end of the line")
    if at < len(line.text):
        found = shown(line.text[at : at + 20])
    return RecordError(
        Message("record.expected_not_3", "expected {what}, not {found}", what=what, found=found),
        line=line.number,
        column=at + 1,
        expected=what,
    )
