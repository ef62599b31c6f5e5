"""The computer player, for Python: a level or a set of limits, positions in, moves and analyses out."""

from __future__ import annotations

import copy
import operator
import os
import secrets
from collections.abc import Callable
from os import PathLike
from typing import SupportsIndex

from purlieu.nets import load
from purlieu.rules import Move, Position, PurlieuError
from purlieu.rules.notation import shown

from .analysis import Analysis
from .ladder import EFFORTS, Effort, Work
from .levels import LEVELS, Level, find_level
from .plan import Settings
from .thinker import Limit, Line, Thinker

OnProgress = Callable[[Analysis], object]


class Engine:
    """A computer player.

    Levels 1 to 8 do a fixed amount of work and play as well on every machine: with the game's net, or by playouts where
    there is none. Level 9 uses the time it is given, and the net where that plays better; or it does the fixed work
    of an effort, ``quick`` or ``thorough``. With the same seed, fixed work always gives the same answer.

    `seconds` and `simulations` are the limits of every question that brings none of its own. `net` is the file of a net
    to play with in place of the one that is shipped, on every size of its game.

    >>> import purlieu
    >>> position = purlieu.start("petrify", size=6).play("c3")
    >>> Engine(level=4).best_move(position) in position.legal_moves()
    True
    """

    def __init__(
        self,
        level: Level | int | str = 9,
        *,
        effort: Effort | None = None,
        seconds: float | None = None,
        simulations: int | None = None,
        net: str | PathLike[str] | None = None,
        threads: int = 1,
        memory_mb: int = 256,
        seed: int | None = None,
    ) -> None:
        self.level = find_level(level)
        if effort is not None and (effort not in EFFORTS or not self.level.takes_time):
            raise PurlieuError(
                "engine.effort_with_level",
                "an effort of {effort} with level {number}; level 9 may look quick or thorough",
                effort=repr(effort),
                number=self.level.number,
            )
        self._limit = _limit_of(seconds, simulations)
        self.seed = secrets.randbits(48) if seed is None else _whole("seed", seed)
        settings = Settings(
            self.level,
            effort,
            net=None if net is None else _checked(net),
            threads=_whole("threads", threads, range(1, 1025)),
            memory_mb=_whole("memory_mb", memory_mb, range(1, (1 << 20) + 1)),
        )
        self._thinker = Thinker(settings, self.seed)

    def seeded(self, seed: int) -> Engine:
        """The same player with chances of its own, for another board."""
        other = copy.copy(self)
        other.seed = _whole("seed", seed)
        other._thinker = Thinker(self._thinker.settings, other.seed)
        return other

    def best_move(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> Move:
        """The move that this level plays; within the limits, where there are any. `on_progress` hears of it before."""
        _require_play(position)
        limit = self._limit_for(seconds, simulations)
        return position.read_move(self._thinker.move(Line(position.text(), given=position), limit, on_progress))

    def analyse(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> Analysis:
        """What this level sees in a position, the best moves first. `on_progress` hears of it on the way.

        Chances and scores of a first move that may be swapped, and of the swap, are those of the nets' own games,
        steadied, where such were played: in Petrify and Pilo from 4×4 on (docs/knowledge.md).
        """
        _require_play(position)
        limit = self._limit_for(seconds, simulations)
        line = Line(position.text(), given=position)
        return self._thinker.think(line, limit, on_progress, sight=self._thinker.sight(line))

    def work(self, position: Position) -> Work | None:
        """What this level does for a move; None for the one that takes the time it is given."""
        return self._thinker.work(Line(position.text(), given=position))

    def stop(self) -> None:
        """End the search that is running, from another thread; it still answers with what it found."""
        self._thinker.stop()

    def _limit_for(self, seconds: float | None, simulations: int | None) -> Limit:
        """What a question brings counts in place of what the player was made with."""
        return self._limit if seconds is None and simulations is None else _limit_of(seconds, simulations)


def analyse(
    position: Position, *, seconds: float | None = None, simulations: int | None = None, threads: int = 1
) -> Analysis:
    """What the strongest level sees in a position."""
    return Engine(LEVELS[9], threads=threads, seed=1).analyse(position, seconds=seconds, simulations=simulations)


def best_move(position: Position, level: Level | int | str = 9, *, seconds: float | None = None) -> Move:
    """The move that a level plays."""
    return Engine(level).best_move(position, seconds=seconds)


def _limit_of(seconds: float | None, simulations: int | None) -> Limit:
    """Limits that make sense, or a sentence."""
    try:
        is_time = seconds is None or 0 < seconds < 1e9
    except TypeError:
        is_time = False
    if not is_time:
        raise PurlieuError(
            "engine.bad_seconds",
            "{seconds} seconds is no time to think in; give a number above 0",
            seconds=repr(seconds),
        )
    if simulations is not None:
        simulations = _whole("simulations", simulations, range(1, 10**15 + 1))
    return Limit(simulations, seconds)


def _checked(net: str | PathLike[str]) -> str:
    """The file of a net that can be played with."""
    try:
        return str(load(os.fspath(net)).path)
    except TypeError:
        raise PurlieuError(
            "engine.net_is_no_file", "net is {net}; expected a file such as 'run/net.onnx'", net=repr(net)
        ) from None


def _whole(name: str, given: SupportsIndex, bounds: range | None = None) -> int:
    """A whole number, of Python or of NumPy, within its bounds; anything else is refused in a sentence."""
    try:
        number = operator.index(given)
    except TypeError:
        number = None
    if number is None or (bounds and number not in bounds):
        said = {"name": name, "given": repr(given)}
        if bounds:
            first, last = bounds[0], bounds[-1]
            raise PurlieuError(
                "engine.not_in_bounds",
                "{name} is {given}; expected a whole number from {first} to {last}",
                **said,
                first=first,
                last=last,
            )
        raise PurlieuError("engine.no_whole_number", "{name} is {given}; expected a whole number", **said)
    return number


def _require_play(position: object) -> None:
    if not isinstance(position, Position):
        raise PurlieuError(
            "engine.no_position",
            "{position} is no position; expected one of purlieu.rules, as purlieu.start and purlieu.parse make them",
            position=shown(str(position)),
        )
    if position.is_over:
        raise PurlieuError("engine.game_over", "the game is over, so there is no move to find")
