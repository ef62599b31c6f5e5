"""The rules of each game: their page in the reader's language, with its boards drawn as at the table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.table import Column, Table
from rich.text import Text

from purlieu import languages
from purlieu.kit.streams import printable
from purlieu.rules import parse

from .board import Marks, last_move_marks
from .count import summary
from .screen import Screen, beside
from .status import board, legend_lines

WIDEST = 80
LEAST_ROOM = 26
"""With fewer columns than this beside a board, its caption stands below it."""
_FIGURE = re.compile(
    r"<!-- draw \S+: (?P<position>[^|]+?)(?: \| (?P<what>\w+) ?(?P<move>\S*))? -->\s*!\[(?P<caption>[^]]*)\]"
)
_INLINE = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|`(?P<code>[^`]+)`|\[(?P<link>[^]]+)\]\([^)]*\)")


def rule_lines(game: str, screen: Screen) -> list[Text]:
    """The rules of a game, laid out for that screen."""
    page = printable(languages.file("rules", f"{game}.md").read_text(encoding="utf-8"))
    lines: list[Text] = []
    explained = False
    for block in _blocks(page):
        if figure := _FIGURE.match(block):
            lines += _figure(figure, screen)
            if not explained:
                lines += legend_lines(game, screen)
            explained = True
        else:
            lines += _laid_out(block, screen)
        if not block.startswith("## "):
            lines.append(Text())
    return lines[:-1]


def _blocks(page: str) -> Iterator[str]:
    """What a page is made of, in its order: headings, paragraphs, lists, tables, lines to copy, and figures."""
    for part in page.strip().split("\n\n"):
        yield from re.split(r"\n(?=<!-- draw)", part.strip("\n"))


def _laid_out(block: str, screen: Screen) -> list[Text]:
    width = min(screen.width, WIDEST)
    if block.startswith("#"):
        return list(Text(block.lstrip("# "), style="bold").wrap(screen.console, width))
    if block.startswith("|"):
        return _table(block, screen, width)
    if block.startswith("```"):
        return _hanging(Text(block.strip("`\n")), "  ", screen, width)
    if block.startswith("- "):
        items = re.split(r"^- ", block, flags=re.MULTILINE)[1:]
        return [line for item in items for line in _hanging(_inline(item), "- ", screen, width)]
    return list(_inline(block).wrap(screen.console, width))


def _inline(text: str) -> Text:
    """Text on one line; what is bold or to be typed stands out where a terminal can show it."""
    line, at, told = Text(), 0, " ".join(text.split())
    for found in _INLINE.finditer(told):
        line.append(told[at : found.start()])
        line.append(found[found.lastgroup or 0], "" if found["link"] else "bold")
        at = found.end()
    return line.append(told[at:])


def _hanging(text: Text, margin: str, screen: Screen, width: int) -> list[Text]:
    """A text whose further lines go on under its own beginning."""
    first, *more = text.wrap(screen.console, width - len(margin))
    return [Text(margin) + first, *(Text(" " * len(margin)) + line for line in more)]


def _table(block: str, screen: Screen, width: int) -> list[Text]:
    """Columns of text, the first row in bold."""
    head, _, *rows = ([_inline(cell) for cell in row.strip("|").split("|")] for row in block.split("\n"))
    columns = (Column(cell) for cell in head)
    table = Table(*columns, box=None, pad_edge=False, padding=(0, 2, 1, 0), header_style="bold")
    for row in rows:
        table.add_row(*row)
    drawn = screen.console.render_lines(table, screen.console.options.update(width=width), pad=False)
    lines = [Text.assemble(*((part.text, part.style or "") for part in line)) for line in drawn]
    for line in lines:
        line.rstrip()
    return lines[: max(at for at, line in enumerate(lines) if line) + 1]


def _figure(figure: re.Match[str], screen: Screen) -> list[Text]:
    """A board with its caption beside it, or below it where it is too wide."""
    position, marks = parse(figure["position"]), Marks()
    told = [Text(f"{figure['caption']}.")]
    match figure["what"]:
        case "play":
            before, move = position, position.read_move(figure["move"])
            position = position.play(move)
            marks = last_move_marks(before, move, position)
        case "why":
            refusal = position.explain(figure["move"])
            marks = Marks(pointed=frozenset(refusal.squares if refusal else ()))
        case "ledger":
            told += [Text(), *summary(position)]
    drawn = [Text("  ") + line for line in board(position, screen, marks)]
    width = min(screen.width, WIDEST)
    room = width - max(line.cell_len for line in drawn) - 3
    if room < LEAST_ROOM:
        return [*drawn, *(part for line in told for part in line.wrap(screen.console, width) or [Text()])]
    return beside(drawn, [Text(), *(part for line in told for part in line.wrap(screen.console, room) or [Text()])])
