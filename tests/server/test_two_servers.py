"""Two servers on one PostgreSQL: a move on one is seen on the other, and of two moves for one turn one is made."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from purlieu.server.settings import database_url
from purlieu.server.store.audit import check_games
from purlieu.server.store.database import open_database

from .postgres import Cluster
from .site import Person, Site, running, settings_for
from .socket_client import Socket


@pytest.fixture(scope="module")
def url(postgres: Cluster) -> str:
    return postgres.database()


@pytest.fixture(scope="module")
def sites(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Site]]:
    folder = tmp_path_factory.mktemp("two")
    with running(settings_for(folder, database=url)) as one, running(settings_for(folder, database=url)) as two:
        yield one, two


def same_person(person: Person, site: Site) -> Person:
    """The same browser's session, at another server."""
    there = site.person()
    there.http.cookies = person.http.cookies
    return there


def test_a_move_made_at_one_server_is_seen_at_the_other(sites: tuple[Site, Site]) -> None:
    here = sites[0].person()
    game = here.make("pilo")["id"]
    there = same_person(here, sites[1])
    with Socket(there, game) as board:
        for ply, move in enumerate(["c3", "d4", "e5"], start=1):
            here.move(game, ply, move)
            event = board.expect("ev")
            assert (event["v"], event["data"]["move"], event["view"]["ply"]) == (ply, move, ply)
    assert there.move(game, 4, "f6")["v"] == 4
    assert here.state(game)["moves"] == ["c3", "d4", "e5", "f6"]


@pytest.mark.parametrize("lost", ["the asking", "the notices"])
def test_either_a_notice_or_asking_is_enough_to_see_the_other_servers_moves(
    url: str, folder: Path, lost: str, sites: tuple[Site, Site]
) -> None:
    with running(settings_for(folder, database=url)) as deaf:
        keeper = deaf.runtime.keeper
        assert keeper.notices
        loop = keeper.notices.loop
        if lost == "the notices":
            asyncio.run_coroutine_threadsafe(keeper.notices.close(), loop).result(20)
        else:
            loop.call_soon_threadsafe(lambda: [task.cancel() for task in keeper.tasks])
        here = sites[0].person()
        game = here.make("pilo")["id"]
        with Socket(deaf.person(), game) as board:
            for ply, move in enumerate(["c3", "d4", "e5"], start=1):
                here.move(game, ply, move)
                assert board.expect("ev")["v"] == ply


def test_of_two_moves_at_two_servers_for_one_turn_one_is_made(sites: tuple[Site, Site], url: str) -> None:
    here = sites[0].person()
    game = here.make("pilo", size=10)["id"]
    there = same_person(here, sites[1])
    for ply in range(1, 21):
        barrier = threading.Barrier(2)

        def race(person: Person, row: int, ply: int = ply, barrier: threading.Barrier = barrier) -> int:
            barrier.wait()
            body = {"ply": ply, "move": f"{'abcdefghij'[ply % 10]}{row + 5 * (ply > 10)}"}
            return person.http.post(f"/api/games/{game}/moves", json=body).status_code

        with ThreadPoolExecutor(2) as crowd:
            answers = sorted(crowd.map(race, (here, there), (1, 2)))
        assert answers == [200, 409]
    assert here.state(game)["v"] == there.state(game)["v"] == 20
    database = open_database(database_url(url))
    assert [fault for _, fault in check_games(database) if fault] == []
    database.close()


def test_a_guest_may_come_through_the_other_server(sites: tuple[Site, Site], folder: Path) -> None:
    ana, ben = sites[0].person(), sites[1].person()
    made = ana.make("pilo", "me", "link")
    with Socket(ana, made["id"]) as board:
        ben.post(f"/api/games/{made['id']}/join", {"token": made["invite"]})
        assert board.expect("ev")["kind"] == "join"
    assert ana.move(made["id"], 1, "c3")["ply"] == 1
    assert ben.move(made["id"], 2, "d4")["ply"] == 2
