"""Self-play: groups of games that take turns on the host and on the device.

Each group has a thread. It steps its games in the core, with the interpreter's lock released, and then lets its lane
evaluate the positions that they ask about. While one group waits for the device, another one has the host.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Literal

from purlieu.core import core, within_means
from purlieu.kit.interrupts import Worker

from ..data.settings import TrainingSettings
from ..network.evaluation import Interval, Lane, Lanes

if TYPE_CHECKING:
    from purlieu.core._core import SelfPlay


AHEAD = 2
"""No group is more turns than this ahead of another: so the games of each size are as many as its share says."""


@dataclass(slots=True)
class SelfPlayStats:
    """What a group, or all of them, have done, and where their time went, in seconds."""

    evaluations: int = 0
    games: int = 0
    plies: int = 0
    stepping: float = 0.0
    """On the host, in the core."""
    queueing: float = 0.0
    """Waiting until the host was free."""
    waiting: float = 0.0
    """Waiting for the device's answer."""
    device: float = 0.0
    """Of all groups together: while the device worked on an evaluation of one of them at least."""

    def plus(self, other: SelfPlayStats, sign: int = 1) -> SelfPlayStats:
        """The sum of both, or the difference."""
        return SelfPlayStats(
            *(getattr(self, each.name) + sign * getattr(other, each.name) for each in fields(SelfPlayStats))
        )


@dataclass(slots=True)
class Group:
    """Games of one size that are stepped together."""

    games: SelfPlay
    lane: Lane
    slots: int
    stats: SelfPlayStats = field(default_factory=SelfPlayStats)
    turns: int = 0
    """How often it was stepped; from the first time on, its positions wait for an evaluation."""


class SelfPlayPool:
    """All the groups. `start` and `pause` as often as one likes; nothing is lost between them."""

    def __init__(
        self, settings: TrainingSettings, lanes: Lanes, *, device: str, seed: int, collect: Callable[[bytes], object]
    ) -> None:
        self._collect = collect
        self._stop = threading.Event()
        self._threads: list[Worker] = []
        self._failure: BaseException | None = None
        # A GPU's host gives all its threads to one group after the other; without one every group has a thread.
        on_gpu = device != "cpu"
        self._places = 1 if on_gpu else settings.threads
        self._host = threading.Condition()
        """Held to change what the groups share."""
        threads = settings.threads if on_gpu else 1
        self.groups = [
            Group(
                open_games(settings, size, slots, seed=seed + 1_000 * at, threads=threads),
                lanes.lane(size, slots),
                slots,
            )
            for at, (size, slots) in enumerate(share_out(settings))
        ]
        self._evaluated = BusyTime(len(self.groups))

    def start(self) -> None:
        """Let all groups play, each on a thread."""
        self._stop.clear()
        self._threads = [Worker(partial(self._drive, at, group)) for at, group in enumerate(self.groups)]
        for thread in self._threads:
            thread.start()

    def pause(self) -> None:
        """Let every group end its step, and tell what went wrong with one."""
        self.end()
        self.raise_failure()

    def end(self) -> None:
        """Let every group end its step; nothing is told, so this can follow a failure of another kind."""
        self._end()
        for thread in self._threads:
            thread.join()
        self._threads = []

    @property
    def playing(self) -> bool:
        """Whether it was started and not paused."""
        return bool(self._threads)

    def raise_failure(self) -> None:
        """What went wrong on a group's thread goes wrong here."""
        if self._failure is not None:
            raise self._failure

    def stats(self) -> SelfPlayStats:
        """The sum over all groups."""
        total = SelfPlayStats()
        for group in self.groups:
            total = total.plus(group.stats)
        with self._host:
            total.device = self._evaluated.seconds()
        return total

    def _drive(self, number: int, group: Group) -> None:
        try:
            while not self._stop.is_set():
                self._turn(number, group)
        except BaseException as error:
            self._failure = error
            self._end()

    def _may_step(self, group: Group) -> bool:
        fair = group.turns < min(each.turns for each in self.groups) + AHEAD
        return self._places > 0 and (fair or self._stop.is_set())

    def _end(self) -> None:
        with self._host:
            self._stop.set()
            self._host.notify_all()

    def _turn(self, number: int, group: Group) -> None:
        """One evaluation for each game of a group, and one step of them."""
        lane, stats = group.lane, group.stats
        begun = time.perf_counter()
        if group.turns:
            lane.run()
            stats.evaluations += group.slots
        asked = time.perf_counter()
        with self._host:
            if group.turns:
                self._evaluated.add(number, lane.ran)
            self._host.wait_for(lambda: self._may_step(group))
            self._places -= 1
        free = time.perf_counter()
        try:
            ended = group.games.step(lane.policy, lane.value, lane.planes)
        finally:
            with self._host:
                self._places += 1
                group.turns += 1
                self._host.notify_all()
        done = time.perf_counter()
        stats.waiting += asked - begun
        stats.queueing += free - asked
        stats.stepping += done - free
        if ended:
            counts = group.games.counts
            stats.games, stats.plies = counts.games, counts.plies
            self._collect(group.games.take())


def share_out(settings: TrainingSettings) -> list[tuple[int, int]]:
    """The groups, as sizes and numbers of games: games by share, and no group so large that all wait for it."""
    whole = sum(settings.sizes.values())
    most = math.ceil(settings.slots / settings.groups)
    groups = []
    for size, share in settings.sizes.items():
        slots = max(1, round(settings.slots * share / whole))
        parts = math.ceil(slots / most)
        groups += [(size, slots // parts + (at < slots % parts)) for at in range(parts)]
    return groups


def open_games(
    settings: TrainingSettings,
    size: int,
    slots: int,
    *,
    seed: int,
    threads: int,
    opponent: int | Literal["net"] | None = None,
) -> SelfPlay:
    """Games in the core, of the net with itself, a plain search of so many simulations a move, or another net."""
    alone, net = opponent is None, opponent == "net"
    with within_means():
        return core().SelfPlay(
            settings.game,
            size,
            slots,
            seed=seed,
            threads=threads,
            full_simulations=settings.full_simulations if alone else settings.check_simulations,
            fast_simulations=settings.fast_simulations,
            full_share=settings.full_share if alone else 1.0,
            # A check has few simulations, and games may be searched with many moves: half of the visits go deeper.
            considered=settings.considered if alone else min(settings.considered, settings.check_simulations // 2),
            gumbel_scale=settings.noise if alone else 0.0,
            noisy_plies=settings.noisy_plies if alone else 0,
            end_nodes=settings.end_nodes if alone else 0,
            value_scale=settings.value_scale,
            random_plies=(settings.random_plies[0], settings.random_plies[1]) if alone else (2, 4),
            opponent=None if alone else "net" if net else "uct",
            opponent_simulations=opponent if isinstance(opponent, int) else 0,
            games=1 if net else 0,
        )


def union_seconds(intervals: Iterable[Interval]) -> float:
    """The seconds that lie in at least one of them; where they overlap, a second counts once.

    >>> union_seconds([(0, 2), (1, 3), (5, 6)])
    4.0
    """
    seconds, until = 0.0, float("-inf")
    for begun, ended in sorted(intervals):
        seconds += max(0.0, ended - max(begun, until))
        until = max(until, ended)
    return seconds


class BusyTime:
    """How long at least one of several workers was busy; each reports its intervals in turn, as they end."""

    def __init__(self, workers: int) -> None:
        self._ended = [float("-inf")] * workers
        self._open: list[Interval] = []
        self._closed = 0.0

    def add(self, worker: int, interval: Interval) -> None:
        """The next interval of a worker."""
        self._open.append(interval)
        self._ended[worker] = interval[1]

    def seconds(self) -> float:
        """What they cover so far."""
        sure = min(self._ended)  # whatever is still to come begins after this
        self._closed += union_seconds((begun, min(ended, sure)) for begun, ended in self._open if begun < sure)
        self._open = [(max(begun, sure), ended) for begun, ended in self._open if ended > sure]
        return self._closed + union_seconds(self._open)
