"""Foreign text made fit to be kept: what a comment, a tag's value and a mark may hold."""

from __future__ import annotations

import re

from purlieu.rules import Message
from purlieu.rules.notation import shown

from .errors import RecordError

MARKS = ("!", "?", "!!", "??", "!?", "?!")
"""The marks a move can carry; PGN numbers them $1 to $6, and `normal_mark` reads those as these."""

_LINE_END = re.compile("\r\n|\r|\n")
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_NAG = re.compile(r"\$0*([0-9]{1,3})")
_HIGHEST_NAG = 255


def clean_comment(text: str) -> str:
    """A comment without the space around it, its lines ended by a bare newline."""
    return _LINE_END.sub("\n", _whole(text)).strip()


def clean_value(text: str) -> str:
    """A tag's value on one line: a line end in it becomes a space."""
    return _LINE_END.sub(" ", _whole(text))


def normal_mark(mark: str) -> str:
    """One of `MARKS`, or ``$n`` for any other of PGN's numbered marks.

    >>> normal_mark("$1"), normal_mark("$013")
    ('!', '$13')
    """
    if mark in MARKS:
        return mark
    expected = Message("expected.mark", "one of {marks} or $0 to ${most}", marks=" ".join(MARKS), most=_HIGHEST_NAG)
    found = _NAG.fullmatch(mark)
    if not found or int(found[1]) > _HIGHEST_NAG:
        raise RecordError(
            Message(
                "record.is_no_mark_expected",
                "{mark} is no mark; expected {expected}",
                mark=shown(mark),
                expected=expected,
            ),
            expected=expected,
        )
    number = int(found[1])
    return MARKS[number - 1] if 1 <= number <= len(MARKS) else f"${number}"


def half_character(text: str) -> int | None:
    """Where the text holds half of a surrogate pair, or a byte that was not UTF-8; None if it is whole."""
    found = None if text.isascii() else _HALF_CHARACTER.search(text)
    return found.start() if found else None


def _whole(text: str) -> str:
    if half_character(text) is not None:
        raise RecordError(
            Message(
                "record.holds_half_character_which",
                "{text} holds half a character, which no file can keep",
                text=shown(text),
            )
        )
    return text
