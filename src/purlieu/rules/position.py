"""The face that the positions of all four games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from .endings import Ending
from .errors import IllegalMove, Refusal
from .ledger import Ledger
from .messages import Message
from .moves import Move
from .pieces import Piece
from .seats import Colour, Seat


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended: who won (nobody, in a draw), why, and the scores."""

    winner: Seat | None
    reason: Message
    by_seat: dict[Seat, int]
    by_colour: dict[Colour, int]
    ending: Ending


class Position(ABC):
    """A position: an immutable value that answers every question about itself.

    Each game's own module defines what the answers are; nothing here knows a rule.
    """

    __slots__ = ()

    game: ClassVar[str]
    """The game's name, as `purlieu.start` takes it."""
    colours: ClassVar[tuple[Colour, Colour]]
    """The game's two colours; the first of them begins."""
    draw_svg: ClassVar[Callable[[Position], str] | None] = None

    @property
    @abstractmethod
    def size(self) -> int:
        """The board's side."""

    @property
    @abstractmethod
    def ply(self) -> int:
        """The number of turns taken so far, passes and the swap among them."""

    @property
    def to_move(self) -> Seat:
        """The seat whose turn it is. Turns always alternate: a pass and a swap are turns too."""
        return Seat.SECOND if self.ply % 2 else Seat.FIRST

    @property
    def colour_to_move(self) -> Colour:
        """The colour of the seat whose turn it is."""
        return self.colour_of(self.to_move)

    def colour_of(self, seat: Seat) -> Colour:
        """The colour that the seat plays now."""
        return self.colours[0] if seat is Seat.FIRST else self.colours[1]

    def seat_of(self, colour: Colour) -> Seat:
        """The seat that plays the colour now."""
        return Seat.FIRST if self.colour_of(Seat.FIRST) is colour else Seat.SECOND

    @abstractmethod
    def pieces(self) -> tuple[Piece, ...]:
        """Everything that stands on the board."""

    @abstractmethod
    def legal_moves(self) -> Sequence[Move]:
        """Every legal move, in the game's documented order; none when the game is over."""

    @abstractmethod
    def explain(self, move: Move | str) -> Refusal | None:
        """None if the move is legal, else the rule it breaks. Raises BadNotation if it is no move at all."""

    def play(self, move: Move | str) -> Self:
        """The position after the move; this one stays as it was. Raises BadNotation or IllegalMove."""
        move = self.read_move(move)
        if refusal := self.explain(move):
            raise IllegalMove(str(move), refusal)
        return self.after(move)

    @abstractmethod
    def after(self, move: Move) -> Self:
        """The position after a move that is known to be legal. `play` is the one that checks."""

    @classmethod
    @abstractmethod
    def read_move(cls, move: Move | str) -> Move:
        """The move that a text names in this game; a move of this game's own kinds is returned as it is."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the game's end condition holds."""

    def score(self) -> dict[Colour, int]:
        """The score by colour if the game ended here."""
        return self.ledger().totals

    @abstractmethod
    def ledger(self) -> Ledger:
        """The whole count behind the score."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""

    @abstractmethod
    def text(self) -> str:
        """The position in one line, which `purlieu.parse` reads back."""

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"purlieu.parse({self.text()!r})"

    def _repr_svg_(self) -> str | None:
        """The picture that notebooks show. The rules draw nothing: `purlieu` says what does."""
        return Position.draw_svg(self) if Position.draw_svg else None
