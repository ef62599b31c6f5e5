"""What the computer expects, on the board: the map of who should own what, and the likeliest moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.server import odd_workers
from tests.server.site import running, settings_for

from .test_at_the_board import AHEAD, COMPUTER, HERE
from .test_pages import serious
from .visitor import DESK, PHONE, Visitor

Visit = Callable[..., Visitor]
LINE = (
    "e1 f2 a4 a3 b4 a2 e2 d6 f4 a2xa4 d4 f2xf4 d1 b5 c1 d3 b4xa4 f4xd4 "
    "e4 b5xe2 e4xd3 d2 b3 c4 c1xd2 e2xd1 d3xa3 b6 a5 b6xa5 c2 d5 b1 b2"
)
MIDDLE = LINE.split()
REVIEW = "/review#g=petrify&s=6&m=" + ".".join(MIDDLE) + "*"
PILE = ["b2", "c2", "b3", "c3", "2b2"]


def analysis(visitor: Visitor, game: str, size: int, moves: list[str]) -> Any:
    """What the page is told about a position."""
    line = {"game": game, "size": size, "moves": moves, "effort": "quick"}
    return visitor.context.request.post("/api/analyse", data=line, headers={"Origin": visitor.url}).json()


def leaning(owners: dict[str, float], sign: int) -> set[str]:
    """The places that one side should own."""
    return {place for place, lead in owners.items() if sign * lead >= 0.2}


def drawn(marks: Locator) -> set[str]:
    """The places that such marks lie on."""
    return set(marks.evaluate_all("marks => marks.map(mark => mark.dataset.at)"))


def words(visitor: Visitor) -> Locator:
    """What is said about the map: beside the board or below it."""
    return visitor.page.locator("[data-testid=expected]:visible")


def test_the_map_of_who_should_own_what_comes_and_goes_with_its_button_and_with_o(visit: Visit) -> None:
    visitor = visit()
    visitor.go(REVIEW)
    owners = analysis(visitor, "petrify", 6, MIDDLE)["owners"]
    blue, orange = leaning(owners, 1), leaning(owners, -1)
    assert blue | orange, "this position should have a side that leans"
    land = visitor.page.locator("svg.board .p-expected")
    expect(land).to_have_count(0)
    visitor.see("map").click()
    expect(land).to_have_count(len(blue | orange))
    assert drawn(visitor.page.locator("svg.board .p-expected.first")) == blue
    assert drawn(visitor.page.locator("svg.board .p-expected.second")) == orange
    strength = land.evaluate_all(
        "marks => Object.fromEntries(marks.map(m => [m.dataset.at, +m.getAttribute('fill-opacity')]))"
    )
    surer = {place: 0.08 + 0.5 * abs(owners[place]) for place in blue | orange}
    assert strength == pytest.approx(surer, abs=0.006), "the surer a place is, the stronger is its colour"
    expect(words(visitor)).to_contain_text(f"Expected squares: Blue {len(blue)}, Orange {len(orange)}, open")
    expect(words(visitor)).to_contain_text(re.compile(r"(Blue|Orange) wins with \d\d\s%, "))
    visitor.key("o")
    expect(land).to_have_count(0)
    expect(visitor.see("map")).to_have_attribute("aria-pressed", "false")
    visitor.key("o")
    expect(land).to_have_count(len(blue | orange))
    visitor.see("map").click()
    expect(land).to_have_count(0)


def test_the_map_follows_the_game_that_is_stepped_through(visit: Visit) -> None:
    visitor = visit()
    visitor.go(REVIEW)
    visitor.key("o", "ArrowLeft", "ArrowLeft", "ArrowLeft")
    owners = analysis(visitor, "petrify", 6, MIDDLE[:-3])["owners"]
    stones = {"c3"}
    expect(visitor.page.locator("svg.board .p-expected")).to_have_count(
        len((leaning(owners, 1) | leaning(owners, -1)) - stones)
    )


@pytest.mark.parametrize("game", ["petrify", "pentwall"])
def test_an_empty_board_is_nobodys_and_the_map_says_that_it_is_too_early(visit: Visit, game: str) -> None:
    visitor = visit()
    visitor.go(f"/review#g={game}&s={10 if game == 'pentwall' else 6}")
    visitor.key("o")
    expect(words(visitor)).to_contain_text("It is too early to say who will own what.")
    expect(visitor.page.locator("svg.board .p-expected")).to_have_count(0)


def test_on_a_pile_every_line_has_a_mark_of_the_colour_that_should_top_it(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    visitor.go("/review#g=pyloff&s=4&m=" + ".".join(PILE) + "*")
    owners = analysis(visitor, "pyloff", 4, PILE)["owners"]
    visitor.see("map").tap()
    marks = visitor.page.locator("svg.board .p-top")
    expect(marks).to_have_count(len(leaning(owners, 1) | leaning(owners, -1)))
    assert drawn(visitor.page.locator("svg.board .p-top.white")) == leaning(owners, 1)
    assert drawn(visitor.page.locator("svg.board .p-top.black")) == leaning(owners, -1)
    expect(words(visitor)).to_contain_text(re.compile(r"Expected lines, by the marble on top: Black \d+, White \d+, "))
    visitor.page.get_by_role("button", name="Tilt").tap()
    visitor.see("map").tap()
    visitor.see("map").tap()
    expect(marks.first).to_be_visible()


def test_the_likeliest_moves_are_drawn_and_told_with_their_shares(visit: Visit) -> None:
    visitor = visit()
    visitor.go(REVIEW)
    policy = analysis(visitor, "petrify", 6, MIDDLE)["policy"]
    visitor.key("m")
    discs = visitor.page.locator("svg.board .disc")
    expect(discs.last).to_have_attribute("data-move", policy[0]["move"])
    assert 1 <= discs.count() <= 5
    expect(words(visitor).get_by_role("listitem").first).to_have_text(
        re.compile(rf"{policy[0]['move']} {round(100 * policy[0]['share'])}\s%")
    )
    visitor.see("ideas-button").click()
    expect(discs).to_have_count(0)


def test_against_the_computer_map_and_moves_follow_what_is_played_once_no_swap_can_come(visit: Visit) -> None:
    visitor = visit(wishes=COMPUTER)
    visitor.begin("petrify")
    visitor.see("map").click()
    visitor.see("ideas-button").click()
    expect(words(visitor)).to_contain_text("No ideas here: the pie rule decides. Ask for a hint.")
    expect(visitor.page.locator("svg.board .disc")).to_have_count(0)
    visitor.play("b2", "mouse")
    visitor.wait_for_turn(2)
    policy = analysis(visitor, "petrify", 4, visitor.state()["moves"])["policy"]
    expect(visitor.page.locator("svg.board .disc").last).to_have_attribute("data-move", policy[0]["move"])
    expect(words(visitor)).not_to_contain_text("No ideas here")
    expect(visitor.see("evaluation")).to_contain_text(re.compile(r"even|\d\s%(, by \d+)?"))


@pytest.mark.parametrize("screen", [DESK, PHONE])
def test_a_review_says_what_the_computer_would_play_and_what_else_it_looked_at(
    visit: Visit, screen: tuple[int, int]
) -> None:
    visitor = visit(screen=screen)
    visitor.go(REVIEW)
    visitor.see("hint").click()
    line = {"game": "petrify", "size": 6, "moves": MIDDLE, "effort": "thorough"}
    seen = visitor.context.request.post("/api/analyse", data=line, headers={"Origin": visitor.url}).json()
    rows = visitor.see("best").locator("tbody tr")
    expect(rows).to_have_count(5)
    for row, found in zip(rows.all(), seen["moves"], strict=False):
        expect(row.get_by_role("rowheader")).to_have_text(found["move"])
        cells = [int(cell.rstrip(" %")) for cell in row.get_by_role("cell").all_inner_texts()]
        assert cells == pytest.approx([100 * found["win_chance"], 100 * found["share"]], abs=0.51)
    expect(visitor.see("best")).to_contain_text("Best line: " + " ".join(seen["line"][:8]))
    expect(visitor.note).to_contain_text(f"The computer would play {seen['best_move']}: ")
    expect(visitor.page.locator("svg.board circle.hint")).not_to_have_count(0)
    tops = visitor.page.locator(".walk .button").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert len(set(tops)) == 1, "the buttons under the thumb stand in one row"
    visitor.page.get_by_role("button", name="One move back").first.click()
    expect(visitor.see("best")).to_have_count(0)
    expect(visitor.page.locator("svg.board circle.hint")).to_have_count(0)


def test_a_fresh_board_in_review_shows_nothing_of_the_game_before(visit: Visit) -> None:
    visitor = visit()
    visitor.go(REVIEW)
    expect(visitor.see("graph")).to_be_visible()
    visitor.page.get_by_role("link", name="Review").click()
    visitor.page.get_by_role("button", name="Pilo").click()
    expect(visitor.page.locator("svg.board")).to_be_visible()
    expect(visitor.see("graph")).to_have_count(0)


def test_while_a_swap_is_open_the_best_moves_are_those_of_a_person(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    visitor.go("/review#g=petrify&s=6&m=c3*")
    visitor.see("hint").click()
    expect(visitor.see("best").get_by_role("columnheader").nth(1)).to_have_text("Second wins")
    expect(visitor.see("best").get_by_role("rowheader").first).to_have_text("swap")


def test_in_a_graph_the_lead_expected_is_seen_the_chance_has_a_scale_and_no_line_touches_a_label(visit: Visit) -> None:
    visitor = visit()
    visitor.go(REVIEW)
    add = visitor.page.get_by_role("button", name="Add win chances")
    add.click()
    plot = visitor.see("graph").locator(".plot")
    expect(plot.locator(".lead")).to_have_count(1)
    expect(visitor.page.get_by_text("Looking at")).to_have_count(0, timeout=60_000)
    expect(add, "all is known").to_have_count(0)
    expect(plot).to_contain_text(re.compile(r"Blue \+\d+\s*Blue 100\s%\s*Orange \+\d+\s*Orange 100\s%"))
    lead, chance, area, top, bottom = (
        plot.locator(name).bounding_box() for name in (".lead", ".chance", ".area", ".end.top", ".end:not(.top)")
    )
    assert lead
    assert chance
    assert area
    assert top
    assert bottom
    assert lead["height"] > 35, "the lead expected fills its half of the graph at least"
    for line in (lead, chance, area):
        assert line["y"] >= top["y"] + top["height"] - 1
        assert line["y"] + line["height"] <= bottom["y"] + 1


def test_the_piece_that_an_idea_would_capture_is_seen_with_a_ring_around_it(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/review#g=petrify&s=6&m=" + ".".join(AHEAD) + "*")
    visitor.key("m")
    rings = visitor.page.locator("svg.board .ring[data-move]")
    expect(rings.first).to_be_visible()
    captures = visitor.page.locator("svg.board .disc[data-move*=x]")
    assert rings.count() == captures.count() >= 2
    for badge in captures.all():
        ring = visitor.page.locator(f"svg.board .ring[data-move={badge.get_attribute('data-move')}]")
        (x, y, r), (at_x, at_y, _) = (
            [float(one.get_attribute(name) or 0) for name in ("cx", "cy", "r")] for one in (badge, ring)
        )
        assert ((x - at_x) ** 2 + (y - at_y) ** 2) ** 0.5 - r > 20, "the badge hides the middle of the piece"


def test_on_a_phone_a_review_shows_board_and_graph_together(visit: Visit) -> None:
    visitor = visit(screen=PHONE)
    visitor.go(REVIEW)
    plot = visitor.see("graph").locator("svg")
    plot.scroll_into_view_if_needed()
    graph, board, score = (
        plot.bounding_box(),
        visitor.board.bounding_box(),
        visitor.page.locator(".score").bounding_box(),
    )
    assert graph
    assert board
    assert score
    assert score["y"] + score["height"] <= board["y"] + 1, "the score lies over the board"
    assert graph["y"] + graph["height"] <= PHONE[1] + 1, "the graph ends below the screen"


def test_between_people_nothing_is_expected_and_o_shows_who_owns_what_now(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    visitor.make("petrify", 4, ["b2", "c3", "a1"])
    expect(visitor.see("map")).to_have_count(0)
    visitor.key("m", "o")
    expect(visitor.page.locator("svg.board .land")).not_to_have_count(0)
    expect(visitor.page.locator("svg.board .p-expected, svg.board .disc")).to_have_count(0)
    expect(visitor.page.get_by_role("button", name="Owners now")).to_have_attribute("aria-pressed", "true")


def test_once_the_game_is_over_the_map_is_the_count(visit: Visit) -> None:
    visitor = visit(wishes=HERE)
    visitor.make("petrify", 3, ["a2", "c1", "b2", "b3", "b2xc1", "b3xa2", "c3", "a1", "a3", "b1", "c2"])
    visitor.play("b1xc1", "typed")
    expect(visitor.see("over")).to_be_visible()
    entries = visitor.state()["view"]["ledger"]["entries"]
    visitor.page.locator("body").focus()
    visitor.see("map").click()
    owned = {square for entry in entries if entry["owner"] for square in entry["squares"]}
    expect(visitor.page.locator("svg.board .p-expected")).to_have_count(len(owned))
    expect(words(visitor)).to_contain_text("The game is over")


def test_where_no_net_runs_a_sentence_says_so_and_the_rest_is_told(browser: Browser, tmp_path: Path) -> None:
    with running(settings_for(tmp_path, worker=odd_workers.netless)) as site:
        visitor = Visitor(browser, site.url)
        visitor.go(REVIEW)
        visitor.key("o", "m")
        expect(words(visitor)).to_contain_text("this server runs none that has learned Petrify on")
        expect(words(visitor)).to_contain_text(re.compile(r"(Blue|Orange) wins with \d\d\s%"))
        expect(visitor.page.locator("svg.board .p-expected, svg.board .disc")).to_have_count(0)
        assert visitor.problems == []
        visitor.leave()


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_serious_with_map_and_moves_shown(visit: Visit, axe: str, dark: bool) -> None:
    visitor = visit(dark=dark, screen=PHONE if dark else DESK)
    visitor.go(REVIEW)
    visitor.key("o", "m")
    expect(visitor.page.locator("svg.board .disc").first).to_be_visible()
    assert serious(visitor, axe) == []
