"""What was acked is stored, whatever happens to the server or the database in the middle of it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from purlieu.server.domain.refusals import Problem

from .kill_loop import Player, audit, free_port, kill_loop, wait_for_moves
from .postgres import Cluster
from .site import Person, Site, running, settings_for
from .soak import soak
from .socket_client import Socket


@pytest.mark.parametrize("kills", [4, pytest.param(1000, marks=pytest.mark.deep)])
def test_killing_the_server_loses_nothing_that_was_acked_on_sqlite(folder: Path, kills: int) -> None:
    acked, wrong = kill_loop(str(folder / "games.db"), free_port(), kills, players=6)
    assert wrong == []
    assert acked >= 10 * kills


@pytest.mark.parametrize("kills", [3, pytest.param(1000, marks=pytest.mark.deep)])
def test_killing_the_server_loses_nothing_that_was_acked_on_postgres(postgres: Cluster, kills: int) -> None:
    acked, wrong = kill_loop(postgres.database(), free_port(), kills, players=6)
    assert wrong == []
    assert acked >= 10 * kills


@pytest.mark.deep
def test_an_hour_of_play_needs_no_more_memory_at_its_end(folder: Path) -> None:
    """Games that nobody watches leave the memory once 500 others came; until then it may grow."""
    seen, wrong = soak(str(folder / "games.db"), minutes=60)
    assert wrong == []
    later = seen[len(seen) // 2 :]
    assert later[-1][0] - later[0][0] < 6, f"megabytes and open files: {seen}"
    assert abs(later[-1][1] - later[0][1]) <= 5, f"megabytes and open files: {seen}"


def test_restarting_the_database_under_play_loses_nothing_that_was_acked(postgres: Cluster, folder: Path) -> None:
    url = postgres.database()
    with running(settings_for(folder, database=url)) as site:
        crowd = [Player(site.port, number) for number in range(4)]
        for player in crowd:
            player.start()
        wait_for_moves(crowd, 40)
        postgres.restart()
        wait_for_moves(crowd, sum(map(Player.count, crowd)) + 40)
        for player in crowd:
            player.stopping.set()
        for player in crowd:
            player.join(30)
    acked, wrong = audit(url, crowd)
    assert wrong == []
    assert acked >= 80


def test_a_full_disk_is_said_and_play_goes_on_when_there_is_room(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        game = ana.make("pilo", size=10)["id"]
        allow_pages(site, 1)
        ply = 1
        while (answer := ana.http.post(f"/api/games/{game}/moves", json=next_move(ana, game))).status_code == 200:
            ply += 1
        assert (answer.status_code, answer.json()["code"]) == (503, "storage")
        assert ana.state(game)["v"] == ply - 1, "reading goes on"
        allow_pages(site, 1_000_000)
        assert ana.post(f"/api/games/{game}/moves", next_move(ana, game))["ply"] == ply


def next_move(person: Person, game: str) -> dict[str, object]:
    view = person.state(game)["view"]
    return {"ply": view["ply"] + 1, "move": view["legal"][0]}


def allow_pages(site: Site, most: int) -> None:
    """The file may have so many pages and no more, as if the disk ended there; it never shrinks."""
    with site.runtime.store.database.writer.connect() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count={most}")


def test_an_ack_never_comes_before_the_sync(folder: Path) -> None:
    """Every commit is synced: with `synchronous=FULL`, SQLite syncs its log once for each."""
    with running(settings_for(folder)) as site, site.runtime.store.database.writer.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"


def test_waiting_writes_share_a_commit(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        writer = site.runtime.store.writer
        commits = 0
        gate = threading.Event()

        def count_commit(_: object) -> None:
            nonlocal commits
            commits += 1

        from sqlalchemy import event

        event.listen(writer.engine, "commit", count_commit)
        first = writer.write(lambda connection: gate.wait(10))
        others = [writer.write(lambda connection: None) for _ in range(50)]
        gate.set()
        first.result(10)
        for other in others:
            other.result(10)
        event.remove(writer.engine, "commit", count_commit)
        assert commits <= 2


@pytest.mark.parametrize("stored", [True, False])
def test_a_commit_that_fails_without_saying_how_it_ended_is_looked_up(
    folder: Path, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    """The mover is told that it is not sure; whoever watches sees the truth; and sending it again is harmless."""
    with running(settings_for(folder)) as site:
        ana = site.person()
        game = ana.make("pilo")["id"]
        with Socket(site.person(), game) as watcher:
            whole = site.runtime.committer._store

            async def broken(*given: Any) -> None:
                monkeypatch.undo()
                if stored:
                    await whole(*given)
                raise Problem("storage", "the line was cut")

            monkeypatch.setattr(site.runtime.committer, "_store", broken)
            assert ana.move(game, 1, "c3", 503)["code"] == "storage"
            if stored:
                assert watcher.expect("ev")["data"]["move"] == "c3"
            assert ana.move(game, 1, "c3")["duplicate"] is stored
            if not stored:
                assert watcher.expect("ev")["data"]["move"] == "c3"
            assert ana.state(game)["v"] == 1
