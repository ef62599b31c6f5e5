"""Seats and colours. Seats never change; the colours they play can, so they are two types."""

from __future__ import annotations

from enum import Enum


class Seat(str, Enum):
    """The two sides of the table. FIRST makes the first turn of the game."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Seat:
        """The seat across the table."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST


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
    def title(self) -> str:  # type: ignore[override]
        """The colour's name as a sentence begins it: ``Blue``."""
        return self.value.capitalize()


_OTHER = {
    Colour.BLUE: Colour.ORANGE,
    Colour.ORANGE: Colour.BLUE,
    Colour.SOLID: Colour.STRIPED,
    Colour.STRIPED: Colour.SOLID,
    Colour.BLACK: Colour.WHITE,
    Colour.WHITE: Colour.BLACK,
}
