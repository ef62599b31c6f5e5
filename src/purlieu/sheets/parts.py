"""What all sheets share: the heading, the names, the score table, the rules in short, the foot."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..languages import say
from ..rules import Game, Message
from ..rules.board import column_letter
from .page import BLACK, DARK, LIGHT, MIDDLE, POINTS_PER_MM, Box, Page, Segment, cap_height

Swatch = Callable[[Page, float, float, float], None]
"""Draws a colour's mark in a square of that side, centred there: page, x, y, side."""

Rules = Sequence[Message]
"""The rules in short: a sentence or two each, which begin with a word or two in bold, between asterisks."""

SCORE = Message("sheet.score", "Score")
WINNER = Message("sheet.winner", "Winner")

HEADING_HEIGHT = 14.0
NAMES_HEIGHT = 9.0
FOOT_HEIGHT = 6.0
TABLE_HEIGHT = 29.0
GAP = 5.0

_RULES_TYPE = 8.0
_RULES_LEADING = 3.55
_COLUMN_GAP = 8.0


# -- swatches -----------------------------------------------------------------------------------


def solid(page: Page, x: float, y: float, side: float) -> None:
    """A painted square; also a block."""
    page.box(Box(x - side / 2, y - side / 2, side, side), weight=0.8, fill=BLACK)


def striped(page: Page, x: float, y: float, side: float) -> None:
    """A square filled with slanting stripes."""
    left, top = x - side / 2, y - side / 2
    stripes: list[Segment] = []
    count = 4
    for step in range(1, 2 * count):
        across = side * step / count
        before, beyond = min(across, side), max(0.0, across - side)
        stripes.append((left + beyond, top + before, left + before, top + beyond))
    page.lines(stripes, weight=0.9)
    page.box(Box(left, top, side, side), weight=0.8)


def disk(page: Page, x: float, y: float, side: float) -> None:
    """A dark disk or marble."""
    page.circle(x, y, side / 2, weight=0.8, fill=BLACK)


def ring(page: Page, x: float, y: float, side: float) -> None:
    """A light disk or marble."""
    page.circle(x, y, side / 2 - 0.15, weight=1.3)


# -- top and foot -------------------------------------------------------------------------------


def heading(page: Page, game: Game, size: int, places: str = "") -> None:
    """The game's name, how large the board is, whose game it is, and the date."""
    area = page.area
    baseline = area.top + 8.2
    page.text(area.left - 0.6, baseline, game.title, size=30, bold=True)
    beside = area.left + page.text_width(game.title, size=30, bold=True) + 4
    places = places or Message("sheet.squares", "{size}×{size} squares", size=size)
    page.text(beside, baseline - 4.6, places, size=9.5, ink=MIDDLE)
    designer = Message("sheet.designer", "a game by {designer}", designer=game.designer)
    page.text(beside, baseline, designer, size=9.5, ink=DARK)
    blank(page, Message("sheet.date", "Date"), area.right - 44, baseline, 44)


def names(page: Page, top: float, players: Sequence[tuple[str, Swatch]], tick: str = "") -> None:
    """A line for each player's name, with the mark of their colour, and a box to tick where one is asked for."""
    area = page.area
    baseline = top + NAMES_HEIGHT - 2.5
    ticked = page.text_width(tick, size=9) + 5.5 + GAP if tick else 0.0
    width = (area.width - ticked - GAP * (len(players) - 1)) / len(players)
    for at, (label, swatch) in enumerate(players):
        left = area.left + at * (width + GAP)
        swatch(page, left + 2.2, baseline - cap_height(9) / 2, 4.2)
        blank(page, label, left + 6.4, baseline, width - 6.4)
    if tick:
        left = area.right - ticked + GAP
        page.box(Box(left, baseline - cap_height(9) / 2 - 1.9, 3.8, 3.8), weight=0.6)
        page.text(left + 5.5, baseline, tick, size=9)


def blank(page: Page, label: str, left: float, baseline: float, width: float) -> None:
    """A label and a line to write on."""
    page.text(left, baseline, label, size=9)
    start = left + page.text_width(label, size=9) + 2
    page.line(start, baseline + 0.6, left + width, baseline + 0.6, weight=0.5, ink=MIDDLE)


def foot(page: Page, game: Game) -> None:
    """Where the sheet comes from, and which rules it follows."""
    area = page.area
    page.text(area.left, area.bottom - 0.6, "purlieu", size=6.5, bold=True, ink=MIDDLE)
    words = Message("sheet.version", "{game}, rules version {version}", game=game.title, version=game.rules_version)
    page.text(area.right, area.bottom - 0.6, words, size=6.5, ink=MIDDLE, align="right")


# -- boards -------------------------------------------------------------------------------------


def coordinates(
    page: Page, board: Box, size: int, *, rim: float, off: float, type_size: float, all_sides: bool = True
) -> None:
    """Column letters and row numbers, `off` the board; a1 is bottom left, its middle `rim` from both edges."""
    pitch = (board.width - 2 * rim) / max(1, size - 1)
    down = cap_height(type_size) / 2
    for at in range(size):
        x, y = board.left + rim + at * pitch, board.bottom - rim - at * pitch
        for across in (board.left - off, board.right + off)[: 1 + all_sides]:
            page.text(across, y + down, str(at + 1), size=type_size, ink=DARK, align="centre")
        for height in (board.bottom + off, board.top - off)[: 1 + all_sides]:
            page.text(x, height + down, column_letter(at + 1), size=type_size, ink=DARK, align="centre")


def squares(page: Page, board: Box, size: int) -> None:
    """An empty board of squares: thin lines inside, a firm one round it."""
    step = board.width / size
    inner: list[Segment] = []
    for at in range(1, size):
        inner.append((board.left + at * step, board.top, board.left + at * step, board.bottom))
        inner.append((board.left, board.top + at * step, board.right, board.top + at * step))
    page.lines(inner, weight=0.5, ink=MIDDLE)
    page.box(board, weight=1.3)


# -- the count ----------------------------------------------------------------------------------


def label(page: Page, x: float, y: float, words: str, aside: str = "") -> None:
    """The name of a part of the sheet, and a few words to it."""
    page.text(x, y, words, size=9, bold=True)
    page.text(x + page.text_width(words, size=9, bold=True) + 2.5, y, aside, size=8, ink=DARK)


def score_table(
    page: Page, top: float, aside: str, corner: str, columns: Sequence[str], players: Sequence[tuple[str, Swatch]]
) -> None:
    """A row for each player, a column for each thing that counts, and the total; as high as `TABLE_HEIGHT`."""
    area = page.area
    label(page, area.left, top + 3, SCORE, aside)
    blank(page, WINNER, area.right - 62, top + 3, 62)
    first, last, head = 24.0, 20.0, 5.5
    table = Box(area.left, top + 6, area.width, TABLE_HEIGHT - 6)
    row = (table.height - head) / len(players)
    step = (table.width - first - last) / len(columns)
    edges = [table.left + first + at * step for at in range(len(columns) + 1)]

    page.box(Box(table.left, table.top, table.width, head), weight=0, fill=0.93)
    above = table.top + head / 2 + cap_height(7.5) / 2
    page.text(table.left + 2, above, corner, size=7.5, ink=DARK)
    for edge, name in zip(edges, columns, strict=False):
        page.text(edge + step / 2, above, name, size=7.5, ink=DARK, align="centre")
    page.text(table.right - last / 2, above, Message("sheet.total", "Total"), size=7.5, bold=True, align="centre")
    for at, (name, swatch) in enumerate(players):
        middle = table.top + head + (at + 0.5) * row
        swatch(page, table.left + 4, middle, 3.8)
        page.text(table.left + 8, middle + cap_height(9) / 2, name, size=9)
    page.lines([(edge, table.top, edge, table.bottom) for edge in edges[:-1]], weight=0.4, ink=LIGHT)
    lows = [table.top + head + at * row for at in range(len(players))]
    page.lines([(table.left, low, table.right, low) for low in lows], weight=0.5, ink=MIDDLE)
    page.line(edges[-1], table.top, edges[-1], table.bottom, weight=0.9)
    page.box(table, weight=0.9)


# -- the rules in short -------------------------------------------------------------------------


def rules_height(page: Page, rules: Rules) -> float:
    """How much height `short_rules` takes."""
    heights, split = _set_rules(page, rules)
    return 6.0 + max(sum(heights[:split]), sum(heights[split:]))


def short_rules(page: Page, top: float, rules: Rules) -> None:
    """The rules in two columns of small type."""
    area = page.area
    label(page, area.left, top + 3, Message("sheet.rules", "Rules in short"))
    heights, split = _set_rules(page, rules)
    width = (area.width - _COLUMN_GAP) / 2
    for left, column in ((area.left, range(split)), (area.left + width + _COLUMN_GAP, range(split, len(rules)))):
        y = top + 6
        for at in column:
            _rule(page, left, y, width, *_parts(rules[at]))
            y += heights[at]


def _set_rules(page: Page, rules: Rules) -> tuple[list[float], int]:
    """The height of each rule, and how many go in the first column so that the two end most alike."""
    width = (page.area.width - _COLUMN_GAP) / 2
    heights = [len(_lines(page, width, *_parts(rule))) * _RULES_LEADING + 1.0 for rule in rules]
    split = min(range(1, len(rules)), key=lambda at: max(sum(heights[:at]), sum(heights[at:])))
    return heights, split


def _parts(rule: Message) -> tuple[str, str]:
    """What is in bold, and what follows."""
    _, lead, words = say(rule).split("**", 2)
    return lead, words


def _rule(page: Page, left: float, top: float, width: float, lead: str, words: str) -> None:
    y = top + _RULES_TYPE / POINTS_PER_MM
    page.text(left, y, lead, size=_RULES_TYPE, bold=True)
    for at, line in enumerate(_lines(page, width, lead, words)):
        x = left + (_lead_width(page, lead) if at == 0 else 0.0)
        page.text(x, y + at * _RULES_LEADING, line, size=_RULES_TYPE, ink=0.15)


def _lines(page: Page, width: float, lead: str, words: str) -> list[str]:
    return page.wrapped(words, width, size=_RULES_TYPE, indent=_lead_width(page, lead))


def _lead_width(page: Page, lead: str) -> float:
    return page.text_width(lead, size=_RULES_TYPE, bold=True) + 1.0
