"""The command that serves, and the client's files: as people start it, stop it and look at it."""

from __future__ import annotations

import asyncio
import gzip
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from purlieu.server.http import static

from .kill_loop import free_port
from .site import Person, on_a_thread, running, settings_for

PAGE = "<!doctype html><title>the client</title>" + "<!-- -->" * 200
SCRIPT = "export const answer = 42;\n" * 100


@pytest.fixture
def built(folder: Path) -> Path:
    """A client as the build leaves it."""
    web = folder / "web"
    (web / "assets").mkdir(parents=True)
    (web / "index.html").write_text(PAGE)
    (web / "favicon.svg").write_text("<svg/>")
    (web / "assets" / "index-abc123.js").write_text(SCRIPT)
    return web


def test_the_clients_files_and_its_one_page_are_served(built: Path, folder: Path) -> None:
    with running(settings_for(folder, web=built)) as site:
        ana = site.person().http
        script = ana.get("/assets/index-abc123.js")
        assert (script.text, script.headers["content-type"]) == (SCRIPT, "text/javascript; charset=utf-8")
        assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert script.headers["content-encoding"] == "gzip"
        plain = ana.get("/assets/index-abc123.js", headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert len(gzip.compress(plain.content)) < len(plain.content)
        for path in ("/", "/g/abcdefgh", "/learn/pilo", "/rules/petrify", "/review"):
            page = ana.get(path)
            assert (page.status_code, page.text, page.headers["cache-control"]) == (200, PAGE, "no-cache")
        assert ana.get("/favicon.svg").headers["content-type"] == "image/svg+xml"
        assert ana.head("/").status_code == 200
        lost = ana.get("/nowhere", headers={"Accept": "text/html"})
        assert (lost.status_code, lost.text) == (404, PAGE)
        assert ana.get("/assets/nothing.js").status_code == 404
        ranges = ana.get("/assets/index-abc123.js", headers={"Range": "bytes=" + ",".join(["0-1"] * 10_000)})
        assert ranges.status_code in (200, 400, 416, 431)


def test_the_clients_folder_is_listed_once_and_each_file_is_read_once(
    built: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.utime(built / "index.html", (1, 1))
    with running(settings_for(folder, web=built)) as site:
        ana = site.person().http
        done: list[Path] = []

        def noted(whole: Callable[[Path], Any]) -> Callable[[Path], Any]:
            def run(path: Path) -> Any:
                done.append(path)
                return whole(path)

            return run

        for name in ("files", "file_at"):
            monkeypatch.setattr(static, name, noted(getattr(static, name)))
        for path in ["/", "/assets/index-abc123.js", "/g/abcdefgh", "/favicon.svg", "/assets/no.js", "/api/no"] * 5:
            ana.get(path)
        files = [built / "index.html", built / "favicon.svg", built / "assets" / "index-abc123.js"]
        assert sorted(done) == sorted([built, *files])


def test_a_client_that_is_built_anew_is_served_by_the_running_server(built: Path, folder: Path) -> None:
    os.utime(built / "index.html", (1, 1))
    with running(settings_for(folder, web=built)) as site:
        ana = site.person().http
        assert ana.get("/assets/index-abc123.js").text == SCRIPT
        (built / "assets" / "index-abc123.js").unlink()
        (built / "index.html").write_text(PAGE + "again")
        assert ana.get("/").text == PAGE + "again"
        assert ana.get("/assets/index-abc123.js").status_code == 404
        (built / "assets" / "index-def456.js").write_text(SCRIPT)  # a build may write it after the page
        until = time.monotonic() + 20
        while ana.get("/assets/index-def456.js").status_code != 200:
            assert time.monotonic() < until
            time.sleep(0.05)
        (built / "assets" / "index-def456.js").unlink()
        while ana.get("/assets/index-def456.js").status_code != 404:
            assert time.monotonic() < until
            time.sleep(0.05)


def test_no_more_of_the_clients_files_is_kept_in_memory_than_its_bound(
    built: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static, "MOST_BYTES", 10_000)
    for number in range(20):
        (built / "assets" / f"{number}.bin").write_bytes(bytes([number]) * 3000)
    (built / "assets" / "big.bin").write_bytes(b"x" * 20_000)
    client = static.Client(built)
    os.utime(built / "index.html", (1, 1))

    async def run() -> None:
        await client.follow_build()
        for number in [*range(20), *range(20)]:
            found = await client.read(f"assets/{number}.bin")
            assert found
            assert found.data == bytes([number]) * 3000
            assert client.kept.bytes <= 10_000
        big = await client.read("assets/big.bin")
        assert big
        assert len(big.data) == 20_000
        assert len(client.kept) == 1

    on_a_thread(lambda: asyncio.run(run()))


def test_without_a_built_client_the_page_says_what_to_do(folder: Path) -> None:
    with running(settings_for(folder, web=folder / "nothing")) as site:
        assert "make web" in site.person().http.get("/").text


def test_a_fault_of_ours_is_said_without_its_inside(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(game_id: str) -> None:
        raise RuntimeError("the inside of a fault")

    monkeypatch.setattr(ana.site.runtime.committer, "load", broken)
    answer = ana.http.get("/api/games/aaaaaaaaaaaaaaaa")
    assert (answer.status_code, answer.json()["code"]) == (500, "fault")
    assert "inside" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


def start(folder: Path, port: int) -> subprocess.Popen[str]:
    """``purlieu serve``, ready."""
    words = [
        sys.executable,
        "-m",
        "purlieu",
        "serve",
        "-v",
        "--port",
        str(port),
        "--database",
        str(folder / "games.db"),
    ]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while server.poll() is None and time.monotonic() < until:
        try:
            httpx.get(f"http://127.0.0.1:{port}/readyz", verify=False)
            return server
        except httpx.HTTPError:
            time.sleep(0.05)
    raise AssertionError(server.communicate())


@pytest.mark.parametrize(("how", "codes"), [(signal.SIGINT, (0, 130)), (signal.SIGTERM, (0, -15, 143))])
def test_the_server_starts_says_where_it_is_and_stops_quietly(
    folder: Path, how: signal.Signals, codes: tuple[int, ...]
) -> None:
    port = free_port()
    server = start(folder, port)
    body = {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "link"}}}
    httpx.post(f"http://127.0.0.1:{port}/api/games", json=body, verify=False).raise_for_status()
    begun = time.monotonic()
    server.send_signal(how)
    out, err = server.communicate(timeout=20)
    assert time.monotonic() - begun < 6
    assert server.returncode in codes
    assert out.startswith(f"purlieu is at http://localhost:{port}")
    assert "GET /readyz 200" in err
    assert [line for line in err.splitlines() if " INFO " not in line] == []


def test_a_port_that_is_taken_is_said_in_a_sentence(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = [sys.executable, "-m", "purlieu", "serve", "--port", str(port), "--database", str(folder / "g.db")]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stderr == (
        f"purlieu: cannot listen on 127.0.0.1, port {port}: Address already in use; another one is chosen with --port\n"
    )
