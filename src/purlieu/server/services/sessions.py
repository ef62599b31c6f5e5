"""Sessions from their use to their end: noted once a day, ended by their owner or after long disuse."""

from __future__ import annotations

from contextlib import suppress

from ..cache import Cache
from ..domain.refusals import Problem
from ..domain.who import Who
from ..store import people
from ..store.people import DAY_MS, HeldSeat
from ..store.writer import Store
from .committer import now_ms
from .live import Hub
from .seats import Seats

SIGNED_OUT = 4003
"""The close code of a socket whose session has ended."""
COOKIE_AGAIN_MS = 7 * DAY_MS
"""A browser gets its cookie again after so long, well before it would forget it."""
MOST_NOTED = 10_000
MOST_ROWS = 500
"""How many seats of finished games are given up in one write, and how many of running games are listed."""
MOST_FOUND = 1_000
ENDED_AT_ONCE = 50
MOST_ROUNDS = 20


class Lately:
    """Sessions for which something was done within a time; only the latest of them are remembered."""

    def __init__(self, within_ms: int) -> None:
        self.within_ms = within_ms
        self.done_ms: Cache[str, int] = Cache(MOST_NOTED)

    def __contains__(self, session: str) -> bool:
        done_ms = self.done_ms.peek(session)
        return done_ms is not None and now_ms() - done_ms < self.within_ms

    def add(self, session: str) -> None:
        """It was done now."""
        self.done_ms.put(session, now_ms())

    def discard(self, session: str) -> None:
        """Forget that it was done."""
        self.done_ms.pop(session)


class Uses:
    """Notes the use of sessions. The database is asked and written at most once a day for each."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.noted = Lately(DAY_MS)
        """Sessions that we gave out and whose use was noted today."""
        self.cookies = Lately(COOKIE_AGAIN_MS)
        """Sessions whose browser got its cookie not long ago."""

    async def is_ours(self, who: Who) -> bool:
        """Whether we gave out that session and it has not ended; if so, it is in use."""
        session, now = who.session, now_ms()
        seen_ms = await self.store.read(lambda connection: people.last_use(connection, session))
        if seen_ms is None:
            self.noted.discard(session)
            return False
        if session not in self.noted:
            self.noted.add(session)
            if now - seen_ms >= DAY_MS:
                with suppress(Problem):  # nobody waits for this: if it fails, it is noted tomorrow
                    self.store.writer.write(lambda connection: people.note_use(connection, session, now))
        return True

    async def note(self, who: Who) -> bool:
        """Note the use of a session; False if it is not ours, or if the database cannot say so just now."""
        if who.session in self.noted:
            return True
        try:
            return await self.is_ours(who)
        except Problem:
            return False

    def forget(self, who: Who) -> None:
        """The session has ended."""
        self.noted.discard(who.session)
        self.cookies.discard(who.session)


async def seats_of(store: Store, who: Who) -> list[HeldSeat]:
    """The seats that this caller would give up by ending the session."""
    found: list[HeldSeat] = await store.read(
        lambda connection: people.running_seats(connection, who.session, MOST_ROWS)
    )
    return found


async def end_session(seats: Seats, hub: Hub, who: Who) -> list[HeldSeat]:
    """End the caller's session and close its sockets; the seats it gave up in games that are not over."""
    session = who.session
    given_up: list[HeldSeat] | None = None
    try:
        while given_up is None:
            given_up = await seats.store.write(lambda connection: people.end_session(connection, session, MOST_ROWS))
    finally:  # even if we do not know whether it was stored: what memory held is read again
        seats.forget_sessions([session])
    for game_id in hub.watched():
        hub.dismiss(game_id, [session], SIGNED_OUT)
    return given_up


async def end_idle(seats: Seats, now_ms: int) -> None:
    """End the sessions that nobody uses any more, in small writes, so that moves are stored in between."""
    for _ in range(MOST_ROUNDS):
        found: list[str] = await seats.store.read(
            lambda connection: people.idle_sessions(connection, now_ms, MOST_FOUND)
        )
        for first in range(0, len(found), ENDED_AT_ONCE):
            await _end_some(seats, found[first : first + ENDED_AT_ONCE], now_ms)
        if len(found) < MOST_FOUND:
            return


async def _end_some(seats: Seats, sessions: list[str], now_ms: int) -> None:
    while not await seats.store.write(lambda connection: people.end_idle(connection, sessions, now_ms, MOST_ROWS)):
        continue
    seats.forget_sessions(sessions)
