"""Normal players, and a heartbeat: each a process that measures while its parent says so.

The parent sends ``begin`` and ``end``; the answer to ``end`` says what was seen in between. What is still waiting then
counts with the time that it has waited so far, so that a server that answers nobody does not look quick.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import multiprocessing
import random
import re
import select
import signal
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from typing import Any

from ..chaos import placements
from .wire import LOST, Board, Closed, Wire, cancel

KINDS = (("petrify", 8), ("pilo", 8), ("pentwall", 10), ("pyloff", 6))
ADDRESSES = 8
"""Players' addresses; each has a game of every kind."""
MOVE_SECONDS = 1.0
ASK_SECONDS = 0.25
BEAT_SECONDS = 0.01
BEATING = 16
"""Addresses of the heartbeat, so that no one of them asks often."""
PATIENCE_SECONDS = 30.0

SQUARES = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]


class Measurer:
    """A process that measures, as its parent sees it."""

    def __init__(self, main: Callable[..., None], *given: Any) -> None:
        self.control, theirs = multiprocessing.Pipe()
        spawned = multiprocessing.get_context("spawn")
        self.process = spawned.Process(target=main, args=(theirs, *given), name=main.__name__, daemon=True)
        self.process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self.process.pid or 0

    def hear(self, seconds: float = 180) -> Any:
        """What the process says next."""
        if not self.control.poll(seconds):
            raise AssertionError(f"{self.process.name} says nothing")
        try:
            return self.control.recv()
        except EOFError:
            raise AssertionError(f"{self.process.name} ended; it says above why") from None

    def say(self, word: str) -> None:
        """Send a word."""
        self.control.send(word)

    def ended(self) -> Any:
        """End the window; what was seen in it."""
        self.say("end")
        return self.hear()

    def stop(self) -> None:
        """Kill it: it holds nothing that has to be kept."""
        self.process.kill()
        self.process.join()
        self.control.close()


def quantile(values: list[float], part: float) -> float:
    """The value below which that part of the values lies; 0 if there are none."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else 0.0


def told(values: list[float]) -> dict[str, float]:
    """Times in milliseconds as a window's row holds them."""
    return {
        "n": len(values),
        "p50_ms": round(1000 * quantile(values, 0.5), 2),
        "p99_ms": round(1000 * quantile(values, 0.99), 2),
        "longest_ms": round(1000 * max(values, default=0.0), 2),
    }


class Crowd:
    """Everybody who plays, and what they saw in this window."""

    def __init__(self, port: int, options: dict[str, Any]) -> None:
        self.port, self.options = port, options
        self.games: list[str] = []
        self.begin()
        self.waiting: dict[object, tuple[str, float]] = {}
        """What has been asked and not answered: its kind, and since when."""

    def begin(self) -> None:
        """A new window."""
        self.times: dict[str, list[float]] = {}
        self.failed: Counter[str] = Counter()

    def seen(self) -> dict[str, Any]:
        """What was seen in the window."""
        now = time.perf_counter()
        times = {kind: list(values) for kind, values in self.times.items()}
        for kind, since in self.waiting.values():
            times.setdefault(kind, []).append(now - since)
        return {"failed": dict(self.failed)} | {kind: told(values) for kind, values in times.items()}

    @contextlib.contextmanager
    def timed(self, kind: str) -> Any:
        """Note how long the block takes."""
        key, begun = object(), time.perf_counter()
        self.waiting[key] = (kind, begun)
        try:
            yield
        finally:
            del self.waiting[key]
            self.times.setdefault(kind, []).append(time.perf_counter() - begun)

    async def again(self, kind: str, pause: float, ask: Callable[[], Awaitable[str | None]]) -> None:
        """Ask again and again; `ask` says what was wrong, if anything was."""
        due = time.monotonic() + random.random() * pause
        while True:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            due = max(due + pause, time.monotonic())
            wrong: str | None
            with self.timed(kind):
                try:
                    async with asyncio.timeout(PATIENCE_SECONDS):
                        wrong = await ask()
                except LOST as error:
                    wrong = type(error).__name__
            if wrong:
                self.failed[f"{kind} {wrong}"] += 1


class Table:
    """A game that somebody plays with both hands, each with the board open in a tab of its own."""

    def __init__(self, crowd: Crowd, address: str, token: str, kind: str, size: int) -> None:
        self.crowd, self.address, self.token, self.kind, self.size = crowd, address, token, kind, size
        self.chance = random.Random(f"{address} {kind}")
        self.view: dict[str, Any] = {}
        self.over = True
        self.acks: dict[str, asyncio.Future[Any]] = {}
        self.ready = asyncio.Event()

    async def play(self) -> None:
        """Game after game, and whenever a socket is lost, on new ones."""
        wire = Wire(self.crowd.port, self.address, self.token)
        game = ""
        await asyncio.sleep(self.chance.random() * MOVE_SECONDS)
        while True:
            try:
                if self.over:
                    seats = {"first": {"kind": "me"}, "second": {"kind": "me"}}
                    made = await wire.made("/api/games", {"game": self.kind, "size": self.size, "seats": seats})
                    game, self.over = made["id"], False
                    self.crowd.games.append(game)
                await self.sit(game)
            except LOST as error:
                self.crowd.failed[f"player {error if isinstance(error, Closed) else type(error).__name__}"] += 1
                await asyncio.sleep(0.5)

    async def sit(self, game: str) -> None:
        """Play over two sockets until the game is over or one of them is lost."""
        tabs: list[Board] = []
        hearing: list[asyncio.Task[None]] = []
        self.view = {}
        try:
            for _ in range(2):
                tabs.append(await Board.open(self.crowd.port, self.address, game, self.token))
                self.take(await tabs[-1].frame())
            hearing = [asyncio.create_task(self.hear(tab)) for tab in tabs]
            self.ready.set()
            moving = asyncio.create_task(self.move(tabs))
            await asyncio.wait([*hearing, moving], return_when=asyncio.FIRST_COMPLETED)
            hearing.append(moving)
            for task in hearing:
                if task.done():
                    task.result()
        finally:
            await cancel(hearing)
            for tab in tabs:
                tab.close()

    async def hear(self, tab: Board) -> None:
        """Take what comes over one socket."""
        while True:
            frame = await tab.frame()
            if frame["t"] in ("ack", "nak"):
                if (waited := self.acks.get(frame["rid"])) and not waited.done():
                    waited.set_result(frame)
            else:
                self.take(frame)

    def take(self, frame: dict[str, Any]) -> None:
        """What a frame says about the board."""
        state = frame.get("state", frame)
        if (view := state.get("view")) and view["ply"] >= self.view.get("ply", 0):
            self.view = view
            self.over = state["status"] == "over"

    async def move(self, tabs: list[Board]) -> None:
        """Move at a steady pace until the game is over, each hand on its own socket."""
        due = time.monotonic()
        while not self.over:
            ply = self.view["ply"] + 1
            legal = self.view["legal"] if self.view["legal"] is not None else placements(self.view)
            rid = f"{ply}-{self.chance.random()}"
            self.acks = {rid: asyncio.get_running_loop().create_future()}
            with self.crowd.timed("ack"):
                tabs[ply % 2].send(t="move", rid=rid, ply=ply, move=self.chance.choice(legal), hash=self.view["hash"])
                answer = await self.acks[rid]
            if answer["t"] == "nak":
                self.crowd.failed[f"player {answer['code']}"] += 1
            due = max(due + MOVE_SECONDS, time.monotonic())
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            for _ in range(500):  # the event comes with the ack, on either socket
                if self.view["ply"] >= ply or answer["t"] == "nak":
                    break
                await asyncio.sleep(0.01)


async def look(crowd: Crowd, address: str) -> None:
    """A hand over the board of a live game."""
    wire = Wire(crowd.port, address)
    wire = Wire(crowd.port, address, (await wire.made("/api/session", {"bearer": True}))["token"])
    line, seats = SQUARES[:12], {"first": {"kind": "me"}, "second": {"kind": "link"}}
    made = await wire.made("/api/games", {"game": "pilo", "size": 8, "seats": seats, "moves": line})

    async def once() -> str | None:
        body = {"game": "pilo", "size": 8, "moves": line, "move": random.choice(SQUARES)}
        status, answer = await wire.ask("POST", "/api/look", body)
        return None if status == 200 else f"{status} {answer[:60]!r}"

    async def state() -> str | None:
        status, _ = await stated.ask("GET", f"/api/games/{made['id']}")
        return None if status == 200 else str(status)

    stated = Wire(crowd.port, address, wire.headers["Authorization"].partition(" ")[2])
    async with asyncio.TaskGroup() as both:
        both.create_task(crowd.again("look", ASK_SECONDS, once))
        both.create_task(crowd.again("state", ASK_SECONDS, state))


async def newcomer(crowd: Crowd, address: str, kind: str) -> None:
    """Somebody who opens the page over a fresh connection."""

    async def once() -> str | None:
        wire = Wire(crowd.port, address)
        try:
            status, _ = await wire.ask("GET", "/")
        finally:
            wire.close()
        return None if status == 200 else str(status)

    await crowd.again(kind, 2 * ASK_SECONDS, once)


async def thinker(crowd: Crowd, address: str) -> None:
    """Somebody who asks for quick analyses, always of another position."""
    wire = Wire(crowd.port, address)

    async def once() -> str | None:
        body = {"game": "pilo", "size": 8, "moves": random.sample(SQUARES, 12), "effort": "quick"}
        status, _ = await wire.ask("POST", "/api/analyse", body)
        return None if status == 200 else str(status)

    await crowd.again("analysis", 4 * ASK_SECONDS, once)


async def rival(crowd: Crowd, address: str) -> None:
    """Somebody who plays against the computer, whose answers are timed."""
    wire = Wire(crowd.port, address)
    token = (await wire.made("/api/session", {"bearer": True}))["token"]
    wire = Wire(crowd.port, address, token)
    seats = {"first": {"kind": "me"}, "second": {"kind": "computer", "level": 2}}
    while True:
        try:
            game = (await wire.made("/api/games", {"game": "pilo", "size": 8, "seats": seats}))["id"]
            board = await Board.open(crowd.port, address, game, token)
            try:
                await against_computer(crowd, board)
            finally:
                board.close()
        except LOST as error:
            crowd.failed[f"computer {error}"] += 1
            await asyncio.sleep(1)


async def against_computer(crowd: Crowd, board: Board) -> None:
    """One game, until it is over."""
    state = (await board.frame())["state"]
    while state["status"] != "over":
        view = state["view"]
        if view["to_move"] == "first":
            ply = view["ply"] + 1
            move = random.choice([move for move in view["legal"] if move != "swap"])
            with crowd.timed("computer"):
                board.send(t="move", rid=ply, ply=ply, move=move)
                while state["view"]["ply"] <= ply and state["status"] != "over":
                    state = await next_state(board, state)
            await asyncio.sleep(ASK_SECONDS)
        else:
            state = await next_state(board, state)


async def next_state(board: Board, state: dict[str, Any]) -> dict[str, Any]:
    """The state after the next frame."""
    frame: dict[str, Any] = await board.frame()
    if frame["t"] == "nak":
        raise ValueError(frame["code"])
    return frame if frame["t"] == "ev" and frame["view"] else state


async def crowd_main(control: Connection, port: int, options: dict[str, Any]) -> None:
    """Play until the parent goes away."""
    crowd = Crowd(port, options)
    tables = []
    for number in range(1, 1 + ADDRESSES):
        address = f"127.1.{number}.1"
        wire = Wire(port, address)
        token = (await wire.made("/api/session", {"bearer": True}))["token"]
        wire.close()
        tables += [Table(crowd, address, token, *kind) for kind in KINDS]

    def hear() -> None:
        try:
            word = control.recv()
        except EOFError:
            raise SystemExit from None  # the parent is gone
        if word == "begin":
            crowd.begin()
        else:
            control.send(crowd.seen())

    async with asyncio.TaskGroup() as group:
        for table in tables:
            group.create_task(table.play())
        group.create_task(look(crowd, "127.2.1.1"))
        group.create_task(newcomer(crowd, "127.2.2.1", "page"))
        if options["neighbour"]:
            group.create_task(newcomer(crowd, options["neighbour"], "neighbour"))
        if options["computer"]:
            group.create_task(thinker(crowd, "127.2.3.1"))
            group.create_task(rival(crowd, "127.2.4.1"))
        await asyncio.gather(*(table.ready.wait() for table in tables))
        asyncio.get_running_loop().add_reader(control.fileno(), hear)
        control.send("ready")


def play(control: Connection, port: int, options: dict[str, Any]) -> None:
    """What the players' process runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(crowd_main(control, port, options))


# -- the heartbeat ----------------------------------------------------------------------------------


def beat(control: Connection, port: int) -> None:
    """What the heartbeat's process runs: /healthz every ten milliseconds; each answer is timed, whatever it says."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    request = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    lines: list[socket.socket | None] = [None] * BEATING
    times: list[float] = []
    broken, number, due = 0, 0, time.perf_counter()
    control.send("ready")
    while True:
        number = (number + 1) % BEATING
        time.sleep(max(0.0, due - time.perf_counter()))
        due = max(due + BEAT_SECONDS, time.perf_counter())
        begun, answer, line = time.perf_counter(), b"", lines[number]
        try:
            line = lines[number] = line or connected(port, f"127.3.{number + 1}.1")
            line.sendall(request)
        except OSError:
            line = lines[number] = None
            broken += 1
        while line or control.poll():
            heard: list[socket.socket | Connection] = [line, control] if line else [control]
            ready = select.select(heard, [], [])[0]
            if control in ready and control.recv() == "begin":
                times, broken = [], 0
            elif control in ready:
                late = [time.perf_counter() - begun] if line else []
                control.send({**told(times + late), "broken": broken})
            if line and line in ready:
                try:
                    data = line.recv(65536)
                except OSError:
                    data = b""
                answer += data
                if data and not is_whole(answer):
                    continue
                times.append(time.perf_counter() - begun)
                if not data or b"connection: close" in answer.lower():
                    line.close()
                    lines[number] = None
                    broken += not data
                line = None


def is_whole(answer: bytes) -> bool:
    """Whether an answer has come with all of its body."""
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
    return bool(end) and len(body) >= (int(length[1]) if length else 0)


def connected(port: int, source: str) -> socket.socket:
    """A connection from an address."""
    return socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(source, 0))
