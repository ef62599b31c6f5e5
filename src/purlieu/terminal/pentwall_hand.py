"""The pentomino in a player's hand: picked, turned, flipped and held over the sheet before it is painted."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.text import Text

from purlieu.rules import BadNotation, Message, Square
from purlieu.rules.moves import Paint
from purlieu.rules.notation import LETTERS, parse_square
from purlieu.rules.pentwall import SIZE, PentwallPosition, Shape, flipped, orientations, turned

from .board import QUIET
from .screen import Glyphs, beside, said, styled

_DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}


@dataclass(frozen=True, slots=True)
class Hand:
    """A pentomino as it is held, and where: `at` is the bottom left corner of the box round it."""

    letter: str
    shape: Shape
    at: Square | None = None

    def turned(self) -> Hand:
        """A quarter turn to the right, still on the sheet."""
        return replace(self, shape=turned(self.shape)).kept_on_sheet()

    def flipped(self) -> Hand:
        """The mirror image, left for right."""
        return replace(self, shape=flipped(self.shape)).kept_on_sheet()

    def held_at(self, square: Square) -> Hand:
        """Over the sheet with its box's bottom left corner on that square."""
        return replace(self, at=square)

    def nudged(self, across: int, up: int) -> Hand:
        """One step in some direction, but never off the sheet."""
        at = self.at or Square(1, 1)
        return replace(self, at=Square(at.column + across, at.row + up)).kept_on_sheet()

    def kept_on_sheet(self) -> Hand:
        """Moved no more than needed for all five squares to lie on the sheet."""
        if self.at is None:
            return self
        column = min(max(self.at.column, 1), SIZE - max(across for across, _ in self.shape))
        row = min(max(self.at.row, 1), SIZE - max(up for _, up in self.shape))
        return replace(self, at=Square(column, row))

    @property
    def squares(self) -> tuple[Square, ...]:
        """Where it would be painted; nowhere yet if it is held over no square."""
        if self.at is None:
            return ()
        return tuple(Square(self.at.column + across, self.at.row + up) for across, up in sorted(self.shape))

    @property
    def paint(self) -> Paint | None:
        """The move it makes where it is held."""
        return Paint(self.letter, self.squares) if self.at else None


def pick(position: PentwallPosition, letter: str) -> Hand:
    """Takes an unused pentomino, as it is usually drawn."""
    letter = letter.strip().upper()
    if len(letter) != 1 or letter not in LETTERS:
        raise BadNotation(
            "hand.pick_by_letter",
            "the pentominoes are {letters}: pick one by its letter, as in pick W",
            letters=" ".join(LETTERS),
        )
    if letter not in position.pool:
        raise BadNotation(
            "hand.used",
            "{letter} is used already; still in the pool: {letters}",
            letter=letter,
            letters=" ".join(position.pool) or Message("hand.none", "none"),
        )
    return Hand(letter, orientations(letter)[0])


def handled(hand: Hand, command: str, rest: str) -> Hand | None:
    """The hand after a command: turned, flipped, moved, or empty again. ``paint c3`` first moves it to c3."""
    match command:
        case "turn":
            return hand.turned()
        case "flip":
            return hand.flipped()
        case "drop":
            return None
        case "at" | "paint":
            return hand.held_at(parse_square(rest)).kept_on_sheet() if rest or command == "at" else hand
    return hand.nudged(*_DIRECTIONS[command])


def hand_lines(hand: Hand, glyphs: Glyphs) -> list[Text]:
    """The pentomino as it is held, and what can be done with it."""
    if hand.at:
        where: str = Message("hand.held_at", "{letter} at {square}", letter=hand.letter, square=hand.at)
        todo = Message("hand.then_paint", "turn flip left right up down, then paint")
    else:
        where = hand.letter
        todo = Message("hand.then_hold", "turn, flip, at c3, then paint")
    return [
        Text(),
        styled(Message("hand.what", "in hand {what}", what=where), what="bold"),
        *shape_lines(hand.shape, glyphs),
        Text(said(todo), style=QUIET),
    ]


def shape_lines(shape: Shape, glyphs: Glyphs) -> list[Text]:
    """A small drawing, two characters a square so that it looks square."""
    columns = max(column for column, _ in shape) + 1
    rows = max(row for _, row in shape) + 1
    return [
        Text("  " + "".join(glyphs.block * 2 if (column, row) in shape else "  " for column in range(columns)))
        for row in range(rows - 1, -1, -1)
    ]


def pool_lines(position: PentwallPosition, glyphs: Glyphs) -> list[Text]:
    """Every unused pentomino with its letter, six beside each other."""
    letters = position.pool
    lines: list[Text] = []
    for start in range(0, len(letters), 6):
        strip: list[Text] = []
        for letter in letters[start : start + 6]:
            drawn = [Text(f"  {letter}".ljust(12), style="bold"), *shape_lines(orientations(letter)[0], glyphs)]
            strip = beside(strip, drawn, gap=1 if strip else 0)
        lines.extend([*strip, Text()])
    return lines[:-1]
