"""An ack means that the move is on the disk: the system's own calls say so."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from .kill_loop import ME, SQUARES, free_port

SERVE = "import sys; from tests.server.kill_loop import serve; serve(sys.argv[1], int(sys.argv[2]))"


@pytest.mark.deep
def test_before_every_ack_the_log_of_the_database_was_synced(folder: Path) -> None:
    tracer = shutil.which("strace")
    assert tracer, "this test needs strace: apt-get install strace"
    port, trace = free_port(), folder / "trace"
    words = [tracer, "-f", "-y", "-s", "12", "-e", "trace=fdatasync,fsync,sendto", "-o", str(trace)]
    server = subprocess.Popen([*words, sys.executable, "-c", SERVE, str(folder / "games.db"), str(port)])
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", verify=False, timeout=30) as http:
        wait_until_ready(http)
        made = 0
        for _ in range(5):
            body = {"game": "pilo", "size": 10, "seats": {"first": ME, "second": ME}}
            game = http.post("/api/games", json=body).json()["id"]
            for ply, square in enumerate(SQUARES, start=1):
                assert http.post(f"/api/games/{game}/moves", json={"ply": ply, "move": square}).status_code == 200
                made += 1
    traced = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    os.kill(int(traced[0]), signal.SIGTERM)
    server.wait(timeout=60)
    synced = acks = unsynced = 0
    for line in trace.read_text().splitlines():
        if re.search(r"(fdatasync|fsync)(\(\d+<.*games\.db-wal>| resumed)", line) and "unfinished" not in line:
            synced += 1
        elif "sendto(" in line and '"HTTP/1.1 200' in line:
            acks += 1
            unsynced += not synced
            synced = 0
    assert acks >= made == 500
    assert unsynced <= acks - made, "only answers that stored nothing may come without a sync"


def wait_until_ready(http: httpx.Client) -> None:
    for _ in range(1200):
        try:
            if http.get("/readyz").status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.05)
    raise AssertionError("the server did not start")
