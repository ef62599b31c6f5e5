"""Petrify, by Luis Bolaños Mures (2021).

Blue and Orange place disks; a disk may instead capture along a line, and leaves a block behind.
Blocks divide the board into patches, and the biggest groups own them.

Order of `legal_moves`: placements from a1 row by row, then captures by the square they start
from, each clockwise from north, then ``swap``; or ``pass`` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from .blocks import BLUE, DEFAULT_SIZE, ORANGE, BlocksPosition, empty_board, first_beyond, read_board
from .board import BLOCK, EMPTY, Grid, Square, grid
from .errors import BadNotation, Refusal, Rule
from .messages import Message, listed
from .moves import Capture, Move, Pass, Place
from .notation import parse_rows, picture_rows
from .pieces import Block, Disk, Piece
from .seats import Colour
from .turns import Turn, parse_turn, turn_for

_TOKENS = {EMPTY: None, BLUE: "b", ORANGE: "o", BLOCK: "#"}
_TOKEN = re.compile("[bo#]")
_EXPECTED = Message("expected.petrify", "b (blue disk), o (orange disk), # (block) or a number of empty squares")

Formation = tuple[Rule, tuple[int, ...]]
"""A mound or a barricade, and the squares that make it."""


@dataclass(frozen=True, slots=True, repr=False)
class PetrifyPosition(BlocksPosition):
    """A Petrify position. The ring of blocks round the board is the rule for mounds and barricades.

    >>> p = start(6).play("c3").play("swap")
    >>> print(p.to_move, p.colour_to_move)
    Seat.FIRST Colour.ORANGE
    """

    game: ClassVar[str] = "petrify"
    men: ClassVar[Mapping[int, Message]] = {
        BLUE: Message("piece.blue_disk", "a blue disk"),
        ORANGE: Message("piece.orange_disk", "an orange disk"),
    }
    no_men: ClassVar[Mapping[int, Message]] = {
        BLUE: Message("no_piece.blue_disk", "no blue disk"),
        ORANGE: Message("no_piece.orange_disk", "no orange disk"),
    }
    own: ClassVar[Message] = Message("own.disk", "a disk of your own")
    enemy: ClassVar[Message] = Message("enemy.disk", "an enemy disk")

    def captures(self) -> Iterator[Capture]:
        """Travel over empty squares and friends; the first other thing met must be an enemy disk."""
        board, kinds, squares = self.grid, self.kinds, self.grid.squares
        mine, theirs = self.mine, self.theirs
        for start in board.inside:
            if kinds[start] != mine:
                continue
            met = [first_beyond(kinds, start, step, mine) for step in board.eight_ways]
            targets = [at for at in met if kinds[at] == theirs]
            if targets and not formations_completed(board, kinds, start):
                for target in targets:
                    yield Capture(squares[start], squares[target])

    @staticmethod
    def directions(board: Grid) -> tuple[int, ...]:
        """A disk captures orthogonally and diagonally."""
        return board.eight_ways

    def refuse_capture(self, start: Square, target: Square) -> Refusal | None:
        """The block left behind must not complete a mound or a barricade."""
        board = self.grid
        formations = formations_completed(board, self.kinds, board.index(start))
        if not formations:
            return None
        rule, indices = formations[0]
        squares = tuple(board.squares[at] for at in indices)
        partners: list[object] = [square for square in squares if square != start and board.holds(square)]
        if not all(map(board.holds, squares)):
            partners.append(Message("the_edge", "the edge"))
        with_what = listed(partners)
        if rule is Rule.MOUND:
            message = Message(
                "mound", "the block left on {start} would complete a mound with {what}", start=start, what=with_what
            )
        else:
            message = Message(
                "barricade",
                "the block left on {start} would complete a barricade with {what}",
                start=start,
                what=with_what,
            )
        return Refusal(rule, message, squares)

    def after(self, move: Move) -> PetrifyPosition:
        kinds = bytearray(self.kinds)
        match move:
            case Place(Square() as square):
                kinds[self.grid.index(square)] = self.mine
            case Capture(start, target):
                kinds[self.grid.index(start)] = BLOCK
                kinds[self.grid.index(target)] = self.mine
            case Pass():
                return PetrifyPosition(self.kinds, self.turn.after_pass())
            case _:
                return PetrifyPosition(self.kinds, self.turn.after_swap())
        return PetrifyPosition(bytes(kinds), self.turn.after_board_play())

    def pieces(self) -> tuple[Piece, ...]:
        squares, kinds = self.grid.squares, self.kinds
        return tuple([_piece(squares[at], kinds[at]) for at in self.grid.inside if kinds[at] != EMPTY])

    def token(self, at: int) -> str | None:
        return _TOKENS[self.kinds[at]]


@cache
def _piece(square: Square, kind: int) -> Piece:
    return Block(square) if kind == BLOCK else Disk(square, PetrifyPosition.colours[kind - BLUE])


# -- mounds and barricades ----------------------------------------------------------------------


def formations_completed(board: Grid, kinds: bytes, new_block: int) -> list[Formation]:
    """The mounds and barricades that a block on that square would complete, ring squares included."""
    return [
        formation
        for formation in formations_through(board.size)[new_block]
        if all(kinds[at] == BLOCK or at == new_block for at in formation[1])
    ]


@cache
def formations_through(size: int) -> dict[int, list[Formation]]:
    """For each square of the board, the places where a mound or a barricade could hold it.

    A mound is a 2×2 area of four blocks; a barricade is three blocks in a row along a diagonal.
    Both may use the ring, but nothing beyond it.
    """
    board = grid(size)
    through: dict[int, list[Formation]] = {at: [] for at in board.inside}
    shapes = [
        (Rule.MOUND, [(0, 0), (1, 0), (0, 1), (1, 1)]),
        (Rule.BARRICADE, [(0, 0), (1, 1), (2, 2)]),
        (Rule.BARRICADE, [(2, 0), (1, 1), (0, 2)]),
    ]
    for rule, shape in shapes:
        reach = max(column for column, _ in shape)
        for row in range(board.width - reach):
            for column in range(board.width - reach):
                indices = tuple(board.index(Square(column + across, row + up)) for across, up in shape)
                for at in indices:
                    if at in through:
                        through[at].append((rule, indices))
    return through


# -- starting, parsing, drawing -----------------------------------------------------------------


def start(size: int = DEFAULT_SIZE) -> PetrifyPosition:
    """The empty board, Blue (the first seat) to move."""
    return PetrifyPosition(empty_board(size), Turn())


def parse(fields: list[str]) -> PetrifyPosition:
    """A position from the fields of its text after the game's name."""
    board, *turn = fields
    kinds = _sound(read_board(parse_rows(board, _TOKEN, _EXPECTED)))
    return PetrifyPosition(kinds, parse_turn(turn, kinds)).checked()


def draw(picture: str, to_move: Colour = Colour.BLUE) -> PetrifyPosition:
    """A mid-game position from a drawn board of ``.``, ``b``, ``o`` and ``#``."""
    kinds = _sound(read_board(picture_rows(picture, _TOKEN, _EXPECTED)))
    return PetrifyPosition(kinds, turn_for(to_move, kinds))


def _sound(kinds: bytes) -> bytes:
    """The board, if no mound and no barricade stands on it: the rules never let one arise."""
    board = PetrifyPosition(kinds, Turn()).grid
    for at in board.inside:
        if kinds[at] == BLOCK and (formations := formations_completed(board, kinds, at)):
            rule, indices = formations[0]
            names = listed([board.squares[i] for i in indices if board.holds(board.squares[i])])
            raise BadNotation(
                Message("text.mound", "no Petrify board holds a mound, and there is one at {squares}", squares=names)
                if rule is Rule.MOUND
                else Message(
                    "text.barricade", "no Petrify board holds a barricade, and there is one at {squares}", squares=names
                )
            )
    return kinds
