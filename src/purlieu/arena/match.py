"""A match: which games are still to play, handed out to worker processes until all are in or the test is decided."""

from __future__ import annotations

import itertools
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import connection

from purlieu.rules import PurlieuError

from .games import WINS, Played, Rules, today
from .openings import openings
from .players import PlayerSpec
from .stats import Pairs, Sprt, Verdict
from .store import GameLine, Identity, Key, Store
from .worker import Fault, Task, Worker

MOST_FAULTS = 3
"""How many workers may die without a player to blame before the match gives up."""


Games = Mapping[Key, GameLine]


@dataclass(frozen=True)
class Match:
    """Who plays whom, at what, how often. Every two players meet; a pair is one opening from both seats."""

    rules: Rules
    players: tuple[PlayerSpec, ...]
    pairs: int
    plies: int
    seed: int = 1
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise PurlieuError("arena.two_players_at_least", "a match needs two players at least")
        if self.sprt and len(self.players) != 2:
            raise PurlieuError("arena.sprt_two_players", "an SPRT compares two players, no more")
        if self.pairs < 1:
            raise PurlieuError("arena.one_pair_at_least", "a match has one pair of games at least")

    @property
    def identity(self) -> Identity:
        """What a results file must have been begun with to belong to this match."""
        texts = tuple(spec.text for spec in self.players)
        rules = self.rules
        nets = tuple(spec.net_hash(rules.game, rules.size) for spec in self.players)
        return Identity(rules.game, rules.size, texts, self.plies, self.seed, rules.agree, nets)

    def pairings(self) -> list[tuple[int, int]]:
        """Every two players, by number."""
        return list(itertools.combinations(range(len(self.players)), 2))

    def every_key(self) -> Iterator[Key]:
        """All games, pair by pair, so that every pairing goes forward alike."""
        for pair in range(self.pairs):
            for one, other in self.pairings():
                yield Key(pair, one, other, exchanged=False)
                yield Key(pair, one, other, exchanged=True)

    def points(self, games: Games, one: int, other: int) -> list[float]:
        """The points of `one` in each pair that is in, in the order of the openings.

        With an SPRT the list ends where the test was decided, by whatever order the games came in: the pairs
        that came after an open one are not looked at, so quick games do not count before slow ones.
        """
        if self.sprt:
            return Course(self.sprt, games).points
        found = (pair_points(games, pair, one, other) for pair in range(self.pairs))
        return [points for points in found if points is not None]

    def verdict(self, games: Games) -> Verdict:
        """What the SPRT says so far; always open without one."""
        return Course(self.sprt, games).verdict if self.sprt else "open"

    def counted(self, games: Games) -> list[GameLine]:
        """The games that count, in their order: those of whole pairs, with an SPRT up to its decision."""
        last = len(self.points(games, 0, 1)) if self.sprt else self.pairs
        keys = (key for key in self.every_key() if key.pair < last)
        return [games[key] for key in keys if pair_points(games, key.pair, key.one, key.other) is not None]


def pair_points(games: Games, pair: int, one: int, other: int) -> float | None:
    """The points of `one` in a pair, 0 to 2; None until both games are in."""
    there, back = (games.get(Key(pair, one, other, exchanged)) for exchanged in (False, True))
    return None if there is None or back is None else there.points_of_one() + back.points_of_one()


class Course:
    """The course of an SPRT between players 0 and 1: it takes the pairs in their order until it is decided."""

    def __init__(self, sprt: Sprt, games: Games) -> None:
        self._sprt, self._games = sprt, games
        self.points: list[float] = []
        self.verdict: Verdict = "open"
        self.go_on()

    def go_on(self) -> Verdict:
        """Look at the pairs that have come in since."""
        while self.verdict == "open":
            points = pair_points(self._games, len(self.points), 0, 1)
            if points is None:
                break
            self.points.append(points)
            self.verdict = self._sprt.verdict(Pairs.of(self.points))
        return self.verdict


def play_match(
    match: Match,
    store: Store,
    *,
    workers: int | None = None,
    on_game: Callable[[GameLine], object] = lambda line: None,
    games: Iterable[Task] | None = None,
) -> None:
    """Play what is missing in the store: of the match's games, or of `games`, which may begin where they like.

    Ctrl-C ends it early, with all finished games kept.
    """
    tasks = deque(task for task in (every_task(match) if games is None else games) if task.key not in store.games)
    course = Course(match.sprt, store.games) if match.sprt else None
    if not tasks or (course and course.verdict != "open"):
        return
    count = max(1, min(workers or os.cpu_count() or 1, len(tasks)))
    crew: list[Worker] = []
    try:
        crew += (Worker(match.rules, match.players, match.seed) for _ in range(count))
        _play(match, store, tasks, crew, on_game, course)
    finally:
        for worker in crew:
            worker.dismiss()
        for worker in crew:
            worker.bury()


def every_task(match: Match) -> Iterator[Task]:
    """All games of a match, from their openings."""
    lines = openings(match.rules.game, match.rules.size, match.plies, match.seed, match.pairs)
    return (Task(key, lines[key.pair]) for key in match.every_key())


def _play(
    match: Match,
    store: Store,
    tasks: deque[Task],
    crew: list[Worker],
    on_game: Callable[[GameLine], object],
    course: Course | None,
) -> None:
    faults = 0
    while True:
        for worker in crew:
            if worker.task is None and tasks:
                worker.give(tasks.popleft())
        busy = [worker for worker in crew if worker.task]
        if not busy:
            return
        for worker in _heard(busy):
            task, answer = worker.task, worker.take()
            assert task is not None
            if isinstance(answer, Fault):
                raise RuntimeError(f"a fault in the arena, please report it:\n{answer.text}")
            if answer is None:
                crew[crew.index(worker)] = Worker(match.rules, match.players, match.seed)
                answer = _lost_with_its_process(worker, task)
                worker.connection.close()
                if answer is None:
                    faults += 1
                    if faults == MOST_FAULTS:
                        raise PurlieuError(
                            "arena.workers_died",
                            "{faults} workers died before a player was to move; {how_it_ended}",
                            faults=faults,
                            how_it_ended=worker.how_it_ended(),
                        )
                    tasks.appendleft(task)
                    continue
            worker.task = None
            line = GameLine(task.key, len(task.opening), answer)
            store.add(line)
            on_game(line)
        if course and course.go_on() != "open":
            return


def _heard(busy: Sequence[Worker]) -> Iterable[Worker]:
    """The workers that have an answer or have died; one that hangs is helped to die."""
    for worker in busy:
        if worker.is_hung:
            worker.kill()
    ready = connection.wait([worker.connection for worker in busy], timeout=1.0)
    return [worker for worker in busy if worker.connection in ready]


def _lost_with_its_process(worker: Worker, task: Task) -> Played | None:
    """A loss for the player that was thinking when its process ended; None if nobody was."""
    seat = worker.thinking
    if seat is None:
        return None
    return Played(task.opening, WINS[1 - seat], worker.how_it_ended(), (0.0, 0.0), (0, 0), date=today())
