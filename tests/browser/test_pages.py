"""What every page promises: no sideways scrolling, nothing that axe finds serious, little weight."""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from purlieu.server.settings import WEB
from tests.server.site import long_line

from .visitor import DESK, PHONE, Visitor

Visit = Callable[..., Visitor]
LESSONS = Path(__file__).parents[2] / "src/purlieu/languages/en/lessons"
MIDDLE = {
    "petrify": "#g=petrify&s=4&m=b2.c3.b2xc3.d4*.a1(a2)",
    "pilo": "#g=pilo&s=4&m=b2.b4.b2xb4*",
    "pentwall": "#g=pentwall&s=10&m=Fh3g4h4i4g5.Ib5b6b7b8b9*",
    "pyloff": "#g=pyloff&s=4&m=b2.c2.b3.c3.2b2*",
}
PAGES = ["/", "/learn", "/learn/petrify", "/rules/pyloff", "/review", *(f"/review{link}" for link in MIDDLE.values())]


def test_on_a_phone_nothing_scrolls_sideways_and_a_thumb_hits_every_button(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    for path in PAGES:
        visitor.go(path)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0], path
        assert too_small(visitor) == [], path


def test_not_even_the_narrowest_phone_scrolls_sideways(visit: Visit) -> None:
    visitor = visit(screen=(320, 640))
    for path in PAGES:
        visitor.go(path)
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 320, path


def too_small(visitor: Visitor) -> list[str]:
    """What can be pressed and is less than 44 pixels wide or high, links inside a sentence aside."""
    found: list[str] = visitor.page.evaluate(
        """() => [...document.querySelectorAll('button, summary, select, input, textarea, a, label:has(input)')]
            .filter(node => !node.matches('input[type=radio], p a, li a, figcaption a, .skip'))
            .map(node => [node, node.getBoundingClientRect()])
            .filter(([, box]) => box.width && (box.width < 43.5 || box.height < 43.5))
            .map(([node, box]) => `${node.outerHTML.slice(0, 90)} ${box.width} x ${box.height}`)"""
    )
    return found


@pytest.mark.parametrize("game", ["petrify", "pilo", "pentwall", "pyloff"])
def test_a_game_fits_on_a_phone(visit: Visit, game: str) -> None:
    clock = {"opponent": "computer", "level": 1, "seat": "second", "clock": "fischer-15-10", "size": {}}
    visitor = visit(screen=PHONE, wishes=clock)
    visitor.begin(game)
    visitor.wait_for_turn(1)
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert too_small(visitor) == []
    whole = visitor.board.bounding_box()
    assert whole
    assert whole["width"] > 320, "the board takes the width"
    assert whole["y"] + whole["height"] < PHONE[1], "the whole board is in sight"


@pytest.mark.parametrize("game", ["pentwall", "pyloff"])
def test_on_a_phone_on_its_side_board_and_score_are_seen_together(visit: Visit, game: str) -> None:
    visitor = visit(screen=(844, 390))
    visitor.begin(game)
    visitor.page.mouse.wheel(0, 60)  # past the heading of the page
    expect(visitor.board).to_be_in_viewport(ratio=1)
    expect(visitor.see("score-first")).to_be_in_viewport(ratio=1)
    expect(visitor.note).to_be_in_viewport(ratio=1)
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 844


def test_a_dialog_gives_the_focus_back(visit: Visit) -> None:
    visitor = visit(wishes={"size": {}, "opponent": "here", "seat": "first", "clock": "none", "level": 1})
    visitor.begin("petrify")
    expect(visitor.page.locator("#main")).to_be_focused()
    settings = visitor.page.get_by_role("button", name="Settings")
    settings.focus()
    visitor.key("Enter", "Escape")
    expect(visitor.page.locator("dialog")).to_have_count(0)
    expect(settings).to_be_focused()
    visitor.see("more").focus()
    visitor.key("Enter")
    visitor.see("share").press("Enter")  # one dialog leads to another
    expect(visitor.page.locator("dialog")).to_have_count(1)
    visitor.key("Escape")
    expect(visitor.page.locator("dialog")).to_have_count(0)
    expect(visitor.see("more")).to_be_focused()


def test_the_rules_of_a_game_lead_to_a_game_of_it(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/rules/pentwall")
    visitor.page.get_by_role("link", name="Play").click()
    expect(visitor.page.get_by_role("dialog", name="Pentwall")).to_be_visible()
    visitor.key("Escape")
    expect(visitor.page.locator("dialog")).to_have_count(0)
    visitor.page.wait_for_url("**/")


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


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_serious_in_any_state_of_a_game(visit: Visit, axe: str, dark: bool) -> None:
    wishes = {"opponent": "link", "level": 1, "seat": "first", "clock": "none", "size": {}}
    visitor = visit(dark=dark, screen=PHONE if dark else DESK, wishes=wishes)

    def check(state: str) -> None:
        assert serious(visitor, axe) == [], state

    visitor.begin("pyloff")
    check("waiting for a friend")
    visitor.make("petrify", 4, ["c1", "c4", "b1", "b4", "a4", "b2", "b1xb2", "d4"])
    visitor.press("c1", "mouse")
    expect(visitor.page.locator(".note.why")).to_be_visible()
    check("a reason is drawn")
    visitor.make("pentwall", 10, ["Fh3g4h4i4g5"])
    visitor.page.get_by_role("button", name="Take I").click()
    visitor.page.mouse.move(*visitor.spot("e5"))
    check("a pentomino in hand")
    visitor.make("petrify", 3, ["a2", "c1", "b2", "b3", "b2xc1", "b3xa2", "c3", "a1", "a3", "b1", "c2"])
    visitor.play("b1xc1", "typed")
    visitor.see("count-it").click()
    check("the count")
    visitor.make("pyloff", 3, ["b2", "a1", "a2", "b1"])
    visitor.page.get_by_role("button", name="Links").click()
    visitor.page.get_by_role("button", name="X-ray").click()
    check("links and x-ray")
    visitor.page.get_by_role("button", name="Tilt").click()
    check("tilted")
    visitor.see("more").click()
    visitor.see("resign").click()
    check("asked whether to resign")
    visitor.see("resign-yes").click()
    expect(visitor.see("over")).to_be_visible()
    check("the game is over")
    visitor.page.get_by_role("button", name="Settings").click()
    check("the settings")
    visitor.key("Escape", "?")
    expect(visitor.page.get_by_role("dialog", name="Keys")).to_be_visible()
    check("the keys")


def serious(visitor: Visitor, axe: str) -> list[str]:
    """What axe finds serious or critical on the page as it stands."""
    if not visitor.page.evaluate("() => 'axe' in window"):
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


def test_a_first_visit_fetches_less_than_150_kilobytes_the_living_boards_with_it(visit: Visit) -> None:
    visitor = visit()
    fetched: list[float] = []
    wire = visitor.context.new_cdp_session(visitor.page)
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda told: fetched.append(told["encodedDataLength"]))
    visitor.go("/")
    expect(visitor.page.locator("svg.board")).to_have_count(4)
    assert len(fetched) > 6
    assert sum(fetched) < 150_000


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


def test_play_pressed_again_after_a_lost_answer_opens_the_same_game_and_a_changed_wish_another(visit: Visit) -> None:
    visitor = visit(wishes={"opponent": "computer", "level": 1, "seat": "random", "clock": "none", "size": {}})
    visitor.context.add_init_script("let draws = 0; Math.random = () => (draws++ % 2) / 2")
    made: list[str] = []

    def lose_the_answer(route: Route) -> None:
        made.append(route.fetch().json()["id"])
        route.abort()

    for opponent in ("Computer", "A friend, here"):
        visitor.page.goto("/")
        visitor.page.route("**/api/games", lose_the_answer, times=1)
        visitor.see("choose-petrify").click()
        visitor.see("play").click()
        expect(visitor.page.get_by_role("alert")).to_contain_text("cannot be reached")
        visitor.page.get_by_label(opponent, exact=True).check(force=True)
        visitor.see("play").click()
        visitor.wait_for_board()
        assert (visitor.game_id == made[-1]) == (opponent == "Computer")
    visitor.problems.clear()  # the browser itself writes the lost answers down


def test_my_games_are_told_apart_and_can_be_removed_from_the_list(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    visitor.make("petrify", 4, ["a1"], seats={"first": {"kind": "me"}, "second": {"kind": "link"}})
    visitor.make("petrify", 4, ["a1", "b2"])
    visitor.go("/")
    mine = visitor.page.get_by_role("region", name="Your games")
    expect(mine.get_by_role("link")).to_have_text(
        [re.compile(r"4 × 4, A friend, here, 2 moves\s+Your turn"), re.compile("4 × 4, Waiting for a friend, 1 move")]
    )
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert too_small(visitor) == []
    mine.get_by_role("button", name="Remove from this list: Petrify 4 × 4, A friend, here, 2 moves").click()
    expect(mine.get_by_role("link")).to_have_count(1)
    expect(mine.get_by_role("heading")).to_be_focused()
    visitor.page.reload()
    expect(mine.get_by_role("link")).to_contain_text(["Waiting for a friend"])


def test_the_review_page_lists_my_games_the_current_one_first_and_those_that_are_over(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    over = ["b3", "c1", "a2", "c3", "c2", "a1", "b2", "a3"]
    visitor.make("petrify", 3, over)
    visitor.see("more").tap()
    visitor.see("resign").tap()
    visitor.see("resign-yes").tap()
    expect(visitor.see("over")).to_be_visible()
    visitor.go("/")  # which does not list it any more
    expect(visitor.page.get_by_role("region", name="Your games")).to_have_count(0)
    visitor.make("pilo", 4, ["a1", "b2"])
    visitor.page.get_by_role("link", name="Review", exact=True).first.tap()
    mine = visitor.page.get_by_role("region", name="Your games").get_by_role("link")
    expect(mine).to_have_text(
        [re.compile(r"Pilo 4 × 4, A friend, here, 2 moves"), re.compile(r"Petrify 3 × 3, .*8 moves")]
    )
    assert too_small(visitor) == []
    mine.last.tap()
    expect(visitor.see("ply")).to_have_text("8")
    assert visitor.page.url.endswith("#g=petrify&s=3&m=" + ".".join(over) + "*")


def test_on_a_phone_a_long_move_is_broken_only_between_squares(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    visitor.go("/review#g=pentwall&s=10&m=Ni9j9g10h10i10.Lg8h8i8j8j7*")
    broken = visitor.page.get_by_role("list", name="Moves").evaluate(
        """list => [...list.querySelectorAll('button')].flatMap(button => {
            const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
            const found = [];
            for (let node; (node = walker.nextNode());)
                for (const square of node.data.matchAll(/[a-j]\\d+/g)) {
                    const range = new Range();
                    range.setStart(node, square.index);
                    range.setEnd(node, square.index + square[0].length);
                    if (range.getClientRects().length !== 1) found.push(square[0]);
                }
            return found;
        })"""
    )
    assert broken == []


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


def test_stepping_through_a_review_names_the_side_that_moved(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/review#g=petrify&s=4&m=c3.swap.b2.c3xb2")
    for said in ("Blue: c3", "Second: swaps", "Orange: b2", "Blue: c3 captures b2"):
        visitor.key("ArrowRight")
        expect(visitor.see("spoken")).to_have_text(said)


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


def test_a_record_is_opened_with_its_variations_and_a_game_that_cannot_be_read_is_named(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/review")
    first = '[Game "Petrify"]\n[Size "4"]\n[First "Ana"]\n\n1. b2 c3 (1... d4 2. a1 (2. a2)) 2. b2xc3 *\n'
    second = '[Game "Petrify"]\n[Size "4"]\n\n1. a1 d4 *\n'
    broken = '[Game "Petrify"]\n[Size "4"]\n\n1. a1 a1 *\n'
    visitor.page.get_by_label("Paste a record").fill(f"{first}\n{second}\n{broken}")
    visitor.page.get_by_role("button", name="Open").click()
    expect(visitor.see("opened").get_by_role("option", selected=True)).to_have_text("Game 1 of 2: Ana – ?.")
    expect(visitor.see("opened")).to_contain_text("Left out: line 1")
    assert visitor.page.url.endswith("m=b2.c3(d4.a1(a2)).b2xc3")
    visitor.see("opened").get_by_role("combobox").select_option(index=1)
    visitor.page.get_by_role("button", name="Last position").click()
    assert visitor.page.url.endswith("m=a1.d4*")


def test_a_record_of_thousands_of_moves_opens_in_seconds_with_its_graph(visit: Visit) -> None:
    visitor, asked = visit(), list[str]()
    visitor.go("/review")
    visitor.page.on("request", lambda request: asked.append(request.url.rpartition("/api/")[2]))
    line = long_line()
    visitor.page.get_by_label("Paste a record").fill(f'[Game "Pyloff"]\n[Size "19"]\n\n{" ".join(line)} *\n')
    begun = time.monotonic()
    visitor.page.get_by_role("button", name="Open").click()
    expect(visitor.see("graph")).to_be_visible()
    assert time.monotonic() - begun < 15, "it takes 2 s on a quiet machine"
    visitor.key("End")
    expect(visitor.see("ply")).to_have_text("2500")
    assert sorted(what for what in asked if "favicon" not in what) == ["records", "summaries", "views", "views"]


def test_what_was_written_about_a_game_is_shown_where_it_belongs_and_saved_with_it(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/review")
    tags = '[Game "Petrify"]\n[Size "4"]\n[First "Ana"]\n[Result "1-0"]\n[Termination "Ben left"]\n'
    moves = "{In the garden.} 1. b2! {safe} c3 (1... d4 $14 {bold \\} and late}) 2. b2xc3 1-0\n"
    visitor.page.get_by_label("Paste a record").fill(f"{tags}\n{moves}")
    visitor.page.get_by_role("button", name="Open").click()
    expect(visitor.see("remark")).to_contain_text("In the garden.")
    visitor.key("ArrowRight")
    expect(visitor.see("remark")).to_contain_text("safe")
    expect(visitor.see("spoken")).to_contain_text("Blue: b2 safe")
    visitor.key("ArrowRight")
    expect(visitor.see("remark")).to_have_count(0)
    visitor.page.get_by_role("button", name=re.compile(r"^d4.*\$14.*, with a comment$")).click()
    expect(visitor.see("remark")).to_contain_text("bold } and late")

    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Record").click()
    texts = (f"{tags}\n{moves}", download.value.path().read_text(encoding="utf-8"))
    headers = {"Origin": visitor.url}
    given, saved = (
        visitor.context.request.post("/api/records", data={"text": text}, headers=headers).json() for text in texts
    )
    assert saved == given


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
        expect(visitor.page.locator(".refusal")).to_have_count(1 if "rule" in task else 0)
        visitor.see("next").click()
    visitor.see("first-game").click()
    visitor.wait_for_board()
    assert visitor.state()["seats"]["second"]["level"] == 1


def test_a_reviewed_game_is_downloaded_as_a_record_and_as_a_picture(visit: Visit) -> None:
    visitor = visit()
    visitor.go(f"/review{MIDDLE['petrify']}")
    files = {}
    for name in ("Record", "Picture (PNG)", "Picture (SVG)"):
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("button", name=name).click()
        files[name] = download.value.path().read_bytes()
    text = files["Record"].decode()
    assert "(3. a2)" in text
    read = visitor.context.request.post("/api/records", data={"text": text}, headers={"Origin": visitor.url}).json()
    assert read["games"][0]["moves"] == ["b2", "c3", "b2xc3", "d4", "a1"], read["errors"]
    assert files["Picture (PNG)"].startswith(b"\x89PNG")
    assert b"var(--" not in files["Picture (SVG)"]
