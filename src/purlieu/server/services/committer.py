"""Changes of games, one at a time for each: judged, stored, and then published to whoever wants to know.

The log in the database alone decides: a game in memory is a copy with a version on it, and a change that was judged by
an old copy is judged again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from purlieu.rules import Message, PurlieuError

from ..domain.game import Event, Game, apply_all
from ..domain.moves import Decision
from ..domain.refusals import Problem, not_found
from ..domain.who import ALPHABET
from ..store import games
from ..store.writer import Store
from ..wire.state import EventView, event_views
from .game_cache import GameCache, Kept, off_the_loop

LOG = logging.getLogger("purlieu.server")
Decide = Callable[[Game], Decision]


def now_ms() -> int:
    """The server's time."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Commit:
    """Events that are stored, and the game before and after them. A new game has none yet."""

    before: Game
    events: Sequence[Event]
    after: Game
    is_ours: bool = True
    """False for what another server on the same database stored."""


class Committer:
    """The one way to change a game."""

    def __init__(self, store: Store, cache: GameCache) -> None:
        self.store = store
        self.cache = cache
        self.loading = asyncio.Semaphore(1)
        """Held while a game is read back from its log: long ones come one after the other, each off the loop."""
        self.locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.tasks: set[asyncio.Task[tuple[Game, Decision]]] = set()
        self.subscribers: list[Callable[[Commit], Awaitable[None]]] = [self._view]
        """Each is called with every commit, in the order of the game's log, before whoever asked for it is answered."""
        self.wake: Callable[[], Awaitable[None]] | None = None
        """Gives back the time in which the server stood still, before anything is judged by the clock."""

    # -- reading --------------------------------------------------------------------------------

    async def load(self, game_id: str) -> Game:
        """The game, from memory or from its log. Not for whoever holds its lock."""
        kept = self.cache.kept.get(game_id)
        if kept and self._may_be_behind(kept):
            await self.catch_up(game_id)
        return kept.game if kept else await self._read(game_id)

    async def events(self, game: Game, since: int) -> list[EventView]:
        """All events after that version; the last that changed the board has the view."""

        def ask(connection: Connection) -> list[EventView]:
            start, log = games.load_start(connection, game.id), games.load_events(connection, game.id)
            assert start
            return event_views(apply_all(start, log[:since]), log[since : game.v], now_ms())

        async with self.loading:
            newer = await self.store.read(ask)
        return await self.cache.with_view(newer, game)

    def lock(self, game_id: str) -> asyncio.Lock:
        """Whoever holds this sees the game's changes in order."""
        return self.locks.setdefault(game_id, asyncio.Lock())

    @asynccontextmanager
    async def holding(self, game_id: str) -> AsyncIterator[Game]:
        """The game as it stands. It changes no more until this is left."""
        async with self.lock(game_id):
            yield await self._current(game_id)

    async def catch_up(self, game_id: str) -> None:
        """Take over what was stored without us, or without our knowing, and publish it."""
        async with self.lock(game_id):
            if kept := self.cache.kept.get(game_id):
                await self._follow(kept)

    def _may_be_behind(self, kept: Kept) -> bool:
        return kept.in_doubt or self.store.is_shared

    async def _current(self, game_id: str) -> Game:
        """The same as `load`, for whoever holds the lock."""
        kept = self.cache.kept.get(game_id)
        if kept and self._may_be_behind(kept):
            await self._follow(kept)
        return kept.game if kept else await self._read(game_id)

    async def _read(self, game_id: str) -> Game:
        if len(game_id) != 16 or any(letter not in ALPHABET for letter in game_id):
            raise not_found()
        async with self.loading:
            kept = self.cache.kept.get(game_id)  # somebody before us may have asked for the same
            if kept is None:
                game = await self.store.read(lambda connection: games.load_game(connection, game_id))
                if game is None:
                    raise not_found()
                kept = self.cache.kept.get(game_id) or self.cache.keep(game)
        return kept.game

    async def _follow(self, kept: Kept) -> None:
        """Bring a game in memory to where its log is."""
        before = kept.game
        log = await self.store.read(lambda connection: games.load_events(connection, before.id, before.v))
        if log:
            after = apply_all(before, log)
            # First, so that it is done again if whoever asked leaves meanwhile: to hear of an event twice does no harm.
            await self.publish(Commit(before, log, after, is_ours=False))
            kept.game = after  # for whoever holds this copy, even if it has left the cache
            self.cache.keep(after)
        kept.in_doubt = False

    # -- changing -------------------------------------------------------------------------------

    def subscribe(self, hear: Callable[[Commit], Awaitable[None]]) -> None:
        """Have every commit from now on told to that function too."""
        self.subscribers.append(hear)

    async def publish(self, commit: Commit) -> None:
        """Tell the subscribers, one after the other. It is stored: what fails here must not keep it from the others."""
        for hear in self.subscribers:
            try:
                await hear(commit)
            except Exception:
                LOG.exception("a subscriber failed to handle a commit of game %s", commit.after.id)

    async def _view(self, commit: Commit) -> None:
        """Make the view now, while all that it needs was just worked out."""
        if commit.is_ours and commit.after.played is not commit.before.played:
            await self.cache.view(commit.after)

    async def begin(self, game: Game) -> None:
        """A game was made and is stored."""
        self.cache.keep(game)
        await self.publish(Commit(game, (), game))

    async def change(
        self, game_id: str, decide: Decide, also: Callable[[Connection], None] | None = None
    ) -> tuple[Game, Decision]:
        """Judge, store, publish. `also` is written with it, or not at all.

        It is seen through even if whoever asked has gone meanwhile: what is stored must be told to the others.
        """
        if self.wake:
            await self.wake()
        return await self.change_now(game_id, decide, also)

    async def change_now(
        self, game_id: str, decide: Decide, also: Callable[[Connection], None] | None = None
    ) -> tuple[Game, Decision]:
        """The same for whoever gives back that time."""
        task = asyncio.create_task(self._change(game_id, decide, also))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.add_done_callback(take_unheard)
            raise
        return task.result()

    async def _change(
        self, game_id: str, decide: Decide, also: Callable[[Connection], None] | None
    ) -> tuple[Game, Decision]:
        """If another process was faster, the game is read again and judged once more."""
        async with self.lock(game_id):
            for _ in range(3):
                game = await self._current(game_id)
                try:
                    decision = await off_the_loop(game.kind, decide, game)
                finally:
                    game.played.let_go()
                if not decision.events or decision.after is None:
                    return game, decision
                try:
                    await self._store(game, decision, also)
                except BaseException as error:
                    self.cache.keep(game).in_doubt = True  # whether it was stored, only the database knows
                    if isinstance(error, games.Conflict):
                        continue
                    raise
                self.cache.keep(decision.after)
                await self.publish(Commit(game, decision.events, decision.after))
                return decision.after, decision
        raise Problem(
            "stale", Message("refusal.game_is_changing_too", "the game is changing too fast; look at it again")
        )

    async def _store(self, game: Game, decision: Decision, also: Callable[[Connection], None] | None) -> None:
        def run(connection: Connection) -> None:
            assert decision.after
            if also:
                also(connection)
            games.append(connection, game, decision.events, decision.after, now_ms())

        await self.store.write(run)


def take_unheard(task: asyncio.Task[Any]) -> None:
    """Take the result of a change whose caller has left: a refusal is of no use to anybody, a fault is logged."""
    error = None if task.cancelled() else task.exception()
    if error and not isinstance(error, Problem | PurlieuError):
        LOG.error("a fault in a change whose caller has left", exc_info=error)
