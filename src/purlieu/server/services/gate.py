"""The gate: every change of a game passes here, one at a time, and is told to others only when it is stored.

What is kept in memory is a copy with a version on it; the database alone decides whether that version still holds.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from purlieu.rules import PurlieuError, Seat

from ..cache import Cache
from ..domain.game import Event, Game, apply, apply_all
from ..domain.moves import Decision
from ..domain.played import Played
from ..domain.refusals import Problem, not_found
from ..domain.who import ALPHABET, Who
from ..store import games, people
from ..store.database import Database, reading, reason_of
from ..store.writer import Writer
from ..wire.model import json_text
from ..wire.state import EventView, event_view
from ..wire.view import View, view
from .live import Hub
from .locks import GameLock

LOG = logging.getLogger("purlieu.server")
MOST_HELD = 10_000
"""Of how many callers and games it is remembered which seats are held."""
QUICK = ("petrify", "pilo")
"""The games whose moves are judged and drawn in about a millisecond on any board."""
MOVING = ("move", "undo", "redo")
"""The events that change the board."""
Result = TypeVar("Result")
Decide = Callable[[Game], Decision]


def now_ms() -> int:
    """The server's time."""
    return time.time_ns() // 1_000_000


@dataclass(eq=False)
class Kept:
    """A game in memory, and the view of the position it was last asked for."""

    game: Game
    in_doubt: bool = False
    """Something may have been stored that this copy lacks: a commit failed without saying how it ended."""
    viewed: Played | None = None
    view: View | None = None


class Gate:
    """The way to every game."""

    def __init__(self, database: Database, writer: Writer, hub: Hub, most_bytes: int) -> None:
        self.database = database
        self.writer = writer
        self.hub = hub
        self.kept: Cache[str, Kept] = Cache(most_bytes, weight_of, self._stays)
        self.loading = asyncio.Semaphore(1)
        """Held while a game is read back from its log: long ones come one after the other, each off the loop."""
        self.held: OrderedDict[tuple[str, str], frozenset[Seat]] = OrderedDict()
        self.forgotten = 0
        """How often sessions lost their seats: what was read before is not kept."""
        self.locks: WeakValueDictionary[str, GameLock] = WeakValueDictionary()
        self.tasks: set[asyncio.Task[tuple[Game, Decision]]] = set()
        self.on_store: Callable[[str], None] = lambda game_id: None
        """Hears of every game that was changed here, for other servers on the same database."""
        self.on_change: Callable[[Game], None] = lambda game: None
        """Hears of every game that changed, after everybody was told."""
        self.wake: Callable[[], Awaitable[None]] | None = None
        """Gives back the time in which the server stood still, before anything is judged by the clock."""

    # -- reading --------------------------------------------------------------------------------

    async def read(self, ask: Callable[[Connection], Any]) -> Any:
        """Ask the database something, off the loop."""

        def run() -> Any:
            try:
                with reading(self.database) as connection:
                    return ask(connection)
            except SQLAlchemyError as error:
                LOG.error("a question to the database failed: %s", reason_of(error))
                raise Problem("storage", "the database does not answer just now", retry_s=2) from error

        return await asyncio.to_thread(run)

    async def write(self, run: Callable[[Connection], Any]) -> Any:
        """Have something written; it is on the disk when this returns."""
        return await self.writer.write_soon(run)

    def lock(self, game_id: str) -> GameLock:
        """Whoever holds this sees the game's changes in order."""
        return self.locks.setdefault(game_id, GameLock())

    async def load(self, game_id: str) -> Game:
        """The game, from memory or from its log."""
        if len(game_id) != 16 or any(letter not in ALPHABET for letter in game_id):
            raise not_found()
        kept = self.kept.get(game_id)
        if kept is None:
            async with self.loading:
                kept = self.kept.get(game_id)  # somebody before us may have asked for the same
                if kept is None:
                    game = await self.read(lambda connection: games.load_game(connection, game_id))
                    if game is None:
                        raise not_found()
                    kept = self.kept.get(game_id) or self.keep(game)
        elif kept.in_doubt or not self.database.is_sqlite:  # another process may have carried it on
            await self.catch_up(game_id)
        return kept.game

    def peek(self, game_id: str) -> Game | None:
        """The game as memory has it, without asking the database: another process may have carried it on."""
        kept = self.kept.get(game_id)
        return kept.game if kept else None

    def keep(self, game: Game) -> Kept:
        """Have the game in memory, as it is stored."""
        kept = self.kept.get(game.id) or Kept(game)
        kept.game = game
        game.played.let_go()
        self.kept.put(game.id, kept)
        return kept

    def _stays(self, game_id: str, kept: Kept) -> int:
        """What leaves memory first: games that are over, then those that nobody watches."""
        return 2 * (game_id in self.hub.rooms) + (kept.game.status != "over")

    async def catch_up(self, game_id: str) -> None:
        """Take over what was stored without us, or without our knowing, and tell it to those who watch."""
        async with self.lock(game_id):
            kept = self.kept.get(game_id)
            if kept is None:
                return
            before = kept.game
            log = await self.read(lambda connection: games.load_events(connection, game_id, before.v))
            kept.in_doubt = False
            after = apply_all(before, log)
            if log:
                self.keep(after)
                await self._tell(before, log, after)
                self.on_change(after)

    async def seats(self, game_id: str, who: Who | None) -> frozenset[Seat]:
        """The seats of a game that somebody holds."""
        if who is None:
            return frozenset()
        key = (game_id, who.session)
        if key not in self.held or not self.database.is_sqlite:  # another server may have taken them away
            forgotten = self.forgotten
            found: frozenset[Seat] = await self.read(
                lambda connection: people.seats_held(connection, game_id, who.session)
            )
            if not found:
                self.held.pop(key, None)
                return frozenset()
            if forgotten != self.forgotten:  # they may have been given up since they were read
                return found
            self.held[key] = found
            while len(self.held) > MOST_HELD:
                self.held.popitem(last=False)
        return self.held[key]

    def forget_sessions(self, sessions: Collection[str]) -> None:
        """Those sessions hold no seat any more, or fewer."""
        self.forgotten += 1
        for key in [key for key in self.held if key[1] in sessions]:
            del self.held[key]

    def forget_seats(self, game_id: str, who: Who) -> None:
        """Somebody's seats have changed."""
        self.held.pop((game_id, who.session), None)

    async def view(self, game: Game) -> View:
        """The view of the position on the board, made once."""
        kept = self.kept.get(game.id) or Kept(game)
        if kept.viewed is not game.played or kept.view is None:
            made = await off_the_loop(game.kind, view, game.played)
            game.played.let_go()
            kept.viewed, kept.view = game.played, made
            return made
        return kept.view

    async def events(self, game_id: str, since: int) -> list[EventView]:
        """All events after that version; the last that changed the board has the view."""
        game = await self.load(game_id)

        def ask(connection: Connection) -> list[EventView]:
            start, log = games.load_start(connection, game_id), games.load_events(connection, game_id)
            assert start
            return tell(apply_all(start, log[:since]), log[since:], now_ms())

        async with self.loading:
            newer = await self.read(ask)
        return await self._with_view(newer, game)

    async def _with_view(self, events: Sequence[EventView], game: Game) -> list[EventView]:
        """The events, the last one with the view of the board if any of them changed it."""
        events = list(events)
        if events and events[-1]["v"] == game.v and any(event["kind"] in MOVING for event in events):
            events[-1] = {**events[-1], "view": await self.view(game)}
        return events

    # -- changing -------------------------------------------------------------------------------

    async def change(
        self, game_id: str, decide: Decide, also: Callable[[Connection], None] | None = None
    ) -> tuple[Game, Decision]:
        """Judge, store, tell. `also` is written with it, or not at all.

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
                game = await self.load(game_id)
                decision = await off_the_loop(game.kind, decide, game)
                if not decision.events or decision.after is None:
                    return game, decision
                try:
                    await self._store(game, decision, also)
                except BaseException as error:
                    self.keep(game).in_doubt = True  # whether it was stored, only the database knows
                    if isinstance(error, games.Conflict):
                        continue
                    raise
                self.keep(decision.after)
                await self._tell(game, decision.events, decision.after)
                self.on_change(decision.after)
                return decision.after, decision
        raise Problem("stale", "the game is changing too fast; look at it again")

    async def _store(self, game: Game, decision: Decision, also: Callable[[Connection], None] | None) -> None:
        def run(connection: Connection) -> None:
            assert decision.after
            if also:
                also(connection)
            games.append(connection, game, decision.events, decision.after, now_ms())

        await self.write(run)
        self.on_store(game.id)

    async def _tell(self, before: Game, events: Sequence[Event], after: Game) -> None:
        if before.id not in self.hub.rooms:
            return
        told = await self._with_view(tell(before, events, now_ms(), after), after)
        self.hub.push(before.id, [frame("ev", event) for event in told])


def take_unheard(task: asyncio.Task[Any]) -> None:
    """Take the result of a change whose caller has left: a refusal is of no use to anybody, a fault is logged."""
    error = None if task.cancelled() else task.exception()
    if error and not isinstance(error, Problem | PurlieuError):
        LOG.error("a fault in a change whose caller has left", exc_info=error)


async def off_the_loop(kind: str, run: Callable[[Any], Result], given: Any) -> Result:
    """Have the rules work in a thread where they may take long; elsewhere a thread costs more than they do."""
    if kind in QUICK:
        return run(given)
    return await asyncio.to_thread(run, given)


def weight_of(kept: Kept) -> int:
    """About how many bytes a game in memory takes: two positions of the core, the view, and 160 for each turn."""
    return 40_000 + (kept.game.v + kept.game.opening) * 160


def tell(before: Game, events: Sequence[Event], now: int, after: Game | None = None) -> list[EventView]:
    """The events as they are told, each with what the game was right after it; after the last, if that is known."""
    if after and len(events) == 1:
        return [event_view(events[0], after, None, now)]
    told = []
    for event in events:
        before = apply(before, event)
        told.append(event_view(event, before, None, now))
    return told


def frame(kind: str, event: EventView) -> str:
    """A frame for the sockets."""
    return json_text({"t": kind, **event})
