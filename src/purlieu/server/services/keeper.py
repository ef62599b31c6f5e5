"""What the server does by itself: flags, the note that it lives, clocks after an outage, other processes' moves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from purlieu.rules import PurlieuError

from ..domain.acts import FLAG_PATIENCE_MS, decide_flag, decide_pause
from ..domain.game import Game
from ..domain.moves import Decision
from ..domain.refusals import Problem
from ..store import games, people
from .committer import Commit, Committer, now_ms, take_unheard
from .live import Hub
from .pulse import OUTAGE_MS, Pulse
from .seats import Seats
from .sessions import end_idle

if TYPE_CHECKING:
    from ..store.notices import Notices

LOG = logging.getLogger("purlieu.server")
Watch = tuple[Callable[[], Awaitable[object]], float]
"""Something to do, and every how many seconds."""
GRACE_MS = 10_000
"""Nobody runs out of time so soon after a start, or after the server was suspended."""


@dataclass(slots=True)
class Outage:
    """A time in which the server did nothing, and the games whose clocks have got it back."""

    since_ms: int
    until_ms: int
    given: set[str] = field(default_factory=set)


class Keeper:
    """Tasks that run as long as the server."""

    def __init__(
        self,
        committer: Committer,
        seats: Seats,
        hub: Hub,
        *,
        grace_ms: int = GRACE_MS,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self.committer = committer
        self.store = committer.store
        self.seats = seats
        self.hub = hub
        self.clock = clock
        self.grace_ms = grace_ms
        self.grace_from_ms = 0
        self.pulse = Pulse(clock)
        self.owed: list[Outage] = []
        self.giving_back: asyncio.Task[None] | None = None
        self.tasks: list[asyncio.Task[None]] = []
        self.catching_up: set[asyncio.Task[None]] = set()
        self.notices: Notices | None = None

    async def start(self, *more: Watch) -> None:
        """Give back the time of an outage, then keep watch; `more` is done again and again too."""
        self.grace_from_ms = self.clock()
        self.owed.append(Outage(0, self.clock()))
        await self.give_back()
        await self.note()
        self.pulse.start()
        self.committer.wake = self.wake
        watches: list[Watch] = [(self.flag, 1.0), (self.note, 2.0), (self.follow, 1.0), (self.forget, 3600.0), *more]
        if self.store.is_shared:
            from ..store.notices import Notices  # its driver is not there for those who use SQLite

            self.notices = Notices(self.store.database, self.heard)
            self.committer.subscribe(self.notify)
        self.tasks = [asyncio.create_task(every(seconds, watch)) for watch, seconds in watches]
        self.tasks.append(asyncio.create_task(self.pulse.watch_loop()))

    async def wake(self) -> None:
        """A server that was suspended gives back the time of the outage before it judges anybody."""
        silent_from = self.pulse.silence()
        if silent_from is not None:
            self.grace_from_ms = self.clock()
            self.owed.append(Outage(silent_from, self.clock()))
        if self.owed:
            if self.giving_back is None or self.giving_back.done():
                self.giving_back = asyncio.create_task(self.give_back())
                self.giving_back.add_done_callback(take_unheard)
            await asyncio.shield(self.giving_back)  # whoever asked may go; the others' clocks still get their time

    async def give_back(self) -> None:
        """Give back the time of every outage. What fails, as without a database, is done when this is next asked."""
        while self.owed:
            await self.after_outage(self.owed[0])
            self.owed.pop(0)

    async def after_outage(self, outage: Outage) -> None:
        """Running clocks move forward by the time in which no server was there, and the log says so.

        This one was silent since then; on the same database another may have been at work meanwhile.
        """
        alive = await self.store.read(people.last_alive)
        if alive is None:
            return
        silent_from = max(alive, outage.since_ms)
        if outage.until_ms - silent_from < OUTAGE_MS:
            return

        def decide(game: Game) -> Decision:
            lost = outage.until_ms - max(silent_from, game.turn_started_ms)
            return decide_pause(game, lost, "restart", self.clock())

        for game_id in await self.store.read(games.with_running_clocks):
            if game_id not in outage.given:
                await self.committer.change_now(game_id, decide)
                outage.given.add(game_id)

    async def note(self) -> None:
        """Say that the server lives."""
        await self.wake()
        await self.store.write(lambda connection: people.note_alive(connection, self.clock()))

    async def forget(self) -> None:
        """Let go of what is of no use any more, sessions that nobody uses among it."""
        await self.store.write(lambda connection: people.forget_old(connection, self.clock()))
        await end_idle(self.seats, self.clock())

    async def flag(self) -> None:
        """End the games whose side to move has no time left."""
        await self.wake()
        now = self.clock()
        if now < self.grace_from_ms + self.grace_ms:
            return
        for game_id in await self.store.read(lambda connection: games.overdue(connection, now - FLAG_PATIENCE_MS)):
            await self.committer.change(game_id, lambda game: decide_flag(game, self.clock()))

    async def notify(self, commit: Commit) -> None:
        """Give the other servers notice of what this one stored."""
        if self.notices and commit.is_ours:
            self.notices.send(commit.after.id)

    def heard(self, game_id: str) -> None:
        """Another server changed a game; those who watch it here want to know."""
        if game_id in self.committer.cache.kept and game_id in self.hub.rooms:
            task = asyncio.create_task(self.committer.catch_up(game_id))
            self.catching_up.add(task)
            task.add_done_callback(self.catching_up.discard)
            task.add_done_callback(take_unheard)  # what fails is taken over at the next round

    async def follow(self) -> None:
        """Take over what another process did in games that are watched here, and what we are not sure of."""
        kept = self.committer.cache.kept
        behind = [game_id for game_id, known in kept.items() if known.in_doubt]
        if self.store.is_shared:
            watched = ((game_id, kept.peek(game_id)) for game_id in self.hub.watched())
            known = {game_id: found.game.v for game_id, found in watched if found}
            if known:
                versions = await self.store.read(lambda connection: games.versions(connection, known))
                behind += [game_id for game_id, v in versions.items() if v > known[game_id]]
        for game_id in behind:
            await self.committer.catch_up(game_id)

    async def close(self) -> None:
        """Stop, with a last note of the time."""
        self.pulse.close()
        tasks = [*self.tasks, *([self.giving_back] if self.giving_back else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *self.catching_up, return_exceptions=True)
        if self.notices:
            await self.notices.close()
        await self.note()


async def every(seconds: float, watch: Callable[[], Awaitable[object]]) -> None:
    """Do it again and again; a failure is logged, and the next round tries anew."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await watch()
        except (Problem, PurlieuError, OSError) as error:
            LOG.error("%s failed: %s", watch.__name__, error)
        except Exception:
            LOG.exception("%s failed", watch.__name__)
