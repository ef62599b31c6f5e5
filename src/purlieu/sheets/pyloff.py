"""The Pyloff sheet: the points of level 1, those of the levels above where they fit, and a table of marbles."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ..rules import Colour, Game, Message
from . import parts
from .page import DARK, MIDDLE, Box, Page, Segment

PLAYERS = ((Colour.BLACK.title, parts.disk), (Colour.WHITE.title, parts.ring))

RULES = (
    Message(
        "sheet.pyloff.play",
        "**Play.** Black begins. Put a marble on an empty point of level 1, or on four marbles: c3 of a level"
        " rests on c3, d3, c4 and d4 of the level below.",
    ),
    Message(
        "sheet.pyloff.groups",
        "**Groups.** Marbles of one colour connect side by side on a level, or where one rests on the other. "
        "A marble straight under another, two levels up, is buried: it connects nothing. Two side by side are"
        " cut if both marbles that rest on the pair are the enemy’s.",
    ),
    Message(
        "sheet.pyloff.capture",
        "**Capture.** A group is free while beside one of its marbles, on that marble’s level, a point is "
        "empty and could carry a marble. After your play lift all enemy groups that are not free, from the "
        "top down; a marble that still has one resting on it stays.",
    ),
    Message(
        "sheet.pyloff.forbidden",
        "**Not allowed:** a play that leaves its own group unfree, and one that brings an earlier board back.",
    ),
    Message(
        "sheet.pyloff.end",
        "**End.** Pass only when you have no play; two passes in a row end the game. More marbles on the "
        "board win, buried ones too.",
    ),
)

MOST_LEVELS = 10
"""Boards beyond this side show level 1 alone."""


LABEL, CAPTION, NAME, SPACE = 4.0, 4.2, 13.0, 4.0
"""Room for row numbers or column letters, the height and width of a level's name, and room between two levels."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """The points of one level: where its picture stands, and how far apart they are."""

    level: int
    side: int
    pitch: float
    left: float
    top: float

    @property
    def points(self) -> Box:
        """The square that the points fill, with half a marble round it."""
        side = (self.side - 1) * self.pitch + 2 * rim_of(self.pitch)
        return Box(self.left + LABEL, self.top + CAPTION, side, side)

    @property
    def whole(self) -> Box:
        """All of the picture: the level's name, the points, the row numbers and the column letters."""
        side = self.points.width
        return Box(self.left, self.top, LABEL + max(side, NAME), CAPTION + side + LABEL)


def rim_of(pitch: float) -> float:
    """How far the outermost points stand from the edge."""
    return min(pitch / 2, 6.0)


def draw(page: Page, game: Game, size: int) -> None:
    """Fill the page."""
    area = page.area
    parts.heading(page, game, size, Message("sheet.points", "{size}×{size} points", size=size))
    names_top = area.top + parts.HEADING_HEIGHT
    parts.names(page, names_top, PLAYERS)
    rules_top = area.bottom - parts.FOOT_HEIGHT - parts.rules_height(page, RULES)
    parts.short_rules(page, rules_top, RULES)
    parts.foot(page, game)
    table_top = rules_top - parts.GAP - parts.TABLE_HEIGHT
    levels = [str(level) for level in range(1, size + 1)]
    aside = Message("sheet.marbles", "marbles on each level, buried ones too")
    parts.score_table(page, table_top, aside, Message("sheet.levels", "Level"), levels, PLAYERS)

    top = names_top + parts.NAMES_HEIGHT + 3
    room = Box(area.left, top, area.width, table_top - 3 - top)
    if size > MOST_LEVELS:
        _level_1_alone(page, room, size)
    else:
        for diagram in arrange(size, room):
            _diagram(page, diagram)


def _level_1_alone(page: Page, room: Box, size: int) -> None:
    note = Message(
        "sheet.level_1", "Level 1. There is no room for the levels above: write plays there as 2c3, the level first."
    )
    page.text(room.left + room.width / 2, room.top + 2.5, note, size=8, ink=DARK, align="centre")
    side = min(room.width, room.height - 4) - 9
    board = Box(room.left + (room.width - side) / 2, room.top + 4 + (room.height - 4 - side) / 2, side, side)
    rim = side / size / 2
    _points(page, board, size, rim)
    parts.coordinates(page, board, size, rim=rim, off=2.0, type_size=8)


def _diagram(page: Page, diagram: Diagram) -> None:
    board, rim = diagram.points, rim_of(diagram.pitch)
    large = diagram.level == 1
    page.text(
        board.left,
        diagram.top + 2.8,
        Message("sheet.level", "Level {level}", level=diagram.level),
        size=9 if large else 8,
        bold=True,
    )
    _points(page, board, diagram.side, rim)
    parts.coordinates(
        page, board, diagram.side, rim=rim, off=2.0 if large else 1.6, type_size=8 if large else 6.5, all_sides=False
    )


def _points(page: Page, board: Box, size: int, rim: float) -> None:
    """Thin lines that cross in a dot at every point; a marble is drawn round it or over it."""
    inside = board.inset(rim)
    pitch = inside.width / max(1, size - 1)
    lines: list[Segment] = []
    for at in range(size if size > 1 else 0):
        x, y = inside.left + at * pitch, inside.top + at * pitch
        lines += [(x, inside.top, x, inside.bottom), (inside.left, y, inside.right, y)]
    page.lines(lines, weight=0.4, ink=MIDDLE)
    for row in range(size):
        for column in range(size):
            page.circle(inside.left + column * pitch, inside.top + row * pitch, 0.55, weight=0, fill=DARK)


# -- where the levels go ------------------------------------------------------------------------


def arrange(size: int, room: Box) -> list[Diagram]:
    """All levels in that room, as large as they come: level 1 in the corner, the others beside and below it.

    Level 1 is the larger, by as much as fills the paper best.
    """
    return max((_largest(size, room, ratio / 20) for ratio in range(26, 41)), key=_merit)


def _merit(diagrams: list[Diagram]) -> float:
    """The area that the points fill, less a little for each level that stands above the one before it."""
    rises = sum(after.top < before.top for before, after in pairwise(diagrams[1:]))
    return sum(diagram.points.width**2 for diagram in diagrams) * 0.95**rises


def _largest(size: int, room: Box, ratio: float) -> list[Diagram]:
    """The levels as large as they come when level 1 is `ratio` times as large as the others."""
    best: list[Diagram] = []
    low, high = 1.0, room.width / size
    for _ in range(12):
        pitch = (low + high) / 2
        found = _packed([pitch * ratio] + [pitch] * (size - 1), room)
        best, low, high = (found, pitch, high) if found else (best, low, pitch)
    return best


def _packed(pitches: list[float], room: Box) -> list[Diagram]:
    """Each level in turn in the highest place that is free, and of these in the leftmost; nothing if one finds none."""
    placed: list[Diagram] = []
    taken: list[Box] = []
    for level, pitch in enumerate(pitches, start=1):
        tops = sorted({room.top, *(box.bottom + SPACE for box in taken)})
        lefts = sorted({room.left, *(box.right + SPACE for box in taken)})
        tries = (Diagram(level, len(pitches) - level + 1, pitch, left, top) for top in tops for left in lefts)
        free = next((diagram for diagram in tries if _is_free(diagram.whole, taken, room)), None)
        if free is None:
            return []
        placed.append(free)
        taken.append(free.whole)
    return placed


def _is_free(box: Box, taken: list[Box], room: Box) -> bool:
    if box.right > room.right or box.bottom > room.bottom:
        return False
    return not any(
        box.left < other.right + SPACE
        and other.left < box.right + SPACE
        and box.top < other.bottom + SPACE
        and other.top < box.bottom + SPACE
        for other in taken
    )
