"""By how many points a game was won."""

from __future__ import annotations

from purlieu.rules import Position, Seat


def margin_of(position: Position, seat: Seat) -> int:
    """A seat's points less the other's. Points are a colour's, and the swap exchanges colours."""
    score, colour = position.score(), position.colour_of(seat)
    return score[colour] - score[colour.other]
