"""Requests and frames that are nearly right, and some that are not even that; a server has no fault for any of them."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..kill_loop import audit
from .attacks import HOSTILE_FRAMES, hostile_heads
from .served import Served, fresh_database
from .victims import SQUARES
from .wire import BINARY, LOST, Board, Closed, Wire, dial, head_of, packed

CLIENTS = 8
BATCH = 50
PATIENCE_SECONDS = 30.0
RAW_SHARE = 0.1
"""The part of the requests that are sent as bytes over connections of their own, and of the frames likewise."""
ENDING_SHARE = 0.01
"""What ends a socket, as a second hello and bytes that are no text do, is rare, so that most frames are read."""
CODES = (1000, 1002, 1003, 1007, 1008, 1009, 1013, 4001, 4002)
"""How the server may close a socket; 1011 is a fault."""
ME, LINK = {"kind": "me"}, {"kind": "link"}

ODD: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 1e-9, 1e308, 2**31, 2**53, 2**63, 10**400, float("nan"), float("inf")),
    *("", " ", "a" * 41, "a" * 5000, "\0", "\ud800", "\u202e", "ａ１", "c3\n", "c3 ", "C3", "pass", "swap", "1", "-"),
    *("'; DROP TABLE game; --", "<script>", "../../etc/passwd", "%00", "c3xf6", "2c3", "Wc3d3d4e4e5", "petrify"),
    *([], {}, [[]], [None], [1], {"": {}}, ["c3", "c3"], ["c3"] * 300, {"kind": "computer", "level": 10}),
]
ODD_HEADERS = [
    ("Origin", "http://["), ("Origin", "null"), ("Origin", "http://evil.example"), ("Host", "localhost/evil"),
    ("Host", "["), ("Content-Type", "text/plain"), ("Content-Type", ""), ("Content-Encoding", "gzip"),
    ("Authorization", "Bearer"), ("Authorization", "Basic YTpi"), ("Authorization", "Bearer " + "é" * 43),
    ("Cookie", "purlieu=" + "a" * 43), ("Cookie", "purlieu=\x80; =; ;;"), ("Idempotency-Key", "a" * 8),
    ("Idempotency-Key", "a" * 300), ("Accept-Encoding", "gzip;q=x,,"), ("Accept", "text/html"), ("Range", "bytes=9-1"),
    ("X-Forwarded-For", "[::1]:99, 999.1.1.1,,"), ("Forwarded", "for=\"[::\""), ("Sec-Fetch-Site", "cross-site"),
    ("Expect", "100-continue"), ("Content-Length", "1_0"), ("If-None-Match", "*"), ("X-Long", "a" * 12_000),
]  # fmt: skip

ODD_ENDS = ("/", "?", "?ply=-1", "?ply=99999999999", "?since=x", "?theme=%00", "/..", "%2f", "%ff")
ODD_PARTS = ("", "..", "%2e%2e", "a" * 3000, "%00", "%C0%AF", "é", "\x7f")


@dataclass
class Found:
    """What came of the fuzzing."""

    requests: Counter[str] = field(default_factory=Counter)
    frames: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    """Everything that must not be, each in a line."""
    tracebacks: int = 0

    def fault(self, what: str, sent: object) -> None:
        """Note a fault, with the end of what caused it."""
        if len(self.faults) < 50:
            self.faults.append(f"{what}: {str(sent)[:400]}")


# -- requests ---------------------------------------------------------------------------------------


def requests(games: list[str]) -> list[tuple[str, str, Any]]:
    """One right request for each thing that can be asked."""
    line = {"game": "pilo", "size": 8, "moves": SQUARES[:6]}
    setups: list[tuple[str, str, Any]] = [
        ("POST", "/api/views", line | {"last_only": False, "first_ply": 2}),
        ("POST", "/api/views", {"game": "petrify", "from": "petrify 8/8/8/8/8/8/8/8 ply=0", "moves": ["c3"]}),
        ("POST", "/api/look", line | {"move": "h8"}),
        ("POST", "/api/analyse", line | {"seconds": 0.01, "level": 9}),
        ("POST", "/api/analyse", line | {"level": 1}),
        ("POST", "/api/records", {"text": '[Game "Pilo"]\n[Size "8"]\n\n1. c3 d4 2. e5 {hello} (2. f6 $1) *\n'}),
        ("POST", "/api/records/text", {"text": '{"game":"pilo","moves":["c3",{"move":"d4","marks":["!"]}]}'}),
        ("POST", "/api/games", {"game": "pyloff", "size": 5, "seats": {"first": ME, "second": LINK}}),
        ("POST", "/api/games", {"game": "pentwall", "seats": {"first": ME, "second": ME}, "moves": []}),
        ("POST", "/api/games",
         {"game": "pilo", "seats": {"first": ME, "second": {"kind": "computer", "level": 1}},
          "clock": {"mode": "fischer", "minutes": 5.0, "increment": 3.0}}),
        ("POST", "/api/session", {"bearer": True}),
        *(("GET", path, None) for path in ("/", "/g/abc", "/favicon.svg", "/api/catalogue", "/healthz", "/readyz")),
        *(("GET", path, None) for path in ("/metrics", "/api/docs.json", "/assets/x.js", "/api/nothing", "/nothing")),
    ]  # fmt: skip
    for game in games:
        at = f"/api/games/{game}"
        setups += [
            *(("GET", at + part, None) for part in ("", "/events?since=0", "/record", "/picture.svg?ply=1&theme=dark")),
            *(("POST", at + "/moves", {"ply": ply, "move": "c3"}) for ply in (1, 2, 3)),
            ("POST", at + "/acts", {"kind": "undo", "at": 1}),
            ("POST", at + "/join", {"token": "a" * 43}),
            ("POST", at + "/handover", None),
            ("POST", at + "/only-here", None),
        ]
    return setups


def spoiled(chance: random.Random, value: Any) -> Any:
    """The value with one thing in it changed."""
    if not isinstance(value, dict | list) or not value or chance.random() < 0.1:
        return chance.choice(ODD)
    if isinstance(value, list):
        changed = list(value)
        at = chance.randrange(len(changed))
        match chance.randrange(3):
            case 0:
                changed[at] = spoiled(chance, changed[at])
            case 1:
                changed.insert(at, chance.choice(ODD))
            case _:
                del changed[at]
        return changed
    key = chance.choice(list(value))
    match chance.randrange(5):
        case 0:
            return {name: part for name, part in value.items() if name != key}
        case 1:
            return value | {chance.choice(("x", "", "game", "seats", "from", "__proto__", "é")): chance.choice(ODD)}
        case _:
            return value | {key: spoiled(chance, value[key])}


def mangled(chance: random.Random, data: bytes) -> bytes:
    """The bytes with a few of them changed, lost or doubled."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        some = bytes(chance.randrange(256) for _ in range(chance.randint(0, 3)))
        data = data[:at] + some + data[at + chance.randint(0, 8) :]
    return data


def fuzzed(chance: random.Random, right: tuple[str, str, Any]) -> tuple[str, str, bytes | None, dict[str, str]]:
    """Method, path, body and headers of a request that is wrong in about one place."""
    method, path, body = right
    headers: dict[str, str] = {}
    data = None if body is None else json.dumps(body).encode()
    match chance.randrange(12):
        case 0:
            method = chance.choice(("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "BREW", "get"))
        case 1:
            path += chance.choice(ODD_ENDS)
        case 2:
            parts = path.split("/")
            parts[chance.randrange(1, len(parts))] = chance.choice(ODD_PARTS)
            path = "/".join(parts)
        case 3 | 4:
            name, value = chance.choice(ODD_HEADERS)
            headers[name] = value.encode("utf-8", "surrogateescape").decode("latin-1")
        case 5 if data:
            data = mangled(chance, data)
        case 6 if data:
            data = chance.choice((b"", b"[" * 1000, b'{"a":' * 200, b"\xef\xbb\xbf" + data, data + b" x", data * 2))
        case _ if body is not None:
            data = json.dumps(spoiled(chance, body)).encode()
    return method, path, data, headers


async def fuzz_requests(port: int, many: int, found: Found, seed: int = 1) -> None:
    """So many requests, over several connections at once."""
    token = await session(port, "127.4.1.1")
    wire = Wire(port, "127.4.1.1", token)
    games = [await new_game(wire, kind) for kind in ("petrify", "pilo", "pentwall", "pyloff")]
    wire.close()
    right = requests(games)

    async def client(number: int) -> None:
        chance, wire = random.Random(f"{seed} {number}"), Wire(port, "127.4.1.1", token if number % 2 else None)
        for _ in range(many // CLIENTS):
            method, path, data, headers = fuzzed(chance, chance.choice(right))
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    if chance.random() < RAW_SHARE:
                        status = await raw(chance, port, method, path, data, headers)
                    else:
                        status = str((await wire.ask(method, path, data, headers))[0])
            except TimeoutError:
                wire.close()
                status = "no answer"
                found.fault(status, (method, path, headers, data))
            except LOST:
                wire.close()
                status = "closed"
            found.requests[status] += 1
            if status[:1] == "5" and status != "503":
                found.fault(status, (method, path, headers, data))
        wire.close()

    await asyncio.gather(*(client(number) for number in range(CLIENTS)))


async def raw(
    chance: random.Random, port: int, method: str, path: str, data: bytes | None, headers: dict[str, str]
) -> str:
    """Send a mangled request, or a hostile head, and then nothing more; what the server makes of it."""
    sent = {"Host": f"127.0.0.1:{port}", "Content-Type": "application/json", "Content-Length": str(len(data or b""))}
    whole = head_of(method, path, sent | headers) + (data or b"")
    reader, writer = await dial(port, "127.4.2.1")
    try:
        writer.write(mangled(chance, whole) if chance.random() < 0.7 else chance.choice(hostile_heads(port)))
        writer.write_eof()
        answer = await reader.read(100)
        status = re.match(rb"HTTP/1.1 (\d\d\d)", answer)
        return status[1].decode() if status else "closed"
    finally:
        writer.transport.abort()


async def session(port: int, source: str) -> str:
    """The token of a new session."""
    wire = Wire(port, source)
    try:
        return str((await wire.made("/api/session", {"bearer": True}))["token"])
    finally:
        wire.close()


async def new_game(wire: Wire, kind: str) -> str:
    """A game that the caller plays with itself."""
    made = await wire.made("/api/games", {"game": kind, "seats": {"first": ME, "second": ME}})
    return str(made["id"])


# -- frames -----------------------------------------------------------------------------------------


def frames(ply: int) -> list[dict[str, Any]]:
    """One right frame of each kind, more or less."""
    return [
        {"t": "move", "rid": ply, "ply": ply, "move": SQUARES[ply % 64]},
        {"t": "move", "rid": f"r{ply}", "ply": ply + 1, "move": SQUARES[(ply * 7) % 64], "hash": "0" * 32},
        *({"t": "act", "rid": ply, "kind": kind, "at": ply} for kind in ("undo", "redo", "draw", "resign", "rematch")),
        {"t": "sync"},
        {"t": "p", "ms": 1.5},
    ]


async def fuzz_frames(port: int, many: int, found: Found, seed: int = 1) -> None:
    """So many frames, over several sockets at once. After each batch a ping is answered, or the socket closed."""

    async def client(number: int) -> None:
        chance, token = random.Random(f"{seed} {number}"), await session(port, "127.4.3.1")
        wire, left = Wire(port, "127.4.3.1", token), many // CLIENTS
        game = ""
        for turn in itertools.count():
            if turn % 10 == 0:
                game = await new_game(wire, ("pilo", "petrify", "pentwall", "pyloff")[turn // 10 % 4])
            batch = [one_frame(chance, port) for _ in range(min(BATCH, left))]
            if not batch:
                break
            left -= len(batch)
            found.frames["sent"] += len(batch)
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await converse(port, game, token, batch, found)
            except Closed as end:
                found.frames[f"closed {end.code}"] += 1
                if end.code not in CODES:
                    found.fault(f"closed {end.code}", batch)
            except TimeoutError:
                found.frames["no answer"] += 1
                found.fault("no answer", batch)
            except LOST as error:
                found.frames[type(error).__name__] += 1
        wire.close()

    await asyncio.gather(*(client(number) for number in range(CLIENTS)))


def one_frame(chance: random.Random, port: int) -> bytes:
    """A frame as bytes."""
    luck = chance.random()
    right = json.dumps(chance.choice(frames(chance.randint(1, 12)))).encode()
    if luck < ENDING_SHARE:
        hello = json.dumps({"t": "hello", "proto": chance.choice((0, 1, 2)), "since": 1}).encode()
        noise = packed(mangled(chance, right), chance.choice((1, BINARY)))
        return chance.choice((packed(hello), noise, *HOSTILE_FRAMES))
    if luck < RAW_SHARE:
        return packed(bytes(letter & 127 for letter in mangled(chance, right)))
    if luck < 2 * RAW_SHARE:
        return packed(right)
    return packed(json.dumps(spoiled(chance, json.loads(right))).encode())


async def converse(port: int, game: str, token: str, batch: list[bytes], found: Found) -> None:
    """Send a batch and read until its last ping is answered. Raises Closed."""
    board = await Board.open(port, "127.4.3.1", game, token)
    try:
        for frame in batch:
            board.writer.write(frame)
        board.send(t="p", ms=-77.0)
        while True:
            frame = await board.frame()
            found.frames[frame.get("code") or frame["t"]] += 1
            if frame["t"] == "p" and frame["ms"] == -77.0:
                return
    finally:
        board.close()


# -- both -------------------------------------------------------------------------------------------


def fuzz(folder: Path, many: int, seed: int = 1) -> Found:
    """So many requests and as many frames, at a server that lets one ask as often as one can."""
    found = Found()
    folder.mkdir(parents=True, exist_ok=True)
    database = fresh_database(folder)
    served = Served(folder, database, endless=True)
    try:
        asyncio.run(fuzz_requests(served.port, many, found, seed))
        asyncio.run(fuzz_frames(served.port, many, found, seed))
        found.tracebacks = served.tracebacks()
        if not served.answers():
            found.fault("the server does not answer at the end", "")
    finally:
        served.stop()
    found.faults += audit(str(database), [])[1]
    return found
