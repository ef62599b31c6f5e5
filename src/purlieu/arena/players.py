"""Who can play in the arena, and how a player is written.

random  greedy              any legal move; one with the best lead right after it
level:4                     a level; level@0.5s:9 for the one that takes its time
full:1000  full:0.1s        the search with that limit, a clock (full:10+0.1s) among them
net:800  net:0.1s           the search with the game's net; net@FILE:0.1s with another one
uct:1000                    the plain tree search to compare with
full:1000,rave_k=0          … with other settings, threads and memory_mb among them
ugi:COMMAND  ugi@0.5s:COMMAND   any UGI engine; a second a move unless told otherwise
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

from purlieu.engine.clock import seconds_for_move
from purlieu.engine.levels import find_level
from purlieu.engine.plan import Settings, plan_of
from purlieu.engine.thinker import Limit, Line, Thinker
from purlieu.players import PLAYERS, Choose
from purlieu.rules import PurlieuError, start
from purlieu.rules.notation import shown
from purlieu.ugi.client import EngineFailure, EngineRefused, UgiEngine
from purlieu.ugi.protocol import Go

from .control import Clock, Control, parse_control

UGI_CONTROL = Control(seconds=1.0)
MOST = {"threads": 1024, "memory_mb": 1 << 20}
"""The settings that are whole numbers from 1 on, and how far they go."""


class Player(Protocol):
    """One who plays any number of games, one after the other."""

    @property
    def chance(self) -> float | None:
        """Of winning the game, as it saw it when it chose its last move; None if it does not say."""

    def new_game(self, game: str, size: int, seed: int) -> None:
        """A game from the empty board begins. Raises EngineFailure."""

    def choose(self, moves: Sequence[str], clocks: tuple[Clock, Clock], patience: float) -> str:
        """A move after these moves, as text. Raises EngineFailure if there is none within the patience."""

    def restart(self) -> None:
        """Leave nothing of the last game behind: it went wrong."""

    def close(self) -> None:
        """No more games."""


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A player as it was written, and what that means."""

    text: str
    kind: str
    control: Control = field(default_factory=Control)
    settings: Settings = field(default_factory=Settings)
    command: str = ""

    def make(self) -> Player:
        """The player itself."""
        match self.kind:
            case "random" | "greedy":
                return SimplePlayer(PLAYERS[self.kind])
            case "ugi":
                return UgiPlayer(UgiEngine(self.command), self.control)
            case _:
                return SearchPlayer(self.settings, self.control)

    def net_hash(self, game: str, size: int) -> str | None:
        """The SHA-256 of the net that it plays a game with; None if it plays without one, or is not ours to ask."""
        net = plan_of(self.settings, game, size).net if self.kind in ("level", "search") else None
        return net.sha256 if net else None

    def __str__(self) -> str:
        return self.text


def parse_player(text: str) -> PlayerSpec:
    """The player that a text names.

    >>> parse_player("uct:1000").control.simulations
    1000
    """
    text = text.strip()
    head, colon, rest = text.partition(":")
    kind, at, limit = head.partition("@")
    if kind.lower() == "net" and rest:
        first, *extra = rest.split(",")
        return PlayerSpec(text, "search", parse_control(first), replace(_settings("net", extra), net=limit or None))
    control = parse_control(limit) if at else Control()
    match kind.lower():
        case "random" | "greedy" as simple if not colon and not at:
            return PlayerSpec(text, simple)
        case "level" if rest:
            return PlayerSpec(text, "level", control, Settings(find_level(rest)))
        case "full" | "uct" if rest and not at:
            first, *extra = rest.split(",")
            return PlayerSpec(text, "search", parse_control(first), _settings(kind.lower(), extra))
        case "ugi" if rest.strip():
            return PlayerSpec(text, "ugi", control if at else UGI_CONTROL, command=rest.strip())
    raise PurlieuError(
        "arena.no_player",
        "{text} is no player; expected random, greedy, level:4, full:1000, full:0.1s, net:800, uct:1000 or ugi:COMMAND",
        text=shown(text),
    )


def _settings(preset: str, extra: Sequence[str]) -> Settings:
    found: dict[str, float] = {}
    for part in extra:
        name, _, value = part.partition("=")
        name = name.strip()
        try:
            found[name] = float(value)
        except ValueError:
            found[name] = math.nan
        if not math.isfinite(found[name]):
            raise PurlieuError("arena.no_setting", "{part} is no setting; expected name=number", part=shown(part))
        if name in MOST and not (found[name].is_integer() and 1 <= found[name] <= MOST[name]):
            raise PurlieuError(
                "arena.setting_out_of_range",
                "{part} will not do; {name} is a whole number from 1 to {most}",
                part=shown(part),
                name=name,
                most=MOST[name],
            )
    threads, memory = int(found.pop("threads", 1)), int(found.pop("memory_mb", 256))
    numbers = tuple((name, int(value) if value.is_integer() else value) for name, value in sorted(found.items()))
    return Settings(preset=preset, threads=threads, memory_mb=memory, extra=numbers)


class SimplePlayer:
    """One of the players that need no engine."""

    chance = None

    def __init__(self, pick: Choose) -> None:
        self._pick = pick

    def new_game(self, game: str, size: int, seed: int) -> None:
        """See `Player`."""
        self._position, self._turns = start(game, size), 0
        self._random = Random(seed)

    def choose(self, moves: Sequence[str], clocks: tuple[Clock, Clock], patience: float) -> str:
        """See `Player`."""
        for move in moves[self._turns :]:
            self._position = self._position.play(move)
        self._turns = len(moves)
        return str(self._pick(self._position, self._random))

    def restart(self) -> None:
        """See `Player`."""

    def close(self) -> None:
        """See `Player`."""


class SearchPlayer:
    """Our own search, in this process."""

    @property
    def chance(self) -> float | None:
        """See `Player`."""
        return self._thinker.chance

    def __init__(self, settings: Settings, control: Control) -> None:
        self._settings, self._control = settings, control

    def new_game(self, game: str, size: int, seed: int) -> None:
        """See `Player`."""
        self._game, self._size = game, size
        self._start = start(game, size).text()
        self._thinker = Thinker(self._settings, seed)
        try:
            plan_of(self._settings, game, size)  # loads its net, which is not the clock's affair
        except PurlieuError as error:
            raise EngineFailure(str(error)) from error

    def choose(self, moves: Sequence[str], clocks: tuple[Clock, Clock], patience: float) -> str:
        """See `Player`."""
        line = Line(self._start, tuple(moves))
        try:
            return self._thinker.move(line, self._limit(len(moves), clocks))
        except Exception as error:
            raise EngineFailure(f"the search failed: {type(error).__name__}: {error}") from error

    def _limit(self, ply: int, clocks: tuple[Clock, Clock]) -> Limit:
        clock = clocks[ply % 2]
        control = self._control.at(clock.pace)
        if control.base is None:
            return Limit(control.simulations, control.seconds)
        seconds = seconds_for_move(self._game, self._size, ply, left=clock.left, increment=control.increment)
        return Limit(seconds=seconds)

    def restart(self) -> None:
        """See `Player`."""
        self._thinker.forget()

    def close(self) -> None:
        """See `Player`."""


class UgiPlayer:
    """An engine of any make, in a process of its own."""

    chance = None

    def __init__(self, engine: UgiEngine, control: Control) -> None:
        self._engine, self._control = engine, control

    def new_game(self, game: str, size: int, seed: int) -> None:
        """See `Player`."""
        self._engine.start()
        if "seed" in self._engine.declared:
            self._engine.set_option("Seed", str(1 + seed % 2**31))
        self._engine.new_game(game, size)

    def choose(self, moves: Sequence[str], clocks: tuple[Clock, Clock], patience: float) -> str:
        """See `Player`."""
        go = self._go(len(moves), clocks)
        try:
            answer = self._engine.search(moves, go, timeout=patience)
        except EngineFailure:
            raise
        except Exception as error:  # whatever it wrote that we cannot read costs this game, and not the match
            raise EngineFailure(f"{self._engine.name} was not understood: {type(error).__name__}: {error}") from error
        if any(not letter.isprintable() for letter in answer.move) or len(answer.move) > 80:
            raise EngineRefused(f"{self._engine.name} answered {shown(answer.move)}, which is no move")
        return answer.move

    def _go(self, ply: int, clocks: tuple[Clock, Clock]) -> Go:
        control = self._control.at(clocks[ply % 2].pace)
        if control.base is None:
            return Go(movetime=_milliseconds(control.seconds), nodes=control.simulations)
        first, second = clocks
        return Go(
            p1time=_milliseconds(first.left),
            p2time=_milliseconds(second.left),
            p1inc=_milliseconds(first.control.increment),
            p2inc=_milliseconds(second.control.increment),
        )

    def restart(self) -> None:
        """See `Player`."""
        self._engine.kill()

    def close(self) -> None:
        """See `Player`."""
        self._engine.close()


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else max(1, round(1000 * seconds))
