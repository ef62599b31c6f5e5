"""What the board page tells and offers: reasons, undo, stepping, sharing."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Route, expect

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
LINE = "e1 f2 a4 a3 b4 a2 e2 d6 f4 a2xa4 d4 f2xf4 d1 b5 c1 d3 b4xa4 f4xd4 e4 b5xe2 e4xd3 d2"
AHEAD = LINE.split()
AHEAD_SWAPPED = [AHEAD[0], "swap", *AHEAD[1:-1]]
"""The same game after a swap: the first seat has Orange then."""


def at_board(visitor: Visitor, game: str, *moves: str, size: int = 4) -> None:
    """A game of one who plays both sides, with moves on the board; the last of them is typed."""
    visitor.make(game, size, moves[:-1])
    visitor.play(moves[-1], "typed")
    visitor.wait_for_ply(len(moves))


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


def test_a_second_tap_on_play_hits_nothing(visit: Visit) -> None:
    visitor = visit(wishes=HERE, screen=PHONE)
    visitor.begin("petrify")
    visitor.press("b2", "touch")
    under_the_thumb = visitor.see("confirm").evaluate(
        """async play => {
            const box = play.getBoundingClientRect();
            play.click();
            for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
            const hit = document.elementFromPoint(box.x + box.width / 4, box.y + box.height / 2)?.closest('button');
            return [hit?.dataset.testid, hit?.disabled];
        }"""
    )
    assert under_the_thumb == ["confirm", True]
    visitor.wait_for_ply(1)
    expect(visitor.see("confirm")).to_have_count(0)
    assert visitor.state()["moves"] == ["b2"]


def test_no_button_moves_while_a_pentomino_lies_on_the_board(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    visitor.make("pentwall", 10, ["Ic3d3e3f3g3"])
    visitor.page.get_by_role("button", name="Take V").tap()
    turn = visitor.page.get_by_role("button", name="Turn", exact=True)
    turn.tap()
    turn.tap()
    visitor.press("e4", "touch")
    expect(visitor.note).to_contain_text("painted already")
    expect(visitor.see("confirm")).to_be_disabled()
    where = turn.bounding_box()
    assert where
    fits = set[bool]()
    for _ in range(4):
        turn.tap()
        assert turn.bounding_box() == where
        fits.add(visitor.see("confirm").is_enabled())
    assert fits == {True, False}
    visitor.page.get_by_role("button", name="Cancel").tap()
    expect(visitor.see("confirm")).to_have_count(0)


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


def test_undo_is_offered_only_where_there_is_something_to_take_back(visit: Visit) -> None:
    visitor = visit()
    visitor.make("petrify", 4, [], seats={"first": {"kind": "computer", "level": 1}, "second": {"kind": "me"}})
    visitor.wait_for_turn(1)
    expect(visitor.see("undo")).to_be_disabled()
    square = next(move for move in visitor.legal(visitor.state()["view"]) if len(move) == 2)
    visitor.play(square, "typed")
    visitor.wait_for_turn(3)
    expect(visitor.see("undo")).to_be_enabled()
    visitor.see("undo").click()
    expect(visitor.see("redo")).to_be_enabled()
    visitor.play(square, "typed")
    visitor.wait_for_turn(3)
    visitor.see("more").click()
    visitor.see("resign").click()
    visitor.see("resign-yes").click()
    expect(visitor.see("over")).to_contain_text("You lose")
    expect(visitor.see("undo")).to_be_disabled()
    expect(visitor.see("redo")).to_be_disabled()


def test_the_cursor_names_its_square_before_it_tells_what_a_move_there_would_do(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "a1", "b2")
    visitor.page.get_by_role("heading", name="Moves").click()
    visitor.key("b", "ArrowUp", "ArrowUp")
    expect(visitor.note).to_have_text(re.compile(r"^b3: empty\. .*Score then: Blue \d+, Orange \d+\."))


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


def test_a_disk_that_may_not_leave_a_block_says_why_when_it_is_picked(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "c1", "c4", "b1", "b4", "a4", "b2", "b1xb2", "d4")
    visitor.press("c1", "mouse")
    expect(visitor.note).to_contain_text("mound")
    expect(visitor.page.locator(".picked")).to_be_visible()
    assert visitor.page.locator(".refusal .ring-stone").count() == 2


def test_a_finger_pushes_a_pentomino_over_the_board_and_a_tap_paints_it(visit: Visit) -> None:
    visitor = visit(wishes=HERE, screen=PHONE)
    visitor.begin("pentwall")
    visitor.page.get_by_role("button", name="Take I").tap()
    visitor.slide("c3", "d4", "e5")
    expect(visitor.board).to_have_attribute("data-aim", "Ic5d5e5f5g5")
    expect(visitor.see("confirm")).to_be_visible()
    visitor.slide("g5", "g4", "g3")
    expect(visitor.board).to_have_attribute("data-aim", "Ic3d3e3f3g3")
    assert visitor.page.evaluate("scrollY") == 0, "the page scrolled under the finger"
    visitor.press("d3", "touch")
    visitor.wait_for_ply(1)
    assert visitor.state()["moves"] == ["Ic3d3e3f3g3"]
    visitor.page.get_by_role("button", name="Take L").tap()
    visitor.slide("c6", "d4", "d3")
    expect(visitor.page.locator(".note.why")).to_contain_text("painted already")


def test_a_pentomino_is_drawn_out_of_the_tray_with_the_mouse(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    visitor.begin("pentwall")
    visitor.page.get_by_role("button", name="Take X").hover()
    visitor.page.mouse.down()
    visitor.page.mouse.move(*visitor.spot("b9"))
    visitor.page.mouse.move(*visitor.spot("e5"))
    expect(visitor.board).to_have_attribute("data-aim", "Xe4d5e5f5e6")
    visitor.page.mouse.up()
    visitor.wait_for_ply(1)


def test_a_forced_pass_is_said(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "b3", "c1", "a2", "c3", "c2", "a1", "b2", "a3", "b1", size=3)
    expect(visitor.note).to_have_text("Orange had no play and passed. Blue to move")
    visitor.page.reload()
    expect(visitor.note).to_have_text("Orange had no play and passed. Blue to move")


def test_bar_and_graph_tell_who_stands_better_and_can_be_hidden(visit: Visit) -> None:
    visitor = visit(wishes=COMPUTER)
    visitor.begin("petrify")
    for move in ("b2", "c3"):
        before = len(visitor.state()["moves"])
        legal = visitor.legal(visitor.state()["view"])
        visitor.play(move if move in legal else legal[0], "typed")
        visitor.wait_for_turn(before + 2)
    expect(visitor.see("evaluation")).to_contain_text("%")
    expect(visitor.see("graph")).to_contain_text(re.compile(r"Lead expected: .*Win chance: (Blue|Orange) \d+\s%"))
    visitor.see("graph").locator("svg").click(position={"x": 1, "y": 20})
    expect(visitor.note).to_contain_text("Move 0 of 4")
    visitor.see("hide-graph").click()
    expect(visitor.see("graph")).to_have_count(0)
    expect(visitor.see("evaluation")).to_have_count(0)
    visitor.page.reload()
    visitor.wait_for_board()
    expect(visitor.see("evaluation")).to_have_count(0)
    visitor.see("more").click()
    visitor.see("evaluate").click()
    expect(visitor.see("graph")).to_be_visible()


def test_the_board_stays_where_it_is_when_the_bar_is_filled(visit: Visit) -> None:
    visitor = visit(wishes=COMPUTER, screen=PHONE)
    held: list[Route] = []
    visitor.page.route("**/api/analyse", lambda route: held.append(route))
    visitor.begin("petrify")
    expect(visitor.see("evaluation")).to_have_text("")
    before = visitor.board.bounding_box()
    visitor.page.unroute("**/api/analyse")
    visitor.page.wait_for_timeout(500)
    for route in held:
        route.continue_()
    expect(visitor.see("evaluation")).to_contain_text("%")
    assert visitor.board.bounding_box() == before


def test_the_bar_has_both_players_colours_where_their_cards_stand_and_the_percent_on_its_side(visit: Visit) -> None:
    visitor = visit()
    seats = {"first": {"kind": "me"}, "second": {"kind": "computer", "level": 1}}
    for moves, mine, theirs in ((AHEAD, "blue", "orange"), (AHEAD_SWAPPED, "orange", "blue")):
        visitor.make("petrify", 6, moves, seats)
        bar = visitor.see("evaluation")
        expect(bar).to_contain_text(re.compile(r"(Blue|Orange) \d\d\s%"))
        parts = bar.locator(".p-share")
        expect(parts.first).to_have_class(re.compile(mine))
        expect(parts.last).to_have_class(re.compile(theirs))
        shares = [part.get_attribute("width") for part in parts.all()]
        ours, others = (int((share or "").rstrip("%")) for share in shares)
        assert ours + others == 100
        favourite = mine if ours > others else theirs
        said = f"{favourite.title()} {max(ours, others)} %"
        expect(bar).to_contain_text(said)
        words, whole = bar.locator("span").bounding_box(), bar.bounding_box()
        assert words
        assert whole
        left = words["x"] + words["width"] / 2 < whole["x"] + whole["width"] / 2
        assert left == (ours > others)


def test_after_a_good_first_move_bar_and_graph_and_map_say_that_it_may_be_taken_from_me(visit: Visit) -> None:
    visitor = visit()
    seats = {"first": {"kind": "me"}, "second": {"kind": "computer", "level": 4}}
    visitor.make("petrify", 6, [], seats)
    visitor.play("c3", "typed")
    visitor.wait_for_ply(2)
    visitor.page.get_by_role("heading", name="Moves").click()
    visitor.key("ArrowLeft")
    told = re.compile(r"You \d\d\s% \(Hedge may swap\)")
    expect(visitor.see("evaluation")).to_have_text(told)
    share = visitor.see("evaluation").locator(".p-share").first.get_attribute("width")
    assert 10 < int((share or "").rstrip("%")) < 40, "the bar shows what I have once Hedge has swapped"
    expect(visitor.see("graph")).to_contain_text(told)
    visitor.key("o")
    expect(visitor.page.locator("[data-testid=expected]:visible")).to_contain_text(told)


def test_nobody_is_told_who_stands_better_between_people(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "b2", "c3", "b2xc3")
    visitor.see("more").click()
    expect(visitor.see("evaluate")).to_have_count(0)
    expect(visitor.see("evaluation")).to_have_count(0)
    expect(visitor.see("graph")).to_have_count(0)


def test_a_line_that_was_taken_back_stays_after_a_reload_and_arrows_lead_there(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    at_board(visitor, "petrify", "a1", "b2")
    visitor.see("undo").click()
    expect(visitor.see("table")).to_have_attribute("data-ply", "1")
    visitor.play("c3", "typed")
    visitor.wait_for_ply(2)
    visitor.page.reload()
    expect(visitor.page.get_by_role("listitem", name="Line that was taken back")).to_contain_text("b2")
    visitor.key("ArrowDown")
    expect(visitor.page.locator("[aria-current=step]")).to_have_text("b2")
    visitor.key("ArrowUp")
    expect(visitor.page.locator("[aria-current=step]")).to_have_text("c3")
    expect(visitor.note).to_have_text("Blue to move")


def test_the_computer_shows_that_it_thinks_and_can_be_told_to_play_now(visit: Visit) -> None:
    visitor = visit(wishes={**COMPUTER, "level": 9, "size": {"petrify": 8}})
    visitor.begin("petrify")
    visitor.play("d4", "mouse")
    visitor.page.get_by_role("progressbar").wait_for()
    said = visitor.note.inner_text()
    visitor.page.get_by_role("button", name="Play now").click()
    assert "is thinking" in said
    visitor.wait_for_turn(2)


def test_a_hint_is_given_before_the_first_move_of_a_game_between_friends_too(visit: Visit) -> None:
    visitor = visit()
    visitor.make("petrify", 4, [])
    visitor.see("hint").click()
    expect(visitor.note).to_contain_text("The computer would")
