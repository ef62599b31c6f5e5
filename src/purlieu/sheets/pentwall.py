"""The Pentwall sheet: the 10×10 grid, the score beside it, and the twelve pentominoes to cross out."""

from __future__ import annotations

from ..languages import say
from ..rules import Colour, Game, Message
from ..rules.notation import LETTERS
from ..rules.pentwall import SHAPES
from . import parts
from .page import BLACK, DARK, LIGHT, MIDDLE, Box, Page, Segment, cap_height

PLAYERS = ((Colour.SOLID.title, parts.solid), (Colour.STRIPED.title, parts.striped))

RULES = (
    Message(
        "sheet.pentwall.play",
        "**Play.** Solid begins. Take a pentomino that nobody has used, cross it out, and paint its five "
        "squares on the grid in your colour, turned and flipped as you like. It stays on the grid and "
        "overlaps nothing.",
    ),
    Message(
        "sheet.pentwall.end",
        "**End.** Nobody passes. The game is over as soon as no unused pentomino fits anywhere.",
    ),
    Message(
        "sheet.pentwall.territory",
        "**Territory.** Unpainted squares joined by their edges are one territory. It goes to the colour with"
        " more squares touching it by an edge; each such square counts once. Equal numbers: nobody’s.",
    ),
    Message(
        "sheet.pentwall.winner",
        "**Winner.** The larger total of territory. On a tie compare the largest territories, then the second"
        " largest, and so on; with no difference anywhere it is a draw.",
    ),
)

Corner = tuple[int, int]

_COORDINATES = 5.5
_SMALL_SQUARE = 0.36
"""The side of a pentomino's square, in squares of the grid."""
_LETTER_HEIGHT = 5.0
_TALLEST = max(map(len, SHAPES.values()))
_TERRITORIES = 9


def draw(page: Page, game: Game, size: int) -> None:
    """Fill the page."""
    area = page.area
    parts.heading(page, game, size)
    names_top = area.top + parts.HEADING_HEIGHT
    parts.names(page, names_top, PLAYERS)
    rules_top = area.bottom - parts.FOOT_HEIGHT - parts.rules_height(page, RULES)
    parts.short_rules(page, rules_top, RULES)
    parts.foot(page, game)

    top = names_top + parts.NAMES_HEIGHT + 3 + _COORDINATES
    row_gap = parts.GAP + _LETTER_HEIGHT
    room = rules_top - row_gap - top - _COORDINATES - 4 - row_gap
    square = room / (size + 2 * _TALLEST * _SMALL_SQUARE)
    side = square * size
    grid = Box(area.left + _COORDINATES, top, side, side)
    parts.squares(page, grid, size)
    parts.coordinates(page, grid, size, rim=square / 2, off=3.4, type_size=9)
    left = grid.right + _COORDINATES + parts.GAP
    _score(page, Box(left, grid.top, area.right - left, side))
    unit = square * _SMALL_SQUARE
    ground = grid.bottom + _COORDINATES + 4 + _TALLEST * unit
    _row(page, LETTERS[:6], ground, unit)
    _row(page, LETTERS[6:], ground + row_gap + _TALLEST * unit, unit)


# -- the pentominoes ----------------------------------------------------------------------------


def _row(page: Page, letters: str, ground: float, unit: float) -> None:
    """Pentominoes that stand on one line, evenly spaced from edge to edge, each above its letter."""
    area = page.area
    squares = sum(len(SHAPES[letter][0]) for letter in letters)
    gap = (area.width - squares * unit) / (len(letters) - 1)
    left = area.left
    for letter in letters:
        shape = SHAPES[letter]
        width = len(shape[0]) * unit
        pentomino(page, shape, left, ground, unit)
        page.text(left + width / 2, ground + _LETTER_HEIGHT - 0.5, letter, size=10, bold=True, align="centre")
        left += width + gap


def pentomino(page: Page, shape: tuple[str, ...], left: float, ground: float, unit: float) -> None:
    """A pentomino in outline, standing on `ground`, its five squares lightly drawn."""
    cells = {
        (column, row) for row, marks in enumerate(reversed(shape)) for column, mark in enumerate(marks) if mark == "#"
    }

    def at(corner: Corner) -> tuple[float, float]:
        return left + corner[0] * unit, ground - corner[1] * unit

    inner: list[Segment] = []
    for column, row in sorted(cells):
        if (column + 1, row) in cells:
            inner.append((*at((column + 1, row)), *at((column + 1, row + 1))))
        if (column, row + 1) in cells:
            inner.append((*at((column, row + 1)), *at((column + 1, row + 1))))
    page.lines(inner, weight=0.4, ink=LIGHT)
    page.polygon([at(corner) for corner in outline(cells)], weight=1.3)


def outline(cells: set[Corner]) -> list[Corner]:
    """The corners met on a walk round the squares, which are named by their lower left corners.

    >>> outline({(0, 0)})
    [(0, 0), (1, 0), (1, 1), (0, 1)]
    """
    ways = {}
    for x, y in cells:
        around = {(x, y - 1): (x, y), (x + 1, y): (x + 1, y), (x, y + 1): (x + 1, y + 1), (x - 1, y): (x, y + 1)}
        corners = list(around.values())
        for number, (beyond, corner) in enumerate(around.items()):
            if beyond not in cells:
                ways[corner] = corners[(number + 1) % 4]
    walk = [min(ways)]
    while (following := ways[walk[-1]]) != walk[0]:
        walk.append(following)
    return walk


# -- the count ----------------------------------------------------------------------------------


def _score(page: Page, box: Box) -> None:
    """A column for each colour: its territories from the largest down, the total, and who won."""
    head, total, winner = 7.0, 12.0, 16.0
    parts.label(page, box.left, box.top + 2.6, parts.SCORE)
    aside = Message("sheet.territories", "territories,\nlargest first")
    for at, line in enumerate(say(aside).split("\n")):
        page.text(box.left, box.top + 6.4 + 3.4 * at, line, size=8, ink=DARK)
    table = Box(box.left, box.top + 12.5, box.width, box.height - 12.5 - winner)
    row = (table.height - head - total) / _TERRITORIES
    half = table.width / 2
    middle = table.left + half
    for at, (_, swatch) in enumerate(PLAYERS):
        swatch(page, table.left + (at + 0.5) * half, table.top + head / 2, 4.0)
    for at in range(_TERRITORIES):
        y = table.top + head + at * row
        page.line(table.left, y, table.right, y, weight=0.4, ink=LIGHT if at else MIDDLE)
    low = table.bottom - total
    page.line(middle, table.top, middle, table.bottom, weight=0.5, ink=MIDDLE)
    page.line(table.left, low, table.right, low, weight=0.9)
    for edge in (table.left, middle):
        page.text(edge + 1.2, low + 3.2, Message("sheet.small_total", "total"), size=7, ink=DARK)
    page.box(table, weight=0.9, ink=BLACK)
    page.text(box.left, table.bottom + 4 + cap_height(9), parts.WINNER, size=9)
    page.line(box.left, box.bottom, box.right, box.bottom, weight=0.5, ink=MIDDLE)
