"""Building a record move by move, each played by the rules as it comes. Both readers use it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from purlieu.rules import Message, Move, Position, PurlieuError

from .errors import RecordError, refused
from .model import DEEPEST, MOST_MOVES, Line, Node, Record, no_moves, too_deep, too_many_moves
from .texts import clean_comment, normal_mark


@dataclass(slots=True)
class _Draft:
    """A node that can still grow."""

    move: Move
    before: list[str]
    marks: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    variations: list[Line] = field(default_factory=list)

    def node(self) -> Node:
        return Node(
            self.move, tuple(self.marks), "\n".join(self.before), "\n".join(self.comments), tuple(self.variations)
        )


@dataclass(slots=True)
class _OpenLine:
    """A line that is still being written: the main one, or a variation."""

    position: Position
    before_last: Position
    """The position that a variation on the last move starts from."""
    interrupted: bool
    """Whether a comment here belongs to the move to come, not to the one before."""
    drafts: list[_Draft] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    """Comments on the move to come."""


class Builder:
    """A record in the making. What it refuses it refuses with a RecordError that knows its ply."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self._opening: list[str] = []
        self._lines = [_OpenLine(start, start, interrupted=False)]
        self._moves = 0

    @property
    def ply(self) -> int:
        """The number of the turn that is due on the line being written."""
        return self._line.position.ply + 1

    @property
    def _line(self) -> _OpenLine:
        return self._lines[-1]

    def play(self, text: str) -> None:
        """The next move of the line."""
        line = self._line
        if self._moves == MOST_MOVES:
            raise too_many_moves(self.ply)
        self._moves += 1
        try:
            move = line.position.read_move(text)
            after = line.position.play(move)
        except PurlieuError as error:
            raise refused(error, self.ply) from error
        line.drafts.append(_Draft(move, line.waiting))
        line.before_last, line.position = line.position, after
        line.waiting, line.interrupted = [], False

    def mark(self, mark: str) -> None:
        """A mark on the last move."""
        if not self._line.drafts:
            raise RecordError(
                Message("record.expected_move_before_mark", "expected a move before the mark {mark}", mark=mark),
                ply=self.ply,
                expected="a move",
            )
        self._line.drafts[-1].marks.append(normal_mark(mark))

    def interrupt(self) -> None:
        """What follows is about the move to come: a move number was read."""
        self._line.interrupted = True

    def comment(self, text: str) -> None:
        """A comment on the last move; after an interruption, on the next; before all, on the game."""
        text = clean_comment(text)
        if not text:
            return
        line = self._line
        if line.interrupted:
            line.waiting.append(text)
        elif line.drafts:
            line.drafts[-1].comments.append(text)
        else:
            self._opening.append(text)

    def open_variation(self) -> None:
        """Begin another line from the position before the last move."""
        line = self._line
        if not line.drafts:
            raise RecordError(
                Message("record.expected_move_before_its", "expected a move before its variation"),
                ply=self.ply,
                expected="a move",
            )
        if len(self._lines) > DEEPEST:
            raise too_deep(self.ply)
        self._lines.append(_OpenLine(line.before_last, line.before_last, interrupted=True))

    def close_variation(self) -> None:
        """End the variation; the line it belongs to goes on."""
        if not self._line.drafts:
            raise no_moves(self.ply)
        self._settle()
        variation = self._lines.pop()
        self._line.drafts[-1].variations.append(_nodes(variation))
        self._line.interrupted = True

    def finish(self, tags: Mapping[str, str]) -> Record:
        """The record, once every variation is closed."""
        self._settle()
        (main,) = self._lines
        return Record(self.start, _nodes(main), dict(tags), "\n".join(self._opening), played_to=main.position)

    def _settle(self) -> None:
        """Comments on a move that never came go to the last move, or to the game if it has none."""
        line = self._line
        (line.drafts[-1].comments if line.drafts else self._opening).extend(line.waiting)


def _nodes(line: _OpenLine) -> Line:
    return tuple(draft.node() for draft in line.drafts)
