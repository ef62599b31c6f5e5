"""The fixed numbers of actions: text to number and back, the same in every position of a game and size.

A number is plane × n² + row × n + column, rows and columns from the lower left, as the outputs of our nets are; after
these come pass and swap. What the planes are, each game decides:

- Petrify, Pilo: placements on the square, then captures by the direction from the square where they start;
- Pentwall: one plane for each of the 63 turned pentominoes, at the lower left corner of its bounding box;
- Pyloff: the vertical lines of the two grids. A line has one point at most where a marble could come to rest.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from purlieu.core import core
from purlieu.rules import (
    BadNotation,
    Capture,
    Move,
    Paint,
    Pass,
    Place,
    Point,
    Position,
    PurlieuError,
    Square,
    Swap,
    game,
)
from purlieu.rules.board import sign

COMPASS = {
    **{(0, 1): "n", (1, 1): "ne", (1, 0): "e", (1, -1): "se"},
    **{(0, -1): "s", (-1, -1): "sw", (-1, 0): "w", (-1, 1): "nw"},
}
"""The eight directions, by steps across and up, clockwise."""

DIRECTIONS = {"petrify": tuple(COMPASS), "pilo": tuple(way for way in COMPASS if 0 in way)}
"""In which directions the games capture: plane 1 is the first of them."""


@dataclass(frozen=True)
class ActionTable:
    """The actions of a game on a board of one size.

    An action's name stands for every move that it can mean: ``c3xne`` is the capture from c3 to the north-east,
    whatever it meets there, and in Pyloff ``c3`` the next marble on the vertical line through c3. Numbers that can
    never be played have no name.

    >>> table = action_table("petrify", 8)
    >>> len(table), table.index("c3"), table.index("c3xf6"), table.name(146)
    (578, 18, 146, 'c3xne')
    """

    game: str
    size: int
    names: tuple[str | None, ...]
    """The name of each action, None where it can never be played."""
    _numbers: dict[str, int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.names)

    def __reduce__(self) -> tuple[Callable[..., ActionTable], tuple[str, int]]:
        return action_table, (self.game, self.size)  # copies of an environment share it

    @property
    def pass_action(self) -> int:
        """The number of ``pass``."""
        return len(self.names) - 2

    @property
    def swap_action(self) -> int:
        """The number of ``swap``."""
        return len(self.names) - 1

    def name(self, action: SupportsIndex) -> str:
        """What an action is called."""
        action = action_number(action)
        name = self.names[action] if 0 <= action < len(self) else None
        if name is None:
            raise PurlieuError(
                "env.action_without_move",
                "action {action} of {game} {size} stands for no move",
                action=action,
                game=self.game,
                size=self.size,
            )
        return name

    def index(self, move: Move | str) -> int:
        """The number of a move, of its notation, or of an action's name. It need not be legal anywhere."""
        if isinstance(move, str) and move in self._numbers:
            return self._numbers[move]
        name = _name_of(game(self.game).start(self.size).read_move(move))
        if name not in self._numbers:
            raise BadNotation(
                "env.no_move",
                "{move} is no move of {game} on a board of side {size}",
                move=move,
                game=self.game,
                size=self.size,
            )
        return self._numbers[name]

    def move(self, position: Position, action: SupportsIndex) -> Move:
        """The legal move that an action means in a position of this game and size."""
        action = action_number(action)
        if (position.game, position.size) != (self.game, self.size):
            raise PurlieuError(
                "env.actions_of_another_game",
                "these are the actions of {game} {size}, and the position is one of {other} {side}; "
                "action_table({quoted}, {side}) has its actions",
                game=self.game,
                size=self.size,
                other=position.game,
                side=position.size,
                quoted=repr(position.game),
            )
        for move in position.legal_moves():
            if self.index(move) == action:
                return move
        raise PurlieuError(
            "env.illegal_action", "action {action} is not legal in {position}", action=action, position=position
        )


def action_number(action: SupportsIndex | None) -> int:
    """An action as Python counts: whole numbers of NumPy count too; fractions, truth values and None do not."""
    try:
        if not isinstance(action, bool | np.bool_):  # which Python takes for 0 or 1, and NumPy before 2.3
            return operator.index(action)  # type: ignore[arg-type]  # None is refused with the rest
    except TypeError:
        pass
    raise PurlieuError("env.action_no_number", "an action is a whole number, not {action}", action=repr(action))


def action_numbers(actions: ArrayLike, games: int) -> NDArray[np.int32] | NDArray[np.int64]:
    """As many actions as there are games, as the core reads them."""
    try:
        numbers = np.ascontiguousarray(actions)
    except ValueError:
        raise PurlieuError(
            "env.ragged_actions",
            "{games} games take an array of {games} actions, not one of several lengths",
            games=games,
        ) from None
    if numbers.dtype.kind not in "iu":
        raise PurlieuError("env.actions_no_numbers", "actions are whole numbers, not {dtype}", dtype=numbers.dtype)
    if numbers.shape != (games,):
        raise PurlieuError(
            "env.actions_shape",
            "{games} games take an array of {games} actions, not one of {shape}",
            games=games,
            shape=numbers.shape,
        )
    return numbers if numbers.dtype in (np.int32, np.int64) else numbers.astype(np.int64)


def action_table(name: str, size: SupportsIndex | None = None) -> ActionTable:
    """The actions of a game, on a board of that side or of the default one."""
    # What is no whole number is left to the rules, which say so.
    start = game(name).start(operator.index(size) if isinstance(size, SupportsIndex) else size)
    return _table(start.game, start.size)


@functools.cache
def _table(name: str, size: int) -> ActionTable:
    start = game(name).start(size)
    shape = core().net_shape(start.game, start.size)
    names: list[str | None] = [None] * (shape.policy * start.size**2 + 2)
    names[-2:] = "pass", "swap"
    for action, text in _named(start):
        names[action] = text
    return ActionTable(
        start.game, start.size, tuple(names), {text: number for number, text in enumerate(names) if text is not None}
    )


def _named(start: Position) -> list[tuple[int, str]]:
    """The actions on the board, each with its name."""
    size = start.size
    if start.game == "pentwall":
        return core().Position.start("pentwall", size).actions()  # every placement is legal at the start
    cells = [(row * size + column, column + 1, row + 1) for row in range(size) for column in range(size)]
    if start.game == "pyloff":
        lower = [(at, str(Point(column, row, 1))) for at, column, row in cells]
        upper = [(at + size**2, str(Point(column, row, 2))) for at, column, row in cells if max(column, row) < size]
        return lower + upper
    placements = [(at, str(Square(column, row))) for at, column, row in cells]
    captures = [
        ((1 + plane) * size**2 + at, f"{Square(column, row)}x{COMPASS[across, up]}")
        for plane, (across, up) in enumerate(DIRECTIONS[start.game])
        for at, column, row in cells
        if 1 <= column + across <= size and 1 <= row + up <= size
    ]
    return placements + captures


def _name_of(move: Move) -> str:
    """The name of the action that a move is; of no action, if it is no move of that board."""
    match move:
        case Place(Point(column, row, level)):
            below = (level - 1) // 2  # so many levels of its grid carry it, and each is one square further in
            return str(Point(column + below, row + below, 1 + (level - 1) % 2))
        case Capture(start, target):
            across, up = target.column - start.column, target.row - start.row
            in_line = across == 0 or up == 0 or abs(across) == abs(up)
            return f"{start}x{COMPASS.get((sign(across), sign(up)), '') if in_line else ''}"
        case Place() | Paint() | Pass() | Swap():
            return str(move)
