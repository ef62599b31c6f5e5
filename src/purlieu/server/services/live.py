"""The open sockets by game, and pushing what happens there to them. It decides nothing and stores nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from purlieu.rules import Message, Seat

from ..cache import Cache
from ..domain.refusals import Problem
from ..settings import Limits
from ..wire.frames import EventFrame
from ..wire.state import event_views
from ..wire.strict_json import json_text
from .committer import Commit, now_ms
from .game_cache import GameCache

MOST_SEEN = 20_000
CLOSE = None
"""What ends a listener's queue."""


@dataclass(eq=False)
class Listener:
    """One socket: its frames wait here until the network takes them."""

    game_id: str
    seats: frozenset[Seat]
    owner: str
    limits: Limits
    place: str = ""
    """The address that it came from."""
    frames: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)
    waiting_bytes: int = 0
    close_code: int = 1000
    ended: bool = False
    give_up: Callable[[], object] = lambda: None
    """Ends the sending of a frame that nobody reads."""
    count: Callable[[str], object] = lambda what: None
    """Notes that something happened, for /metrics."""

    def send(self, frame: str) -> None:
        """Queue a frame; who does not read is let go, and comes back for what was missed."""
        if self.ended:
            return
        many, big = self.frames.qsize(), self.waiting_bytes > self.limits.waiting_bytes
        if many >= self.limits.waiting_frames or (many > 1 and big):  # one frame may have any size
            self.count("slow_sockets")
            self.end(1013)
            return
        self.waiting_bytes += len(frame)
        self.frames.put_nowait(frame)

    async def next(self) -> str | None:
        """The next frame to send; None after the last."""
        frame = await self.frames.get()
        self.waiting_bytes -= len(frame or "")
        return frame

    def end(self, code: int) -> None:
        """Close the socket once its last frame is out; a slow one's frames are dropped."""
        if self.ended:
            return
        self.ended = True
        self.close_code = code
        self.frames.put_nowait(CLOSE)
        if code == 1013:
            self.give_up()


class Hub:
    """All listeners, by game."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.rooms: dict[str, set[Listener]] = {}
        self.started = time.monotonic()
        self.seen: Cache[tuple[str, Seat], float] = Cache(MOST_SEEN)
        """When the last socket of a seat went, or it last asked for something without one; only those of late."""

    def enter(self, listener: Listener) -> None:
        """Hear what happens in a game from now on, unless too many do."""
        room = self.rooms.get(listener.game_id, set())
        everybody = [other for others in self.rooms.values() for other in others]
        mine = sum(other.owner == listener.owner for other in everybody)
        here = sum(other.place == listener.place for other in everybody)
        limits = self.limits
        is_full = len(room) >= limits.sockets_per_game and not listener.seats  # players get in past the watchers
        if len(everybody) >= limits.sockets or is_full or here >= limits.sockets_per_address:
            raise Problem(
                "busy", Message("refusal.too_many_people_are", "too many people are watching just now"), retry_s=10
            )
        if mine >= limits.sockets_per_session:
            raise Problem(
                "rate",
                Message("refusal.you_have_boards_open", "you have {mine} boards open; close one first", mine=mine),
                retry_s=10,
            )
        self.rooms.setdefault(listener.game_id, set()).add(listener)

    def leave(self, listener: Listener) -> None:
        """Hear no more."""
        room = self.rooms.get(listener.game_id)
        if room is not None:
            room.discard(listener)
            if not room:
                del self.rooms[listener.game_id]
        self.saw(listener.game_id, listener.seats - self.here(listener.game_id))

    def saw(self, game_id: str, seats: Iterable[Seat]) -> None:
        """Whoever has those seats was at the board just now."""
        for seat in seats:
            self.seen.put((game_id, seat), time.monotonic())

    def away_ms(self, game_id: str) -> dict[Seat, int]:
        """For each seat without anybody at the board: for how long, as far as this server knows."""
        now, here = time.monotonic(), self.here(game_id)
        since = {seat: self.seen.peek((game_id, seat)) or self.started for seat in Seat if seat not in here}
        return {seat: round(1000 * (now - then)) for seat, then in since.items()}

    def push(self, game_id: str, frames: Iterable[str]) -> None:
        """Send frames to everybody who watches the game."""
        for frame in frames:
            for listener in list(self.rooms.get(game_id, ())):
                listener.send(frame)

    def here(self, game_id: str) -> frozenset[Seat]:
        """The seats with somebody at the board."""
        return frozenset(seat for listener in self.rooms.get(game_id, ()) for seat in listener.seats)

    def dismiss(self, game_id: str, owners: Collection[str], code: int) -> None:
        """Close the sockets of those sessions."""
        for listener in list(self.rooms.get(game_id, ())):
            if listener.owner in owners:
                listener.end(code)

    def watched(self) -> list[str]:
        """The games that somebody watches."""
        return list(self.rooms)

    def end_all(self, code: int, frames: Iterable[str]) -> None:
        """Say goodbye to everybody."""
        frames = list(frames)
        for room in list(self.rooms.values()):
            for listener in list(room):
                for frame in frames:
                    listener.send(frame)
                listener.end(code)


class Broadcast:
    """Shows every commit to everybody who watches its game."""

    def __init__(self, hub: Hub, cache: GameCache) -> None:
        self.hub = hub
        self.cache = cache

    async def hear(self, commit: Commit) -> None:
        """Push the events, in order and each once."""
        if commit.before.id not in self.hub.rooms:
            return
        events = event_views(commit.before, commit.events, now_ms(), commit.after)
        frames: list[EventFrame] = [{"t": "ev", **event} for event in await self.cache.with_view(events, commit.after)]
        self.hub.push(commit.before.id, list(map(json_text, frames)))
