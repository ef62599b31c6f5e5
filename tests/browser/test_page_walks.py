"""The walks of docs/architecture.md on the page are what happens there.

The page is built with its functions' names, and the browser counts their calls: that tells which were called, and not
in which order.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.server.site import Site, running, settings_for
from tests.walking import ROOT, WALKS, hold_to

from .coverage import Coverage
from .visitor import Visitor

TICKS = {"api/socket.ts", "play/seats.ts"}
"""What a page calls from time to time, within a walk or not: it pings the server, and its clocks run."""


@pytest.fixture(scope="module")
def named_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as it is, but with the names of its functions."""
    folder = tmp_path_factory.mktemp("page")
    build = ["node", "node_modules/vite/bin/vite.js", "build", "--minify", "false", "--outDir", str(folder)]
    where = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}  # node may be our own
    subprocess.run([*build, "--logLevel", "error", "--emptyOutDir"], cwd=ROOT / "web", env=where, check=True)
    return folder


@pytest.fixture(scope="module")
def named_site(named_page: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running(settings_for(tmp_path_factory.mktemp("named"), web=named_page)) as site:
        yield site


@pytest.fixture
def visitors(browser: Browser, named_site: Site) -> Iterator[list[Visitor]]:
    both = [Visitor(browser, named_site.url) for _ in range(2)]
    yield both
    for visitor in both:
        visitor.leave()


def follow_on_page(title: str, called: dict[str, Counter[str]]) -> None:
    """The walk's steps are called, and no module runs that it does not name. Components draw: those may be left out."""
    walk = WALKS[title]
    for path, name in walk.steps:
        owner, _, method = name.rpartition(".")
        assert method in called.get(path, ()), f"{path}:{name} is not called"
        assert f"class {owner}" in (ROOT / "web/src" / path).read_text() or not owner
    named = {path for path, _ in walk.steps}
    hold_to(walk, {path for path in called if path.endswith(".ts") or path in named} | TICKS)


def test_a_persons_move_on_both_pages_is_taken_up_once(visitors: list[Visitor], named_page: Path) -> None:
    host, guest = visitors
    seats = {"first": {"kind": "me"}, "second": {"kind": "link"}}
    body = {"game": "petrify", "size": 6, "seats": seats}
    made: Any = host.context.request.post("/api/games", data=body, headers={"Origin": host.url}).json()
    host.page.goto(f"/g/{made['id']}")
    guest.page.goto(f"/g/{made['id']}#i={made['invite']}")
    guest.wait_for_board()
    host.wait_for_turn(0)
    with host.page.expect_response("**/api/look"):
        host.page.mouse.move(*host.spot("c3"))
    for visitor in visitors:
        visitor.page.wait_for_load_state("networkidle")
        visitor.be_drawn()
    here, there = Coverage(host, named_page), Coverage(guest, named_page)
    host.page.mouse.down()
    host.page.mouse.up()
    for visitor in visitors:
        visitor.wait_for_ply(1)
        expect(visitor.see("table")).to_have_attribute("data-state", "theirs" if visitor is host else "mine")
    made_here, seen_there = here.end(), there.end()
    follow_on_page("A person's move: the page where it is made", made_here)
    follow_on_page("A person's move: the other page", seen_there)
    for called in (made_here, seen_there):
        assert called["play/live.svelte.ts"]["applyEvent"] == 1
        assert called["play/input.svelte.ts"]["show"] == 1


def test_a_hint_on_the_page(visitors: list[Visitor], named_page: Path) -> None:
    visitor, _ = visitors
    visitor.make("petrify", 6, ["c3", "d4"])
    visitor.page.wait_for_load_state("networkidle")
    coverage = Coverage(visitor, named_page)
    visitor.see("hint").click()
    expect(visitor.note).to_contain_text("The computer would play")
    follow_on_page("A hint: the page", coverage.end())
