"""Searching a game's position with given settings, in the core's own terms: lines of moves as texts.

`Engine`, the UGI server and the arena are all built on this.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

from purlieu.core import core, rules_position, within_means
from purlieu.nets import Judgement, net_for
from purlieu.nets.net import no_numbers
from purlieu.rules import Message, Position, PurlieuError

from .analysis import Analysis, analysis_of
from .choice import choose, choose_at_first_sight
from .first_move import fair_first_moves, is_offered_for_swap, outlook_without_swap, told_by_games
from .ladder import Work
from .levels import DEFAULT_SECONDS
from .plan import Plan, Settings, plan_of
from .witness import Witness

if TYPE_CHECKING:
    from purlieu.core._core import Position as CorePosition
    from purlieu.core._core import Report as CoreReport
    from purlieu.core._core import Search

STOP_INTERVAL = 0.05
"""How often, in seconds, a running search looks up."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How long to think: so many simulations, so many seconds, whichever comes first. Only a level needs neither."""

    simulations: int | None = None
    seconds: float | None = None


NO_LIMIT = Limit()


@dataclass(frozen=True)
class Line:
    """A position and how it came about: a position's text, and the moves since."""

    start: str
    moves: tuple[str, ...] = ()
    given: Position | None = field(default=None, compare=False, repr=False)
    """The position after the moves, as the rules hold it, from whoever has it."""

    @cached_property
    def position(self) -> CorePosition:
        """The position after the moves, played once."""
        position = core().Position.parse(self.start)
        for move in self.moves:
            position = position.play(move)
        return position

    @cached_property
    def in_rules(self) -> Position:
        """The same, as the rules hold it."""
        return self.given or rules_position(self.position)


@dataclass
class Thinker:
    """Thinks about one position at a time; `stop` may be called from any other thread."""

    settings: Settings = field(default_factory=Settings)
    seed: int = 1
    chance: float | None = field(default=None, init=False)
    """Of the side to move, as the last search saw it; None after a move without one."""
    _search: Search | None = field(default=None, init=False, repr=False)
    _line: Line | None = field(default=None, init=False, repr=False)
    _witness: Witness | None = field(default=None, init=False, repr=False)
    _played: str | None = field(default=None, init=False, repr=False)
    """The move that was given at the end of that line."""
    _stopped: threading.Event = field(default_factory=threading.Event, init=False, repr=False)
    _plans: dict[tuple[str, int], Plan] = field(default_factory=dict, init=False, repr=False)
    """By game and size, as they were first asked for: a file that is trained on changes no player in mid-game."""

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy or a pickle begins its searches anew: what was found so far saves time and decides nothing."""
        return type(self), (self.settings, self.seed), {"chance": self.chance}

    def think(
        self,
        line: Line,
        limit: Limit = NO_LIMIT,
        on_progress: Callable[[Analysis], object] | None = None,
        *,
        sight: Judgement | None = None,
    ) -> Analysis:
        """Search the position at the end of the line. Work by count starts afresh; by time it builds on the last.

        What a net says at first sight, if it is given, is told with it.
        """
        self._stopped.clear()
        limit = self._limit(limit, self.work(line))
        position = line.position
        listens = self._listens_to_games

        def told(found: CoreReport) -> Analysis:
            analysis = analysis_of(line.in_rules, found, sight)
            return told_by_games(position, analysis) if listens else analysis

        def look_up(found: CoreReport) -> None:
            if self._stopped.is_set():
                search.stop()
            elif on_progress:
                on_progress(told(found))

        with within_means(), self._blaming_the_net(position):
            search = self._search_for(line, fresh=limit.simulations is not None)
            found = search.run(
                seconds=limit.seconds, simulations=limit.simulations, callback=look_up, interval=STOP_INTERVAL
            )
        analysis = told(found)
        self.chance = analysis.win_chance
        return analysis

    def sight(self, line: Line) -> Judgement | None:
        """What the game's net says about the position at the end of the line, before any search.

        None without a net, and on sizes on which it never learned: there its maps contradict what a search finds.
        """
        position = line.position
        net = self._plan(position).net or net_for(position.game)
        return net.judge(position) if net and position.size in net.sizes else None

    def work(self, line: Line) -> Work | None:
        """What the level does at the end of the line; None where the limits that are given decide."""
        return self._plan(line.position).work

    def choose(self, line: Line, analysis: Analysis) -> str:
        """The move to play after a search of that line."""
        if move := self._at_first_sight(line):
            return move
        position = line.position
        decided = self._listens_to_games and outlook_without_swap(position) is not None
        return choose(position, analysis, self.work(line), self._random(line), swap_is_decided=decided)

    def move(self, line: Line, limit: Limit = NO_LIMIT, on_progress: Callable[[Analysis], object] | None = None) -> str:
        """The move that `choose` gives after `think`; but a level that only glances does so without a search."""
        self.chance = None
        work = self.work(line)
        move = self._at_first_sight(line) if work and work.by == "glance" else None
        if not move:
            move = self._played = self.choose(line, self.think(line, limit, on_progress))
        return move

    def _at_first_sight(self, line: Line) -> str | None:
        """The move that a level plays without a search; None where it searches."""
        position = line.position
        plan, listens = self._plan(position), self._listens_to_games
        if listens and is_offered_for_swap(position) and (fair := fair_first_moves(position.game, position.size)):
            return self._random(line).choice(fair)
        if plan.net and plan.work and plan.work.by == "glance":
            sight = plan.net.judge(position)
            if listens and (stay := outlook_without_swap(position)):
                sight = replace(sight, win_chance=stay.chance)
            return choose_at_first_sight(position, sight, plan.work, self._random(line))
        return None

    @property
    def _listens_to_games(self) -> bool:
        """Levels do, about first moves and swaps, with a net or without: the nets' games tell more than a search."""
        return self.settings.level is not None

    def _random(self, line: Line) -> Random:
        return Random(self._seed_for(line))

    def stop(self) -> None:
        """End the search that is running; it still reports what it found."""
        self._stopped.set()
        if search := self._search:
            search.stop()

    def goes_on_to(self, line: Line) -> bool:
        """Whether what was found so far is of use there."""
        return bool(self._search and self._line and _moves_since(self._line, self._played, line) is not None)

    def forget(self) -> None:
        """Let go of all that was found so far."""
        self._search = self._line = None

    def _limit(self, asked: Limit, work: Work | None) -> Limit:
        """What is done when so much is asked for: a level with fixed work does no more than that."""
        if work:
            return replace(asked, simulations=min(asked.simulations or work.simulations, work.simulations))
        if self.settings.level and asked.simulations is None and asked.seconds is None:
            return Limit(seconds=DEFAULT_SECONDS)
        return asked

    def _plan(self, position: CorePosition) -> Plan:
        key = position.game, position.size
        if key not in self._plans:
            self._plans[key] = plan_of(self.settings, *key)
        return self._plans[key]

    @contextmanager
    def _blaming_the_net(self, position: CorePosition) -> Iterator[None]:
        """A search that ends because its net answers with no numbers ends with a sentence."""
        try:
            yield
        except RuntimeError as error:
            net = self._plan(position).net
            if net is None or self._witness is None or not self._witness.saw_a_fault():
                raise
            self.forget()
            asked = Message("nets.or_one_after_it", "{position} or to one after it", position=position.text())
            raise PurlieuError(no_numbers(net.path, asked)) from error

    def _search_for(self, line: Line, *, fresh: bool) -> Search:
        search = None if fresh else self._search
        since = _moves_since(self._line, self._played, line) if search and self._line else None
        if search is None or since is None:
            search = self._new_search(line)
        else:
            self.forget()  # A net that fails on the way leaves a search that is at neither position.
            for move in since:
                search.advance(move)
        self._line, self._played, self._search = line, None, search
        return search

    def _new_search(self, line: Line) -> Search:
        settings = self.settings
        position = line.position
        plan = self._plan(position)
        self._witness = Witness(plan.net.ask) if plan.net else None
        try:
            return core().Search(
                position,
                threads=1 if plan.work else settings.threads,
                seed=self._seed_for(line),
                memory_mb=settings.memory_mb,
                preset="uct" if settings.preset == "uct" else "full",
                net=self._witness,
                **dict(settings.extra),
            )
        except (TypeError, ValueError) as error:
            raise PurlieuError(
                "engine.settings_refused", "the search refuses these settings: {error}", error=error
            ) from error
        except MemoryError:
            raise PurlieuError(
                "engine.no_memory",
                "there are no {megabytes} MB of memory to be had for a search; ask for less",
                megabytes=f"{settings.memory_mb:,}",
            ) from None

    def _seed_for(self, line: Line) -> int:
        """The same for the same seed and line, and for no other: a search does not repeat its chances."""
        text = f"{self.seed} {line.start} {' '.join(line.moves)}"
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "big")


def _moves_since(known: Line, played: str | None, line: Line) -> tuple[str, ...] | None:
    """The moves from a line that was searched to another, where that goes on from it; else None.

    Who asks with positions alone, move after move, gives no moves: then it is what was played, and a reply, or either.
    """
    if known.start == line.start and line.moves[: len(known.moves)] == known.moves:
        return line.moves[len(known.moves) :]
    before, after = known.position, line.position
    for way in ((), (played,)) if played else ((),):
        position = before
        for move in way:
            position = position.play(move)
        if position.text() == after.text():
            return way
        if position.ply + 1 == after.ply and not position.is_over:
            for move in position.legal_moves():
                if position.play(move).text() == after.text():
                    return (*way, move)
    return None
