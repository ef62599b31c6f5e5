"""What the board page tells and offers: reasons, hints, undo, stepping, sharing."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from .visitor import PHONE, Visitor

Visit = Callable[..., Visitor]
HERE = {
    "size": {"petrify": 4, "pilo": 4, "pyloff": 4},
    "opponent": "here",
    "seat": "first",
    "clock": "none",
    "level": 1,
}
COMPUTER = {**HERE, "opponent": "computer"}


def at_board(visitor: Visitor, game: str, *moves: str) -> None:
    visitor.begin(game)
    for ply, move in enumerate(moves):
        visitor.play(move, "typed")
        visitor.wait_for_ply(ply + 1)


def test_an_illegal_attempt_draws_its_reason_and_says_it(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "c1", "c4", "b1", "b4", "a4", "b2", "b1xb2", "d4")
    visitor.press("c1", "mouse")
    expect(visitor.page.locator(".picked")).to_be_visible()
    visitor.press("c4", "mouse")
    expect(visitor.note).to_contain_text("mound")
    assert visitor.page.locator(".refusal .ring-stone").count() == 2
    visitor.press("b1", "mouse")
    expect(visitor.page.locator(".refusal")).to_have_count(1)


def test_picking_a_disk_lights_its_targets(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "pilo", "b2", "b4", "a1", "d2")
    visitor.press("b2", "mouse")
    assert visitor.page.locator("circle.target").count() == 2
    visitor.key("b", "Escape")
    assert visitor.page.locator("circle.target").count() == 0


def test_a_disk_is_dragged_onto_an_enemy(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "b2", "c3")
    visitor.page.mouse.move(*visitor.spot("b2"))
    visitor.page.mouse.down()
    visitor.page.mouse.move(*visitor.spot("c3"))
    visitor.page.mouse.up()
    visitor.wait_for_ply(3)
    assert visitor.state()["moves"][-1] == "b2xc3"


def test_a_pentomino_is_turned_by_the_wheel(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    visitor.begin("pentwall")
    visitor.page.get_by_role("button", name="Take I").click()
    visitor.page.mouse.move(*visitor.spot("e5"))
    before = visitor.board.get_attribute("data-aim") or ""
    visitor.page.mouse.wheel(0, 100)
    expect(visitor.board).not_to_have_attribute("data-aim", before)
    expect(visitor.board).to_have_attribute("data-aim", "Ie3e4e5e6e7" if "e4" not in before else "Ic5d5e5f5g5")


def test_a_link_to_no_game_says_so(visit: Visit) -> None:
    visitor = visit()
    visitor.page.goto("/g/nosuchgame")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text(re.compile("no such game"))
    visitor.problems.clear()  # the browser itself writes the 404 down


def test_a_marble_is_shown_with_its_level_and_supports_before_it_is_played(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "pyloff", "b2", "c2", "b3", "c3")
    visitor.page.mouse.move(*visitor.spot("2b2"))
    expect(visitor.board).to_have_attribute("data-aim", "2b2")
    expect(visitor.page.locator(".effect .support")).to_have_count(4)
    visitor.press("2b2", "mouse")
    visitor.wait_for_ply(5)
    visitor.page.get_by_role("button", name="Tilt").click()
    expect(visitor.page.locator(".plate")).to_be_visible()


def test_a_first_tap_shows_and_a_second_one_plays(visit: Visit) -> None:
    visitor = visit(wishes=HERE, screen=PHONE)
    visitor.begin("pyloff")
    visitor.press("b2", "touch")
    expect(visitor.see("confirm")).to_have_text("Play b2")
    assert visitor.state()["moves"] == []
    visitor.press("c3", "touch")
    visitor.see("confirm").tap()
    visitor.wait_for_ply(1)
    assert visitor.state()["moves"] == ["c3"]


def test_undo_takes_back_the_reply_and_my_move_and_redo_brings_them_again(visit: Visit) -> None:
    visitor = visit(wishes=COMPUTER)
    visitor.begin("petrify")
    visitor.play("b2", "mouse")
    visitor.wait_for_turn(2)
    visitor.see("undo").click()
    expect(visitor.see("table")).to_have_attribute("data-ply", "0")
    expect(visitor.page.get_by_role("listitem").filter(has_text="b2")).to_be_visible()
    visitor.see("redo").click()
    expect(visitor.see("table")).to_have_attribute("data-ply", "2")


def test_a_hint_names_a_legal_move(visit: Visit) -> None:
    visitor = visit(wishes=COMPUTER)
    visitor.begin("pyloff")
    visitor.see("hint").click()
    expect(visitor.note).to_contain_text("The computer would play")
    move = visitor.note.inner_text().removeprefix("The computer would play ").rstrip(".")
    assert move in visitor.legal(visitor.state()["view"])


def test_arrow_keys_step_through_the_game_and_do_not_play(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "a1", "b2", "c3")
    visitor.page.locator("body").focus()
    visitor.page.get_by_role("heading", name="Moves").click()
    visitor.key("ArrowLeft", "ArrowLeft")
    expect(visitor.note).to_have_text("Move 1 of 3")
    visitor.press("d4", "mouse")
    expect(visitor.note).to_have_text("Move 1 of 3")
    visitor.key("End")
    expect(visitor.note).to_have_text("Orange to move")
    visitor.key("Home")
    expect(visitor.see("ply")).to_have_text("0")
    assert len(visitor.state()["moves"]) == 3


def test_a_ledger_line_lights_its_squares_and_a_square_lights_its_line(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "b2", "c3")
    line = visitor.page.locator(".ledger .entry").first
    line.hover()
    expect(visitor.page.locator("path.edge")).to_have_count(1)
    visitor.page.mouse.move(*visitor.spot("a1"))
    expect(visitor.page.locator("path.edge")).to_have_count(0)
    expect(visitor.page.locator(".ledger .entry.lit")).to_have_count(1)


def test_resigning_is_asked_twice_and_a_rematch_exchanges_the_seats(visit: Visit) -> None:
    visitor = visit(wishes=COMPUTER)
    visitor.begin("petrify")
    visitor.see("more").click()
    visitor.see("resign").click()
    visitor.see("resign-yes").click()
    expect(visitor.see("over")).to_contain_text("You lose")
    before = visitor.game_id
    visitor.see("rematch").click()
    visitor.page.wait_for_function("id => !location.pathname.endsWith(id)", arg=before)
    visitor.wait_for_turn(1)
    assert visitor.state()["you"] == ["second"]


def test_the_links_copy_the_very_position(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "a1", "b2")
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.see("more").click()
    visitor.see("share").click()
    visitor.page.locator("dialog li", has_text="This position").get_by_role("button").click()
    link = visitor.page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("/review#g=petrify&s=4&m=a1.b2*")
    for name in ("Record", "Picture (PNG)", "Picture (SVG)"):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("link", name=name).click()
        assert download.value.path().stat().st_size > 50


def test_moves_are_spoken_and_the_board_is_there_in_words(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "b2", "c3", "b2xc3")
    expect(visitor.see("spoken")).to_have_text("Blue: b2 captures c3")
    words = visitor.see("text-board").text_content() or ""
    assert "b2 block" in words
    assert "c3 Blue disk" in words
    assert "a1 empty" in words


def test_a_typed_text_that_is_no_move_gets_a_sentence(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    visitor.begin("petrify")
    for text, sentence in (("z9", "z9"), ("c3xc3", "c3"), ("hello", "hello"), ("swap", "swap")):
        visitor.play(text, "typed")
        expect(visitor.page.locator(".note.why")).to_contain_text(sentence)
    assert visitor.state()["moves"] == []
