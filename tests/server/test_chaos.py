"""Over a network that breaks all the time, games are played to their ends and everybody sees the same."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from purlieu.server.settings import database_url
from purlieu.server.store.audit import check_games
from purlieu.server.store.database import open_database

from .chaos import chaos
from .site import on_a_thread, running, settings_for


@pytest.mark.parametrize("games", [8, pytest.param(400, marks=pytest.mark.deep)])
def test_games_over_a_network_that_cuts_delays_and_splits_end_the_same_for_all(folder: Path, games: int) -> None:
    with running(settings_for(folder)) as site:
        cuts, wrong = on_a_thread(lambda: asyncio.run(chaos(site.port, games)))
    assert wrong == []
    assert cuts >= games, "the network was too good for this test"
    database = open_database(database_url(str(folder / "games.db")))
    assert [fault for _, fault in check_games(database) if fault] == []
    database.close()
