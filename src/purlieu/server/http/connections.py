"""Open connections: how many there may be, how long each may wait, and which are closed when room gets short."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import struct
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto

from ..settings import Limits
from .limiter import caller_at

LOG = logging.getLogger("purlieu.server")

SWEEP_SECONDS = 0.5
AT_ONCE = 500
"""How many connections are looked at before other work on the event loop gets its turn."""
HIGH_WATER = 64 * 1024
"""Above this size of its buffer a transport asks its writers to wait. It is asyncio's default."""
UNSENT = 64 * 1024
"""How much the system takes for a client beyond what it has sent, where it lets us say so."""
BODY_GRACE = 1.0
"""The guard refuses a slow body with a sentence; the connection is closed a moment later in any case."""
TURNS = 4
"""In how many turns of the event loop a connection is accepted, becomes known here, and is closed."""
FEWEST = 16
"""Connections that the server takes even if that leaves less than its reserve of files."""
SAY_SECONDS = 60.0
"""How often the log says that room is short."""


class Stage(Enum):
    """What a connection is doing."""

    HEAD = auto()
    """The head of a request has not arrived, or not all of it."""
    BODY = auto()
    """The body of a request has not all arrived, whether or not the request is answered."""
    ANSWER = auto()
    """A request is being answered."""
    IDLE = auto()
    """All requests are answered; another may come."""
    SOCKET = auto()
    """It has become a socket."""


@dataclass(eq=False)
class Connection:
    """One connection and what is known of it."""

    transport: asyncio.Transport
    caller: str
    give_up: Callable[[], None]
    """Ends a connection whose request does not arrive."""
    is_leaving: Callable[[], bool] = lambda: False
    """Whether a socket is being closed."""
    stage: Stage = Stage.HEAD
    since: float = field(default_factory=time.monotonic)
    """When this stage began."""
    unread: int = 0
    """How many bytes its client had not taken when last looked at."""
    moved: float = field(default_factory=time.monotonic)
    """When the client was last seen to take something, or had nothing to take."""
    left: float | None = None
    """When a socket was first seen to be closing."""


class Connections:
    """All open connections of a server.

    When there are as many as there may be, each new one takes the place of another: the oldest that waits for the head
    of a request, else the one that is idle for longest. Only when all are busy does the caller with the most lose its
    newest.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.most = limits.connections
        self.open: dict[asyncio.BaseTransport, Connection] = {}
        self.waiting: dict[Stage, OrderedDict[Connection, None]] = {
            Stage.HEAD: OrderedDict(),
            Stage.IDLE: OrderedDict(),
        }
        self.callers: dict[str, dict[Connection, None]] = {}
        self.note: Callable[[str], object] = lambda what: None
        """Counts that something happened, for /metrics."""
        self.said = -SAY_SECONDS

    def enter(self, transport: asyncio.Transport, give_up: Callable[[], None]) -> Connection | None:
        """A new connection, or None if there is no room for it."""
        peer = transport.get_extra_info("peername")
        connection = Connection(transport, caller_at(peer[0]) if isinstance(peer, tuple) else "?", give_up)
        if len(self.open) >= self.most and not self.make_room(connection.caller):
            return None
        bound_buffers(transport, self.limits.stall_seconds)
        self.open[transport] = connection
        self.waiting[Stage.HEAD][connection] = None
        self.callers.setdefault(connection.caller, {})[connection] = None
        return connection

    def move(self, connection: Connection, stage: Stage) -> None:
        """The connection begins another stage."""
        if connection.transport not in self.open:
            return
        if connection.stage in self.waiting:
            self.waiting[connection.stage].pop(connection, None)
        connection.stage, connection.since = stage, time.monotonic()
        if stage in self.waiting:
            self.waiting[stage][connection] = None

    def leave(self, connection: Connection) -> None:
        """The connection is closed, or will be at once."""
        if self.open.pop(connection.transport, None) is None:
            return
        if connection.stage in self.waiting:
            self.waiting[connection.stage].pop(connection, None)
        mine = self.callers[connection.caller]
        del mine[connection]
        if not mine:
            del self.callers[connection.caller]

    def cut(self, connection: Connection, why: str) -> None:
        """Close a connection at once, and throw away what its client has not read."""
        self.note(f'connections_closed{{why="{why}"}}')
        self.leave(connection)
        if connection.transport.get_write_buffer_size() or connection.stage is Stage.SOCKET:
            reset(connection.transport)
        else:
            connection.transport.close()

    # -- room -----------------------------------------------------------------------------------

    def make_room(self, newcomer: str) -> bool:
        """Close a connection for another of that caller's; false if the newcomer is the one to go."""
        self.say_that_room_is_short()
        for queue in self.waiting.values():
            while queue:
                connection = queue.popitem(last=False)[0]
                if not connection.transport.get_write_buffer_size():  # else it is busy: its answer is on the way
                    self.cut(connection, "room")
                    return True
        heaviest = max(self.callers.values(), key=len, default={})
        if len(heaviest) <= len(self.callers.get(newcomer, ())) + 1:
            self.note('connections_closed{why="refused"}')
            return False
        self.cut(next(reversed(heaviest)), "caller")
        return True

    def say_that_room_is_short(self) -> None:
        """A line in the log, now and then."""
        now = time.monotonic()
        if now - self.said >= SAY_SECONDS:
            self.said = now
            LOG.warning(
                "all %d connections are in use: those that have not sent a request are closed, the oldest first",
                self.most,
            )

    # -- time -----------------------------------------------------------------------------------

    async def sweep_for_ever(self) -> None:
        """Look at all connections again and again, and end those that took too long."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for number, connection in enumerate(list(self.open.values()), start=1):
                if number % AT_ONCE == 0:
                    await asyncio.sleep(0)
                if connection.transport in self.open:
                    self.look_at(connection, time.monotonic())

    def look_at(self, connection: Connection, now: float) -> None:
        """End a connection that is over one of its times."""
        limits = self.limits
        buffered = connection.transport.get_write_buffer_size()
        unread = buffered + with_the_system(connection.transport) if buffered else 0
        if not unread or unread < connection.unread or (unread > connection.unread and buffered <= HIGH_WATER):
            connection.moved = now  # beyond the high water only pings are added until writing resumes
        connection.unread = unread
        if connection.left is None and connection.is_leaving():
            connection.left = now
        in_stage = now - connection.since
        if connection.left is not None and now - connection.left >= limits.close_seconds:
            self.cut(connection, "closing")
        elif unread and now - connection.moved >= limits.stall_seconds:
            self.cut(connection, "unread")
        elif connection.transport.is_closing():
            return
        elif connection.stage is Stage.HEAD and in_stage >= limits.head_seconds:
            self.note('connections_closed{why="head"}')
            connection.give_up()
        elif connection.stage is Stage.BODY and in_stage >= limits.body_seconds + BODY_GRACE:
            self.note('connections_closed{why="body"}')
            connection.give_up()


# -- the system ---------------------------------------------------------------------------------


def bound_buffers(transport: asyncio.Transport, stall_seconds: float) -> None:
    """Have the system keep little for a client that does not read, and drop it in the end.

    The second also ends connections that we have closed and whose client never takes the last bytes.
    """
    opened = transport.get_extra_info("socket")
    if opened is None:
        return
    with contextlib.suppress(OSError):  # the client has gone already
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)
        if sys.platform == "linux":
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(1000 * stall_seconds))


def with_the_system(transport: asyncio.Transport) -> int:
    """How many bytes the system has taken and the client has not acknowledged, where the system says so.

    The system takes new bytes in lumps, which a slow client needs many seconds for.
    """
    opened = transport.get_extra_info("socket")
    if sys.platform != "linux" or opened is None:
        return 0
    import fcntl
    import termios

    try:
        return int.from_bytes(fcntl.ioctl(opened.fileno(), termios.TIOCOUTQ, bytes(4)), sys.byteorder)
    except OSError:
        return 0


def reset(transport: asyncio.Transport) -> None:
    """Abort a connection; without the option the system would go on offering what it has of the unread bytes."""
    opened = transport.get_extra_info("socket")
    if opened is not None:
        with contextlib.suppress(OSError):
            linger = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    transport.abort()


def most_connections(limits: Limits) -> int:
    """Raise the soft limit of open files, and say how many connections that leaves room for.

    asyncio accepts many connections in one turn of its loop, and a few turns pass until we know of them. They and the
    server's own files need a reserve: without it the next thing to fail would be the database.
    """
    reserve = limits.own_files + TURNS * limits.accepts
    room = max(FEWEST, raise_soft_limit(limits.files) - reserve)
    if room < limits.connections:
        LOG.warning(
            "the limit of open files leaves room for %d connections; ulimit -n %d before the start would allow %d",
            room,
            limits.connections + reserve,
            limits.connections,
        )
    return min(room, limits.connections)


def raise_soft_limit(wanted: int) -> int:
    """Raise this process's soft limit of open files as far as it may go; the limit that holds then."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for target in (wanted, 10_240):  # macOS allows no more than the second, and says that its hard limit is infinite
        target = target if hard == resource.RLIM_INFINITY else min(target, hard)
        if soft != resource.RLIM_INFINITY and soft < target:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard))
                return target
    return wanted if soft == resource.RLIM_INFINITY else soft
