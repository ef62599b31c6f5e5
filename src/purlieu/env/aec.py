"""PettingZoo's environments: two agents take turns, each sees planes and a mask of its legal actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import purlieu.rules
from purlieu.core import core
from purlieu.rules import Position, PurlieuError, Seat

from .actions import action_number, action_table
from .beginning import beginning
from .copies import KeepsGame
from .margins import margin_of
from .rendering import MODES, rendered, require_mode

if TYPE_CHECKING:
    from purlieu.core import _core

AGENTS = {Seat.FIRST: "player_0", Seat.SECOND: "player_1"}
"""Agents are seats: the swap exchanges their colours, not their names."""

Observation = dict[str, NDArray[Any]]
"""``observation``: planes × rows × columns, whole numbers from 0 to 255. ``action_mask``: 1 for each legal action."""


def aec(game: str, size: int | None = None, *, render_mode: str | None = None) -> AECEnv:
    """An environment for a game, in PettingZoo's usual wrappers: an illegal action loses at once."""
    env = GameEnv(game, size, render_mode=render_mode)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(WholeActions(env))


def petrify(size: int = 8, *, render_mode: str | None = None) -> AECEnv:
    """Petrify, on 3×3 to 10×10."""
    return aec("petrify", size, render_mode=render_mode)


def pilo(size: int = 8, *, render_mode: str | None = None) -> AECEnv:
    """Pilo, on 3×3 to 10×10."""
    return aec("pilo", size, render_mode=render_mode)


def pentwall(*, render_mode: str | None = None) -> AECEnv:
    """Pentwall, on its only size."""
    return aec("pentwall", render_mode=render_mode)


def pyloff(size: int = 6, *, render_mode: str | None = None) -> AECEnv:
    """Pyloff, on 3×3 to 19×19."""
    return aec("pyloff", size, render_mode=render_mode)


class WholeActions(wrappers.BaseWrapper):  # type: ignore[misc]  # PettingZoo has no types
    """Refuses what is no action's number before PettingZoo's wrappers, which would take True for a list of places."""

    def step(self, action: SupportsIndex | None) -> None:
        """Play an action; None for an agent whose game is over."""
        if action is not None:
            action = action_number(action)
            most = len(self.unwrapped.table) - 1
            if not 0 <= action <= most:
                raise PurlieuError(
                    "env.action_out_of_range",
                    "actions are numbered from 0 to {most}, not {action}",
                    most=most,
                    action=action,
                )
        super().step(action)

    def __str__(self) -> str:
        return str(self.env)


class GameEnv(KeepsGame, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A game without wrappers: an illegal action is an error.

    Only the agent whose turn it is has something to decide, so only it sees something: the other's observation, and
    everyone's after the end, is all zeros. Once the rules have ended a game, ``infos`` has each agent's ``margin``.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (PettingZoo's own shape)
        "render_modes": MODES,
        "is_parallelizable": False,
        "name": "purlieu_v0",
    }

    rewards: dict[str, int]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]
    _cumulative_rewards: dict[str, int]
    _may_step = False  # before reset
    _actions: dict[int, str]  # the moves that the legal actions mean

    def __init__(self, game: str, size: int | None = None, *, render_mode: str | None = None) -> None:
        super().__init__()
        self.table = action_table(game, size)
        """What the actions are."""
        self.metadata = {**type(self).metadata, "name": f"purlieu_{self.table.game}_v0"}
        self.render_mode = require_mode(render_mode)
        shape = core().net_shape(self.table.game, self.table.size)
        self._no_planes = np.zeros((shape.inputs, shape.side, shape.side), np.uint8)
        self.possible_agents = list(AGENTS.values())
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, self._no_planes.shape, np.uint8),
                    "action_mask": spaces.Box(0, 1, (len(self.table),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(len(self.table)) for agent in self.possible_agents
        }
        self._begin(beginning(self.table, None))

    @property
    def position(self) -> Position:
        """The position as the rules know it."""
        return purlieu.rules.parse(self._position.text())

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both agents: planes × rows × columns, and a number for each action."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, anywhere: ``options={"position": …}`` takes a position or its text.

        There is no chance in a game, so the seed decides nothing.
        """
        self._begin(beginning(self.table, options))
        self._may_step = True

    def observe(self, agent: str) -> Observation:
        """The planes and the mask, for the agent whose turn it is; zeros for the other, and when the game is over."""
        mask = np.zeros(len(self.table), np.int8)
        # Wrappers end games too, after an illegal action, and say so by these alone.
        over = self.terminations.get(agent, True) or self.truncations.get(agent, True)
        if agent != self.agent_selection or over:
            return {"observation": self._no_planes.copy(), "action_mask": mask}
        mask[list(self._actions)] = 1
        return {"observation": self._position.planes(), "action_mask": mask}

    def step(self, action: SupportsIndex | None) -> None:
        """Play an action for the agent whose turn it is; None once it is terminated or truncated."""
        if not (self._may_step and self.agents):
            raise PurlieuError("env.no_game", "no game is going on; reset begins one")
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        text = self._actions.get(action_number(action))
        if text is None:
            raise PurlieuError(
                "env.illegal_action_here",
                "action {action} is not legal here; action_mask says which are",
                action=action,
            )
        self._position = self._position.play(text)
        self._cumulative_rewards[self.agent_selection] = 0
        self._look()
        if winner := self._position.winner:
            first = {"first": 1, "second": -1, "draw": 0}[winner]
            self.rewards = dict(zip(self.possible_agents, (first, -first), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            position = self.position
            self.infos = {agent: {"margin": margin_of(position, seat)} for seat, agent in AGENTS.items()}
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text."""
        return rendered(self.position, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def _begin(self, position: _core.Position) -> None:
        self._position = position
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._look()

    def _look(self) -> None:
        """Find out whose turn it is and what may be played."""
        self.agent_selection = AGENTS[Seat(self._position.to_move)]
        self._actions = dict(self._position.actions())
