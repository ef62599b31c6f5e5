"""How many moves a second the server stores and acks, beside a bare skeleton that does nothing but store and ack.

`python -m benchmarks.speed.server [GAMES [SECONDS [ROUNDS]]]` plays that many games at once over sockets, in turn
against the server and against the skeleton, and prints the median of the rounds. Disk and machine are the same for both
within a round, so the ratio says what our rules, views and tables cost; the absolute figures say more about the
machine.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import socket
import sqlite3
import statistics
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import connect

from benchmarks.common import machine
from purlieu.server.http.protocols import connections_of
from purlieu.server.http.run import Server, config_of
from purlieu.server.settings import Limits, Settings

SQUARES = [f"{column}{row}" for row in range(1, 11) for column in "abcdefghij"]
ENDLESS = (10**9, 1.0)
LIMITS = Limits(
    new_games=ENDLESS,
    requests=ENDLESS,
    frames=ENDLESS,
    handshakes=ENDLESS,
    joins=ENDLESS,
    open_games=10**9,
    sockets_per_session=10**6,
)
PORTS = {"server": 8961, "skeleton": 8962}


# -- the skeleton -----------------------------------------------------------------------------------


def skeleton(folder: str) -> Starlette:
    """One table, one writer thread, one commit for all that wait, synced before the ack; no rules at all."""
    waiting: SimpleQueue[tuple[str, int, str, Future[None]]] = SimpleQueue()

    def write() -> None:
        database = sqlite3.connect(f"{folder}/skeleton.db", isolation_level=None)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE move (game, ply, text, PRIMARY KEY (game, ply))")
        while True:
            batch = [waiting.get()]
            try:
                while len(batch) < 64:
                    batch.append(waiting.get_nowait())
            except Empty:
                pass
            database.execute("BEGIN IMMEDIATE")
            database.executemany("INSERT INTO move VALUES (?, ?, ?)", [item[:3] for item in batch])
            database.execute("COMMIT")
            for *_, done in batch:
                done.set_result(None)

    Thread(target=write, daemon=True).start()

    async def answer(websocket: WebSocket) -> None:
        await websocket.accept()
        game = str(id(websocket))
        try:
            while True:
                frame = json.loads(await websocket.receive_text())
                if frame["t"] == "move":
                    done: Future[None] = Future()
                    waiting.put((game, frame["ply"], frame["move"], done))
                    await asyncio.wrap_future(done)
                    await websocket.send_text(json.dumps({"t": "ack", "rid": frame["rid"]}))
        except WebSocketDisconnect:
            return

    return Starlette(routes=[WebSocketRoute("/{path:path}", answer)])


def serve(kind: str, folder: str) -> None:
    """What the process under test runs."""
    config = config_of(Settings(database=f"{folder}/games.db", port=PORTS[kind], limits=LIMITS))
    if kind == "server":
        Server(config).run()
        return
    bare = skeleton(folder)
    bare.state.connections = connections_of(config)  # the same protocols, with the same bounds
    config.app = bare
    uvicorn.Server(config).run()


# -- the load ---------------------------------------------------------------------------------------


def post(path: str, body: object, token: str = "") -> dict[str, str]:
    """One request to the server under test."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    headers = headers if token else {"Content-Type": "application/json"}
    url = f"http://127.0.0.1:{PORTS['server']}{path}"
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer:
        return dict(json.load(answer))


async def play(kind: str, game: str, token: str, until: float) -> list[float]:
    """One game: a move, its ack, the next move. The seconds that each ack took."""
    taken: list[float] = []
    url = f"ws://127.0.0.1:{PORTS[kind]}/api/games/{game}/socket"
    async with connect(url, compression=None, max_size=None, proxy=None) as socket:
        await socket.send(json.dumps({"t": "hello", "proto": 1, "since": None, "token": token}))
        for ply, square in enumerate(SQUARES, start=1):
            if time.monotonic() > until:
                break
            begun = time.perf_counter()
            await socket.send(json.dumps({"t": "move", "rid": ply, "ply": ply, "move": square}))
            while '"t":"ack"' not in (await socket.recv()).replace(" ", "")[:200]:  # type: ignore[arg-type]
                continue
            taken.append(time.perf_counter() - begun)
    return taken


async def load(kind: str, games: int, seconds: float) -> tuple[float, list[float]]:
    """So many games at once for so long: moves a second, and every ack's time."""
    token = post("/api/session", {"bearer": True})["token"] if kind == "server" else "x"
    seats = {"first": {"kind": "me"}, "second": {"kind": "me"}}
    body = {"game": "pilo", "size": 10, "seats": seats}
    ids = [post("/api/games", body, token)["id"] if kind == "server" else str(n) for n in range(games)]
    begun = time.monotonic()
    found = await asyncio.gather(*(play(kind, game, token, begun + seconds) for game in ids))
    spent = time.monotonic() - begun
    times = sorted(taken for part in found for taken in part)
    return len(times) / spent, times


Row = tuple[float, float, float, float]
"""Moves a second; median and 99th percentile of the acks, and the processor's time for a move, in milliseconds."""


def measure(kind: str, games: int, seconds: float) -> Row:
    """One run from a fresh start."""
    with tempfile.TemporaryDirectory() as folder:
        process = multiprocessing.get_context("spawn").Process(target=serve, args=(kind, folder))
        process.start()
        try:
            wait_for(PORTS[kind])
            idle = used_seconds(process.pid)
            rate, times = asyncio.run(load(kind, games, seconds))
            used = used_seconds(process.pid) - idle
        finally:
            process.terminate()
            process.join()
    late = times[int(0.99 * len(times))]
    return rate, 1000 * statistics.median(times), 1000 * late, 1000 * used / len(times)


def used_seconds(pid: int | None) -> float:
    """The processor's time that a process has used so far; making the games is in it too."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(port: int) -> None:
    """Until somebody listens there."""
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"nothing listens on port {port}")


def main(games: int = 50, seconds: int = 3, rounds: int = 5) -> None:
    """Print the medians and their ratio."""
    print(f"{machine()}; {games} games at once, {rounds} rounds of {seconds} s; medians")
    found: dict[str, list[Row]] = {"skeleton": [], "server": []}
    for _ in range(rounds):
        for kind in found:
            found[kind].append(measure(kind, games, seconds))
    for kind, rows in found.items():
        rate, middle, late, used = (statistics.median(column) for column in zip(*rows, strict=True))
        print(
            f"{kind:9} {rate:7.0f} moves/s   ack {middle:6.1f} ms, 99 % within {late:6.1f} ms   "
            f"{used:5.2f} ms of a processor a move"
        )
    ratios = [ours[0] / bare[0] for ours, bare in zip(found["server"], found["skeleton"], strict=True)]
    print(f"server / skeleton: {statistics.median(ratios):.2f} of the moves")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
