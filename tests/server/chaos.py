"""A network that cuts, delays and splits what passes through it, and players who come back every time.

`python -m tests.server.chaos DATABASE GAMES` is the long tier, by hand.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from .socket_client import apply_event, settled

LOST = (OSError, WebSocketException, InvalidHandshake, TimeoutError, EOFError)
KINDS = {"petrify": 4, "pilo": 4, "pentwall": 10, "pyloff": 3}
PATIENCE_SECONDS = 1.0


class Proxy:
    """Stands between players and server: bytes come late, in pieces, and every now and then not at all."""

    def __init__(self, port: int, chance: random.Random) -> None:
        self.port, self.chance = port, chance
        self.cuts = 0

    async def start(self) -> asyncio.Server:
        """Listen on a port of its own."""
        return await asyncio.start_server(self.join, "127.0.0.1", 0)

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, both ways, until one side ends or the wire is cut."""
        out_reader, out_writer = await asyncio.open_connection("127.0.0.1", self.port)
        ways = [asyncio.create_task(self.pump(reader, out_writer)), asyncio.create_task(self.pump(out_reader, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for end in (writer, out_writer):
                end.transport.abort()

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hand on what comes: whole, late, in pieces; or swallow it for good, or cut the wire in the middle of it."""
        while data := await reader.read(4096):
            luck = self.chance.random()
            if luck < 0.03:
                self.cuts += 1
                writer.write(data[: self.chance.randrange(len(data))])
                await writer.drain()
                return
            if luck < 0.04:
                self.cuts += 1
                while await reader.read(4096):  # a black hole: the wire looks whole and nothing arrives
                    continue
                return
            if luck < 0.3:
                await asyncio.sleep(self.chance.random() * 0.05)
            size = self.chance.choice((1, 7, 100, 5000)) if luck < 0.6 else 5000
            for at in range(0, len(data), max(size, len(data) // 20)):
                writer.write(data[at : at + max(size, len(data) // 20)])
                await writer.drain()


@dataclass
class Bot:
    """Plays one seat to the end of the game over sockets that break."""

    url: str
    token: str
    seat: str
    chance: random.Random
    state: dict[str, Any] = field(default_factory=dict)
    connections: int = 0

    async def play(self) -> dict[str, Any]:
        """The state that it ends up with."""
        while self.state.get("status") != "over":
            self.connections += 1
            with contextlib.suppress(*LOST):
                async with connect(self.url, compression=None, proxy=None, open_timeout=2, close_timeout=0.2) as wire:
                    since = self.state.get("v")
                    await wire.send(json.dumps({"t": "hello", "proto": 1, "since": since, "token": self.token}))
                    await self.talk(wire)
        return self.state

    async def talk(self, wire: Any) -> None:
        """Hear what happened, and move when it is time; whatever is not answered soon is asked anew on a new wire."""
        while self.state.get("status") != "over":
            async with asyncio.timeout(PATIENCE_SECONDS):
                frame = json.loads(await wire.recv())
            match frame["t"]:
                case "welcome" | "state":
                    self.take(frame)
                case "ev":
                    self.state = apply_event(self.state, frame)
                case "nak":
                    assert frame["code"] in ("stale", "rate"), frame
                    self.take(frame)
                case _:
                    continue
            if self.state["status"] == "active" and self.state["view"]["to_move"] == self.seat and frame["t"] != "ack":
                await wire.send(json.dumps(self.move()))

    def take(self, frame: dict[str, Any]) -> None:
        """A whole state, or the events since what we had."""
        if "state" in frame:
            self.state = frame["state"]
        for event in frame.get("events", ()):
            self.state = apply_event(self.state, event)

    def move(self) -> dict[str, Any]:
        """Some legal move; the same one for the same turn, however often it is sent."""
        view = self.state["view"]
        chance = random.Random(f"{view['hash']}")
        legal = view["legal"] if view["legal"] is not None else placements(view)
        ply = view["ply"] + 1
        return {"t": "move", "rid": ply, "ply": ply, "move": chance.choice(legal), "hash": view["hash"]}


def placements(view: dict[str, Any]) -> list[str]:
    """Pentwall's legal moves, from the bits."""
    from base64 import b64decode

    from purlieu.server.wire.view import placement_texts

    bits = b64decode(view["placements"])
    return [text for at, text in enumerate(placement_texts()) if bits[at // 8] >> at % 8 & 1]


async def chaos(port: int, games: int, seed: int = 1) -> tuple[int, list[str]]:
    """Play so many games at once through a bad network; how often it cut, and what was wrong in the end."""
    chance = random.Random(seed)
    proxy = Proxy(port, chance)
    listening = await proxy.start()
    wrong: list[str] = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60, verify=False) as http:
        kinds = [list(KINDS)[number % len(KINDS)] for number in range(games)]
        url = f"ws://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        ends = await asyncio.gather(*(one_game(http, url, kind, chance) for kind in kinds))
    for game, states, fresh in ends:
        for state in states:
            if settled({**state, "you": None}) != settled({**fresh, "you": None}):
                wrong.append(f"{game}: a player ended with something else than the server")
    listening.close()
    await listening.wait_closed()
    return proxy.cuts, wrong


async def one_game(http: httpx.AsyncClient, url: str, kind: str, chance: random.Random) -> tuple[str, list[Any], Any]:
    """Two bots play one game; what each saw last, and what the server has."""
    tokens = [(await http.post("/api/session", json={"bearer": True})).json()["token"] for _ in range(2)]
    ana, ben = ({"Authorization": f"Bearer {token}"} for token in tokens)
    seats = {"first": {"kind": "me"}, "second": {"kind": "link"}}
    body = {"game": kind, "size": KINDS[kind], "seats": seats}
    made = (await http.post("/api/games", json=body, headers=ana)).json()
    game = made["id"]
    (await http.post(f"/api/games/{game}/join", json={"token": made["invite"]}, headers=ben)).raise_for_status()
    where = f"{url}/api/games/{game}/socket"
    bots = [Bot(where, token, seat, chance) for token, seat in zip(tokens, ("first", "second"), strict=True)]
    async with asyncio.timeout(300):
        states = list(await asyncio.gather(*(bot.play() for bot in bots)))
    return game, states, (await http.get(f"/api/games/{game}")).json()


def main() -> None:
    """The long tier."""
    from .kill_loop import free_port, start_server

    port, games = free_port(), int(sys.argv[2])
    server = start_server(sys.argv[1], port)
    cuts, wrong = asyncio.run(chaos(port, games))
    server.terminate()
    server.join()
    sys.stdout.write(f"{games} games, {cuts} cuts, {len(wrong)} wrong\n" + "".join(f"{w}\n" for w in wrong))


if __name__ == "__main__":
    main()
