"""The server under attack: a process of its own with its log in a file, and what the system knows about it."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import http.client
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from purlieu.core import core
from purlieu.rules import Seat
from purlieu.server.domain.game import Chair
from purlieu.server.settings import Limits, Settings, database_url
from purlieu.server.store import games
from purlieu.server.store.database import open_database

from ..kill_loop import free_port
from ..soak import needs_of

ROOT = Path(__file__).parents[3]
ENDLESS = (10**9, 1.0)
LINES, LONG = 4, 2900
COLD_GAMES = 40


class Served:
    """``purlieu serve`` in a process, ready; without any limits on how often one may ask if `endless`."""

    def __init__(self, folder: Path, database: Path, *, endless: bool = False, files: int | None = None) -> None:
        self.port = free_port()
        self.log = folder / "server.log"
        serve = ["-m", "purlieu", "serve", "--port", str(self.port), "--database", str(database)]
        free = ["-m", "tests.server.abuse.served", str(self.port), str(database)]
        bound = functools.partial(resource.setrlimit, resource.RLIMIT_NOFILE, (files, files)) if files else None
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, *(free if endless else serve)],
                cwd=ROOT, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=bound,
            )  # fmt: skip
        until = time.monotonic() + 120
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise AssertionError(f"the server did not start: {self.log.read_text('utf-8', 'replace')[-2000:]}")
            time.sleep(0.02)

    def answers(self, seconds: float = 5.0) -> bool:
        """Whether /healthz answers in that time."""
        try:
            return self.get("/healthz", seconds)[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def get(self, path: str, seconds: float = 10.0) -> tuple[int, bytes]:
        """Ask over a fresh connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def metrics(self) -> dict[str, float]:
        """The numbers of /metrics; none if it does not answer."""
        try:
            status, text = self.get("/metrics")
        except (OSError, http.client.HTTPException):
            return {}
        lines = text.decode().splitlines() if status == 200 else []
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[:1] != "#")}

    @property
    def memory_mb(self) -> float:
        """Resident memory of the server's process, workers apart."""
        return needs_of(self.process.pid)[0]

    @property
    def logged(self) -> int:
        """Bytes in the log."""
        return self.log.stat().st_size

    def tracebacks(self, after: int = 0) -> int:
        """How many tracebacks the log holds after so many bytes."""
        with self.log.open("rb") as log:
            log.seek(after)
            return sum(line.startswith(b"Traceback (most recent call last)") for line in log)

    def connections(self, prefix: str) -> int:
        """How many connections the system holds on the server's side whose peers' addresses begin so."""
        here = f":{self.port:04X}"
        count = 0
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            local, remote, state = line.split()[1:4]
            peer = ".".join(str(int(remote[at : at + 2], 16)) for at in (6, 4, 2, 0))
            # established, or closed by one side only, with bytes that nobody takes
            count += local.endswith(here) and peer.startswith(prefix) and state in ("01", "04", "08")
        return count

    def stop(self) -> None:
        """Kill it with its workers: one that is frozen would take long to stop, and what it acked is safe."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has used so far."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def without_limits() -> Limits:
    """Limits that let one caller ask as often as it can; sizes and times stay bounded."""
    rates = {field.name: ENDLESS for field in dataclasses.fields(Limits) if isinstance(field.default, tuple)}
    counts = dict.fromkeys(("bad_frames", "open_games", "sockets_per_session"), 10**9)
    return dataclasses.replace(Limits(), **rates, **counts)  # type: ignore[arg-type]


# -- long games -------------------------------------------------------------------------------------


def long_lines(folder: Path) -> list[list[str]]:
    """A few long lines of legal Pyloff 19 moves, kept in the folder."""
    kept = folder / f"lines-{LONG}.json"
    if not kept.is_file():
        kept.write_text(json.dumps([long_line(seed) for seed in range(LINES)]))
    lines: list[list[str]] = json.loads(kept.read_text())
    return lines


def long_line(seed: int) -> list[str]:
    """A long line. Of a hundred legal moves it takes one that captures most, so that the pyramid fills slowly."""
    chance, position = random.Random(seed), core().Position.start("pyloff", 19)
    moves: list[str] = []
    while not position.is_over and len(moves) < LONG:
        legal = position.legal_moves()
        tried = [(move, position.play(move)) for move in chance.sample(legal, min(100, len(legal)))]
        move, position = min(tried, key=lambda played: sum(played[1].score()))
        moves.append(move)
    return moves


def cold_ids() -> list[str]:
    """The ids of the long games in the cold database."""
    return [f"cold{number:012}" for number in range(COLD_GAMES)]


def cold_database(folder: Path) -> Path:
    """A database with many long games that no server has loaded yet, kept in the folder."""
    kept, ids = folder / "cold.db", cold_ids()
    if not kept.is_file():
        making = folder / "cold-new.db"
        making.unlink(missing_ok=True)
        chairs = {seat: Chair("person") for seat in Seat}
        lines = long_lines(folder)
        made = [games.new_game(ids[0], "pyloff", 19, chairs, None, line, 1) for line in lines]
        database = open_database(database_url(str(making)))
        try:
            with database.writer.begin() as connection:
                for number, name in enumerate(ids):
                    games.insert_game(connection, dataclasses.replace(made[number % len(made)], id=name), 1)
        finally:
            database.close()
        making.rename(kept)
    return kept


def fresh_database(folder: Path, *, cold: bool = False) -> Path:
    """The path of a new database in the folder: one that is made at the start, or a copy of the cold one."""
    path = folder / "games.db"
    for old in folder.glob("games.db*"):
        old.unlink()
    if cold:
        shutil.copy(cold_database(folder.parent), path)
    return path


def main() -> None:
    """Serve without limits on how often one may ask: ``python -m tests.server.abuse.served PORT DATABASE``."""
    import logging

    from purlieu.server.http.run import Server, config_of

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    Server(config_of(Settings(database=sys.argv[2], port=int(sys.argv[1]), limits=without_limits()))).run()


if __name__ == "__main__":
    main()
