"""Pyloff, by Cameron Browne (2006).

Black and White play marbles that pile into a pyramid. Groups without freedom are captured, but a
marble with another resting on it stays. More marbles on the board at the end win.

Order of `legal_moves`: level by level from the lowest, each from its a1 row by row; or ``pass`` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, cast

from .board import EMPTY, FIRST_COLOUR, SECOND_COLOUR, Point
from .endings import Ending, reason
from .errors import BadNotation, IllegalMove, Refusal, Rule
from .ledger import Ledger, Marbles
from .messages import Message, listed
from .moves import PASS, Move, Pass, Place, Swap, is_well_formed, shown_move
from .notation import (
    MARBLE_MOVES,
    no_move_here,
    parse_count,
    parse_marble_move,
    parse_rows,
    parse_settings,
    picture_rows,
    require_square_board,
    rows_text,
)
from .pieces import Marble, Piece
from .position import Outcome, Position
from .pyramid import Pyramid, pyramid
from .seats import Colour, Seat
from .turns import MOST_PLIES

SIZES = range(3, 20)
DEFAULT_SIZE = 6
BLACK, WHITE = FIRST_COLOUR, SECOND_COLOUR

_TOKENS = {EMPTY: None, BLACK: "b", WHITE: "w"}
_KINDS = {token: kind for kind, token in _TOKENS.items()}
_TOKEN = re.compile("[bw]")
_EXPECTED = Message("expected.pyloff", "b (black marble), w (white marble) or a number of empty points")
_MARBLES = {
    BLACK: Message("piece.black_marble", "a black marble"),
    WHITE: Message("piece.white_marble", "a white marble"),
}


@dataclass(frozen=True, slots=True, repr=False)
class PyloffPosition(Position):
    """A Pyloff position: the boards of the game so far, of which the last is the one in play.

    The marbles know nothing of the past; ko needs every earlier board, and finds them here.
    """

    boards: tuple[bytes, ...]
    """The board this game started from and the board after each turn; a pass repeats one."""
    begun_at: int
    """The ply of the first of those boards: 0 unless the game was set up in the middle."""
    passes: int
    """How many passes in a row have just been made; two end the game."""

    game: ClassVar[str] = "pyloff"
    colours: ClassVar[tuple[Colour, Colour]] = (Colour.BLACK, Colour.WHITE)

    # -- whose turn ---------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        return self.begun_at + len(self.boards) - 1

    @property
    def board(self) -> bytes:
        """The marbles as they stand: EMPTY, BLACK or WHITE at every point of the pyramid."""
        return self.boards[-1]

    @property
    def pyramid(self) -> Pyramid:
        """The geometry of this board."""
        return pyramid(self.size)

    @property
    def size(self) -> int:
        return _SIZE_BY_LENGTH[len(self.board)]

    def pieces(self) -> tuple[Piece, ...]:
        board, shape = self.board, self.pyramid
        return tuple(
            Marble(shape.points[at], self.colours[board[at] - BLACK], is_buried(shape, board, at))
            for at in marbles(board)
        )

    # -- play ---------------------------------------------------------------------------------

    def legal_moves(self) -> Sequence[Move]:
        return [] if self.is_over else list(self.plays()) or [PASS]

    def plays(self) -> Iterator[Place]:
        """Every valid point where the side to move may put a marble."""
        shape, board = self.pyramid, self.board
        for at in valid_points(shape, board):
            after = play_marble(shape, board, at, self._mine)
            if after is not None and after not in self.boards:
                yield Place(shape.points[at])

    def explain(self, move: Move | str) -> Refusal | None:
        move = self.read_move(move)
        if self.is_over:
            return Refusal(Rule.GAME_OVER, Message("over.both_passed", "the game is over: both sides have passed"))
        match move:
            case Place(Point() as point):
                return self._refuse_marble(point)
            case Pass():
                if (play := next(self.plays(), None)) is None:
                    return None
                message = Message(
                    "pass.legal_play",
                    "you may pass only when you have no legal play, and you can play {play}",
                    play=play,
                )
                return Refusal(Rule.PASS, message)
        return Refusal(Rule.SWAP, Message("swap.pyloff", "Pyloff has no pie rule, so nobody swaps"))

    def _refuse_marble(self, point: Point) -> Refusal | None:
        shape, board = self.pyramid, self.board
        at = shape.index_of.get(point)
        if at is None:
            side = self.size - point.level + 1
            if side > 0:
                there = Message("level_size", "level {level} has {side}×{side} points", level=point.level, side=side)
            else:
                there = Message("levels", "there are {levels} levels", levels=self.size)
            message = Message("off_pyramid", "{point} is off the board: {there}", point=point, there=there)
            return Refusal(Rule.OFF_BOARD, message, (point,))
        if board[at] != EMPTY:
            message = Message(
                "occupied.point",
                "{point} holds {what}; a marble goes on an empty point",
                point=point,
                what=_MARBLES[board[at]],
            )
            return Refusal(Rule.OCCUPIED, message, (point,))
        if not is_valid(shape, board, at):
            missing = tuple(shape.points[s] for s in shape.supports[at] if board[s] == EMPTY)
            message = Message(
                "unsupported", "{point} is unsupported: no marble on {points}", point=point, points=listed(missing)
            )
            return Refusal(Rule.UNSUPPORTED, message, missing)
        after = play_marble(shape, board, at, self._mine)
        if after is None:
            dead = tuple(shape.points[i] for i in left_without_freedom(shape, board, at, self._mine))
            where: dict[str, object] = {"count": len(dead), "points": listed(dead)}
            if group_without_freedom(shape, placed(board, at, self._mine), at) is None:
                message = Message.many(
                    "suicide.lifting",
                    "suicide: lifting what it captures would take the last freedom of the marble on {points}",
                    "suicide: lifting what it captures would take the last freedom of its group on {points}",
                    **where,
                )
            else:
                message = Message.many(
                    "suicide",
                    "suicide: the marble on {points} would have no freedom",
                    "suicide: its group on {points} would have no freedom",
                    **where,
                )
            return Refusal(Rule.SUICIDE, message, dead)
        if after in self.boards:
            ply = self.begun_at + self.boards.index(after)
            changed = tuple(shape.points[i] for i in range(len(board)) if board[i] != after[i])
            message = Message(
                "superko",
                "superko: changing {points} would bring back the board as it was after ply {ply}",
                points=listed(changed),
                ply=ply,
            )
            return Refusal(Rule.SUPERKO, message, changed, ply)
        return None

    def after(self, move: Move) -> PyloffPosition:
        if not isinstance(move, Place):
            return PyloffPosition((*self.boards, self.board), self.begun_at, self.passes + 1)
        at = self.pyramid.index_of[cast(Point, move.at)]
        board = play_marble(self.pyramid, self.board, at, self._mine)
        assert board is not None
        return PyloffPosition((*self.boards, board), self.begun_at, 0)

    # -- the end ------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return self.passes == 2

    def score(self) -> dict[Colour, int]:
        return {Colour.BLACK: self.board.count(BLACK), Colour.WHITE: self.board.count(WHITE)}

    def ledger(self) -> Ledger:
        shape, board = self.pyramid, self.board
        entries = []
        for level in range(1, self.size + 1):
            of_level = range(shape.first_of_level(level), shape.first_of_level(level + 1))
            for colour, kind in zip(self.colours, (BLACK, WHITE), strict=True):
                if found := [at for at in of_level if board[at] == kind]:
                    buried = tuple(shape.points[at] for at in found if is_buried(shape, board, at))
                    points = tuple(shape.points[at] for at in found)
                    entries.append(Marbles(level, points, buried, colour, len(found)))
        return Ledger(tuple(entries), self.colours)

    @property
    def outcome(self) -> Outcome | None:
        if not self.is_over:
            return None
        score = self.score()
        black, white = score[Colour.BLACK], score[Colour.WHITE]
        by_seat = {Seat.FIRST: black, Seat.SECOND: white}
        if black == white:
            return Outcome(None, reason("end.same_marbles"), by_seat, score, Ending.DRAW)
        winner, colour = (Seat.FIRST, Colour.BLACK) if black > white else (Seat.SECOND, Colour.WHITE)
        return Outcome(winner, reason("end.marbles", colour=colour.title), by_seat, score, Ending.SCORE)

    # -- text ---------------------------------------------------------------------------------

    @classmethod
    def read_move(cls, move: Move | str) -> Move:
        match move:
            case str():
                return parse_marble_move(move)
            case Place(Point()) | Pass() | Swap() if is_well_formed(move):
                return move
        raise no_move_here(shown_move(move), MARBLE_MOVES)

    def text(self) -> str:
        """The board, then what ko needs: the moves of this game, and the board it began from unless empty."""
        parts = [self.game, board_text(self.pyramid, self.board), f"ply={self.ply}", f"passes={self.passes}"]
        if len(self.boards) > 1:
            if any(self.boards[0]) or self.begun_at:
                parts.append(f"from={board_text(self.pyramid, self.boards[0])}")
            parts.append(f"moves={','.join(self._moves())}")
        return " ".join(parts)

    def _moves(self) -> Iterator[str]:
        """Each turn of this game, told from the boards: the one new marble, or none for a pass."""
        for before, after in zip(self.boards, self.boards[1:], strict=False):
            new = [at for at in range(len(after)) if after[at] != EMPTY and before[at] == EMPTY]
            yield str(self.pyramid.points[new[0]]) if new else "pass"

    @property
    def _mine(self) -> int:
        return WHITE if self.ply % 2 else BLACK


_SIZE_BY_LENGTH = {size * (size + 1) * (2 * size + 1) // 6: size for size in SIZES}


# -- the rulebook's definitions -----------------------------------------------------------------


def marbles(board: bytes) -> list[int]:
    """The points that hold a marble, lowest level first."""
    return [at for at, kind in enumerate(board.rstrip(b"\0")) if kind]


def is_valid(shape: Pyramid, board: bytes, at: int) -> bool:
    """A point is valid if it is empty, and on level 1 or with all four supports occupied."""
    if board[at] != EMPTY:
        return False
    for support in shape.supports[at]:
        if board[support] == EMPTY:
            return False
    return True


def valid_points(shape: Pyramid, board: bytes) -> list[int]:
    """Every valid point, lowest level first."""
    highest = shape.points[len(board.rstrip(b"\0")) - 1].level if any(board) else 0
    return [at for at in range(shape.first_of_level(highest + 2)) if is_valid(shape, board, at)]


def is_buried(shape: Pyramid, board: bytes, at: int) -> bool:
    """A marble is buried if a marble stands straight above it, two levels up."""
    above = shape.straight_above[at]
    return above is not None and board[above] != EMPTY


def is_cut(board: bytes, colour: int, overpass: tuple[int, int] | None) -> bool:
    """Two adjacent marbles are cut if both points that rest on both of them hold the other colour."""
    return overpass is not None and board[overpass[0]] == board[overpass[1]] == 3 - colour


def connected(shape: Pyramid, board: bytes, at: int) -> Iterator[int]:
    """The unburied marbles of its colour that an unburied marble is connected to.

    They are squarely adjacent and not cut, or one rests on the other.
    """
    colour = board[at]
    for beside, overpass in shape.beside[at]:
        if board[beside] == colour and not is_cut(board, colour, overpass) and not is_buried(shape, board, beside):
            yield beside
    for touching in shape.resting_or_rested_on[at]:
        if board[touching] == colour and not is_buried(shape, board, touching):
            yield touching


def has_freedom(shape: Pyramid, board: bytes, at: int) -> bool:
    """A marble has freedom if a squarely adjacent point of its own level is a valid empty point."""
    for beside, _ in shape.beside[at]:
        if board[beside] == EMPTY and is_valid(shape, board, beside):
            return True
    return False


def group_without_freedom(shape: Pyramid, board: bytes, at: int) -> set[int] | None:
    """The marble's group if no member has freedom; None as soon as one has."""
    group, is_free = explore_group(shape, board, at, set())
    return None if is_free else group


def explore_group(shape: Pyramid, board: bytes, at: int, known_free: set[int]) -> tuple[set[int], bool]:
    """Members of the marble's group, all of them unless one has freedom, and whether one has.

    A member that is known to be of a group with freedom ends the walk as well.
    """
    group = {at}
    waiting = [at]
    while waiting:
        member = waiting.pop()
        if member in known_free or has_freedom(shape, board, member):
            return group, True
        for friend in connected(shape, board, member):
            if friend not in group:
                group.add(friend)
                waiting.append(friend)
    return group, False


def groups_without_freedom(shape: Pyramid, board: bytes, colour: int) -> set[int]:
    """All marbles of that colour whose groups have no freedom. Buried marbles are in no group.

    What one walk learns serves the next, so that no marble is asked twice for its freedom.
    """
    dead: set[int] = set()
    free: set[int] = set()
    for at in marbles(board):
        if board[at] == colour and at not in dead and at not in free and not is_buried(shape, board, at):
            group, is_free = explore_group(shape, board, at, free)
            (free if is_free else dead).update(group)
    return dead


def lift(shape: Pyramid, board: bytes, captured: set[int]) -> bytes:
    """Lift the captured marbles from the highest level down; one that still carries a marble stays."""
    lifted = bytearray(board)
    for at in sorted(captured, reverse=True):
        if not any(lifted[above] for above in shape.resting[at]):
            lifted[at] = EMPTY
    return bytes(lifted)


def place_and_capture(shape: Pyramid, board: bytes, at: int, colour: int) -> bytes:
    """The board after a marble on a valid point, before suicide and ko are judged.

    All enemy groups without freedom are captured, wherever they are, judged just after the
    placement and in one step.
    """
    after = placed(board, at, colour)
    captured = groups_without_freedom(shape, after, 3 - colour)
    return lift(shape, after, captured) if captured else after


def placed(board: bytes, at: int, colour: int) -> bytes:
    """The board with one marble more."""
    return board[:at] + bytes((colour,)) + board[at + 1 :]


@lru_cache(maxsize=64)
def play_marble(shape: Pyramid, board: bytes, at: int, colour: int) -> bytes | None:
    """The board after the play, or None if it is suicide: judged after the captures.

    It is remembered for a moment, because a move is first judged and then made.
    """
    after = place_and_capture(shape, board, at, colour)
    return after if group_without_freedom(shape, after, at) is None else None


def left_without_freedom(shape: Pyramid, board: bytes, at: int, colour: int) -> list[int]:
    """The group that a suicide would leave without freedom."""
    after = place_and_capture(shape, board, at, colour)
    return sorted(group_without_freedom(shape, after, at) or ())


# -- starting, parsing, drawing -----------------------------------------------------------------


def start(size: int = DEFAULT_SIZE) -> PyloffPosition:
    """The empty board, Black (the first seat) to move."""
    return PyloffPosition((bytes(len(pyramid(size).points)),), 0, 0)


def board_text(shape: Pyramid, board: bytes) -> str:
    """Levels from the lowest joined by ``;``, as many as hold marbles but at least one."""
    levels = []
    for level in range(1, shape.size + 1):
        side = shape.size - level + 1
        first = shape.first_of_level(level)
        if level > 1 and not any(board[first:]):
            break
        rows = [board[first + row * side : first + (row + 1) * side] for row in range(side)]
        levels.append(rows_text([[_TOKENS[kind] for kind in row] for row in reversed(rows)]))
    return ";".join(levels)


def parse(fields: list[str]) -> PyloffPosition:
    """A position from the fields of its text after the game's name."""
    board_field, *rest = fields
    board = _parse_board(board_field)
    settings = parse_settings(
        rest,
        {
            "ply": parse_count(MOST_PLIES),
            "passes": parse_count(2),
            "from": _parse_board,
            "moves": lambda text: text.split(","),
        },
    )
    moves = cast(list[str], settings.get("moves", []))
    ply = cast(int, settings.get("ply", len(moves)))
    passes = cast(int, settings.get("passes", 0))
    begun_from = cast(bytes, settings.get("from", bytes(len(board)) if moves else board))
    if len(begun_from) != len(board):
        raise BadNotation("text.from_names_board", "from= names a board of another size")
    if len(moves) > ply:
        raise BadNotation(
            "text.ply_less_than", "ply={ply} is less than the {count} moves given", ply=ply, count=len(moves)
        )
    only_passes = all(move == "pass" for move in moves)
    position = PyloffPosition((begun_from,), ply - len(moves), max(0, passes - len(moves)) if only_passes else 0)
    for move in moves:
        try:
            position = position.play(move)
        except IllegalMove as error:
            raise BadNotation(
                "text.moves_at_ply", "in moves=, at ply {ply}, {error}", ply=position.ply + 1, error=error
            ) from error
    if (position.board, position.passes) != (board, passes):
        raise BadNotation("text.moves_do_lead", "the moves do not lead to the board and the passes that the text gives")
    return position


def draw(*levels: str, to_move: Colour = Colour.BLACK) -> PyloffPosition:
    """A position from drawn levels, the lowest first, of ``.``, ``b`` and ``w``; no earlier board is known."""
    board = _board([picture_rows(level, _TOKEN, _EXPECTED) for level in levels])
    return PyloffPosition((board,), 0 if to_move is Colour.BLACK else 1, 0)


def _parse_board(text: str) -> bytes:
    return _board([parse_rows(level, _TOKEN, _EXPECTED) for level in text.split(";")[: SIZES[-1] + 1]])


def _board(levels: list[list[list[str | None]]]) -> bytes:
    size = require_square_board(levels[0])
    if size not in SIZES:
        raise BadNotation(
            "text.pyloff_board_rows",
            "a Pyloff board has {least} to {most} rows, and this has {size}",
            least=SIZES[0],
            most=SIZES[-1],
            size=size,
        )
    shape = pyramid(size)
    board = bytearray(len(shape.points))
    if len(levels) > size:
        raise BadNotation(
            "text.board_rows_levels", "a board of {size} rows has {size} levels, and this has more", size=size
        )
    for level, rows in enumerate(levels, start=1):
        side = require_square_board(rows, Message("the_level", "level {level}", level=level))
        if side != size - level + 1:
            raise BadNotation(
                "text.level_rows_board",
                "level {level} has {size} rows on this board, and here it has {side}",
                level=level,
                size=size - level + 1,
                side=side,
            )
        for row, tokens in zip(range(side, 0, -1), rows, strict=True):
            for column, token in enumerate(tokens, start=1):
                board[shape.index_of[Point(column, row, level)]] = _KINDS[token]
    for at in marbles(bytes(board)):
        if any(board[support] == EMPTY for support in shape.supports[at]):
            raise BadNotation(
                "text.marble_rests_nothing",
                "the marble on {points} rests on nothing: it needs four marbles below it",
                points=shape.points[at],
            )
    return bytes(board)
