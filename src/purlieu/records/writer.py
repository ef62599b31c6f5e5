"""Writing records as text that reads back equal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from .games import BYTE_ORDER_MARK, readable
from .model import Line, Node, Record
from .texts import MARKS

WIDTH = 80
"""Moves and comments are wrapped at this column; a tag or a long word may stand out."""

_BREAK = re.compile(rf"(?<![ \t]) (?![ \t\[{BYTE_ORDER_MARK}])")
"""Where a comment may be wrapped: at a lone space, and not where a line would begin like a tag."""


def dumps(record: Record) -> str:
    """The record as text: its tags, an empty line, its moves and its result.

    >>> from purlieu.rules import start
    >>> print(dumps(Record.of(start("pilo", 6), ["c3", "d4", "c4"], first="Ana")))
    [Game "Pilo"]
    [Size "6"]
    [Rules "1"]
    [First "Ana"]
    [Second "?"]
    [Date "?"]
    [Result "*"]
    <BLANKLINE>
    1. c3 d4 2. c4 *
    <BLANKLINE>
    """
    header = record.header
    tags = "".join(f'[{name} "{_escaped_value(value)}"]\n' for name, value in header.items())
    words: list[str] = []
    if record.comment:
        words += _comment(record.comment)
    words += _line(record.line, record.start.ply)
    words.append(header["Result"])
    text = f"{tags}\n{_wrapped(words)}\n"
    return readable(text)


def write_records(records: Iterable[Record], stream: TextIO) -> None:
    """Write each record as it comes, with an empty line between two."""
    between = ""
    for record in records:
        stream.write(between + dumps(record))
        between = "\n"


def _escaped_value(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _line(line: Line, start: int) -> Iterator[str]:
    """The words of a line of play, in order; each may begin a new line of text."""
    interrupted = True
    for ply, node in enumerate(line, start):
        number = ""
        if node.before or interrupted or ply % 2 == 0:
            number = f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"
        if node.before:
            yield number
            yield from _comment(node.before)
            yield _move(node)
        else:
            yield f"{number} {_move(node)}".lstrip()
        if node.comment:
            yield from _comment(node.comment)
        for variation in node.variations:
            words = list(_line(variation, ply))
            words[0] = f"({words[0]}"
            words[-1] += ")"
            yield from words
        interrupted = bool(node.comment or node.variations)


def _move(node: Node) -> str:
    """The move with its marks; the first sticks to it, unless it is a numbered one."""
    text = str(node.move)
    for at, mark in enumerate(node.marks):
        text += mark if at == 0 and mark in MARKS else f" {mark}"
    return text


def _comment(comment: str) -> list[str]:
    escaped = comment.replace("\\", "\\\\").replace("}", "\\}").replace("\n", "\\n")
    return _BREAK.split(f"{{{escaped}}}")


def _wrapped(words: Iterable[str]) -> str:
    lines: list[list[str]] = [[]]
    width = 0
    for word in words:
        width += len(word) + 1
        if width > WIDTH + 1 and lines[-1]:
            lines.append([])
            width = len(word) + 1
        lines[-1].append(word)
    return "\n".join(map(" ".join, lines))
