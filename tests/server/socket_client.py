"""A socket as the page uses it, and what the page makes of events."""

from __future__ import annotations

import json
import time
from typing import Any, Self

from pydantic import TypeAdapter
from websockets import Origin
from websockets.sync.client import ClientConnection, connect

from purlieu.server.wire.frames import ServerFrame

from .site import Person

FRAMES: TypeAdapter[ServerFrame] = TypeAdapter(ServerFrame)
ALIVE = ("here", "thinking")
"""Frames that are hints and no part of the log."""


class Socket:
    """A person's open board."""

    def __init__(
        self, person: Person, game: str, since: int | None = None, *, hello: bool = True, **headers: str
    ) -> None:
        url = f"{person.site.url.replace('http', 'ws', 1)}/api/games/{game}/socket"
        sent = {"Cookie": person.cookie, **headers} if person.cookie else headers
        origin = sent.pop("Origin", person.site.url)
        self.opened = connect(
            url,
            origin=Origin(origin) if origin else None,
            additional_headers=sent,
            compression=None,
            max_size=None,
            proxy=None,
        )
        self.connection: ClientConnection = self.opened.__enter__()
        if hello:
            self.send(t="hello", proto=1, game=game, since=since)
            self.welcome = self.expect("welcome")

    def send(self, **frame: Any) -> None:
        """One frame."""
        self.connection.send(json.dumps(frame))

    def read(self, seconds: float) -> Any:
        """The next frame, which must be as the description says."""
        text = self.connection.recv(timeout=seconds)
        FRAMES.validate_json(text, strict=True)
        return json.loads(text)

    def receive(self, seconds: float = 20) -> Any:
        """The next frame, hints left out."""
        until = time.monotonic() + seconds
        while True:
            frame = self.read(max(0.01, until - time.monotonic()))
            if frame["t"] not in ALIVE:
                return frame

    def hint(self, kind: str) -> Any:
        """The next hint of that kind."""
        while (frame := self.read(20))["t"] != kind:
            continue
        return frame

    def expect(self, kind: str) -> Any:
        """The next frame, which must be of that kind."""
        frame = self.receive()
        assert frame["t"] == kind, frame
        return frame

    def ask(self, **frame: Any) -> Any:
        """Send a request; its ack or nak, whatever else comes in between."""
        self.send(**frame)
        while (answer := self.receive())["t"] not in ("ack", "nak"):
            continue
        return answer

    def close_code(self) -> int | None:
        """Read to the end, and say with which code it came."""
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                self.connection.recv(timeout=20)
        except ConnectionClosed:
            return self.connection.protocol.close_code

    def close(self) -> None:
        """Leave."""
        self.opened.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


MERGED = ("v", "epoch", "status", "result", "offer", "clock", "redo", "rematch", "paused")


def apply_event(state: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    """What the page makes of an event: the few lines that docs/design/0006-web.md promises are enough."""
    assert event["v"] == state["v"] + 1
    after = {**state, **{name: event[name] for name in MERGED}}
    match event["kind"]:
        case "move":
            after["moves"] = [*state["moves"], event["data"]["move"]]
        case "undo":
            after["moves"] = state["moves"][: event["data"]["ply"]]
        case "redo":
            after["moves"] = state["moves"] + event["data"]["moves"]
        case "join":
            seat = event["seat"]
            after["seats"] = {**state["seats"], seat: {**state["seats"][seat], "claimed": True}}
            after["invite"] = None
    if event["view"]:
        after["view"] = event["view"]
    return after


def settled(state: dict[str, Any]) -> dict[str, Any]:
    """The state without what is no part of the log: who is here, thinking, and what time it is."""
    seats = {name: {**seat, "here": None} for name, seat in state["seats"].items()}
    clock = state["clock"] and {**state["clock"], "now_ms": None, "remaining_ms": None}
    return {**state, "seats": seats, "clock": clock, "thinking": None}
