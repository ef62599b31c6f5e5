"""Where everything is printed: how wide, in which characters, with colour or without."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import IO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from purlieu.kit.streams import BROKEN_PIPE, printable, silence_output
from purlieu.languages import say
from purlieu.rules import Message


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that boards are drawn with. Sides differ by shape, so colour is never needed."""

    first: str = "●"
    second: str = "○"
    first_buried: str = "▪"
    second_buried: str = "▫"
    empty: str = "·"
    block: str = "█"
    stripe: str = "╱"
    ghost: str = "▒"
    gone: str = "×"
    here: str = "▸"
    rule: str = "─"


UNICODE = Glyphs()
ASCII = Glyphs("X", "O", "x", "o", ".", "#", "/", "+", "*", ">", "-")


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Be silent: not even the last flush, when Python ends, may complain."""
        self.quiet = True
        silence_output()
        raise SystemExit(BROKEN_PIPE)


class Screen:
    """A place to print to. Sentences are wrapped at its width; boards are printed as they are."""

    def __init__(self, file: IO[str] | None = None, *, width: int | None = None) -> None:
        self.console: Console = _Console(file=file, width=width, markup=False, highlight=False, emoji=False)
        self.glyphs = UNICODE if _speaks_unicode(file or sys.stdout) else ASCII
        self.width = width or max(40, min(self.console.width, 100))

    @property
    def is_terminal(self) -> bool:
        """Whether a person watches: then the count goes step by step."""
        return self.console.is_terminal

    def say(self, sentence: str | Text = "", style: str = "", *, indent: int = 0) -> None:
        """A sentence, or several, in the reader's language, wrapped at the width."""
        text = sentence if isinstance(sentence, Text) else Text(said(sentence), style=style)
        for line in text.split("\n", allow_blank=True):
            wrapped = line.wrap(self.console, self.width - indent)
            self.lines([Text(" " * indent).append_text(part) for part in wrapped] or [Text()])

    def lines(self, lines: Iterable[Text]) -> None:
        """Lines that are laid out already."""
        for line in lines:
            if self.console.color_system is None:
                line.rstrip()
            self.console.print(line, soft_wrap=True)

    def raw(self, line: str) -> None:
        """One line for copying, never broken, however long."""
        self.console.print(Text(printable(line)), soft_wrap=True)


def said(sentence: str) -> str:
    """A text in the reader's language. Foreign text in it cannot play tricks with the terminal."""
    return printable(say(sentence))


def styled(sentence: Message, **styles: str) -> Text:
    """A sentence in the reader's language, some of its values in a style of their own."""
    text = Text(said(sentence))
    for name, style in styles.items():
        text.highlight_words([said(value if isinstance(value := sentence.values[name], str) else str(value))], style)
    return text


def padded(text: str, width: int) -> str:
    """A text in the reader's language, filled up to a width."""
    shown = said(text)
    return shown + " " * (width - cell_len(shown))


def beside(left: Sequence[Text], right: Sequence[Text], gap: int = 3) -> list[Text]:
    """Two columns of lines next to each other."""
    width = max((line.cell_len for line in left), default=0) + gap
    joined = []
    for at in range(max(len(left), len(right))):
        line = left[at].copy() if at < len(left) else Text()
        if at < len(right):
            line.append(" " * (width - line.cell_len))
            line.append_text(right[at])
        joined.append(line)
    return joined


def entry(word: str, text: str, width: int, margin: int) -> list[Text]:
    """An entry of a list: a bold word, and beside it a text that goes on under its own beginning."""
    first, *more = textwrap.wrap(said(text), width - margin)
    return [
        Text.assemble((padded(f"  {said(word)}", margin - 1) + " ", "bold"), first),
        *(Text(" " * margin + line) for line in more),
    ]


def _speaks_unicode(stream: IO[str]) -> bool:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        "".join(UNICODE.__getattribute__(name) for name in Glyphs.__slots__).encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True
