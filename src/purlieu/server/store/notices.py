"""Several servers on one PostgreSQL: a word to the others after each commit, so that they look at once.

NOTIFY is a wake-up and never the truth: whoever misses one finds the event a second later, by asking. It is sent
outside the moves' transactions, since inside it would make all commits of the database wait for each other.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable

import psycopg
from sqlalchemy import make_url, text
from sqlalchemy.exc import SQLAlchemyError

from .database import Database

LOG = logging.getLogger("purlieu.server")
CHANNEL = "purlieu"
GATHER_SECONDS = 0.01
MOST_IDS = 400
"""As many as fit into one notice, which PostgreSQL bounds at 8,000 bytes."""
LOOK_UP_SECONDS = 0.5
RETRY_SECONDS = 1.0


class Notices:
    """Tells other servers which games changed here, and hears which changed there."""

    def __init__(self, database: Database, hear: Callable[[str], object]) -> None:
        self.database = database
        self.hear = hear
        self.changed: set[str] = set()
        self.sending: asyncio.Task[None] | None = None
        self.loop = asyncio.get_running_loop()
        self.closing = threading.Event()
        self.thread = threading.Thread(target=self._listen, name="notices", daemon=True)
        self.thread.start()

    def send(self, game_id: str) -> None:
        """A game changed; the others hear of it in a moment, together with what else changes in that moment."""
        self.changed.add(game_id)
        if self.sending is None or self.sending.done():
            self.sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        while self.changed:
            await asyncio.sleep(GATHER_SECONDS)
            ids = [self.changed.pop() for _ in range(min(MOST_IDS, len(self.changed)))]
            try:
                await asyncio.to_thread(self._notify, " ".join(ids))
            except SQLAlchemyError as error:
                LOG.warning("the other servers were not told: %s", str(error).splitlines()[0])

    def _notify(self, ids: str) -> None:
        with self.database.reader.connect() as connection:
            connection.execute(text("SELECT pg_notify(:channel, :ids)"), {"channel": CHANNEL, "ids": ids})
            connection.commit()

    def _listen(self) -> None:
        address = make_url(self.database.url).set(drivername="postgresql").render_as_string(hide_password=False)
        while not self.closing.is_set():
            try:
                with psycopg.connect(address, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    while not self.closing.is_set():
                        for notice in connection.notifies(timeout=LOOK_UP_SECONDS):
                            for game_id in notice.payload.split():
                                self.loop.call_soon_threadsafe(self.hear, game_id)
            except psycopg.Error as error:
                LOG.warning("the notices of other servers are not heard just now: %s", str(error).splitlines()[0])
                self.closing.wait(RETRY_SECONDS)

    async def close(self) -> None:
        """Stop listening."""
        self.closing.set()
        if self.sending:
            with contextlib.suppress(asyncio.CancelledError):
                await self.sending
        await asyncio.to_thread(self.thread.join, 5)
