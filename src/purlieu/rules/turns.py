"""What Petrify and Pilo remember beside the board: whose turn, who is Blue, passes, the last board play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from .board import EMPTY
from .errors import BadNotation
from .messages import Message
from .notation import parse_count, parse_settings, shown
from .seats import Colour, Seat

MOST_PLIES = 100_000
"""More turns than any game can take; what a text may claim."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A moment of a game with the pie rule."""

    ply: int = 0
    """Turns taken, passes and the swap among them; ``swap`` is open at ply 1 only."""
    blue: Seat = Seat.FIRST
    """The seat that plays Blue."""
    passes: int = 0
    """How many passes in a row have just been made; two end the game."""
    last_board_play: Seat | None = None
    """Who loses if the totals are equal."""

    @property
    def to_move(self) -> Seat:
        """Turns always alternate."""
        return Seat.SECOND if self.ply % 2 else Seat.FIRST

    @property
    def may_swap(self) -> bool:
        """The pie rule is open on the second seat's first turn only."""
        return self.ply == 1

    def after_board_play(self) -> Turn:
        """The side to move placed or captured."""
        return Turn(self.ply + 1, self.blue, 0, self.to_move)

    def after_pass(self) -> Turn:
        """The side to move had no board play."""
        return Turn(self.ply + 1, self.blue, self.passes + 1, self.last_board_play)

    def after_swap(self) -> Turn:
        """The seats exchange colours, and the swap was the second seat's turn. It is not a board play."""
        return Turn(self.ply + 1, self.blue.other, 0, self.last_board_play)

    def text(self) -> str:
        """``ply=3 blue=first passes=0 last=first``."""
        last = self.last_board_play.value if self.last_board_play else "none"
        return f"ply={self.ply} blue={self.blue.value} passes={self.passes} last={last}"


def parse_turn(parts: list[str], kinds: bytes) -> Turn:
    """The inverse of `Turn.text`. What is left out is as if the seats had simply played in turn."""
    settings = parse_settings(
        parts,
        {"ply": parse_count(MOST_PLIES), "blue": parse_seat, "passes": parse_count(2), "last": _parse_seat_or_none},
    )
    ply = cast(int, settings.get("ply", 0))
    blue = cast(Seat, settings.get("blue", Seat.FIRST))
    passes = cast(int, settings.get("passes", 0))
    turn = Turn(ply, blue, passes)
    if passes and EMPTY in kinds:
        raise BadNotation(
            "text.passes_does_not_fit",
            "passes={passes} does not fit this board: nobody passes while a square is empty",
            passes=passes,
        )
    if ply < 2 and blue is Seat.SECOND:
        raise BadNotation(
            "text.blue_second_comes_of", "blue=second comes of a swap, which is not yet possible at ply={ply}", ply=ply
        )
    untouched = is_untouched(kinds)
    has_swapped = ply == 2 and blue is Seat.SECOND
    before = turn.to_move if passes % 2 or has_swapped else turn.to_move.other
    last = cast(Seat | None, settings.get("last", None if untouched else before))
    if untouched and ply % 2:
        raise BadNotation(
            "text.ply_does_not_fit", "ply={ply} does not fit the empty board: the first turn places a disk", ply=ply
        )
    if untouched != (last is None):
        raise BadNotation(
            Message("text.last_none_belongs_to", "last=none belongs to the empty board")
            if last is None
            else Message("text.on_empty_board_nobody", "on the empty board nobody has made a board play: last=none")
        )
    if last not in (None, before):
        raise BadNotation(
            "text.last_does_not_fit",
            "last={value} does not fit ply={ply}: the last board play was by {seat}",
            value=last.value,
            ply=ply,
            seat=before.word,
        )
    return Turn(ply, blue, passes, last)


def turn_for(to_move: Colour, kinds: bytes) -> Turn:
    """A turn in mid-game, no swap open, for a drawn board with that colour to move."""
    ply = 2 if to_move is Colour.BLUE else 3
    turn = Turn(ply)
    return Turn(ply, last_board_play=None if is_untouched(kinds) else turn.to_move.other)


def is_untouched(kinds: bytes) -> bool:
    """Whether nothing stands on the board; the ring is all blocks, so only disks tell."""
    width = int(len(kinds) ** 0.5)
    return kinds.count(EMPTY) == (width - 2) ** 2


def parse_seat(text: str) -> Seat:
    """``first`` or ``second``."""
    try:
        return Seat(text)
    except ValueError:
        raise BadNotation(
            "text.is_no_seat_expected", "{text} is no seat; expected first or second", text=shown(text)
        ) from None


def _parse_seat_or_none(text: str) -> Seat | None:
    return None if text == "none" else parse_seat(text)
