"""The command that serves, and the client's files: as people start it, stop it and look at it."""

from __future__ import annotations

import gzip
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from .kill_loop import free_port
from .site import Person, running, settings_for

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


def test_without_a_built_client_the_page_says_what_to_do(folder: Path) -> None:
    with running(settings_for(folder, web=folder / "nothing")) as site:
        assert "make web" in site.person().http.get("/").text


def test_a_fault_of_ours_is_said_without_its_inside(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(game_id: str) -> None:
        raise RuntimeError("the inside of a fault")

    monkeypatch.setattr(ana.site.world.gate, "load", broken)
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
    begun = time.monotonic()
    server.send_signal(how)
    out, err = server.communicate(timeout=20)
    assert time.monotonic() - begun < 6
    assert server.returncode in codes
    assert out.startswith(f"purlieu is at http://localhost:{port}")
    assert "GET /readyz 200" in err
    assert "Traceback" not in err


def test_a_port_that_is_taken_is_said_in_a_sentence(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = [sys.executable, "-m", "purlieu", "serve", "--port", str(port), "--database", str(folder / "g.db")]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stderr == (
        f"purlieu: cannot listen on 127.0.0.1, port {port}: Address already in use; another one is chosen with --port\n"
    )
