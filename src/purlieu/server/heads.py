"""A connection that is opened and then says nothing, or says its head a letter a minute, is closed."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0
TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class PatientProtocol(H11Protocol):
    """uvicorn's protocol, with an end to its patience: a head has to be whole in ten seconds."""

    timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection: its first head is due."""
        super().connection_made(transport)
        self.timer = self.loop.call_later(SECONDS, self.give_up)

    def data_received(self, data: bytes) -> None:
        """Something came. While it is part of a head, the time runs; after it, uvicorn's own timers do."""
        super().data_received(data)
        in_head = self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        if not in_head:
            self.be_content()
        elif self.timer is None:
            self.timer = self.loop.call_later(SECONDS, self.give_up)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection becomes a socket, which has rules of its own."""
        self.be_content()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self.be_content()
        super().connection_lost(exc)

    def be_content(self) -> None:
        """No head is due."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def give_up(self) -> None:
        """Nobody is there, or somebody who wants us to wait."""
        self.timer = None
        if not self.transport.is_closing():
            self.transport.write(TOO_LATE)
            self.transport.close()
