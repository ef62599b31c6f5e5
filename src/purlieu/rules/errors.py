"""What can be wrong with a move or a text, said so that a person can mend it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .board import Point, Square
from .messages import Message


class PurlieuError(ValueError):
    """Any mistake in what purlieu was given: a sentence, or a `Message` of its code, English and values."""

    def __init__(self, message: str, english: str | None = None, /, **values: object) -> None:
        super().__init__(message if english is None else Message(message, english, **values))

    @property
    def sentence(self) -> str:
        """What is wrong; a `Message` if it can be said in other languages."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class BadNotation(PurlieuError):
    """The text does not say anything: it names no square, no move, no position."""


class BadSize(PurlieuError):
    """The game is not played on a board of that size."""


class UnknownGame(PurlieuError):
    """No game of that name lives here."""


class IllegalMove(PurlieuError):
    """The text names a move, but the rules forbid it here; `refusal` says which rule, and where."""

    def __init__(self, move: str, refusal: Refusal) -> None:
        super().__init__(Message("illegal", "{move}: {why}", move=move, why=refusal.message))
        self.move = move
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[str, Refusal]]:
        return IllegalMove, (self.move, self.refusal)


class Rule(str, Enum):
    """The rules that a move can break."""

    GAME_OVER = "game over"
    OFF_BOARD = "off the board"
    OCCUPIED = "occupied"
    NOT_YOURS = "not yours to move"
    NOT_IN_LINE = "not in line"
    BLOCKED = "path blocked"
    NO_ENEMY = "no enemy there"
    UNEQUAL_HEIGHTS = "unequal heights"
    MOUND = "mound"
    BARRICADE = "barricade"
    USED_PENTOMINO = "used pentomino"
    NOT_THE_SHAPE = "not that pentomino's shape"
    OVERLAP = "overlap"
    UNSUPPORTED = "unsupported point"
    SUICIDE = "suicide"
    SUPERKO = "superko"
    PASS = "pass while plays exist"
    SWAP = "swap out of turn"

    @property
    def title(self) -> Message:  # type: ignore[override]
        """Its name in a sentence."""
        return _RULES[self]


_RULES = {
    Rule.GAME_OVER: Message("rule.game_over", "game over"),
    Rule.OFF_BOARD: Message("rule.off_board", "off the board"),
    Rule.OCCUPIED: Message("rule.occupied", "occupied"),
    Rule.NOT_YOURS: Message("rule.not_yours", "not yours to move"),
    Rule.NOT_IN_LINE: Message("rule.not_in_line", "not in line"),
    Rule.BLOCKED: Message("rule.blocked", "path blocked"),
    Rule.NO_ENEMY: Message("rule.no_enemy", "no enemy there"),
    Rule.UNEQUAL_HEIGHTS: Message("rule.unequal_heights", "unequal heights"),
    Rule.MOUND: Message("rule.mound", "mound"),
    Rule.BARRICADE: Message("rule.barricade", "barricade"),
    Rule.USED_PENTOMINO: Message("rule.used_pentomino", "used pentomino"),
    Rule.NOT_THE_SHAPE: Message("rule.not_the_shape", "not that pentomino's shape"),
    Rule.OVERLAP: Message("rule.overlap", "overlap"),
    Rule.UNSUPPORTED: Message("rule.unsupported", "unsupported point"),
    Rule.SUICIDE: Message("rule.suicide", "suicide"),
    Rule.SUPERKO: Message("rule.superko", "superko"),
    Rule.PASS: Message("rule.pass", "pass while plays exist"),
    Rule.SWAP: Message("rule.swap", "swap out of turn"),
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is illegal: the rule it breaks, a sentence, and the squares to point at.

    Squares may lie on Petrify's ring, one step off the board. `ply` is set for superko only: the
    board as it stood after that many turns is the one that would return.
    """

    rule: Rule
    message: Message
    squares: tuple[Square | Point, ...] = ()
    ply: int | None = None

    def about(self, move: object) -> Message:
        """The sentence with the move it is about, unless it names that already."""
        if str(move) in self.message.values.values():
            return self.message
        return Message("illegal", "{move}: {why}", move=move, why=self.message)

    def __str__(self) -> str:
        return self.message
