"""Hints on the board page: of which position they speak, and that bar, graph, map and swap offer say the same."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from .test_at_the_board import AHEAD, COMPUTER, HERE, Visit, at_board
from .visitor import PHONE


def test_where_a_swap_is_open_bar_and_hint_and_computer_agree(visit: Visit) -> None:
    """On 10×10 a search of Pilo alone would stay Orange; thousands of games say that Blue is better off."""
    visitor = visit()
    seats = {"first": {"kind": "me"}, "second": {"kind": "computer", "level": 8}}
    visitor.make("pilo", 10, ["e5"], seats={"first": seats["second"], "second": seats["first"]})
    expect(visitor.see("evaluation")).to_have_text(re.compile(r"^\s*You 5\d\s% \(you may swap\)\s*$"))
    visitor.page.get_by_role("button", name="Hint").click()
    expect(visitor.note).to_contain_text("The computer would swap.")
    visitor.make("pilo", 10, [], seats=seats)
    visitor.play("e5", "typed")
    visitor.wait_for_ply(2)
    assert visitor.state()["moves"] == ["e5", "swap"]
    expect(visitor.see("evaluation")).to_contain_text(re.compile(r"^\s*Blue 5\d\s%, by \d"))


def test_an_offered_swap_tells_the_chances_of_both_colours_and_so_does_the_hint(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    visitor.make("petrify", 6, ["c3"], {"first": {"kind": "computer", "level": 1}, "second": {"kind": "me"}})
    told = re.compile(r"Swap: (\d\d)\s% as Blue\. Stay: (\d\d)\s% as Orange\.")
    expect(visitor.see("swap-advice")).to_have_text(told)
    found = told.search(visitor.see("swap-advice").inner_text())
    assert found
    assert int(found[1]) + int(found[2]) == 100
    visitor.see("hint").tap()
    expect(visitor.note).to_have_text(told)


def test_a_hint_names_a_legal_move(visit: Visit) -> None:
    visitor = visit(wishes=COMPUTER)
    visitor.begin("pyloff")
    visitor.see("hint").click()
    expect(visitor.note).to_contain_text("The computer would play")
    found = re.fullmatch(r"The computer would play (\w+): \d+\s%(, (behind )?by \d+)?\.", visitor.note.inner_text())
    assert found
    move = found[1]
    assert move in visitor.legal(visitor.state()["view"])


def test_bar_and_graph_and_map_tell_the_same_chance_as_the_hint(visit: Visit) -> None:
    visitor = visit()
    seats = {"first": {"kind": "me"}, "second": {"kind": "computer", "level": 1}}
    visitor.make("petrify", 6, AHEAD, seats)
    line = {"game": "petrify", "size": 6, "moves": AHEAD}
    ask = visitor.context.request.post
    quick, thorough = (
        ask("/api/analyse", data={**line, "effort": effort}, headers={"Origin": visitor.url}).json()
        for effort in ("quick", "thorough")
    )
    said = [
        f"{max(percent, 100 - percent)} %" for percent in (round(100 * one["win_chance"]) for one in (quick, thorough))
    ]
    assert said[0] != said[1], "the two looks should disagree here"
    visitor.key("o")
    telling = [visitor.see("evaluation"), visitor.see("graph"), visitor.page.locator("[data-testid=expected]:visible")]
    for one in telling:
        expect(one).to_contain_text(said[0])
    visitor.see("hint").click()
    expect(visitor.note).to_contain_text(f"{round(100 * thorough['win_chance'])} %")
    for one in telling:
        expect(one).to_contain_text(said[1])


def test_a_hints_words_stay_while_the_pointer_goes_to_its_square(visit: Visit) -> None:
    visitor = visit(wishes=COMPUTER)
    visitor.begin("petrify")
    visitor.see("hint").click()
    told = re.compile(r"^The computer would play \w+")
    expect(visitor.note).to_have_text(told)
    visitor.page.locator("svg.board").hover(position={"x": 5, "y": 5})
    visitor.page.get_by_role("heading", name="Moves").hover()
    expect(visitor.note).to_have_text(told)


def test_a_hint_that_comes_after_the_position_has_changed_is_neither_drawn_nor_told(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "a1", "b2")
    held: list[Route] = []
    visitor.page.route("**/api/analyse", lambda route: held.append(route))
    visitor.see("hint").click()
    visitor.see("undo").click()
    visitor.wait_for_ply(1)
    visitor.play("c3", "typed")
    visitor.wait_for_ply(2)
    for route in held:
        route.continue_()
    expect(visitor.see("hint")).to_be_enabled()
    expect(visitor.page.locator("svg.board circle.hint")).to_have_count(0)
    expect(visitor.note).not_to_contain_text("The computer would")


def test_a_hint_is_drawn_only_on_the_position_it_is_about(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "a1", "b2")
    visitor.see("hint").click()
    expect(visitor.page.locator("svg.board circle.hint")).not_to_have_count(0)
    visitor.page.get_by_role("heading", name="Moves").click()
    visitor.key("ArrowLeft")
    expect(visitor.note).to_have_text("Move 1 of 2")
    expect(visitor.page.locator("svg.board circle.hint")).to_have_count(0)
