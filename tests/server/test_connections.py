"""Connections: how many, how long, how big; and that those that are dropped are gone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import multiprocessing
import resource
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from purlieu.server.domain.refusals import Problem
from purlieu.server.http.connections import SWEEP_SECONDS, raise_soft_limit
from purlieu.server.http.protocols import PingingProtocol
from purlieu.server.http.routes.socket import Conversation, nak
from purlieu.server.services.live import Listener
from purlieu.server.settings import Limits

from .kill_loop import free_port
from .site import GENEROUS, Site, running, settings_for
from .socket_client import Socket
from .test_socket import silent_socket

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
BIG = "x" * 50_000
"""What fills the buffers of whoever does not read it."""
SERVED = 3.0
"""Seconds in which an answer counts as prompt: a connection that the system refused at first is tried again after 1."""


def serve(folder: Path, port: int, files: tuple[int, int], limits: Limits) -> None:
    """What a server with so many files runs, in a process of its own."""
    from purlieu.server.http.run import Server, config_of

    resource.setrlimit(resource.RLIMIT_NOFILE, files)
    logging.basicConfig(filename=folder / "server.log", level=logging.WARNING)
    Server(config_of(settings_for(folder, port=port, limits=limits))).run()


@contextlib.contextmanager
def with_files(folder: Path, files: tuple[int, int], **more: Any) -> Iterator[tuple[int, int]]:
    """A server with those soft and hard limits of open files: its port and its process."""
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(["purlieu.server.http.run"])
    port = free_port()
    server = forks.Process(target=serve, args=(folder, port, files, replace(GENEROUS, **more)))
    server.start()
    try:
        wait_until(lambda: is_served(port) is not None, 60)
        assert server.pid
        yield port, server.pid
    finally:
        server.terminate()
        server.join(20)
        assert server.exitcode is not None, "the server did not stop"


def wait_until(done: Callable[[], bool], seconds: float = 10.0) -> float:
    """Wait for something to be so; how long it took."""
    begun = time.monotonic()
    while not done():
        assert time.monotonic() - begun < seconds, f"not within {seconds:g} s"
        time.sleep(0.01)
    return time.monotonic() - begun


def is_served(port: int) -> float | None:
    """How long somebody new waits for an answer; None if it does not come."""
    begun = time.monotonic()
    try:
        httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=10, verify=False).raise_for_status()
    except httpx.HTTPError:
        return None
    return time.monotonic() - begun


@contextlib.contextmanager
def connected(port: int, count: int, source: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    """So many connections that say nothing."""
    raise_soft_limit(8192)
    with contextlib.ExitStack() as opened:
        yield [
            opened.enter_context(socket.create_connection(("127.0.0.1", port), 10, (source, 0))) for _ in range(count)
        ]


def answer(connection: socket.socket, request: bytes = HEALTH) -> bytes:
    """What comes back for a request: up to its JSON's end, or the connection's."""
    connection.sendall(request)
    got = b""
    while not got.endswith(b"}") and (part := connection.recv(65536)):
        got += part
    return got


def read_all(connection: socket.socket) -> bytes:
    """What comes until the server closes."""
    got = b""
    while part := connection.recv(65536):
        got += part
    return got


def is_gone(port: int, connection: socket.socket) -> bool:
    """Whether the system has nothing left of the server's side of a connection."""
    ours, theirs = (f"0100007F:{number:04X}" for number in (port, connection.getsockname()[1]))
    return f"{ours} {theirs} " not in Path("/proc/net/tcp").read_text()


# -- room -----------------------------------------------------------------------------------------


def test_two_thousand_silent_connections_shut_nobody_out(folder: Path) -> None:
    with with_files(folder, (1024, 1024)) as (port, _), connected(port, 2000):
        for _ in range(3):
            waited = is_served(port)
            assert waited is not None
            assert waited < SERVED
        with connected(port, 300):
            assert (is_served(port) or SERVED) < SERVED
    log = (folder / "server.log").read_text()
    assert "Traceback" not in log
    assert "room for 768 connections" in log
    assert "all 768 connections are in use" in log
    assert log.count("\n") < 10


def test_the_soft_limit_of_files_is_raised_to_the_hard_one(folder: Path) -> None:
    with with_files(folder, (256, 2000)) as (port, pid):
        assert resource.prlimit(pid, resource.RLIMIT_NOFILE) == (2000, 2000)
        with connected(port, 1000) as connections:
            assert all(answer(connection).startswith(b"HTTP/1.1 200") for connection in connections[::50])


def test_without_files_for_connections_the_log_says_so_in_a_sentence(folder: Path) -> None:
    with with_files(folder, (256, 256), own_files=-2000) as (port, _):
        with connected(port, 500):
            wait_until(lambda: "not accepted" in (folder / "server.log").read_text())
            time.sleep(1.5)  # asyncio tries again once a second
        wait_until(lambda: is_served(port) is not None)
    log = (folder / "server.log").read_text()
    assert "a connection was not accepted: Too many open files" in log
    assert "Traceback" not in log
    assert log.count("\n") < 10


def test_a_newcomer_takes_the_place_of_the_silent_and_then_of_the_idle(folder: Path) -> None:
    with running(settings_for(folder, limits=replace(GENEROUS, connections=20))) as site:
        with connected(site.port, 10) as talkers, connected(site.port, 10) as silent:
            for talker in talkers:
                assert b"200 OK" in answer(talker)
            with connected(site.port, 10) as newcomers:
                assert all(b"200 OK" in answer(newcomer) for newcomer in newcomers)
                assert all(read_all(connection) == b"" for connection in silent)
                with connected(site.port, 1) as (one_more,):
                    assert b"200 OK" in answer(one_more)
                    assert read_all(talkers[0]) == b""
                    assert b"200 OK" in answer(talkers[9])
        said = httpx.get(f"{site.url}/metrics", verify=False).text
        assert 'purlieu_connections_closed_total{why="room"} 1' in said
        assert "purlieu_connections " in said


def test_when_all_are_busy_the_address_with_the_most_loses_one(folder: Path) -> None:
    limits = replace(GENEROUS, connections=10, sockets_per_session=100)
    with running(settings_for(folder, limits=limits)) as site, contextlib.ExitStack() as opened:
        ana = site.person()
        game = ana.make()["id"]
        ana.http.close()
        boards = [opened.enter_context(Socket(ana, game)) for _ in range(10)]
        with connected(site.port, 1) as (greedy,):
            assert read_all(greedy).startswith(b"HTTP/1.1 503")
        with connected(site.port, 1, "127.0.0.2") as (other,):
            assert b"200 OK" in answer(other)
        assert boards[9].close_code() == 1006
        boards[0].send(t="p", ms=1)
        assert boards[0].expect("p")


# -- those who do not read --------------------------------------------------------------------------


def test_a_dropped_sockets_connection_is_gone_soon(folder: Path) -> None:
    with running(settings_for(folder, limits=replace(GENEROUS, close_seconds=0.5))) as site:
        ana = site.person()
        game = ana.make()["id"]
        with contextlib.closing(silent_socket(site, game)) as deaf, Socket(ana, game) as other:
            for _ in range(20):
                push(site, game, BIG)
                other.expect("nak")  # whoever reads is not slow, however much comes
            wait_until(lambda: len(site.runtime.hub.rooms[game]) == 1)
            wait_until(lambda: is_gone(site.port, deaf), 5)
            assert other.ask(t="act", rid=1, kind="stop_thinking", at=0)["t"] == "ack"
        said = httpx.get(f"{site.url}/metrics", verify=False).text
        assert "purlieu_slow_sockets_total 1" in said
    usual = Limits()
    assert 1 + usual.close_seconds + SWEEP_SECONDS < 15
    assert usual.stall_seconds + SWEEP_SECONDS < 15


def test_a_socket_that_answers_no_ping_is_gone_with_what_it_has_not_read(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        game = site.person().make()["id"]
        deaf = silent_socket(site, game)
        push(site, game, BIG)
        open_now: list[Any] = list(site.server.server_state.connections)
        (protocol,) = [one for one in open_now if isinstance(one, PingingProtocol)]
        protocol.loop.call_soon_threadsafe(protocol.send_keepalive_ping)
        protocol.loop.call_soon_threadsafe(protocol.keepalive_timeout)
        wait_until(lambda: is_gone(site.port, deaf), 2)
        deaf.close()


def push(site: Site, game: str, message: str) -> None:
    """Have the server send a refusal with that message to everybody who watches the game."""
    frame = nak(None, None, Problem("busy", message))
    site.runtime.keeper.tasks[0].get_loop().call_soon_threadsafe(site.runtime.hub.push, game, [json.dumps(frame)])


def test_an_answer_that_nobody_reads_is_thrown_away_and_a_slow_reader_gets_all(folder: Path) -> None:
    count = 40
    request = b"GET /api/docs.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with running(settings_for(folder, limits=replace(GENEROUS, stall_seconds=1.0))) as site:
        size = len(httpx.get(f"{site.url}/api/docs.json", verify=False).content)
        assert count * size > 2**20
        with reading_little(site) as deaf, reading_little(site) as slow:
            deaf.sendall(request * count)
            slow.sendall(request * (count - 1) + request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            begun = time.monotonic()
            got = b""
            while part := slow.recv(32768):
                got += part
                if time.monotonic() - begun < 3:
                    time.sleep(0.1)
            assert time.monotonic() - begun > 2.5
            assert got.count(b"HTTP/1.1 200") == count
            assert len(got) > count * size
            assert is_gone(site.port, deaf)


def test_a_short_answer_that_nobody_reads_does_not_stay_with_the_system(folder: Path) -> None:
    with (
        running(settings_for(folder, limits=replace(GENEROUS, stall_seconds=1.0))) as site,
        reading_little(site) as deaf,
    ):
        deaf.sendall(b"GET /api/docs.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        wait_until(lambda: is_gone(site.port, deaf), 8)


@contextlib.contextmanager
def reading_little(site: Site) -> Iterator[socket.socket]:
    """A connection whose client's system keeps as little as it can."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(10)
        connection.connect(("127.0.0.1", site.port))
        yield connection


@pytest.mark.parametrize(
    ("sizes", "code"),
    [
        ([100_000, 1], None),  # one frame may have any size
        ([100_000, 1, 1], 1013),
        ([100] * 11, None),
        ([100] * 12, 1013),
        ([1] * 50, None),
        ([1] * 51, 1013),
    ],
)
def test_what_waits_for_a_socket_is_bounded_in_bytes_and_in_number(sizes: list[int], code: int | None) -> None:
    listener = Listener("game", frozenset(), "somebody", Limits(waiting_bytes=1000, waiting_frames=50))
    for size in sizes:
        listener.send("x" * size)
    assert (listener.close_code if listener.ended else None) == code


# -- those who do not finish ------------------------------------------------------------------------


def test_a_body_that_trickles_is_ended_though_nobody_wants_it(folder: Path) -> None:
    with running(settings_for(folder, limits=replace(GENEROUS, body_seconds=0.3))) as site:
        with connected(site.port, 1) as (connection,):
            head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
            assert b"200 OK" in answer(connection, head)
            begun = time.monotonic()
            with contextlib.suppress(ConnectionError):
                while time.monotonic() - begun < 6:
                    connection.sendall(b"x")
                    time.sleep(0.02)
            assert time.monotonic() - begun < 5
        with connected(site.port, 1) as (connection,):
            small = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nxyz"
            begun = time.monotonic()
            while time.monotonic() - begun < 2.2:
                assert b"200 OK" in answer(connection, small)


def head_of(size: int, first: bytes = b"GET /healthz HTTP/1.1", more: bytes = b"") -> bytes:
    """A head of exactly so many bytes."""
    head = first + b"\r\nHost: localhost\r\n" + more
    lines = b""
    while (left := size - len(head) - len(lines) - 2) > 0:
        length = left if left <= 4000 else min(4000, left - 10)
        lines += b"X: " + b"x" * (length - 5) + b"\r\n"
    return head + lines + b"\r\n"


UPGRADE = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    b"Sec-WebSocket-Version: 13\r\n"
)


def test_a_head_beyond_16_kib_is_refused_however_it_arrives(site: Site) -> None:
    most = Limits().head_bytes
    for size, status in ((most, b"200"), (most + 1, b"431"), (20_000, b"431"), (45_000, b"431"), (250_000, b"431")):
        head = head_of(size)
        assert len(head) == size
        with connected(site.port, 1) as (connection,):
            got = answer(connection, head)
            assert got.startswith(b"HTTP/1.1 " + status), (size, got[:300])
    assert json.loads(got.partition(b"\r\n\r\n")[2])["message"] == "the head of the request is bigger than 16384 bytes"
    with connected(site.port, 1) as (connection,):
        connection.sendall(HEALTH + head_of(most) + head_of(most + 1))
        got = read_all(connection)
        assert [got.count(b"HTTP/1.1 " + status) for status in (b"200", b"431")] == [2, 1]
    with connected(site.port, 1) as (connection,):
        connection.sendall(HEALTH * 50 + head_of(200, more=b"Connection: close\r\n"))
        assert read_all(connection).count(b"HTTP/1.1 200") == 51
    for size, status in ((10_000, b"101"), (20_000, b"431"), (45_000, b"431")):
        with connected(site.port, 1) as (connection,):
            connection.sendall(head_of(size, b"GET /api/games/aaaaaaaaaaaaaaaa/socket HTTP/1.1", UPGRADE))
            assert connection.recv(12) == b"HTTP/1.1 " + status


@pytest.mark.parametrize(
    "head",
    [
        b"GET /api/games/aaaaaaaaaaaaaaaa/socket HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 9000 + b"\r\n" + UPGRADE,
        b"GET /api/games/aaaaaaaaaaaaaaaa/socket HTTP/1.1\r\nHost: localhost\r\n" + b"X: x\r\n" * 150 + UPGRADE,
        b"POST /api/games/aaaaaaaaaaaaaaaa/socket HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n" + UPGRADE,
        b"GET /api/games/aaaaaaaaaaaaaaaa/socket HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n" + UPGRADE,
    ],
    ids=["long line", "many lines", "method", "body"],
)
def test_an_upgrade_that_cannot_be_read_is_refused_at_once(site: Site, head: bytes) -> None:
    with connected(site.port, 1) as (connection,):
        connection.sendall(head + b"\r\n")
        assert read_all(connection).startswith((b"HTTP/1.1 400", b"HTTP/1.1 405"))


def test_broken_http_leaves_no_traceback_and_a_short_log(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(30):
        with connected(site.port, 1) as (connection,):
            assert read_all_after(connection, b"\x16\x03\x01 not http\r\n\r\n").startswith(b"HTTP/1.1 400")
    with connected(site.port, 1) as (connection,):
        chunked = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        assert b"200 OK" in answer(connection, chunked)
        assert read_all_after(connection, b"no chunk\r\n") == b""
    with contextlib.closing(silent_socket(site, site.person().make()["id"])) as connection:
        assert read_all_after(connection, b"\x81\x82\0\0\0\0\xff\xfe").endswith(b"\x88\x02\x03\xef")  # 1007
    assert sum(record.name == "uvicorn.error" for record in caplog.records) <= 2
    assert not [record for record in caplog.records if record.exc_info]


def test_what_waits_for_a_socket_that_broke_the_protocol_is_dropped_without_a_traceback(
    site: Site, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(self: Conversation) -> int:
        await asyncio.sleep(3600)
        return 1000

    monkeypatch.setattr(Conversation, "hear", busy)  # as if it were busy with an earlier frame
    game = site.person().make()["id"]
    with contextlib.closing(silent_socket(site, game)) as connection:
        protocol = socket_of(site, connection)

        def both_at_once() -> None:
            site.runtime.hub.push(game, ['{"t":"late"}'])
            protocol.data_received(b"\x81\x82\0\0\0\0\xff\xfe")

        protocol.loop.call_soon_threadsafe(both_at_once)
        assert read_all(connection).endswith(b"\x88\x02\x03\xef")
        wait_until(lambda: game not in site.runtime.hub.rooms and not site.server.server_state.tasks)
    assert not [record for record in caplog.records if record.exc_info]


def socket_of(site: Site, connection: socket.socket) -> PingingProtocol:
    """The server's side of a socket."""
    for protocol in list(site.server.server_state.connections):
        if isinstance(protocol, PingingProtocol) and protocol.transport.get_extra_info("peername") == (
            connection.getsockname()
        ):
            return protocol
    raise AssertionError("the server knows no such socket")


def read_all_after(connection: socket.socket, request: bytes) -> bytes:
    """What comes for a request until the server closes."""
    connection.sendall(request)
    return read_all(connection)
