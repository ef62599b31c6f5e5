"""The same position seen from another side: turned, mirrored, or with the colours exchanged."""

from __future__ import annotations

from dataclasses import replace

from purlieu import Position
from purlieu.rules.board import Grid, Point, Square
from purlieu.rules.moves import Capture, Move, Paint, Place
from purlieu.rules.pentwall import PentwallPosition
from purlieu.rules.petrify import PetrifyPosition
from purlieu.rules.pilo import PiloPosition
from purlieu.rules.pyloff import PyloffPosition
from purlieu.rules.turns import Turn

SYMMETRIES = range(8)
EXCHANGED = bytes.maketrans(b"\1\2", b"\2\1")


def moved(column: int, row: int, side: int, symmetry: int) -> tuple[int, int]:
    """Where one of the eight symmetries takes a square of a board of that side."""
    if symmetry & 1:
        column = side + 1 - column
    if symmetry & 2:
        row = side + 1 - row
    return (row, column) if symmetry & 4 else (column, row)


def move_square(square: Square, size: int, symmetry: int) -> Square:
    return Square(*moved(square.column, square.row, size, symmetry))


def move_point(point: Point, size: int, symmetry: int) -> Point:
    return Point(*moved(point.column, point.row, size - point.level + 1, symmetry), point.level)


def turned_move(move: Move, size: int, symmetry: int) -> Move:
    match move:
        case Place(Point() as point):
            return Place(move_point(point, size, symmetry))
        case Place(Square() as square):
            return Place(move_square(square, size, symmetry))
        case Capture(start, target):
            return Capture(move_square(start, size, symmetry), move_square(target, size, symmetry))
        case Paint(letter, squares):
            return Paint(letter, tuple(move_square(square, size, symmetry) for square in squares))
    return move


def turned(position: Position, symmetry: int) -> Position:
    size = position.size
    match position:
        case PiloPosition():
            kinds, heights = (_turn_bytes(b, position.grid, symmetry) for b in (position.kinds, position.heights))
            return replace(position, kinds=kinds, heights=heights)
        case PetrifyPosition():
            return replace(position, kinds=_turn_bytes(position.kinds, position.grid, symmetry))
        case PentwallPosition():
            solid, striped = (
                tuple(Paint(p.letter, tuple(move_square(s, size, symmetry) for s in p.squares)) for p in paints)
                for paints in (position.solid, position.striped)
            )
            return PentwallPosition(solid, striped)
        case PyloffPosition():
            shape = position.pyramid
            order = [shape.index_of[move_point(point, size, symmetry)] for point in shape.points]
            return replace(position, boards=tuple(_reorder(board, order) for board in position.boards))
    raise TypeError(position)


def exchanged(position: Position) -> Position:
    """Every colour for the other, the side to move included."""
    match position:
        case PetrifyPosition() | PiloPosition():
            turn: Turn = replace(position.turn, blue=position.turn.blue.other)
            return replace(position, kinds=position.kinds.translate(EXCHANGED), turn=turn)
        case PentwallPosition(solid, striped):
            return PentwallPosition(striped, solid)
        case PyloffPosition():
            boards = tuple(board.translate(EXCHANGED) for board in position.boards)
            return replace(position, boards=boards, begun_at=position.begun_at + 1)
    raise TypeError(position)


def _turn_bytes(cells: bytes, grid: Grid, symmetry: int) -> bytes:
    order = [grid.index(move_square(square, grid.size, symmetry)) for square in grid.squares]
    return _reorder(cells, order)


def _reorder(cells: bytes, order: list[int]) -> bytes:
    result = bytearray(len(cells))
    for at, to in enumerate(order):
        result[to] = cells[at]
    return bytes(result)
