"""Squares that the symmetries of a board turn into each other: to begin on one is to begin on any."""

from __future__ import annotations

from purlieu.rules.board import Square

Cell = tuple[int, int]
"""Column and row, from 0."""


def alike(cell: Cell, size: int) -> set[Cell]:
    """A cell and all that it becomes when the board is turned and mirrored."""
    column, row = cell
    far = size - 1
    turned = {(column, row), (far - row, column), (far - column, far - row), (row, far - column)}
    return turned | {(y, x) for x, y in turned}


def first_cells(size: int) -> list[list[Cell]]:
    """The cells of a board, those alike together."""
    cells = [(column, row) for row in range(size) for column in range(size)]
    groups = {min(alike(cell, size)): sorted(alike(cell, size)) for cell in cells}
    return list(groups.values())


def name_of(cell: Cell) -> str:
    """The move that plays there.

    >>> name_of((2, 3))
    'c4'
    """
    return str(Square(cell[0] + 1, cell[1] + 1))
