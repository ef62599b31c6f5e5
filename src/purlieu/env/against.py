"""A Gymnasium environment: one agent, and an opponent that answers."""

from __future__ import annotations

from random import Random
from typing import Any, Literal, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import purlieu.rules
from purlieu.core import core
from purlieu.engine import Engine
from purlieu.players import Choose
from purlieu.rules import Position, PurlieuError, Seat
from purlieu.rules.notation import shown

from .actions import action_number, action_table
from .beginning import beginning
from .copies import KeepsGame
from .margins import margin_of
from .rendering import MODES, rendered, require_mode

Opponent = Engine | Choose | Literal["random"]
"""An engine, a function that picks a move (see `purlieu.players`), or chance."""

Planes = NDArray[np.uint8]


class Against(KeepsGame, gymnasium.Env[Planes, Any]):
    """A game against an opponent, seen from one seat; `reset` begins it.

    The observation is the planes of the position; ``info["action_mask"]`` says which actions are legal, and so does
    `action_masks`. The reward is 1, -1 or 0 at the end of the game, and ``info["margin"]`` tells by how many points. An
    illegal action loses at once, and ``info["illegal"]`` says so.
    """

    metadata: dict[str, Any] = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012  (Gymnasium asks for the rate)

    _actions: dict[int, str]  # the moves that the legal actions mean
    _over: bool
    _seat: Seat | None = None
    _random: Random

    def __init__(
        self,
        game: str,
        size: int | None = None,
        *,
        opponent: Opponent = "random",
        seat: Seat | Literal["first", "second", "random"] = Seat.FIRST,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = require_mode(render_mode)
        self.table = action_table(game, size)
        """What the actions are."""
        if seat not in ("first", "second", "random"):
            raise PurlieuError("env.bad_seat", "a seat is first, second or random, not {seat}", seat=repr(seat))
        if not (isinstance(opponent, Engine) or callable(opponent) or opponent == "random"):
            raise PurlieuError(
                "env.bad_opponent",
                "an opponent is an Engine, a function that picks a move, or 'random', not {opponent}",
                opponent=repr(opponent),
            )
        self._wanted_seat = seat
        self._given = self._opponent = opponent
        shape = core().net_shape(self.table.game, self.table.size)
        self._no_planes = np.zeros((shape.inputs, shape.side, shape.side), np.uint8)
        self.observation_space = spaces.Box(0, 255, self._no_planes.shape, np.uint8)
        self.action_space = spaces.Discrete(len(self.table))
        self._position = beginning(self.table, None)
        self._end()

    @property
    def position(self) -> Position:
        """The position as the rules know it."""
        return purlieu.rules.parse(self._position.text())

    @property
    def seat(self) -> Seat:
        """The seat of the agent in this game."""
        if self._seat is None:
            raise PurlieuError("env.no_seat_yet", "nobody has a seat yet; reset begins a game")
        return self._seat

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now."""
        return self._mask().astype(np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Planes, dict[str, Any]]:
        """Begin a new game; the opponent moves first where that is its seat.

        It may begin anywhere: ``options={"position": …}`` takes a position or its text.
        """
        begin = beginning(self.table, options)
        super().reset(seed=seed)
        self._random = Random(int(self.np_random.integers(2**63)))
        wanted = self._wanted_seat
        self._seat = self._random.choice(list(Seat)) if wanted == "random" else Seat(wanted)
        if isinstance(self._given, Engine):
            self._opponent = self._given.seeded(self._random.getrandbits(48))
        self._position = begin
        self._look()
        self._let_opponent_play()
        if self._over:
            raise PurlieuError(
                "env.ends_before_turn",
                "from {text} the game ends before the {seat} seat has a turn",
                text=begin.text(),
                seat=self.seat.word,
            )
        return self._observation(), self._info()

    def step(self, action: SupportsIndex) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Play an action, and let the opponent answer until it is the agent's turn again or the game is over."""
        if self._over:
            raise PurlieuError("env.no_game", "no game is going on; reset begins one")
        text = self._actions.get(action_number(action))
        if text is None:
            self._end()
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        self._play(text)
        self._let_opponent_play()
        reward = {None: 0.0, "draw": 0.0, self.seat.value: 1.0}.get(self._position.winner, -1.0)
        info = self._info()
        if self._position.is_over:
            info["margin"] = margin_of(self.position, self.seat)
        return self._observation(), reward, self._over, False, info

    def render(self) -> str | None:
        """The board as text."""
        return rendered(self.position, self.render_mode)

    def _play(self, text: str) -> None:
        self._position = self._position.play(text)
        self._look()

    def _look(self) -> None:
        self._actions = dict(self._position.actions())
        self._over = not self._actions

    def _end(self) -> None:
        self._actions = {}
        self._over = True

    def _let_opponent_play(self) -> None:
        try:
            while not self._over and self._position.to_move != self.seat.value:
                self._play(self._answer())
        except BaseException:  # Ctrl-C, say: the agent must not go on with the opponent's turn
            self._end()
            raise

    def _answer(self) -> str:
        if isinstance(self._opponent, Engine):
            return str(self._opponent.best_move(self.position))
        if callable(self._opponent):
            answer = str(self._opponent(self.position, self._random))
            if answer not in self._actions.values():
                raise PurlieuError(
                    "env.illegal_answer",
                    "the opponent answered {answer}, which is no legal move in {text}",
                    answer=shown(answer),
                    text=self.position.text(),
                )
            return answer
        return self._random.choice(list(self._actions.values()))

    def _observation(self) -> Planes:
        return self._no_planes.copy() if self._over else self._position.planes()

    def _mask(self) -> NDArray[np.int8]:
        mask = np.zeros(len(self.table), np.int8)
        mask[list(self._actions)] = 1
        return mask

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}


def against(
    game: str,
    size: int | None = None,
    *,
    opponent: Opponent = "random",
    seat: Seat | Literal["first", "second", "random"] = Seat.FIRST,
    render_mode: str | None = None,
) -> Against:
    """A game against an opponent as a Gymnasium environment; a random seat is drawn anew for each game.

    So are the chances of an engine: its own seed decides nothing here, the environment's does.
    """
    return Against(game, size, opponent=opponent, seat=seat, render_mode=render_mode)
