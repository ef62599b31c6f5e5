"""What can be wrong with a record, and where: line, column, ply, and what was expected."""

from __future__ import annotations

from purlieu.rules import IllegalMove, Message, Point, PurlieuError, Rule, Square
from purlieu.rules.messages import commas


class RecordError(PurlieuError):
    """A record that cannot be read, or that the rules forbid. Its text says where, then what.

    `line` and `column` count from 1. `ply` is the number of the turn that went wrong or was due: the
    first move of a game is ply 1. `path` points into a JSON object: ``moves[4].marks[0]``. `tag` is
    the tag at fault. `expected` says what should have stood there. `rule` and `squares` are set when
    a move is illegal.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        path: str | None = None,
        ply: int | None = None,
        tag: str | None = None,
        expected: str | None = None,
        rule: Rule | None = None,
        squares: tuple[Square | Point, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.path = path
        self.ply = ply
        self.tag = tag
        self.expected = expected
        self.rule = rule
        self.squares = squares

    def at(
        self, *, line: int | None = None, column: int | None = None, path: str | None = None, ply: int | None = None
    ) -> RecordError:
        """This error, told where it happened; what it already knows stays."""
        if self.line is None:
            self.line, self.column = line, column
        if self.path is None:
            self.path = path
        if self.ply is None:
            self.ply = ply
        return self

    @property
    def sentence(self) -> str:
        """Where, then what."""
        places: list[str] = []
        if self.line is not None:
            places.append(Message("place.line", "line {number}", number=self.line))
        if self.path:
            places.append(self.path)
        if self.column is not None:
            places.append(Message("place.column", "column {number}", number=self.column))
        if self.ply is not None:
            places.append(Message("place.ply", "ply {number}", number=self.ply))
        if not places:
            return self.message
        return Message("record.located", "{place}: {why}", place=commas(places), why=self.message)

    def __str__(self) -> str:
        return str(self.sentence)


def refused(error: PurlieuError, ply: int) -> RecordError:
    """The rules' answer to a wrong move, as an error of the record it stands in."""
    if isinstance(error, IllegalMove):
        return RecordError(error.sentence, ply=ply, rule=error.refusal.rule, squares=error.refusal.squares)
    return RecordError(error.sentence, ply=ply, expected="a move")
