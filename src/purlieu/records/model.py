"""A game and what people wrote about it: tags, moves, marks, comments and variations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import InitVar, dataclass, field

from purlieu.rules import Message, Move, Position, PurlieuError

from .errors import RecordError, refused
from .tags import UNKNOWN, add_tag, check_end, check_setup, full_header
from .texts import clean_comment, normal_mark

DEEPEST = 50
"""How many variations may lie inside each other."""
MOST_MOVES = 20_000
"""How many moves one record may hold, those of its variations among them."""


@dataclass(frozen=True, slots=True)
class Node:
    """A move with what was said about it, and the variations: other lines from the position before it."""

    move: Move
    marks: tuple[str, ...] = ()
    """``!``, ``?``, ``!!``, ``??``, ``!?``, ``?!``, or ``$n`` for any other of PGN's numbered marks."""
    before: str = ""
    """The comment in front of the move."""
    comment: str = ""
    """The comment after it."""
    variations: tuple[Line, ...] = ()

    def __post_init__(self) -> None:
        if self.marks:
            object.__setattr__(self, "marks", tuple(map(normal_mark, self.marks)))
        if self.before:
            object.__setattr__(self, "before", clean_comment(self.before))
        if self.comment:
            object.__setattr__(self, "comment", clean_comment(self.comment))
        if self.variations:
            object.__setattr__(self, "variations", tuple(map(tuple, self.variations)))


Line = tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Record:
    """A game from `start`, checked move by move when it is made: what a Record holds is legal.

    Two records are equal if they would be written alike: a Result that the rules decide, or a name
    that is not known, may be left out of `tags`. To change one, make a copy: `dataclasses.replace`
    checks it anew.

    >>> from purlieu.rules import start
    >>> record = Record.of(start("petrify", 6), ["c3", "swap"], first="Ana")
    >>> record.first, record.second, record.result, record.end.ply
    ('Ana', '?', '*', 2)
    """

    start: Position
    line: Line = ()
    """The main line, each move with its variations."""
    tags: dict[str, str] = field(default_factory=dict)
    """What the record's maker said, standard names and values in their usual form. See `header`."""
    comment: str = ""
    """The comment on the game as a whole, before the first move."""
    end: Position = field(init=False, repr=False)
    """The position after the main line."""
    played_to: InitVar[Position | None] = None
    """For one who has just played the whole tree by the rules: where its main line ends."""

    def __post_init__(self, played_to: Position | None) -> None:
        tags: dict[str, str] = {}
        for name, value in self.tags.items():
            add_tag(tags, name, value)
        line = tuple(self.line)
        end = replay(self.start, line) if played_to is None else played_to
        check_setup(tags, self.start)
        check_end(tags, end)
        object.__setattr__(self, "line", line)
        object.__setattr__(self, "tags", tags)
        object.__setattr__(self, "comment", clean_comment(self.comment))
        object.__setattr__(self, "end", end)

    @classmethod
    def of(
        cls,
        start: Position,
        moves: Iterable[Move | str] = (),
        *,
        first: str | None = None,
        second: str | None = None,
        date: str | None = None,
        result: str | None = None,
        tags: Mapping[str, str] | None = None,
        comment: str = "",
    ) -> Record:
        """A record of plain moves. Raises RecordError at the first that is illegal."""
        line = tuple(Node(_read(start, move, start.ply + at)) for at, move in enumerate(moves, start=1))
        named = {"First": first, "Second": second, "Date": date, "Result": result}
        said = {name: value for name, value in named.items() if value is not None}
        return cls(start, line, {**said, **(tags or {})}, comment)

    @property
    def header(self) -> dict[str, str]:
        """Every tag as it is written: the standard ones filled in, then all others in their order."""
        return full_header(self.tags, self.start, self.end)

    @property
    def game(self) -> str:
        """The game's name, as `purlieu.start` takes it."""
        return self.start.game

    @property
    def rules(self) -> int:
        """The version of the rules it was played under."""
        return int(self.header["Rules"])

    @property
    def first(self) -> str:
        """Who had the first seat; ``?`` if that is not known."""
        return self.tags.get("First", UNKNOWN)

    @property
    def second(self) -> str:
        """Who had the second seat; ``?`` if that is not known."""
        return self.tags.get("Second", UNKNOWN)

    @property
    def date(self) -> str:
        """When it was played; ``?`` if that is not known."""
        return self.tags.get("Date", UNKNOWN)

    @property
    def result(self) -> str:
        """``1-0`` if the first seat won, ``0-1`` if the second did, ``1/2-1/2``, or ``*`` if nobody said."""
        return self.header["Result"]

    @property
    def score(self) -> tuple[int, int] | None:
        """The first seat's score and the second's, once the game is over or somebody said so."""
        if score := self.header.get("Score"):
            first, second = score.split("-")
            return int(first), int(second)
        return None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line."""
        return tuple(node.move for node in self.line)

    def positions(self) -> Iterator[Position]:
        """The positions of the main line, from the start to the end, each made when it is asked for."""
        position = self.start
        yield position
        for node in self.line:
            position = position.play(node.move)
            yield position

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return (
            self.start == other.start
            and self.comment == other.comment
            and self.line == other.line
            and self.header == other.header
        )


def replay(start: Position, line: Line) -> Position:
    """Where a main line ends, once every move of its tree was played by the rules."""
    end = start
    count = 0
    waiting = [(start, line, 0)]
    while waiting:
        position, nodes, depth = waiting.pop()
        if depth and not nodes:
            raise no_moves(position.ply + 1)
        if depth > DEEPEST:
            raise too_deep(position.ply + 1)
        for node in nodes:
            waiting.extend((position, variation, depth + 1) for variation in node.variations)
            count += 1
            if count > MOST_MOVES:
                raise too_many_moves(position.ply + 1)
            try:
                position = position.play(node.move)
            except PurlieuError as error:
                raise refused(error, position.ply + 1) from error
        if not depth:
            end = position
    return end


def no_moves(ply: int) -> RecordError:
    """A variation is a line of at least one move."""
    return RecordError(
        Message("record.expected_move_in_variation", "expected a move in the variation"), ply=ply, expected="a move"
    )


def too_deep(ply: int) -> RecordError:
    """The bound on nesting keeps every program that walks a record safe."""
    return RecordError(
        Message(
            "record.more_than_variations_lie", "more than {deepest} variations lie inside each other", deepest=DEEPEST
        ),
        ply=ply,
    )


def too_many_moves(ply: int) -> RecordError:
    """The bound on moves keeps Pyloff's ko, which looks at all earlier boards, quick."""
    return RecordError(
        Message("record.more_than_moves_in", "more than {most_moves} moves in one record", most_moves=MOST_MOVES),
        ply=ply,
    )


def _read(start: Position, move: Move | str, ply: int) -> Move:
    try:
        return start.read_move(move)
    except PurlieuError as error:
        raise refused(error, ply) from error
