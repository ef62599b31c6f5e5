"""The walks of docs/architecture.md are what happens: each is held against a real run.

Python is traced call by call, in the server's worker processes too; what happens in the browser is in
`tests/browser/test_page_walks.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import purlieu
from purlieu.nets.shape import Shape
from purlieu.records import loads
from purlieu.server.http import lifespan
from purlieu.server.workers import child, desk
from purlieu.terminal.session import Session
from purlieu.terminal.table import Table
from purlieu.train.data.metadata import Counters
from purlieu.train.data.run_folder import RunFolder
from purlieu.train.data.settings import make_settings
from purlieu.train.running import loop
from purlieu.train.running.options import RunOptions

from .server.site import Site, running, settings_for
from .server.socket_client import Socket
from .terminal.desk import Paper
from .train.runs import QUICK
from .walking import WALKS, Tracer, follow

MOVE_ONCE = [
    ("server/wire/frames.py", "read_frame"),
    ("server/domain/moves.py", "decide_move"),
    ("rules/notation.py", "parse_flat_move"),
    ("rules/position.py", "Position.play"),
    ("rules/patches.py", "count"),
    ("server/store/games.py", "append"),
    ("server/wire/view.py", "view"),
    ("server/wire/state.py", "event_view"),
]
"""What a move takes, however many watch."""
HINT_ONCE = [
    ("server/domain/who.py", "hash_of"),
    ("server/wire/questions.py", "line"),
    ("server/workers/child.py", "think"),
    ("server/wire/analysis.py", "analysis_view"),
]
HINT = {"game": "petrify", "size": 6, "effort": "thorough"}


@pytest.mark.parametrize("title", WALKS)
def test_a_walk_says_how_many_files_it_has_and_why_it_comes_back_to_one(title: str) -> None:
    walk = WALKS[title]
    paths = [path for path, _ in walk.steps]
    assert walk.files == len(set(paths))
    for at, path in enumerate(paths):
        if at and path != paths[at - 1] and path in paths[:at]:
            assert "back" in walk.said[at], f"it returns to {path} and does not say why"


# -- the server -------------------------------------------------------------------------------------


@pytest.fixture
def tracer(tmp_path: Path) -> Iterator[Tracer]:
    with Tracer(tmp_path / "workers").open() as made:
        yield made


@pytest.fixture(scope="module")
def traced_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Tracer, Site]]:
    """A server that is traced, and its workers too. What it does by itself from time to time rests."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch, Tracer(folder / "workers").open() as tracer:
        patch.setattr(lifespan, "desk_main", tracer.worker(desk.main))
        with running(settings_for(folder, worker=tracer.worker(child.main))) as site:
            for task in site.runtime.keeper.tasks:
                task.get_loop().call_soon_threadsafe(task.cancel)
            yield tracer, site


def moved(socket: Socket, v: int) -> None:
    """Until that event has come."""
    while socket.receive().get("v") != v:
        continue


def test_a_persons_move_on_the_server_where_nothing_is_done_twice(traced_site: tuple[Tracer, Site]) -> None:
    tracer, site = traced_site
    ana, ben = site.person(), site.person()
    made = ana.make("petrify", "me", "link", size=6)
    ben.post(f"/api/games/{made['id']}/join", {"token": made["invite"]})
    with Socket(ana, made["id"]) as here, Socket(ben, made["id"]) as there:
        here.ask(t="move", rid="1", ply=1, move="c3")
        there.ask(t="move", rid="1", ply=2, move="d4")
        moved(here, 3)
        tracer.begin()
        here.ask(t="move", rid="2", ply=3, move="b2")
        moved(there, 4)
        calls = tracer.end()
    follow("A person's move: the server", calls)
    assert [calls.count(each) for each in MOVE_ONCE] == [1] * len(MOVE_ONCE)


def test_a_computers_move(traced_site: tuple[Tracer, Site]) -> None:
    tracer, site = traced_site
    ana = site.person()
    for _ in range(2):  # the first time it imports what it needs
        made = ana.make("petrify", "me", 7, size=4)
        with Socket(ana, made["id"]) as here:
            tracer.begin()
            here.ask(t="move", rid="1", ply=1, move="b2")
            moved(here, 2)
            calls = tracer.end()
    follow("A computer's move", calls)


def test_a_hint_on_the_server_where_nothing_is_done_twice(traced_site: tuple[Tracer, Site]) -> None:
    tracer, site = traced_site
    ana = site.person()
    ana.make("petrify")
    ana.post("/api/analyse", {**HINT, "moves": []})  # the first time it imports what it needs
    tracer.begin()
    ana.post("/api/analyse", {**HINT, "moves": ["c3", "d4"]})
    calls = tracer.end()
    follow("A hint: the server", calls)
    assert [calls.count(each) for each in HINT_ONCE] == [1] * len(HINT_ONCE)


# -- the terminal, training, records ----------------------------------------------------------------


def test_a_move_in_the_terminal(tracer: Tracer) -> None:
    session = Session(Table(purlieu.start("petrify", 6), random=Random(1)), Paper())
    session.begin()
    tracer.begin()
    session.enter("c3")
    follow("A move in the terminal", tracer.end())


def test_one_turn_of_self_play_and_training(tracer: Tracer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "PUBLISH_SECONDS", 0.0)
    rarely = {"log_seconds": 1000, "checkpoint_seconds": 1000, "check_seconds": 1000}
    settings = make_settings("petrify", tiny=True, overrides={**QUICK, **rarely})
    shape = Shape.of("petrify")
    options = RunOptions("petrify", tmp_path, games=60)
    run = loop.Run(options, settings, shape, RunFolder(tmp_path), Counters(), "cpu")
    run.prepare(None, None, 0, lambda text: None)
    try:
        tracer.begin()
        run.play_and_learn()
        calls = tracer.end()
    finally:
        run.pool.end()
        run.learner.stop()
        run.reporter.end(run.elapsed(), interrupted=True)
        run.folder.close()
    follow("One turn of self-play and training", calls)


def test_reading_a_record(tracer: Tracer) -> None:
    tracer.begin()
    loads('[Game "Petrify"]\n[Size "6"]\n\n1. c3 d4 {why not} 2. b2 *\n')
    follow("Reading a record", tracer.end())
