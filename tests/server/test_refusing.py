"""A refusal needs nothing but memory: neither the database nor the client that it is for."""

from __future__ import annotations

import asyncio
import gc
import time
from pathlib import Path
from typing import Any

import pytest

from .postgres import cluster
from .site import running, settings_for
from .socket_client import Socket

FRAMES: list[dict[str, Any]] = [
    {"t": "move", "ply": 2, "move": "d4"},
    {"t": "move", "ply": 1, "move": "d4"},
    {"t": "move", "ply": 9, "move": "d4"},
    {"t": "act", "kind": "resign", "at": 1},
]
"""A good move, and refusals of other kinds if there were a database."""


def test_a_socket_is_answered_that_nothing_can_be_saved_while_the_database_is_away(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with cluster() as postgres, running(settings_for(folder, database=postgres.database())) as site:
        ana = site.person()
        game = ana.make("petrify")["id"]
        with Socket(ana, game) as board:
            assert board.ask(t="move", rid=1, ply=1, move="c3")["v"] == 1
            for _ in range(2):
                postgres.control("stop", "-m", "immediate")
                for rid, frame in enumerate(FRAMES):
                    nak = board.ask(rid=rid, **frame)
                    assert (nak["t"], nak["rid"], nak["code"], nak["v"]) == ("nak", rid, "storage", 1)
                    assert "state" not in nak
                for _ in range(2):
                    board.send(t="sync")
                    assert board.expect("nak")["code"] in ("storage", "rate")
                late = Socket(ana, game, hello=False)
                late.send(t="hello", proto=1, since=None)
                assert late.expect("nak")["code"] == "storage"
                assert late.close_code() == 1013
                postgres.restart()
            until = time.monotonic() + 30
            while (answer := board.ask(t="move", rid="again", ply=2, move="d4"))["t"] == "nak":
                assert answer["code"] == "storage"
                assert time.monotonic() < until
                time.sleep(0.2)
            assert answer["v"] == 2
            assert len(site.runtime.hub.rooms[game]) == 1, "who was not let in does not count as watching"
    assert "Traceback" not in caplog.text
    assert not [record for record in caplog.records if record.exc_info]


def test_a_client_that_leaves_while_its_move_is_refused_leaves_no_error_behind(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        game = ana.make("petrify")["id"]
        committer, loop = site.runtime.committer, site.runtime.keeper.tasks[0].get_loop()
        may_go = asyncio.Event()

        async def hold() -> None:
            async with committer.lock(game):
                await may_go.wait()

        board = Socket(ana, game)
        held = asyncio.run_coroutine_threadsafe(hold(), loop)
        board.send(t="move", rid=1, ply=1, move="z9")
        until = time.monotonic() + 20
        while not committer.tasks:
            assert time.monotonic() < until
            time.sleep(0.01)
        board.connection.socket.close()
        while game in site.runtime.hub.rooms:
            assert time.monotonic() < until
            loop.call_soon_threadsafe(site.runtime.hub.push, game, ['{"t":"here"}'])
            time.sleep(0.01)
        loop.call_soon_threadsafe(may_go.set)
        held.result(20)
        while committer.tasks:
            assert time.monotonic() < until
            time.sleep(0.01)
        gc.collect()
        assert ana.state(game)["v"] == 0
    assert "never retrieved" not in caplog.text
    assert not [record for record in caplog.records if record.exc_info]
