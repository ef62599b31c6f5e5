"""Pilo, by Luis Bolaños Mures (2021): Petrify with stacks.

A stack captures an enemy stack of its own height along an orthogonal line, grows by one disk and
leaves a block behind. Any block is legal: there are no mounds and no barricades. Placing, passing,
the pie rule, the count and the tie are Petrify's.

Order of `legal_moves`: as in Petrify.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from .blocks import BLUE, DEFAULT_SIZE, ORANGE, BlocksPosition, empty_board, first_beyond, read_board, rows_from_top
from .board import BLOCK, EMPTY, Grid, Square, grid
from .errors import BadNotation, Refusal, Rule
from .messages import Message
from .moves import Capture, Move, Pass, Place
from .notation import parse_rows, picture_rows
from .pieces import Block, Piece, Stack
from .seats import Colour
from .turns import Turn, parse_turn, turn_for

TALLEST = 7
"""A stack of height h has cost 2^(h-1) - 1 blocks, so on 10×10 squares none is higher."""
MOST_DISKS = 2**TALLEST - 1
"""A stack of height h is made of 2^(h-1) disks, and a square is filled but once. So with more disks on the board and
to come, a stack could grow higher than any that a text can name."""

_TOKEN = re.compile("[bo][1-7]|#")
_DRAWN_TOKEN = re.compile("[bo][1-7]?|#")
_EXPECTED = Message(
    "expected.pilo",
    "b1 to b{tallest} or o1 to o{tallest} (a stack and its height), # (block) or a number of empty squares",
    tallest=TALLEST,
)


@dataclass(frozen=True, slots=True, repr=False)
class PiloPosition(BlocksPosition):
    """A Pilo position: Petrify's, with the height of every stack."""

    heights: bytes
    """The height of the stack on each square, 0 where none stands."""

    game: ClassVar[str] = "pilo"
    men: ClassVar[Mapping[int, Message]] = {
        BLUE: Message("piece.blue_stack", "a blue stack"),
        ORANGE: Message("piece.orange_stack", "an orange stack"),
    }
    no_men: ClassVar[Mapping[int, Message]] = {
        BLUE: Message("no_piece.blue_stack", "no blue stack"),
        ORANGE: Message("no_piece.orange_stack", "no orange stack"),
    }
    own: ClassVar[Message] = Message("own.stack", "a stack of your own")
    enemy: ClassVar[Message] = Message("enemy.stack", "an enemy stack")

    def captures(self) -> Iterator[Capture]:
        """Travel over empty squares and friends; the first other thing must be an enemy stack of equal height."""
        board, kinds, heights, squares = self.grid, self.kinds, self.heights, self.grid.squares
        mine, theirs = self.mine, self.theirs
        for start in board.inside:
            if kinds[start] != mine:
                continue
            for step in board.orthogonal:
                target = first_beyond(kinds, start, step, mine)
                if kinds[target] == theirs and heights[target] == heights[start]:
                    yield Capture(squares[start], squares[target])

    @staticmethod
    def directions(board: Grid) -> tuple[int, ...]:
        """A stack captures orthogonally only."""
        return board.orthogonal

    def refuse_capture(self, start: Square, target: Square) -> Refusal | None:
        """The two stacks must have the same height. Any block is legal."""
        mine, theirs = (self.heights[self.grid.index(square)] for square in (start, target))
        if mine == theirs:
            return None
        message = Message(
            "unequal_heights",
            "the stack on {start} has height {mine} and the one on {target} height {theirs}; they must be equal",
            start=start,
            mine=mine,
            target=target,
            theirs=theirs,
        )
        return Refusal(Rule.UNEQUAL_HEIGHTS, message, (start, target))

    def after(self, move: Move) -> PiloPosition:
        kinds, heights = bytearray(self.kinds), bytearray(self.heights)
        match move:
            case Place(Square() as square):
                at = self.grid.index(square)
                kinds[at], heights[at] = self.mine, 1
            case Capture(start, target):
                left, reached = self.grid.index(start), self.grid.index(target)
                kinds[reached], heights[reached] = self.mine, heights[left] + 1
                kinds[left], heights[left] = BLOCK, 0
            case Pass():
                return PiloPosition(self.kinds, self.turn.after_pass(), self.heights)
            case _:
                return PiloPosition(self.kinds, self.turn.after_swap(), self.heights)
        return PiloPosition(bytes(kinds), self.turn.after_board_play(), bytes(heights))

    def pieces(self) -> tuple[Piece, ...]:
        squares, kinds, heights = self.grid.squares, self.kinds, self.heights
        return tuple([_piece(squares[at], kinds[at], heights[at]) for at in self.grid.inside if kinds[at] != EMPTY])

    def token(self, at: int) -> str | None:
        kind = self.kinds[at]
        if kind == EMPTY:
            return None
        return "#" if kind == BLOCK else f"{'b' if kind == BLUE else 'o'}{self.heights[at]}"


@cache
def _piece(square: Square, kind: int, height: int) -> Piece:
    return Block(square) if kind == BLOCK else Stack(square, PiloPosition.colours[kind - BLUE], height)


# -- starting, parsing, drawing -----------------------------------------------------------------


def start(size: int = DEFAULT_SIZE) -> PiloPosition:
    """The empty board, Blue (the first seat) to move."""
    kinds = empty_board(size)
    return PiloPosition(kinds, Turn(), bytes(len(kinds)))


def parse(fields: list[str]) -> PiloPosition:
    """A position from the fields of its text after the game's name."""
    board, *turn = fields
    rows = parse_rows(board, _TOKEN, _EXPECTED)
    kinds = read_board(rows)
    return PiloPosition(kinds, parse_turn(turn, kinds), _heights(kinds, rows)).checked()


def draw(picture: str, to_move: Colour = Colour.BLUE) -> PiloPosition:
    """A mid-game position from a drawn board of ``.``, ``b2``, ``o3``, ``#``; a bare ``b`` has height 1."""
    rows = picture_rows(picture, _DRAWN_TOKEN, _EXPECTED)
    kinds = read_board(rows)
    return PiloPosition(kinds, turn_for(to_move, kinds), _heights(kinds, rows))


def _heights(kinds: bytes, rows: Sequence[Sequence[str | None]]) -> bytes:
    heights = bytearray(len(kinds))
    for indices, row in zip(rows_from_top(grid(len(rows))), rows, strict=True):
        for at, token in zip(indices, row, strict=True):
            if token and kinds[at] != BLOCK:
                heights[at] = int(token[1:] or 1)
    disks = sum(1 << (height - 1) for height in heights if height)
    if disks + kinds.count(EMPTY) > MOST_DISKS:
        message = Message(
            "text.too_high",
            "these stacks are too high: they are made of {disks} disks, "
            "and with one for each empty square a board has at most {most}",
            disks=disks,
            most=MOST_DISKS,
        )
        raise BadNotation(message)
    return bytes(heights)
