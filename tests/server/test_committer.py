"""What is stored is told, and what is owed is done, even when something goes wrong in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from sqlalchemy import text

from purlieu.server.services.committer import Commit

from .site import Person, Site, running, settings_for


def on_the_loop(site: Site, work: Coroutine[Any, Any, Any]) -> Any:
    """Run it where the server runs."""
    return asyncio.run_coroutine_threadsafe(work, site.runtime.keeper.tasks[0].get_loop()).result(timeout=60)


def wait_for_moves(person: Person, game: str, count: int) -> None:
    until = time.monotonic() + 60
    while len(person.state(game)["moves"]) < count:
        assert time.monotonic() < until, "the move did not come"


def test_a_listener_that_fails_keeps_a_move_from_nobody_else(folder: Path) -> None:
    async def fail(commit: Commit) -> None:
        raise RuntimeError(commit.after.id)

    with running(settings_for(folder)) as site:
        site.runtime.committer.subscribers.insert(0, fail)
        ana = site.person()
        game = ana.make("petrify", "me", 1, size=3)["id"]
        ana.move(game, 1, "b2")
        wait_for_moves(ana, game, 2)


def test_a_move_that_the_computer_was_not_woken_for_is_taken_up_later(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        computer, committer = site.runtime.computer, site.runtime.committer
        committer.subscribers.remove(computer.hear)
        ana = site.person()
        game = ana.make("petrify", 1, "me", size=3)["id"]
        with site.runtime.store.database.writer.begin() as connection:
            connection.execute(text("UPDATE ai_job SET created_ms = created_ms - 61000"))
        committer.subscribe(computer.hear)
        on_the_loop(site, computer.look_after())
        wait_for_moves(ana, game, 1)


def test_a_refused_move_leaves_no_boards_of_a_long_game_behind(site: Site, ana: Person) -> None:
    game = ana.make("pyloff", "me", "me", size=4)["id"]
    ana.move(game, 1, "b2")
    ana.move(game, 2, "b2", 422)
    kept = site.runtime.cache.peek(game)
    assert kept is not None
    assert kept.played._position is None
