"""uvicorn's two protocols with our bounds: HTTP with limits of size and time, and sockets that measure their lag.

What uvicorn does not offer as a setting is reached by overriding its methods, so its versions are bounded in
pyproject.toml. We rely on

- `H11Protocol`: `connection_made`, `data_received`, `handle_websocket_upgrade`, `send_400_response`,
  `on_response_complete`, `resume_writing` and `connection_lost` are called where their names say; `conn` is the
  `h11.Connection`, `cycle` the request that is or was being answered, `transport` the connection;
- `WebSocketsSansIOProtocol`: `handle_connect`, `handle_pong`, `keepalive_timeout`, `resume_writing`,
  `connection_made` and `connection_lost`; `handshake_initiated`, `close_sent`, `response`, `scope`,
  `pending_ping_payload` and `last_ping_rtt`;
- `handle_websocket_upgrade` gives the socket's protocol the same transport and calls its `connection_made`.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections import deque
from collections.abc import MutableMapping
from typing import Any, cast

import h11
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.http11 import Request

from purlieu.rules import Message

from ..domain.refusals import Problem
from .connections import Connection, Connections, Stage

PING_SECONDS = 5.0
LAST = 5
TRIPS = "purlieu.trips"


def refusal(status: str, problem: Problem) -> bytes:
    """A whole answer for a connection that closes after it."""
    body = json.dumps(problem.body()).encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
    )
    return f"{head}\r\n".encode() + body


TOO_LATE = refusal(
    "408 Request Timeout",
    Problem("slow", Message("refusal.request_did_not_arrive", "the request did not arrive in time")),
)
NO_HTTP = refusal(
    "400 Bad Request",
    Problem(
        "bad_request",
        Message("refusal.this_is_no_http", "this is no HTTP/1.1 request"),
        hint=Message("hint.get_or_post", "a GET or a POST"),
    ),
)
NO_UPGRADE = refusal(
    "400 Bad Request",
    Problem(
        "bad_request",
        Message("refusal.this_is_no_request", "this is no request for a socket that can be read"),
        hint=Message("hint.get_without_body_and", "a GET without a body and with at most 128 headers of 8 KiB"),
    ),
)
NO_ROOM = refusal(
    "503 Service Unavailable",
    Problem(
        "busy",
        Message("refusal.too_many_connections_are", "too many connections are open"),
        hint=Message("hint.try_again_later", "try again later"),
    ),
)


def connections_of(config: Config) -> Connections:
    """The connections of the server with this configuration."""
    return cast(Connections, cast(Any, config.app).state.connections)


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP, with bounds to its patience: to the size of a head, and to the time for a head and a body."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.all = connections_of(config)
        self.most = self.all.limits.head_bytes
        self.mine: Connection | None = None
        self.rest = bytearray()
        self.seen: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection: its first head is due."""
        super().connection_made(transport)
        self.mine = self.all.enter(transport, self.give_up)
        if self.mine is None:
            transport.write(NO_ROOM)
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Something came."""
        self.rest += data
        self.feed()

    def feed(self) -> None:
        """Give h11 what came, but never more than a head's size: its own limit holds only for what is incomplete.

        What comes while a request is answered waits here, since h11 would take all of it for later.
        """
        while self.rest and not self.transport.is_closing():
            room = self.most - len(self.conn.trailing_data[0])
            if room <= 0:
                break
            part = bytes(self.rest[:room])
            del self.rest[:room]
            super().data_received(part)
            if self.transport.get_protocol() is not self:  # it has become a socket
                return
        self.note_stage()

    def note_stage(self) -> None:
        """Note what the connection is doing now. A second request in the same stage begins it again."""
        theirs = self.conn.their_state
        if theirs is h11.SEND_BODY:
            stage = Stage.BODY
        elif theirs is not h11.IDLE:
            stage = Stage.ANSWER
        elif self.cycle is None or self.conn.trailing_data[0]:
            stage = Stage.HEAD
        else:
            stage = Stage.IDLE
        if self.mine and (stage is not self.mine.stage or self.cycle is not self.seen):
            self.seen = self.cycle
            self.all.move(self.mine, stage)

    def on_response_complete(self) -> None:
        """A request is answered."""
        super().on_response_complete()
        if self.transport.get_protocol() is self:
            self.feed()

    def resume_writing(self) -> None:
        """The client has taken most of what waited."""
        super().resume_writing()
        if self.mine:
            self.mine.moved = time.monotonic()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection becomes a socket, which has rules of its own."""
        super().handle_websocket_upgrade(event)
        opened = self.transport.get_protocol()
        if isinstance(opened, PingingProtocol) and not opened.handshake_initiated:
            self.transport.write(NO_UPGRADE)  # uvicorn would wait for another head
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, or has too big a head; nothing can be said once an answer has begun."""
        if len(self.conn.trailing_data[0]) >= self.most:
            message = Message(
                "refusal.head_of_request_is", "the head of the request is bigger than {most} bytes", most=self.most
            )
            self.say_last(refusal("431 Request Header Fields Too Large", Problem("too_big", message, where="head")))
        else:
            self.say_last(NO_HTTP)

    def give_up(self) -> None:
        """Nobody is there, or somebody who wants us to wait."""
        self.say_last(TOO_LATE)

    def say_last(self, answer: bytes) -> None:
        """Close the connection, with this answer if no other has begun."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(answer)
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        if self.mine:
            self.all.leave(self.mine)
            self.mine = None  # it knows us too: the search for such rings in memory holds up everybody
        super().connection_lost(exc)


class PingingProtocol(WebSocketsSansIOProtocol):
    """uvicorn's socket, which remembers how long its last pings took.

    uvicorn's settings say how often to ping, but neither it nor ASGI tells how long an answer took: so we look inside.
    """

    mine: Connection | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection that was HTTP until now."""
        super().connection_made(transport)
        self.all = connections_of(self.config)
        self.mine = self.all.open.get(transport)
        if self.mine:
            self.mine.is_leaving = lambda: self.close_sent or self.transport.is_closing()
            self.all.move(self.mine, Stage.SOCKET)

    def handle_connect(self, event: Request) -> None:
        """A socket opens; its scope carries the round trips."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            cast("dict[str, Any]", self.scope)[TRIPS] = deque(maxlen=LAST)

    def handle_pong(self, event: Frame) -> None:
        """An answer; one that nobody waited for says nothing."""
        waited = self.pending_ping_payload is not None
        super().handle_pong(event)
        if waited and self.pending_ping_payload is None:
            cast("dict[str, Any]", self.scope)[TRIPS].append(self.last_ping_rtt)

    def resume_writing(self) -> None:
        """The client has taken most of what waited."""
        super().resume_writing()
        if self.mine:
            self.mine.moved = time.monotonic()

    def keepalive_timeout(self) -> None:
        """A ping was not answered: nobody is there who would read a close."""
        if self.mine:
            self.all.cut(self.mine, "silent")

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        if self.mine:
            self.all.leave(self.mine)
            self.mine = None  # it knows us too: the search for such rings in memory holds up everybody
        super().connection_lost(exc)


def lag_ms(scope: MutableMapping[str, Any]) -> int:
    """Half the median of the last round trips of a socket, in milliseconds; 0 before the first."""
    trips = scope.get(TRIPS)
    return round(500 * statistics.median(trips)) if trips else 0
