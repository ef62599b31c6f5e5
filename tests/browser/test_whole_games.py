"""Whole games against the computer, by mouse, by touch and by keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .visitor import PHONE, Visitor

Visit = Callable[..., Visitor]
GAMES = ["petrify", "pilo", "pentwall", "pyloff"]


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
    visitor = visit(wishes=wishes())
    visitor.begin("petrify")
    state = visitor.play_to_the_end("typed", seed=4)
    visitor.see("count-it").click()
    steps = 0
    while (following := visitor.page.get_by_role("button", name="Next", exact=True)).is_visible():
        following.click()
        steps += 1
    assert steps > 1
    for seat in ("first", "second"):
        colour = state["view"]["colours"][seat]
        expect(visitor.see("count")).to_contain_text(
            f"{colour.capitalize()} {state['view']['ledger']['totals'][colour]}"
        )
    visitor.page.get_by_role("button", name="Done").click()


def test_nobody_waits_longer_than_two_clicks(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    visitor.begin("pyloff")
    expect(visitor.board).to_be_visible()
    expect(visitor.note).to_contain_text("Your turn")
