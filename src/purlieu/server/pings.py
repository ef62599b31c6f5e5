"""How far away somebody is: the round trips of the pings that we send. Nobody's own word is taken for it."""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import MutableMapping
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

EVERY_SECONDS = 5.0
LAST = 5
TRIPS = "purlieu.trips"


class PingingProtocol(WebSocketsSansIOProtocol):
    """uvicorn's socket, which remembers how long its last pings took.

    uvicorn's settings say how often to ping, but neither it nor ASGI tells how long an answer took: so we look inside.
    """

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


def lag_ms(scope: MutableMapping[str, Any]) -> int:
    """Half the median of the last round trips of a socket, in milliseconds; 0 before the first."""
    trips = scope.get(TRIPS)
    return round(500 * statistics.median(trips)) if trips else 0
