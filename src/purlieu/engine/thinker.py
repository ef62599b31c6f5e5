"""Searching a game's position with given settings, in the core's own terms: texts and reports.

`Engine`, the UGI server and the arena are all built on this.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

from purlieu.rules import PurlieuError

from .choice import choose
from .core import core
from .levels import DEFAULT_SECONDS, Level

if TYPE_CHECKING:
    from purlieu.nets import Judgement, Net

    from ._core import Position as CorePosition
    from ._core import Report, Search

STOP_INTERVAL = 0.05
"""How often, in seconds, a running search looks up."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How long to think: so many simulations, so many seconds, whichever comes first; neither is until `stop`."""

    simulations: int | None = None
    seconds: float | None = None


NO_LIMIT = Limit()


@dataclass(frozen=True, slots=True)
class Settings:
    """How to search."""

    level: Level | None = None
    """With a level, its work is the most that is done, on one thread, so that it is the same everywhere."""
    preset: str = "best"
    """``full`` searches by playouts, ``net`` with the game's net, ``best`` with whichever plays better there, though a
    level of fixed work always by playouts; ``uct`` is a plain tree search to compare with."""
    net: str | None = None
    """The file of a net to use instead of the one that is shipped."""
    threads: int = 1
    memory_mb: int = 256
    extra: tuple[tuple[str, float], ...] = ()
    """Settings of the search itself, by name."""


@dataclass(frozen=True, slots=True)
class Line:
    """A position and how it came about: a position's text, and the moves since."""

    start: str
    moves: tuple[str, ...] = ()

    def position(self) -> CorePosition:
        """The position after the moves."""
        position = core().Position.parse(self.start)
        for move in self.moves:
            position = position.play(move)
        return position


@dataclass
class Thinker:
    """Thinks about one position at a time; `stop` may be called from any other thread."""

    settings: Settings = field(default_factory=Settings)
    seed: int = 1
    _search: Search | None = field(default=None, init=False, repr=False)
    _line: Line | None = field(default=None, init=False, repr=False)
    _stopped: threading.Event = field(default_factory=threading.Event, init=False, repr=False)

    def think(
        self, line: Line, limit: Limit = NO_LIMIT, on_progress: Callable[[Report], object] | None = None
    ) -> Report:
        """Search the position at the end of the line. Work by count starts afresh; by time it builds on the last."""
        self._stopped.clear()
        limit = self.limit(limit)
        search = self._search_for(line, fresh=limit.simulations is not None)

        def look_up(report: Report) -> None:
            if self._stopped.is_set():
                search.stop()
            elif on_progress:
                on_progress(report)

        return search.run(
            seconds=limit.seconds, simulations=limit.simulations, callback=look_up, interval=STOP_INTERVAL
        )

    def sight(self, line: Line) -> Judgement | None:
        """What the game's net says about the position at the end of the line, before any search; None without one."""
        from purlieu.nets import net_for

        position = line.position()
        net = net_of(self.settings, position.game, position.size) or net_for(position.game)
        return net.judge(position) if net else None

    def choose(self, line: Line, report: Report) -> str:
        """The move to play after a search of that line."""
        return choose(line.position(), report, self.settings.level, Random(self._seed_for(line)))

    def stop(self) -> None:
        """End the search that is running; it still reports what it found."""
        self._stopped.set()
        if search := self._search:
            search.stop()

    def forget(self) -> None:
        """Let go of all that was found so far."""
        self._search = self._line = None

    def limit(self, asked: Limit) -> Limit:
        """What is done when so much is asked for: a level with fixed work does no more than that."""
        level = self.settings.level
        if level is None:
            return asked
        if level.simulations is not None:
            return replace(asked, simulations=min(asked.simulations or level.simulations, level.simulations))
        if asked.simulations is None and asked.seconds is None:
            return Limit(seconds=DEFAULT_SECONDS)
        return asked

    def _search_for(self, line: Line, *, fresh: bool) -> Search:
        known, search = self._line, self._search
        if fresh or search is None or known is None or not _continues(known, line):
            search = self._new_search(line)
        else:
            for move in line.moves[len(known.moves) :]:
                search.advance(move)
        self._line, self._search = line, search
        return search

    def _new_search(self, line: Line) -> Search:
        settings = self.settings
        fixed = settings.level is not None and settings.level.simulations is not None
        position = line.position()
        net = net_of(settings, position.game, position.size)
        try:
            return core().Search(
                position,
                threads=1 if fixed else settings.threads,
                seed=self._seed_for(line),
                memory_mb=settings.memory_mb,
                preset="uct" if settings.preset == "uct" else "full",
                net=net.ask if net else None,
                **dict(settings.extra),
            )
        except (TypeError, ValueError) as error:
            raise PurlieuError(f"the search refuses these settings: {error}") from error

    def _seed_for(self, line: Line) -> int:
        """The same for the same seed and line, and for no other: a search does not repeat its chances."""
        text = f"{self.seed} {line.start} {' '.join(line.moves)}"
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big")


def net_of(settings: Settings, game: str, size: int) -> Net | None:
    """The net that these settings play with on such a board, if any."""
    if settings.preset not in ("net", "best"):
        return None
    from purlieu.nets import load, net_for
    from purlieu.nets.shipped import serves

    if settings.net:
        return load(settings.net)
    if settings.preset == "best":
        fixed = settings.level is not None and settings.level.simulations is not None
        return net_for(game) if serves(game, size) and not fixed else None
    net = net_for(game)
    if net is None:
        raise PurlieuError(f"there is no net for {game} here; pip install 'purlieu[net]' brings what runs them")
    return net


def _continues(known: Line, line: Line) -> bool:
    return known.start == line.start and line.moves[: len(known.moves)] == known.moves
