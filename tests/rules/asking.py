"""What the drawn tests ask of a position, and how they look at its board."""

from __future__ import annotations

import pytest

from purlieu import IllegalMove, Position, Refusal
from purlieu.rules import Point, Square
from purlieu.rules.pieces import Block, Disk, Marble, Painted, Piece, Stack

Level = list[list[str]]
"""The rows of a board, or of one level of a pyramid, from the top."""


def refused(position: Position, move: str) -> Refusal:
    """Why the move is illegal: `explain` says it, `play` raises it, and `legal_moves` does not offer the move."""
    refusal = position.explain(move)
    assert refusal is not None, f"{move} is legal"
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    assert caught.value.refusal == refusal
    assert str(caught.value) == f"{position.read_move(move)}: {refusal.message}"
    assert position.read_move(move) not in position.legal_moves()
    return refusal


def is_legal(position: Position, move: str) -> bool:
    """Whether the move may be played; `explain` and `legal_moves` must agree on it."""
    offered = position.read_move(move) in position.legal_moves()
    assert offered == (position.explain(move) is None)
    return offered


def legal(position: Position) -> list[str]:
    """Every legal move, as it is written."""
    return [str(move) for move in position.legal_moves()]


def captures(position: Position) -> list[str]:
    """The legal captures of Petrify and Pilo, as they are written."""
    return [move for move in legal(position) if "x" in move]


def names(refusal: Refusal) -> list[str]:
    """The squares that a refusal points at, as they are written."""
    return [str(square) for square in refusal.squares]


def play_all(position: Position, moves: str) -> Position:
    """The position after those moves, which are parted by spaces."""
    for move in moves.split():
        position = position.play(move)
    return position


def picture(*levels: str) -> list[Level]:
    """Drawn levels as rows of tokens, to hold `board` against."""
    return [[line.split() for line in level.split("\n") if line.strip()] for level in levels]


def board(position: Position) -> list[Level]:
    """The board as its pieces show it; empty levels above the highest marble are left out."""
    tokens = {_level_and_square(piece): _token(piece) for piece in position.pieces()}
    highest = max((level for level, _ in tokens), default=1)
    return [
        [[tokens.get((level, Square(column, row)), ".") for column in range(1, side + 1)] for row in range(side, 0, -1)]
        for level in range(1, highest + 1)
        for side in [position.size - level + 1]
    ]


def buried(position: Position) -> list[str]:
    """The buried marbles of a Pyloff position."""
    return [str(piece.at) for piece in position.pieces() if isinstance(piece, Marble) and piece.buried]


def _level_and_square(piece: Piece) -> tuple[int, Square]:
    at = piece.at
    return (at.level, Square(at.column, at.row)) if isinstance(at, Point) else (1, at)


def _token(piece: Piece) -> str:
    match piece:
        case Block():
            return "#"
        case Disk(colour=colour) | Marble(colour=colour):
            return colour.value[0]
        case Stack(colour=colour, height=height):
            return f"{colour.value[0]}{height}"
        case Painted(colour=colour, letter=letter):
            return letter if colour.value == "solid" else letter.lower()
