"""How a game can end: by the rules, and by what people and clocks do.

Code asks for the kind; a person is shown the sentence. A stored game keeps its code and its values.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from .messages import Message
from .seats import Colour, Seat


class Ending(str, Enum):
    """The ways in which a game ends."""

    SCORE = "score"
    TIE_RULE = "tie rule"
    DRAW = "draw"
    RESIGNATION = "resignation"
    FLAG = "flag"
    CLAIM = "claim"
    FORFEIT = "forfeit"
    AGREEMENT = "agreement"
    CALLED_OFF = "called off"
    UNFINISHED = "unfinished"


REASONS = {
    "end.points": "{colour} has the higher score",
    "end.territory": "{colour} has the larger total of territory",
    "end.marbles": "{colour} has more marbles on the board",
    "end.last_play": "the totals are equal and {colour} made the last board play",
    "end.largest": "the totals are equal and {colour}'s largest territory is larger: {larger} against {smaller}",
    "end.second": "the totals are equal and {colour}'s second largest territory is larger: {larger} against {smaller}",
    "end.third": "the totals are equal and {colour}'s third largest territory is larger: {larger} against {smaller}",
    "end.nth": "the totals are equal and {colour}'s {place}th largest territory is larger: {larger} against {smaller}",
    "end.same_territories": "the totals and all territory sizes are equal",
    "end.same_marbles": "both have the same number of marbles on the board",
    "end.resigned": "the {seat} seat resigned",
    "end.out_of_time": "the {seat} seat ran out of time",
    "end.left": "the {seat} seat has left the game",
    "end.agreed": "both sides agreed to a draw",
    "end.called_off": "the game was called off",
    "end.lay_untouched": "the game was called off: "
    "it lay untouched, and there were too many others against the computer",
    "end.too_long": "unfinished: a game here ends after {plies} turns",
    "end.other": "{text}",
}
"""Every reason for an end, by its code: what a stored game means is known from the code alone."""


def reason(code: str, /, **values: object) -> Message:
    """The sentence of that code."""
    return Message(code, REASONS[code], **values)


def stored_values(reason: Message) -> dict[str, object]:
    """What fills a reason, to be stored: sides and seats by their names."""
    return {
        name: value.code.partition(".")[2] if isinstance(value, Message) else value
        for name, value in reason.values.items()
    }


def reason_of(code: str, values: Mapping[str, object]) -> Message:
    """The sentence that a stored end means: the inverse of `stored_values`."""
    named = dict(values)
    if isinstance(colour := named.get("colour"), str):
        named["colour"] = Colour(colour).title
    if isinstance(seat := named.get("seat"), str):
        named["seat"] = Seat(seat).word
    return Message(code, REASONS[code], **named)
