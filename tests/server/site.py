"""A real server on a free port, for the tests: its own database, its own threads, stopped at the end."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

import httpx

from purlieu.core import core
from purlieu.server.http.deps import Runtime
from purlieu.server.http.run import Server, config_of
from purlieu.server.settings import Limits, Settings

Result = TypeVar("Result")
GENEROUS = Limits(
    new_games=(10_000, 60.0),
    joins=(10_000, 60.0),
    requests=(100_000, 60.0),
    records=(1000, 60.0),
    looks=(100_000, 60.0),
    reads=(100_000, 60.0),
    assets=(100_000, 60.0),
    pictures=(10_000, 60.0),
    bodies=(1_000_000, 60.0),
    handshakes=(10_000, 60.0),
    ready=(10_000, 60.0),
    work=(10_000.0, 60.0),
    questions_per_caller=200,
    analyses_per_caller=50,
    analyses_waiting=100,
)
"""All visitors of the tests have one address, and are one caller."""


PEOPLE: list[Person] = []
"""Everybody of the running test, whose browsers are closed after it."""


class Site:
    """A server that is running, and how to talk to it."""

    def __init__(self, settings: Settings) -> None:
        self.server = Server(config_of(settings))
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        self.port = cast(int, self.server.servers[0].sockets[0].getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"

    @property
    def runtime(self) -> Runtime:
        """What lives inside."""
        return cast(Runtime, cast(Any, self.server.config.app).state.runtime)

    def person(self) -> Person:
        """Somebody with a browser of their own."""
        return Person(self)

    def stop(self) -> None:
        """Stop as SIGTERM does."""
        self.server.should_exit = True
        self.thread.join(timeout=20)
        assert not self.thread.is_alive(), "the server did not stop"


class Person:
    """A browser: it keeps its cookie and says its Origin."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.http = httpx.Client(base_url=site.url, headers={"Origin": site.url}, timeout=60, verify=False)
        PEOPLE.append(self)

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        """Ask, and expect that status."""
        answer = self.http.get(path, params=query)
        assert answer.status_code == status, answer.text[:500]
        return answer.json()

    def post(self, path: str, body: Any = None, status: int = 200, **headers: str) -> Any:
        """Send, and expect that status."""
        if body is None:
            answer = self.http.post(path, headers=headers)
        else:
            answer = self.http.post(path, json=body, headers=headers)
        assert answer.status_code == status, answer.text[:500]
        return answer.json()

    def make(
        self, game: str = "petrify", first: Any = "me", second: Any = "me", size: int | None = None, **more: Any
    ) -> Any:
        """A new game; a number for a seat is the computer's level."""
        seats = {
            name: {"kind": "computer", "level": seat} if isinstance(seat, int) else {"kind": seat}
            for name, seat in (("first", first), ("second", second))
        }
        return self.post("/api/games", {"game": game, "size": size, "seats": seats, **more}, 201)

    def move(self, game_id: str, ply: int, move: str, status: int = 200) -> Any:
        """Make a move."""
        return self.post(f"/api/games/{game_id}/moves", {"ply": ply, "move": move}, status)

    def act(self, game_id: str, kind: str, at: int, status: int = 200) -> Any:
        """Do something that is no move."""
        return self.post(f"/api/games/{game_id}/acts", {"kind": kind, "at": at}, status)

    def state(self, game_id: str) -> Any:
        """The game as this person sees it."""
        return self.get(f"/api/games/{game_id}")

    def wait_for(self, game_id: str, what: str, wanted: Any, seconds: float = 60) -> Any:
        """The state, once a part of it is as wanted."""
        until = time.monotonic() + seconds
        while (state := self.state(game_id))[what] != wanted:
            assert time.monotonic() < until, f"{what} stayed {state[what]!r}"
            time.sleep(0.02)
        return state

    @property
    def cookie(self) -> str:
        """The cookie as a header."""
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())


def settings_for(folder: Path, **more: Any) -> Settings:
    """Settings for a test: a database in that folder, a free port, one worker."""
    settings = Settings(database=str(folder / "games.db"), port=0, workers=1, limits=GENEROUS)
    return replace(settings, **more)


@contextmanager
def running(settings: Settings) -> Iterator[Site]:
    """A server for the length of a test."""
    site = Site(settings)
    try:
        yield site
    finally:
        site.stop()


def on_a_thread(run: Callable[[], Result]) -> Result:
    """What `run` gives, on a thread of its own: a browser's test that ran before may have left a loop on this one."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(run).result()


def long_line() -> list[str]:
    """A random game of Pyloff 19, nearly to its end."""
    position, rng = core().Position.start("pyloff", 19), random.Random(5)
    moves: list[str] = []
    while len(moves) < 2_500:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves
