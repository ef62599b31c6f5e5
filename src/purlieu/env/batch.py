"""Thousands of games at once: an action for each goes in, arrays come out. The core does the work."""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

import purlieu.rules
from purlieu.core import core, within_means
from purlieu.rules import Position, PurlieuError

from .actions import action_numbers, action_table


class Batch:
    """Many games of one kind. Where one ends, another begins in the same step.

    The arrays stay the same ones for the life of the batch, and each step writes into them: copy what you keep. After
    the step that ends a game, `done`, `reward` and `margin` tell of its end; the rest shows the new game.

    >>> games = batch("petrify", 4, envs=3)
    >>> games.step([0, 5, 10])
    >>> games.to_move.tolist(), games.mask.sum(axis=1).tolist()  # 15 empty squares, and the swap
    ([1, 1, 1], [16, 16, 16])
    """

    def __init__(
        self, game: str, size: SupportsIndex | None, envs: SupportsIndex, *, threads: int = 1, planes: bool = True
    ) -> None:
        self.table = action_table(game, size)
        """What the actions are."""
        try:
            self.envs = operator.index(envs)
            with within_means():
                self._core = core().BatchEnv(
                    self.table.game, self.table.size, self.envs, threads=threads, planes=bool(planes)
                )
        except ValueError as error:
            raise PurlieuError(str(error)) from None
        except TypeError:
            raise PurlieuError(
                "env.bad_envs",
                "envs and threads are whole numbers that memory has room for, not {envs} and {threads}",
                envs=repr(envs),
                threads=repr(threads),
            ) from None
        self.planes: NDArray[np.uint8] = self._core.planes
        """What the sides to move see: games × planes × rows × columns. Without planes it has no rows."""
        self.mask: NDArray[np.int8] = self._core.mask.view(np.int8)  # of that type Gymnasium's spaces draw by a mask
        """Games × actions: 1 for each legal one."""
        self.to_move: NDArray[np.int8] = self._core.to_move
        """The seat whose turn it is, 0 or 1."""
        self.reward: NDArray[np.float32] = self._core.reward
        """Games × seats: 1 for who won and -1 for who lost in the last step, else 0."""
        self.margin: NDArray[np.int32] = self._core.margin
        """The first seat's points less the second's where the last step ended a game, else 0."""
        self.done: NDArray[np.bool_] = self._core.done
        """Whether the last step ended a game."""

    def step(self, actions: ArrayLike) -> None:
        """Play an action in each game. If one of them is not legal, a sentence names it, and no game is played on."""
        numbers = action_numbers(actions, self.envs)
        try:
            self._core.step(numbers)
        except ValueError as error:
            raise PurlieuError(str(error)) from None

    def reset(self) -> None:
        """Begin all games anew."""
        self._core.reset()

    def random_actions(self, seed: SupportsIndex) -> NDArray[np.int32]:
        """A legal action for each game, all equally likely; give another seed for every step."""
        try:
            return self._core.random_actions(operator.index(seed))
        except TypeError:
            raise PurlieuError(
                "env.bad_seed",
                "a seed is a whole number from 0 to {most}, not {seed}",
                most=2**64 - 1,
                seed=repr(seed),
            ) from None

    def position(self, env: SupportsIndex) -> Position:
        """The position of one game, as the rules know it."""
        number = operator.index(env) if isinstance(env, SupportsIndex) else -1
        if not 0 <= number < self.envs:
            raise PurlieuError(
                "env.no_such_game",
                "the games of this batch are numbered from 0 to {last}, not {env}",
                last=self.envs - 1,
                env=repr(env),
            )
        return purlieu.rules.parse(self._core.text(number))

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Its games are the core's, and a copy would play them too; pickle and both kinds of copy ask here."""
        raise PurlieuError("env.no_copies", "a batch cannot be copied; another batch of as many games begins anew")


def batch(
    game: str, size: SupportsIndex | None = None, envs: SupportsIndex = 1024, *, threads: int = 1, planes: bool = True
) -> Batch:
    """So many games of one kind, at their beginning."""
    return Batch(game, size, envs, threads=threads, planes=planes)
