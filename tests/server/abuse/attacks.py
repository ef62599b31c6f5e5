"""The hostile clients, each a process that attacks while its parent says so, from addresses of its own.

An attack prepares itself, says that it is ready, and goes on until it is ended. It paces itself: it takes a small
part of a processor, so that what the players feel comes from the server.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import re
import resource
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from purlieu.core import core

from . import served
from .victims import SQUARES
from .wire import BINARY, LOST, Board, Wire, dial, head_of, is_open, packed, upgrade

PREFIX = "127.9."
"""How all addresses of attackers begin."""
REFUSED_SECONDS = 0.25
"""How soon a client that was refused asks again."""
SMALL_BUFFER = 2048
RECORD_BYTES = 144 * 1024
WATCHERS, SPAMMERS = 100, 20
MOST_COMPUTER_GAMES = 500

Asking = tuple[str, str, Any]
"""Method, path and body of a request."""


def address(number: int = 0) -> str:
    """One of the attackers' addresses."""
    return f"{PREFIX}{number + 1}.1"


@dataclass
class Target:
    """The server, what the attack needs to know, and what came of it."""

    port: int
    folder: Path
    share: float = 0.1
    """How much of a processor the control burns."""
    silent: int = 2000
    """How many connections say nothing."""
    tally: Counter[str] = field(default_factory=Counter)
    oldest: float = 0.0
    """How long the oldest connection lasted or has lasted, in seconds."""
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    began: asyncio.Event = field(default_factory=asyncio.Event)
    holding: bool = False
    """Whether the attack goes on holding what it has, and asks for nothing more."""

    async def go(self) -> None:
        """All is prepared: wait until the window begins."""
        self.ready.set()
        await self.began.wait()


# -- asking too often -------------------------------------------------------------------------------


async def flood(
    target: Target, requests: Iterator[Asking], clients: int, *, pause: float = 0.0, addresses: int = 1
) -> None:
    """Ask over so many connections, again and again. A refusal is waited out for a moment."""

    async def client(number: int) -> None:
        wire = Wire(target.port, address(number % addresses))
        while True:
            try:
                status, _ = await wire.ask(*next(requests))
                target.tally[str(status)] += 1
                await asyncio.sleep(REFUSED_SECONDS if status in (413, 422, 429, 503) else pause)
            except LOST as error:
                target.tally[type(error).__name__] += 1
                await asyncio.sleep(REFUSED_SECONDS)

    await target.go()
    await asyncio.gather(*(client(number) for number in range(clients)))


def long_bodies(target: Target, **more: Any) -> Iterator[dict[str, Any]]:
    """Long lines of Pyloff 19, each cut somewhere else, so that no answer is kept from before."""
    lines, chance = served.long_lines(target.folder), random.Random(1)
    while True:
        line = chance.choice(lines)
        yield {"game": "pyloff", "size": 19, "moves": line[: len(line) - chance.randrange(100)], **more}


async def long_game(target: Target) -> None:
    """Games that begin with thousands of moves."""
    seats = {"first": {"kind": "me"}, "second": {"kind": "link"}}
    await flood(target, (("POST", "/api/games", body) for body in long_bodies(target, seats=seats)), 2)


async def long_views(target: Target) -> None:
    """Eighty at once: the last view of a long line, and two hundred of its views."""

    def asking() -> Iterator[Asking]:
        for number, body in enumerate(long_bodies(target)):
            yield "POST", "/api/views", body | ({"last_only": True} if number % 4 else {"first_ply": 2600})

    await flood(target, asking(), 80, pause=0.1)


async def long_look(target: Target) -> None:
    """A hand over the board at the end of a long line."""
    requests = (("POST", "/api/look", body) for body in long_bodies(target, move="a1"))
    await flood(target, requests, 8, pause=0.02)


async def long_record(target: Target) -> None:
    """Records with several long games."""
    games = [f'[Game "Pyloff"]\n[Size "19"]\n\n{" ".join(line)} *\n\n' for line in served.long_lines(target.folder)]
    text = ""
    while len(text) + len(games[0]) < RECORD_BYTES:
        text += games[len(text) % len(games)]
    await flood(target, itertools.repeat(("POST", "/api/records", {"text": text})), 2, pause=0.05)


async def cold_loads(target: Target) -> None:
    """Long games that the server has to load, one after the other."""
    ids = itertools.cycle(served.cold_ids())
    await flood(target, (("GET", f"/api/games/{game}", None) for game in ids), 2, pause=0.02)


async def pictures(target: Target, clients: int) -> None:
    """Pictures of all positions of a game, each client from an address of its own."""
    wire, seats = Wire(target.port, address()), {"first": {"kind": "me"}, "second": {"kind": "link"}}
    line = [str(move) for move in some_moves("pyloff", 10, 200)]
    made = await wire.made("/api/games", {"game": "pyloff", "size": 10, "seats": seats, "moves": line})
    wire.close()
    paths = (
        f"/api/games/{made['id']}/picture.png?ply={ply}&theme={theme}"
        for ply, theme in itertools.cycle(itertools.product(range(200, 0, -1), ("light", "dark", "auto")))
    )
    await flood(target, (("GET", path, None) for path in paths), clients, addresses=clients)


async def analyses(target: Target) -> None:
    """Six addresses that each ask for two long analyses at once."""
    bodies = (
        {"game": "pilo", "size": 8, "moves": random.sample(SQUARES, 10), "seconds": 10} for _ in itertools.count()
    )
    await flood(target, (("POST", "/api/analyse", body) for body in bodies), 12, addresses=6)


async def computer_games(target: Target) -> None:
    """Five hundred games in which the computer owes the first move, in sessions of four addresses."""
    seats = {"first": {"kind": "computer", "level": 9}, "second": {"kind": "me"}}
    kinds = itertools.cycle((("petrify", 8), ("pilo", 10), ("pentwall", 10), ("pyloff", 10)))

    def asking() -> Iterator[Asking]:
        for game, size in kinds:
            while target.tally["201"] >= MOST_COMPUTER_GAMES:
                yield "GET", "/api/catalogue", None
            yield "POST", "/api/games", {"game": game, "size": size, "seats": seats}

    await flood(target, asking(), 8, pause=0.05, addresses=4)


def some_moves(game: str, size: int, most: int) -> list[str]:
    """Random legal moves from the start of a game."""
    chance, position = random.Random(1), core().Position.start(game, size)
    moves: list[str] = []
    while len(moves) < most and not position.is_over:
        moves.append(chance.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves


# -- holding on to connections ----------------------------------------------------------------------


async def hold(
    target: Target,
    open_one: Callable[[], Awaitable[asyncio.StreamWriter]],
    go_on: Callable[[asyncio.StreamWriter], Awaitable[None]],
    every: float,
) -> None:
    """Keep a connection, `go_on` with it now and then, and open another when it has ended."""
    await asyncio.sleep(random.random())
    while True:
        try:
            async with asyncio.timeout(5):
                writer = await open_one()
        except LOST as error:
            target.tally[type(error).__name__] += 1
            await asyncio.sleep(1)
            continue
        begun = time.monotonic()
        target.tally["opened"] += 1
        try:
            while is_open(writer):
                await asyncio.sleep(every)
                target.oldest = max(target.oldest, time.monotonic() - begun)
                await go_on(writer)
        except LOST:
            target.tally["broken"] += 1
        finally:
            writer.transport.abort()
        while target.holding:
            await asyncio.sleep(1)


async def nothing(_: asyncio.StreamWriter) -> None:
    """Say nothing."""


async def silent(target: Target) -> None:
    """Two thousand connections from one address that say nothing."""

    async def open_one() -> asyncio.StreamWriter:
        return (await dial(target.port, address()))[1]

    keeping = [asyncio.create_task(hold(target, open_one, nothing, 1.0)) for _ in range(target.silent)]
    async with asyncio.timeout(20):
        while target.tally["opened"] < target.silent * 0.4:
            await asyncio.sleep(0.1)
    await target.go()
    await asyncio.gather(*keeping)


async def trickle(target: Target) -> None:
    """GETs whose bodies come a byte a second, and heads that never end."""
    heads = [
        head_of("GET", "/healthz", {"Host": "localhost", "Content-Length": "100000"}),
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-More: ",
    ]

    async def one(number: int) -> None:
        async def open_one() -> asyncio.StreamWriter:
            writer = (await dial(target.port, address(number % 4)))[1]
            writer.write(heads[number % 2])
            return writer

        await hold(target, open_one, trickled, 1.0)

    async def trickled(writer: asyncio.StreamWriter) -> None:
        writer.write(b"a")
        await writer.drain()

    await target.go()
    await asyncio.gather(*(one(number) for number in range(200)))


async def unread_answers(target: Target) -> None:
    """Large answers that nobody reads."""
    wire = Wire(target.port, address())
    page = (await wire.ask("GET", "/"))[1]
    wire.close()
    scripts = re.findall(rb'src="(/assets/[^"]+)"', page)
    path = scripts[0].decode() if scripts else "/api/pentwall/placements"
    request = head_of("GET", path, {"Host": "localhost"})

    async def one(number: int) -> None:
        async def open_one() -> asyncio.StreamWriter:
            writer = (await dial(target.port, address(number % 4), SMALL_BUFFER))[1]
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(request * 4)
            return writer

        await hold(target, open_one, nothing, 0.5)

    await target.go()
    await asyncio.gather(*(one(number) for number in range(100)))


async def never_read(target: Target) -> None:
    """A hundred watchers of a busy game that never read, and twenty more that ask for its state all the time."""
    wire = Wire(target.port, address(20))
    token = (await wire.made("/api/session", {"bearer": True}))["token"]
    wire = Wire(target.port, address(20), token)
    seats, line = {"first": {"kind": "me"}, "second": {"kind": "me"}}, some_moves("pyloff", 10, 360)
    made = await wire.made("/api/games", {"game": "pyloff", "size": 10, "seats": seats, "moves": line[:40]})
    game = made["id"]

    async def watch(number: int) -> None:
        async def open_one() -> asyncio.StreamWriter:
            board = await Board.open(target.port, address(number % 8), game, buffer=SMALL_BUFFER)
            board.writer.transport.pause_reading()  # type: ignore[attr-defined]
            return board.writer

        async def spam(writer: asyncio.StreamWriter) -> None:
            if number >= WATCHERS and not target.holding:
                writer.write(packed(b'{"t":"sync"}'))

        await hold(target, open_one, spam, 0.25)

    async def move() -> None:
        for ply, text in enumerate(line[40:], start=41):
            status, _ = await wire.ask("POST", f"/api/games/{game}/moves", {"ply": ply, "move": text})
            target.tally[f"move {status}"] += 1
            await asyncio.sleep(0.2)
            while target.holding:
                await asyncio.sleep(1)

    keeping = [asyncio.create_task(watch(number)) for number in range(WATCHERS + SPAMMERS)]
    async with asyncio.timeout(20):
        while target.tally["opened"] < WATCHERS:
            await asyncio.sleep(0.1)
    await target.go()
    await asyncio.gather(move(), *keeping)


# -- nonsense ---------------------------------------------------------------------------------------


def hostile_heads(port: int) -> list[bytes]:
    """Requests that no browser sends."""
    own, body = {"Host": f"127.0.0.1:{port}"}, b'{"bearer":true}'
    post = own | {"Content-Type": "application/json", "Content-Length": str(len(body))}
    origins = ("http://[", "http://[::1", "null", "http://127.0.0.1:99999999", "//", "http://a@127.0.0.1", "\x7f")
    hosts = ("localhost/evil", "user@localhost", "[", "", "a" * 9000, "127.0.0.1:port", "localhost:8000@evil")
    return [
        *(head_of("POST", "/api/session", post | {"Origin": origin}) + body for origin in origins),
        *(upgrade(port, "aaaaaaaaaaaaaaaa", Origin=origin) for origin in origins),
        *(head_of("GET", "/", {"Host": host}) for host in hosts),
        *(head_of("GET", "/", own | {"X-Long": "a" * size}) for size in (15_000, 20_000, 45_000, 300_000)),
        head_of("GET", "/", own | {f"X-{number}": "a" for number in range(3000)}),
        head_of("DELETE", "/api/games", own),
        head_of("GET", "/" + "%2e%2e/" * 200, own),
        head_of("POST", "/api/look", post | {"Content-Length": "-1"}),
        head_of("POST", "/api/look", post | {"Transfer-Encoding": "chunked"}) + b"zz\r\n",
        head_of("POST", "/api/look", post | {"Content-Length": "100000"}) + b"[" * 60_000,
        head_of("GET", "/assets/x", own | {"Range": "bytes=" + ",".join(["0-1"] * 2000)}),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
        b"GET / HTTP/9.9\r\n\r\n",
        b"\0" * 5000,
    ]


HOSTILE_FRAMES = [
    packed(b"\xff\xfe"),
    packed(b"{" * 8000),
    packed(b"[" * 20_000),
    packed(b"{}", BINARY),
    packed(b'{"t":"move","rid":1,"ply":99999999999999999999,"move":"a1"}'),
    packed(b'{"t":"move","rid":1,"ply":1,"move":"\\ud800"}'),
    packed(b"a", 3),
    packed(b"half", final=False) * 40,
    packed(b"a" * 200, 9),
    packed(b"\x03\xe7", 8),
    b"\xff\xff" + b"\xff" * 12,
]


async def garbage(target: Target) -> None:
    """Nonsense in heads and in frames, over connections that are dropped in the middle of it."""
    wire, seats = Wire(target.port, address()), {"first": {"kind": "me"}, "second": {"kind": "link"}}
    game = (await wire.made("/api/games", {"game": "pilo", "size": 8, "seats": seats}))["id"]
    wire.close()
    heads = itertools.cycle(hostile_heads(target.port))
    frames = itertools.cycle(HOSTILE_FRAMES)

    async def client(number: int) -> None:
        while True:
            try:
                if number:
                    reader, writer = await dial(target.port, address(number))
                    writer.write(next(heads))
                else:
                    board = await Board.open(target.port, address(number), game)
                    reader, writer = board.reader, board.writer
                    writer.write(next(frames) * 2)
                try:
                    async with asyncio.timeout(0.2):
                        answer = await reader.read(12)
                finally:
                    writer.transport.abort()
                target.tally[answer[9:12].decode("ascii", "replace") or "closed"] += 1
            except LOST as error:
                target.tally[type(error).__name__] += 1
            await asyncio.sleep(0.05)

    await target.go()
    await asyncio.gather(*(client(number) for number in range(6)))


async def burn(target: Target) -> None:
    """The control: as much of a processor as the attackers take, and not a word to the server."""
    await target.go()
    while True:
        until = time.perf_counter() + target.share * 0.02
        while time.perf_counter() < until:
            pass
        await asyncio.sleep((1 - target.share) * 0.02)


# -- all of them ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Attack:
    """An attack, and what measuring it needs."""

    run: Callable[[Target], Awaitable[None]]
    files: int | None = None
    """How many descriptors the server may have."""
    cold: bool = False
    """Whether the server's database holds long games that are not loaded yet."""
    computer: bool = False
    """Whether somebody plays and asks the computer, in both kinds of windows."""
    neighbour: bool = False
    """Whether somebody at the attacker's own address opens the page."""
    gone_within: float | None = None
    """How soon the connections of clients that the server has dropped, or should have, have to be gone."""


ATTACKS: dict[str, Attack] = {
    "long-game": Attack(long_game),
    "long-views": Attack(long_views),
    "long-record": Attack(long_record),
    "long-look": Attack(long_look),
    "pictures-1": Attack(lambda target: pictures(target, 1)),
    "pictures-8": Attack(lambda target: pictures(target, 8)),
    "cold-loads": Attack(cold_loads, cold=True),
    "analyses": Attack(analyses, computer=True),
    "computer-games": Attack(computer_games, computer=True),
    "silent": Attack(silent, files=1024, neighbour=True),
    "never-read": Attack(never_read, gone_within=15.0),
    "unread-answers": Attack(unread_answers, gone_within=30.0),
    "trickle": Attack(trickle, gone_within=30.0),
    "garbage": Attack(garbage),
    "burn": Attack(burn),
}
"""The last one is the control."""


async def attack_main(control: Connection, name: str, target: Target) -> None:
    """Attack until the parent says ``end`` or goes away; then say what came of it."""
    attacking = asyncio.ensure_future(ATTACKS[name].run(target))
    ended = asyncio.Event()

    def hear() -> None:
        try:
            word = control.recv()
        except EOFError:
            raise SystemExit from None  # the parent is gone
        if word == "begin":
            target.began.set()
        elif word == "hold":
            target.holding = True
        else:
            ended.set()

    asyncio.get_running_loop().add_reader(control.fileno(), hear)
    prepared, ending = asyncio.create_task(target.ready.wait()), asyncio.create_task(ended.wait())
    await asyncio.wait([attacking, prepared], return_when=asyncio.FIRST_COMPLETED)
    if prepared.done():
        control.send("ready")
        await asyncio.wait([attacking, ending], return_when=asyncio.FIRST_COMPLETED)
    if attacking.done():
        attacking.result()
    control.send({"oldest_s": round(target.oldest, 1), **target.tally})
    # The parent kills this process; connections end with it, whatever state they are in.
    await asyncio.sleep(60)


def attack(control: Connection, name: str, port: int, folder: str, share: float) -> None:
    """What an attacker's process runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
    asyncio.run(attack_main(control, name, Target(port, Path(folder), share)))
