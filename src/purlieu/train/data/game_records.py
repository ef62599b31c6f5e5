"""Games of self-play, read in Python: docs/selfplay.md describes their bytes and shows how to use this.

`read_games` gives moves as text and plays every game through; `records_in` leaves the moves as the codes they are.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from purlieu.core import core
from purlieu.rules import PurlieuError
from purlieu.rules.board import Square
from purlieu.rules.pyramid import pyramid

HEADER = struct.Struct("<I3BbhH")
"""Length of what follows it, format, game, size, result, margin, turns."""
TURN = struct.Struct("<H2BH")
"""Move, kind, number of moves in the policy, win chance."""
MOVE = struct.Struct("<2H")
"""Of a policy: code and probability."""
FORMAT = 1
NAMES = ("petrify", "pilo", "pentwall", "pyloff")
SEARCHES: tuple[Literal["none", "small", "full"], ...] = ("none", "small", "full")
WHOLE = 65535
"""A chance of 1; as a code, a pass."""
FIRST_CAPTURE = 128
WAYS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""Steps across and up, clockwise from north."""


class TurnRecord(NamedTuple):
    """A turn as it is written."""

    code: int
    kind: int
    value: int
    policy: bytes


class GameRecord(NamedTuple):
    """A game as it is written."""

    game: str
    size: int
    result: int
    margin: int
    turns: list[TurnRecord]

    @property
    def line(self) -> tuple[int, ...]:
        """The codes of its moves."""
        return tuple(turn.code for turn in self.turns)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of self-play."""

    move: str
    search: Literal["none", "small", "full"]
    """What it comes from: no search if it was random, forced or somebody else's; the policy of a full one is learnt."""
    value: float | None
    """The win chance of the side to move, after the search; None without one."""
    policy: dict[str, float]
    """The likeliest moves, at most 32, and their probabilities."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of self-play. There is no swap: the colour that began stays with who began."""

    game: str
    size: int
    result: int
    """For the colour that began: 1 won, 0 drew, -1 lost."""
    margin: int
    """Of its score over the other's."""
    turns: tuple[Turn, ...]


def read_games(path: str | Path) -> Iterator[PlayedGame]:
    """The games in a file of self-play, or in all files of a folder such as ``run/replay``, oldest first."""
    path = Path(path)
    chunks = sorted(path.glob("*.games")) if path.is_dir() else [path]
    if not chunks:
        raise PurlieuError(f"{path} holds no games; expected a run's replay folder, or a file such as 000001.games")
    for chunk in chunks:
        try:
            for record in records_in(chunk.read_bytes()):
                yield _in_words(record)
        except ValueError as error:
            raise PurlieuError(f"{chunk} is damaged, or no file of self-play: {error}") from None


def records_in(data: bytes) -> Iterator[GameRecord]:
    """The games in bytes that the core wrote; raises ValueError where they are none."""
    at = number = 0
    while at < len(data):
        number += 1
        try:
            length, kind, game, size, result, margin, turns = HEADER.unpack_from(data, at)
            end = at + 4 + length
            if kind != FORMAT:
                raise ValueError(f"game {number} has format {kind}; expected {FORMAT}")
            record = GameRecord(NAMES[game], size, result, margin, [])
            at += HEADER.size
            for _ in range(turns):
                code, search, moves, value = TURN.unpack_from(data, at)
                first = at + TURN.size
                at = first + moves * MOVE.size
                record.turns.append(TurnRecord(code, search, value, data[first:at]))
        except (struct.error, IndexError):
            raise ValueError(f"game {number} is cut off or no game") from None
        if at != end or at > len(data):
            raise ValueError(f"game {number} is not as long as it says")
        if any(turn.kind >= len(SEARCHES) for turn in record.turns):
            raise ValueError(f"game {number} has a turn of no kind that is known")
        yield record


def _in_words(record: GameRecord) -> PlayedGame:
    """A record with its moves as text."""
    turns = []
    position = core().Position.start(record.game, record.size)
    for code, kind, value, policy in record.turns:
        # The code of a capture does not say what it meets; the legal moves do.
        legal = frozenset(position.legal_moves() if policy or record.game in ("petrify", "pilo") else [])
        name = functools.partial(_name, record.game, record.size, legal)
        move = name(code)
        chances = {name(other): chance / WHOLE for other, chance in MOVE.iter_unpack(policy)}
        if move == "pass" and (kind or policy):  # they are forced, and a net has no word for them
            raise ValueError("a pass comes from a search")
        if illegal := chances.keys() - (legal - {"pass", "swap"}):
            raise ValueError(f"the policy of a turn has {min(illegal)}, which is not legal there")
        turns.append(Turn(move, SEARCHES[kind], value / WHOLE if kind else None, chances))
        position = position.play(move)
    winner = position.winner
    if winner is None:
        raise ValueError("a game breaks off before its end")
    # Nobody swaps, so the first seat has the colour that began.
    result = {"first": 1, "draw": 0, "second": -1}[winner]
    first, second = position.score()
    if (record.result, record.margin) != (result, first - second):
        told = f"result {record.result} and margin {record.margin}"
        raise ValueError(f"a game has {told}; by its moves they are {result} and {first - second}")
    return PlayedGame(record.game, record.size, record.result, record.margin, tuple(turns))


def _name(game: str, size: int, legal: frozenset[str], code: int) -> str:
    if code == WHOLE:
        return "pass"
    if code in (names := _placements(game, size)):
        return names[code]
    start, way = divmod(code - FIRST_CAPTURE, 8)
    across, up = WAYS[way]
    if code >= FIRST_CAPTURE and start in names:
        row, column = divmod(start, _width(size))
        for far in range(1, size):
            move = f"{names[start]}x{Square(column + 1 + far * across, row + 1 + far * up)}"
            if move in legal:
                return move
    raise ValueError(f"{code} is the code of no move there")


@functools.cache
def _placements(game: str, size: int) -> dict[int, str]:
    """The codes of all moves whose text does not depend on the position."""
    if game == "pentwall":
        return dict(enumerate(core().Position.start(game, size).legal_moves()))
    if game == "pyloff":
        return dict(enumerate(map(str, pyramid(size).points)))
    squares = [(column, row) for row in range(size) for column in range(size)]
    return {row * _width(size) + column: str(Square(column + 1, row + 1)) for column, row in squares}


def _width(size: int) -> int:
    """Squares from one row's code to the next one's."""
    return 8 if size <= 8 else 11
