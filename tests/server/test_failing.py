"""Every step of every write fails once, as when a disk is full: nothing told is lost, nothing is half done."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import inspect
from sqlalchemy.engine.default import DefaultDialect

from purlieu.server.settings import database_url
from purlieu.server.store.audit import check_file, check_games
from purlieu.server.store.database import open_database
from purlieu.server.store.tables import metadata

from .postgres import Cluster
from .site import Person, Site, running, settings_for

STEPS = ("do_execute", "do_executemany", "do_commit")


@contextmanager
def failing_step(site: Site, number: int, *, done: bool) -> Iterator[list[str]]:
    """The step of that number fails, before it is done or after; what failed is noted."""
    dialect: Any = site.runtime.store.database.writer.dialect
    seen = 0
    failed: list[str] = []

    def wrap(name: str, whole: Any) -> Any:
        def step(*given: Any, **more: Any) -> None:
            nonlocal seen
            seen += 1
            fails = seen == number
            if not fails or done:
                whole(*given, **more)
            if fails:
                failed.append(name)
                raise sqlite3.OperationalError("disk I/O error")

        return step

    for name in STEPS:
        setattr(dialect, name, wrap(name, getattr(dialect, name)))
    try:
        yield failed
    finally:
        for name in STEPS:
            delattr(dialect, name)


def sent(person: Person, path: str, body: Any, **headers: str) -> Any:
    """The answer, once it can be saved; until then only that sentence is an answer."""
    for _ in range(5):
        answer = person.http.post(path, json=body, headers=headers)
        if answer.status_code in (200, 201):
            return answer.json()
        assert (answer.status_code, answer.json()["code"]) == (503, "storage"), answer.text
    raise AssertionError("it could not be saved in five tries")


def play_a_little(ana: Person, ben: Person, key: str) -> None:
    """A game is made and joined, moves are made, one gives up, and both play again."""
    seats = {"first": {"kind": "me"}, "second": {"kind": "link"}}
    body = {"game": "pentwall", "seats": seats, "clock": {"mode": "days", "days": 1}}
    made = sent(ana, "/api/games", body, **{"Idempotency-Key": key})
    path = f"/api/games/{made['id']}"
    assert sent(ben, f"{path}/join", {"token": made["invite"]})["you"] == ["second"]
    for ply, (person, move) in enumerate([(ana, "Ia1b1c1d1e1"), (ben, "Ve5e6e7f5g5")], start=1):
        assert sent(person, f"{path}/moves", {"ply": ply, "move": move})["ply"] == ply
    assert sent(ana, f"{path}/acts", {"kind": "resign", "at": 3})["state"]["result"]["winner"] == "second"
    assert sent(ana, f"{path}/acts", {"kind": "rematch", "at": 4})["state"]["rematch"]
    kinds = [event["kind"] for event in ana.get(f"{path}/events")["events"]]
    assert kinds == ["join", "move", "move", "resign", "rematch"]


@pytest.mark.parametrize("done", [False, True], ids=["before it is done", "after it is done"])
def test_whichever_step_of_a_write_fails_the_game_goes_on_unharmed(folder: Path, done: bool) -> None:
    with running(settings_for(folder)) as site:
        number, failed = 0, ["first"]
        while failed:
            number += 1
            assert number < 200
            ana, ben = site.person(), site.person()
            for person in (ana, ben):  # their browsers have their cookies: with new ones they would be others
                person.make()
            with failing_step(site, number, done=done) as failed:
                play_a_little(ana, ben, f"key number {number}")
        assert number > 25, "each statement was to fail once"
    database = open_database(database_url(str(folder / "games.db")))
    assert check_file(database) is None
    assert [fault for _, fault in check_games(database) if fault] == []
    database.close()


def migrate_and_die(url: str, number: int) -> None:
    """What a process does that is killed in the middle of a migration: at its statement of that number."""
    whole: Any = DefaultDialect.do_execute
    seen = 0

    def step(self: Any, *given: Any, **more: Any) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            os.kill(os.getpid(), signal.SIGKILL)
        whole(self, *given, **more)

    DefaultDialect.do_execute = step  # type: ignore[method-assign]
    open_database(url).close()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_migration_that_is_killed_at_any_statement_is_done_at_the_next_start(
    kind: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(["tests.server.test_failing"])
    cluster: Cluster | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    given = cluster.database() if cluster else str(folder / "games.db")
    killed, number = 0, 0
    while killed == number:
        number += 1
        process = forks.Process(target=migrate_and_die, args=(database_url(given), number))
        process.start()
        process.join()
        killed += process.exitcode == -signal.SIGKILL
    assert killed > 10
    database = open_database(database_url(given))
    with database.writer.connect() as connection:
        assert set(metadata.tables) < set(inspect(connection).get_table_names())
    database.close()


def test_a_server_whose_disk_fails_says_that_it_is_not_ready(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        with failing_step(site, 1, done=False):
            answer = httpx.get(f"{site.url}/readyz", verify=False)
            assert (answer.status_code, answer.json()["code"]) == (503, "storage")
        assert httpx.get(f"{site.url}/readyz", verify=False).status_code == 200
