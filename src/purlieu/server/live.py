"""Pushing what happens in a game to everybody who watches it. It decides nothing and stores nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from purlieu.rules import Seat

from .errors import Problem
from .settings import Limits

CLOSE = None
"""What ends a listener's queue."""


@dataclass(eq=False)
class Listener:
    """One socket: its frames wait here until the network takes them."""

    game_id: str
    seats: frozenset[Seat]
    owner: str
    most: int
    frames: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)
    close_code: int = 1000
    ended: bool = False
    give_up: Callable[[], object] = lambda: None
    """Ends the sending of a frame that nobody reads."""

    def send(self, frame: str) -> None:
        """Queue a frame; who does not read is let go, and comes back for what was missed."""
        if self.ended:
            return
        if self.frames.qsize() >= self.most:
            self.end(1013)
            return
        self.frames.put_nowait(frame)

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

    def enter(self, listener: Listener) -> None:
        """Hear what happens in a game from now on, unless too many do."""
        room = self.rooms.get(listener.game_id, set())
        everybody = [other for others in self.rooms.values() for other in others]
        mine = sum(other.owner == listener.owner for other in everybody)
        limits = self.limits
        if len(everybody) >= limits.sockets or len(room) >= limits.sockets_per_game:
            raise Problem("busy", "too many people are watching just now", retry_s=10)
        if mine >= limits.sockets_per_session:
            raise Problem("rate", f"you have {mine} boards open; close one first", retry_s=10)
        self.rooms.setdefault(listener.game_id, set()).add(listener)

    def leave(self, listener: Listener) -> None:
        """Hear no more."""
        room = self.rooms.get(listener.game_id)
        if room is not None:
            room.discard(listener)
            if not room:
                del self.rooms[listener.game_id]

    def push(self, game_id: str, frames: Iterable[str]) -> None:
        """Send frames to everybody who watches the game."""
        for frame in frames:
            for listener in list(self.rooms.get(game_id, ())):
                listener.send(frame)

    def here(self, game_id: str) -> frozenset[Seat]:
        """The seats with somebody at the board."""
        return frozenset(seat for listener in self.rooms.get(game_id, ()) for seat in listener.seats)

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
