"""What every page promises: no sideways scrolling, nothing that axe finds serious, little weight."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from purlieu.server.settings import WEB

from .visitor import DESK, PHONE, Visitor

Visit = Callable[..., Visitor]
LESSONS = Path(__file__).parents[2] / "web/src/lessons"
MIDDLE = {
    "petrify": "#g=petrify&s=4&m=b2.c3.b2xc3.d4*.a1(a2)",
    "pilo": "#g=pilo&s=4&m=b2.b4.b2xb4*",
    "pentwall": "#g=pentwall&s=10&m=Fh3g4h4i4g5.Ib5b6b7b8b9*",
    "pyloff": "#g=pyloff&s=4&m=b2.c2.b3.c3.2b2*",
}
PAGES = ["/", "/learn", "/learn/petrify", "/rules/pyloff", "/review", *(f"/review{link}" for link in MIDDLE.values())]


def test_nothing_scrolls_sideways_on_a_phone(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    for path in PAGES:
        visitor.go(path)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], path


@pytest.mark.parametrize("game", ["petrify", "pilo", "pentwall", "pyloff"])
def test_a_game_fits_on_a_phone(visit: Visit, game: str) -> None:
    clock = {"opponent": "computer", "level": 1, "seat": "second", "clock": "fischer-15-10", "size": {}}
    visitor = visit(screen=PHONE, wishes=clock)
    visitor.begin(game)
    visitor.wait_for_turn(1)
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    whole = visitor.board.bounding_box()
    assert whole
    assert whole["width"] > 320, "the board takes the width"
    assert whole["y"] + whole["height"] < PHONE[1], "the whole board is in sight"


@pytest.mark.parametrize("path", [path for path in PAGES if "pilo" not in path and "petrify&" not in path])
def test_axe_finds_nothing_serious(visit: Visit, axe: str, path: str) -> None:
    for dark in (False, True):
        visitor = visit(dark=dark, screen=PHONE if dark else DESK)
        visitor.go(path)
        assert serious(visitor, axe) == [], path


def test_axe_finds_nothing_serious_in_a_game_and_its_dialogs(visit: Visit, axe: str) -> None:
    visitor = visit(wishes={"opponent": "computer", "level": 1, "seat": "first", "clock": "fischer-5-5", "size": {}})
    visitor.page.goto("/")
    visitor.see("choose-petrify").click()
    visitor.page.get_by_text("Options").click()
    assert serious(visitor, axe) == []
    visitor.see("play").click()
    visitor.wait_for_board()
    assert serious(visitor, axe) == []
    for name in ("more", "share"):
        visitor.see(name).click()
        assert serious(visitor, axe) == [], name


def serious(visitor: Visitor, axe: str) -> list[str]:
    """What axe finds serious or critical on the page as it stands."""
    visitor.page.evaluate(axe)
    found = visitor.page.evaluate(
        """axe.run(document, {
            resultTypes: ['violations'],
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        })"""
    )
    return [
        f"{problem['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for problem in found["violations"]
        if problem["impact"] in ("serious", "critical")
        for node in problem["nodes"]
    ]


def test_the_client_weighs_less_than_150_kilobytes() -> None:
    files = [path for path in WEB.rglob("*") if path.suffix in (".html", ".js", ".css", ".svg")]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 150_000


def test_help_lists_the_keys(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/")
    visitor.key("?")
    expect(visitor.page.get_by_role("dialog", name="Keys")).to_be_visible()
    visitor.key("Escape")
    expect(visitor.page.get_by_role("dialog")).to_have_count(0)


def test_a_wish_is_remembered(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/")
    visitor.page.get_by_role("button", name="Settings").click()
    visitor.page.get_by_label("Dark", exact=True).check(force=True)
    visitor.page.reload()
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_review_link_holds_the_whole_game_and_the_position(visit: Visit) -> None:
    visitor = visit()
    visitor.go(f"/review{MIDDLE['petrify']}")
    expect(visitor.see("ply")).to_have_text("4")
    visitor.press("a4", "mouse")
    expect(visitor.see("ply")).to_have_text("5")
    assert visitor.page.url.endswith("m=b2.c3.b2xc3.d4.a1(a2)(a4*)")
    visitor.page.reload()
    expect(visitor.see("ply")).to_have_text("5")
    assert "a4 Blue disk" in (visitor.see("text-board").text_content() or "")


def test_a_pasted_record_is_opened_and_a_broken_one_gets_a_sentence(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/review")
    visitor.page.get_by_label("Paste a record").fill("what is this")
    visitor.page.get_by_role("button", name="Open").click()
    expect(visitor.page.get_by_role("alert")).not_to_be_empty()
    visitor.page.get_by_label("Paste a record").fill('[Game "petrify"]\n[Size "4"]\n\n1. b2 c3 2. b2xc3 *\n')
    visitor.page.get_by_role("button", name="Open").click()
    expect(visitor.see("ply")).to_have_text("0")
    visitor.key("End")
    expect(visitor.see("ply")).to_have_text("3")


@pytest.mark.parametrize("game", ["petrify", "pilo", "pentwall", "pyloff"])
def test_a_lesson_is_done_step_by_step(visit: Visit, game: str) -> None:
    visitor = visit()
    visitor.go(f"/learn/{game}")
    for step in json.loads((LESSONS / f"{game}.json").read_text()):
        expect(visitor.see("task")).to_have_text(step["text"])
        expect(visitor.see("lesson")).to_have_attribute("data-ready", "true")
        task = step["do"]
        if task.get("count"):
            while (following := visitor.page.get_by_role("button", name="Next", exact=True)).is_visible():
                following.click()
            visitor.page.get_by_role("button", name="Done").click()
        else:
            visitor.play(task.get("show") or task.get("try") or "b2", "mouse")
        expect(visitor.see("then")).to_have_text(step["then"])
        visitor.see("next").click()
    visitor.see("first-game").click()
    visitor.wait_for_board()
    assert visitor.state()["seats"]["second"]["level"] == 1
