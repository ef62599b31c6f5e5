"""Whole games against the computer, by mouse, by touch and by keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .visitor import PHONE, Visitor

Visit = Callable[..., Visitor]
GAMES = ["petrify", "pilo", "pentwall", "pyloff"]
TWO_PATCHES = "d4 a2 b4 d2 c2 a1 a3 b2 d1 d2xc2 a3xa2 d3 c1 b1 b3 c2xb3 c3 c4 a4 b3xb4 pass"
"""Petrify on 4×4 but for the last pass: blocks divide the board into halves, one with equal groups."""
COUNTED = [
    "Patch 1 of 2: 6 squares. The biggest group left is Orange’s 3. Orange owns the patch: 6 points.",
    "Patch 2 of 2: 6 squares.",
    "One group of 1 on each side: equal, so both are struck out.",
    "The biggest group left is Orange’s 2. Orange owns the patch: 6 points.",
    "In all: Blue 0, Orange 12.",
]


def wishes(**more: object) -> dict[str, object]:
    sizes = {"petrify": 4, "pilo": 4, "pentwall": 10, "pyloff": 3}
    return {"size": sizes, "opponent": "computer", "level": 1, "seat": "first", "clock": "none", **more}


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_mouse(visit: Visit, game: str) -> None:
    visitor = visit(wishes=wishes())
    visitor.begin(game)
    state = visitor.play_to_the_end("mouse")
    assert state["status"] == "over"
    expect(visitor.see("over")).to_contain_text(state["result"]["reason"])


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_touch_on_a_phone(visit: Visit, game: str) -> None:
    visitor = visit(wishes=wishes(), screen=PHONE)
    visitor.begin(game)
    assert visitor.play_to_the_end("touch", seed=2)["status"] == "over"


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_keyboard_alone(visit: Visit, game: str) -> None:
    visitor = visit(wishes=wishes())
    visitor.go("/")
    visitor.see(f"choose-{game}").focus()
    visitor.key("Enter")
    expect(visitor.see("play")).to_be_focused()
    visitor.key("Enter")
    visitor.wait_for_board()
    assert visitor.play_to_the_end("keys", seed=3)["status"] == "over"


def test_the_end_is_counted_step_by_step(visit: Visit) -> None:
    visitor = visit()
    visitor.make("petrify", 4, TWO_PATCHES.split())
    visitor.play("pass", "mouse")
    visitor.see("count-it").click()
    for told in COUNTED:
        expect(visitor.see("count")).to_have_text(told)
        visitor.page.get_by_role("button", name="Done" if told == COUNTED[-1] else "Next", exact=True).click()
    expect(visitor.see("count")).to_have_count(0)


def test_the_count_can_be_left_at_any_step_by_its_button_and_by_escape(visit: Visit) -> None:
    visitor = visit()
    visitor.make("petrify", 4, TWO_PATCHES.split())
    visitor.play("pass", "mouse")
    visitor.see("count-it").click()
    expect(visitor.see("count")).to_have_text(COUNTED[0])
    visitor.page.get_by_role("button", name="Close").click()
    expect(visitor.see("count")).to_have_count(0)
    visitor.see("count-it").click()
    visitor.page.get_by_role("button", name="Next", exact=True).click()
    visitor.key("Escape")
    expect(visitor.see("count")).to_have_count(0)
    expect(visitor.see("over")).to_be_visible()


def test_a_game_that_ends_again_after_an_undo_is_told_of_again(visit: Visit) -> None:
    visitor = visit()
    visitor.make("petrify", 4, TWO_PATCHES.split())
    visitor.play("pass", "mouse")
    visitor.see("count-it").click()
    visitor.see("undo").click()
    visitor.play("pass", "mouse")
    expect(visitor.see("over")).to_be_visible()
    expect(visitor.see("count")).to_have_count(0)


def test_once_the_game_is_over_bar_and_graph_tell_who_has_won_and_by_how_much(visit: Visit) -> None:
    visitor = visit()
    seats = {"first": {"kind": "computer", "level": 1}, "second": {"kind": "me"}}
    visitor.make("petrify", 4, TWO_PATCHES.split(), seats)
    expect(visitor.see("evaluation")).to_contain_text("%")
    visitor.play("pass", "mouse")
    expect(visitor.see("over")).to_contain_text("You win")
    visitor.page.reload()  # so that nothing is left of what was said of the position before
    expect(visitor.see("evaluation")).to_have_text("Orange 100 %, by 12")
    expect(visitor.see("graph")).to_contain_text("Lead expected: Orange by 12")
    expect(visitor.see("graph")).to_contain_text("Win chance: Orange 100 %")


def test_nobody_waits_longer_than_two_clicks(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    visitor.begin("pyloff")
    expect(visitor.board).to_be_visible()
    expect(visitor.note).to_contain_text("Your turn")
