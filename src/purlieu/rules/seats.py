"""Seats and colours. Seats never change; the colours they play can, so they are two types."""

from __future__ import annotations

from enum import Enum

from .messages import Message


class Seat(str, Enum):
    """The two sides of the table. FIRST makes the first turn of the game."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Seat:
        """The seat across the table."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST

    @property
    def word(self) -> Message:
        """The seat in a sentence: ``first``."""
        return _SEATS[self]


class Colour(str, Enum):
    """The two colours of each game; in each pair the first named begins."""

    BLUE = "blue"
    ORANGE = "orange"
    SOLID = "solid"
    STRIPED = "striped"
    BLACK = "black"
    WHITE = "white"

    @property
    def other(self) -> Colour:
        """The enemy's colour in the same game."""
        return _OTHER[self]

    @property
    def title(self) -> Message:  # type: ignore[override]
        """The side that plays it, as a sentence begins: ``Blue``."""
        return _SIDES[self]


_OTHER = {
    Colour.BLUE: Colour.ORANGE,
    Colour.ORANGE: Colour.BLUE,
    Colour.SOLID: Colour.STRIPED,
    Colour.STRIPED: Colour.SOLID,
    Colour.BLACK: Colour.WHITE,
    Colour.WHITE: Colour.BLACK,
}
_SIDES = {
    Colour.BLUE: Message("side.blue", "Blue"),
    Colour.ORANGE: Message("side.orange", "Orange"),
    Colour.SOLID: Message("side.solid", "Solid"),
    Colour.STRIPED: Message("side.striped", "Striped"),
    Colour.BLACK: Message("side.black", "Black"),
    Colour.WHITE: Message("side.white", "White"),
}
_SEATS = {Seat.FIRST: Message("seat.first", "first"), Seat.SECOND: Message("seat.second", "second")}
