"""What Petrify and Pilo have in common: board plays, passes, the pie rule and the end.

Pilo's rulebook is Petrify's with stacks for disks and a different capture; so is the code. What a
capture may do, and what it leaves, is said in `petrify.py` and `pilo.py`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from . import patches
from .board import BLOCK, EMPTY, FIRST_COLOUR, SECOND_COLOUR, Grid, Square, grid
from .errors import BadNotation, Refusal, Rule
from .ledger import Ledger
from .messages import Message
from .moves import PASS, SWAP, Capture, Move, Pass, Place, Swap, is_well_formed, shown_move
from .notation import FLAT_MOVES, no_move_here, parse_flat_move, require_square_board, rows_text
from .position import Outcome, Position
from .seats import Colour, Seat
from .turns import Turn

SIZES = range(3, 11)
RECOMMENDED = range(6, 11)
DEFAULT_SIZE = 8

BLUE, ORANGE = FIRST_COLOUR, SECOND_COLOUR
BOTH_PASSED = Message("over.both_passed", "the game is over: both sides have passed")
A_BLOCK = Message("piece.block", "a block")
_GRID_BY_LENGTH = {(size + 2) ** 2: grid(size) for size in SIZES}


@dataclass(frozen=True, slots=True, repr=False)
class BlocksPosition(Position):
    """A board with blocks on it, inside its ring of blocks, and what the rules remember."""

    kinds: bytes
    """(n+2)² squares, each EMPTY, BLUE, ORANGE or BLOCK. The outer ring is all blocks."""
    turn: Turn

    colours: ClassVar[tuple[Colour, Colour]] = patches.COLOURS
    men: ClassVar[Mapping[int, Message]]
    """What stands on a square, in a sentence, by its kind: ``a blue disk``."""
    no_men: ClassVar[Mapping[int, Message]]
    own: ClassVar[Message]
    enemy: ClassVar[Message]

    # -- whose turn ---------------------------------------------------------------------------

    @property
    def size(self) -> int:
        return self.grid.size

    @property
    def grid(self) -> Grid:
        """The geometry of this board."""
        return _GRID_BY_LENGTH[len(self.kinds)]

    @property
    def ply(self) -> int:
        return self.turn.ply

    def colour_of(self, seat: Seat) -> Colour:
        return Colour.BLUE if seat is self.turn.blue else Colour.ORANGE

    @property
    def mine(self) -> int:
        """The side to move, as the squares show it."""
        return BLUE if self.turn.to_move is self.turn.blue else ORANGE

    @property
    def theirs(self) -> int:
        """The enemy of the side to move."""
        return ORANGE if self.mine == BLUE else BLUE

    # -- play ---------------------------------------------------------------------------------

    def legal_moves(self) -> Sequence[Move]:
        if self.is_over:
            return []
        moves: list[Move] = list(self.board_plays()) or [PASS]
        if self.turn.may_swap:
            moves.append(SWAP)
        return moves

    def placements(self) -> Iterator[Place]:
        """Place one of your disks on an empty square."""
        squares, kinds = self.grid.squares, self.kinds
        return (Place(squares[at]) for at in self.grid.inside if kinds[at] == EMPTY)

    @abstractmethod
    def captures(self) -> Iterator[Capture]:
        """Every capture of the side to move."""

    def board_plays(self) -> Iterator[Place | Capture]:
        """Every placement, then every capture: what a swap and a pass are not."""
        yield from self.placements()
        yield from self.captures()

    def explain(self, move: Move | str) -> Refusal | None:
        move = self.read_move(move)
        if self.is_over:
            return Refusal(Rule.GAME_OVER, BOTH_PASSED)
        match move:
            case Place(Square() as square):
                return self._refuse_placement(square)
            case Capture(start, target):
                return self._refuse_line(start, target) or self.refuse_capture(start, target)
            case Pass():
                return self._refuse_pass()
        return self._refuse_swap()

    def _refuse_placement(self, square: Square) -> Refusal | None:
        """A disk is placed on an empty square of the board."""
        if not self.grid.holds(square):
            return self._refuse_off_board(square)
        kind = self.kinds[self.grid.index(square)]
        if kind == EMPTY:
            return None
        what = {**self.men, BLOCK: A_BLOCK}[kind]
        message = Message(
            "occupied.square", "{square} holds {what}; a disk is placed on an empty square", square=square, what=what
        )
        return Refusal(Rule.OCCUPIED, message, (square,))

    def _refuse_line(self, start: Square, target: Square) -> Refusal | None:
        """A capture starts from a man of your own and goes along a free line to an enemy."""
        board, kinds = self.grid, self.kinds
        for square in (start, target):
            if not board.holds(square):
                return self._refuse_off_board(square)
        here, there = board.index(start), board.index(target)
        if kinds[here] != self.mine:
            message = Message("not_yours", "{what} stands on {square}", what=self.no_men[self.mine], square=start)
            return Refusal(Rule.NOT_YOURS, message, (start,))
        step = board.step_towards(start, target)
        if step is None or step not in self.directions(board):
            if len(self.directions(board)) == 8:
                message = Message(
                    "not_in_line.eight",
                    "{target} is not on an orthogonal or diagonal line from {start}",
                    target=target,
                    start=start,
                )
            else:
                message = Message(
                    "not_in_line.four", "{target} is not on an orthogonal line from {start}", target=target, start=start
                )
            return Refusal(Rule.NOT_IN_LINE, message, (start, target))
        met = first_beyond(kinds, here, step, self.mine)
        if abs(met - here) < abs(there - here):
            what = A_BLOCK if kinds[met] == BLOCK else self.enemy
            between = board.squares[met]
            message = Message(
                "blocked", "{what} on {between} blocks the path to {target}", what=what, between=between, target=target
            )
            return Refusal(Rule.BLOCKED, message, (start, between, target))
        if kinds[there] != self.theirs:
            if kinds[there] == EMPTY:
                message = Message(
                    "no_enemy.empty", "{square} is empty; a capture ends on {enemy}", square=target, enemy=self.enemy
                )
            else:
                what = A_BLOCK if kinds[there] == BLOCK else self.own
                message = Message(
                    "no_enemy.other",
                    "{square} holds {what}; a capture ends on {enemy}",
                    square=target,
                    what=what,
                    enemy=self.enemy,
                )
            return Refusal(Rule.NO_ENEMY, message, (target,))
        return None

    @staticmethod
    @abstractmethod
    def directions(board: Grid) -> tuple[int, ...]:
        """The steps along which this game captures, clockwise from north."""

    @abstractmethod
    def refuse_capture(self, start: Square, target: Square) -> Refusal | None:
        """What else the game asks of a capture along a free line onto an enemy."""

    def _refuse_pass(self) -> Refusal | None:
        """Nobody passes by choice."""
        play = next(self.board_plays(), None)
        if play is None:
            return None
        message = Message(
            "pass.board_play", "you may pass only when you have no board play, and you can play {play}", play=play
        )
        return Refusal(Rule.PASS, message)

    def _refuse_swap(self) -> Refusal | None:
        """The pie rule is open on the second seat's first turn only."""
        if self.turn.may_swap:
            return None
        return Refusal(Rule.SWAP, Message("swap", "a swap is the second seat's first turn or never"))

    def _refuse_off_board(self, square: Square) -> Refusal:
        last = self.grid.squares[self.grid.inside[-1]]
        message = Message("off_board", "{squares} is off the board, which ends at {last}", squares=square, last=last)
        return Refusal(Rule.OFF_BOARD, message, (square,))

    # -- the end ------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return self.turn.passes == 2

    def ledger(self) -> Ledger:
        return patches.count(self.grid, self.kinds)

    def checked(self) -> Self:
        """This position, unless a side passed that could capture. A text may claim so."""
        for back in range(1, self.turn.passes + 1):
            before = replace(
                self, turn=replace(self.turn, ply=self.turn.ply + back, passes=0)
            )  # only whose turn counts
            if play := next(before.captures(), None):
                message = Message(
                    "text.passes_capture",
                    "passes={passes} does not fit this board: {colour} can capture, {play}",
                    passes=self.turn.passes,
                    colour=before.colour_to_move.title,
                    play=play,
                )
                raise BadNotation(message)
        return self

    @property
    def outcome(self) -> Outcome | None:
        return patches.decide(self.turn, self.score()) if self.is_over else None

    # -- text ---------------------------------------------------------------------------------

    @classmethod
    def read_move(cls, move: Move | str) -> Move:
        match move:
            case str():
                return parse_flat_move(move)
            case Place(Square()) | Capture() | Pass() | Swap() if is_well_formed(move):
                return move
        raise no_move_here(shown_move(move), FLAT_MOVES)

    def text(self) -> str:
        rows = [[self.token(at) for at in row] for row in rows_from_top(self.grid)]
        return f"{self.game} {rows_text(rows)} {self.turn.text()}"

    @abstractmethod
    def token(self, at: int) -> str | None:
        """How the text writes what stands on that square."""


def first_beyond(kinds: bytes, start: int, step: int, mine: int) -> int:
    """The first square in that direction that is neither empty nor a friend's. The ring ends every path."""
    at = start + step
    while kinds[at] == EMPTY or kinds[at] == mine:
        at += step
    return at


def rows_from_top(board: Grid) -> list[range]:
    """The indices of each row's squares, top row first, as boards are written."""
    return [range(row * board.width + 1, row * board.width + 1 + board.size) for row in range(board.size, 0, -1)]


def empty_board(size: int) -> bytes:
    """Nothing but the ring of blocks."""
    return read_board([[None] * size] * size)


def read_board(rows: Sequence[Sequence[str | None]]) -> bytes:
    """The board with those tokens, top row first, inside its ring of blocks."""
    size = require_square_board(rows)
    if size not in SIZES:
        message = Message(
            "text.rows",
            "a board has {least} to {most} rows, and this has {rows}",
            least=SIZES[0],
            most=SIZES[-1],
            rows=size,
        )
        raise BadNotation(message)
    kind_of = {None: EMPTY, "b": BLUE, "o": ORANGE, "#": BLOCK}
    kinds = bytearray([BLOCK] * (size + 2) ** 2)
    for indices, row in zip(rows_from_top(grid(size)), rows, strict=True):
        for at, token in zip(indices, row, strict=True):
            kinds[at] = kind_of[token and token[0]]
    return bytes(kinds)
