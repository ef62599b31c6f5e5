"""Two people over a link, and what may happen on the way: reloads, second tabs, a lost line, a server that restarts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from purlieu.rules import Seat
from purlieu.server.domain.acts import AWAY_MS
from tests.server.site import Site, settings_for

from .cable import Cable
from .visitor import DESK, PHONE, How, Visitor

Visit = Callable[..., Visitor]
BY_LINK = {
    "size": {"petrify": 4, "pilo": 4, "pyloff": 3},
    "opponent": "link",
    "seat": "first",
    "clock": "none",
    "level": 1,
}


def invite(host: Visitor, guest: Visitor, game: str) -> None:
    """The host makes a game, the guest opens its link."""
    host.begin(game)
    link = host.see("invite").inner_text()
    assert "#i=" in link
    guest.page.goto(link)
    guest.wait_for_board()
    host.wait_for_turn(0)


def play_together(host: Visitor, guest: Visitor, hosts_hand: How, guests_hand: How) -> Any:
    """Random legal moves, each by its own hand, until the game is over; the state at the end."""
    random = Random(1)
    while (state := host.state())["status"] != "over":
        ply = len(state["moves"])
        mover, hand = (host, hosts_hand) if state["view"]["to_move"] == "first" else (guest, guests_hand)
        mover.wait_for_turn(ply)
        moves = [move for move in mover.legal(state["view"]) if move != "swap"]
        mover.play(random.choice(moves), hand)
        mover.wait_for_ply(ply + 1)
    return state


def test_two_browsers_play_a_whole_game_over_a_link_and_a_third_watches(visit: Visit) -> None:
    host, guest, watcher = visit(wishes=BY_LINK), visit(screen=PHONE), visit(dark=True)
    invite(host, guest, "petrify")
    assert "#" not in guest.page.url, "the secret stays in the address"
    watcher.page.goto(f"/g/{host.game_id}")
    watcher.wait_for_board()
    state = play_together(host, guest, "mouse", "touch")
    for visitor in (host, guest, watcher):
        expect(visitor.see("over")).to_contain_text(state["result"]["reason"])
    expect(watcher.see("over")).to_contain_text("wins")


@pytest.mark.parametrize(
    ("game", "hosts_hand", "guests_hand"),
    [("pilo", "keys", "touch"), ("pentwall", "touch", "keys"), ("pyloff", "keys", "mouse")],
)
def test_a_whole_game_is_played_over_a_link_each_by_another_hand(
    visit: Visit, game: str, hosts_hand: How, guests_hand: How
) -> None:
    host = visit(wishes=BY_LINK, screen=PHONE if hosts_hand == "touch" else DESK)
    guest = visit(screen=PHONE if guests_hand == "touch" else DESK)
    invite(host, guest, game)
    state = play_together(host, guest, hosts_hand, guests_hand)
    for visitor in (host, guest):
        expect(visitor.see("over")).to_contain_text(state["result"]["reason"])


def test_the_second_player_may_swap_and_is_told_what_it_means(visit: Visit) -> None:
    host, guest = visit(wishes=BY_LINK), visit()
    invite(host, guest, "petrify")
    host.play("b2", "mouse")
    guest.wait_for_turn(1)
    expect(guest.page.get_by_text("take over Blue and its disk")).to_be_visible()
    guest.see("swap").click()
    host.wait_for_turn(2)
    expect(host.see("score-first")).to_contain_text("Orange")
    expect(guest.see("score-second")).to_contain_text("Blue")


def test_a_draw_is_offered_and_accepted(visit: Visit) -> None:
    host, guest = visit(wishes=BY_LINK), visit()
    invite(host, guest, "pyloff")
    host.see("more").click()
    host.page.get_by_role("button", name="Offer a draw").click()
    guest.page.get_by_role("button", name="Accept").click()
    expect(host.see("over")).to_contain_text("A draw")


def test_a_game_is_called_off_until_both_have_moved(visit: Visit) -> None:
    host, guest = visit(wishes=BY_LINK), visit()
    invite(host, guest, "petrify")
    host.play("b2", "mouse")
    guest.wait_for_turn(1)
    guest.see("more").click()
    guest.see("call-off").click()
    for visitor in (host, guest):
        expect(visitor.see("over")).to_contain_text("Called off")
    invite(host, guest, "petrify")
    for ply, (visitor, move) in enumerate([(host, "b2"), (guest, "c3")]):
        visitor.wait_for_turn(ply)
        visitor.play(move, "mouse")
        visitor.wait_for_ply(ply + 1)
    guest.see("more").click()
    expect(guest.see("resign")).to_be_visible()
    expect(guest.see("call-off")).to_have_count(0)


def test_whoever_was_left_alone_with_a_clock_reads_it_and_may_claim_the_win(visit: Visit, site: Site) -> None:
    host, guest = visit(wishes={**BY_LINK, "clock": "fischer-5-5"}, screen=PHONE), visit()
    host.page.clock.install()
    invite(host, guest, "petrify")
    for ply, (visitor, move) in enumerate([(host, "b2"), (guest, "c3"), (host, "a1")]):
        visitor.wait_for_turn(ply)
        visitor.play(move, "typed")
        visitor.wait_for_ply(ply + 1)
    guest.page.close()
    expect(host.see("score-second").get_by_text("away")).to_be_visible()
    expect(host.see("claim")).to_have_count(0)
    seen, seat = site.runtime.hub.seen, (host.game_id, Seat.SECOND)
    seen.put(seat, (seen.peek(seat) or 0.0) - AWAY_MS / 1000)
    host.page.clock.fast_forward(AWAY_MS)
    host.see("claim").click()
    expect(host.see("over")).to_contain_text("You win")
    expect(host.see("claim")).to_have_count(0)


def test_a_reload_in_mid_game_and_a_second_tab_lose_nothing(visit: Visit) -> None:
    visitor = visit(wishes={**BY_LINK, "opponent": "here"})
    visitor.begin("petrify")
    for ply, move in enumerate(("b2", "c3", "b2xc3")):
        visitor.play(move, "mouse")
        visitor.wait_for_ply(ply + 1)
    visitor.page.reload()
    visitor.wait_for_ply(3)
    expect(visitor.see("ply")).to_have_text("3")
    tab = visitor.context.new_page()
    tab.goto(visitor.page.url)
    tab.get_by_label("Type a move").fill("a1")
    tab.get_by_label("Type a move").press("Enter")
    visitor.wait_for_ply(4)


def test_a_game_goes_on_after_the_server_was_restarted(
    browser: Browser, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    first = Site(settings_for(tmp_path))
    visitor = Visitor(browser, first.url, wishes={**BY_LINK, "opponent": "here"})
    visitor.begin("petrify")
    visitor.play("b2", "mouse")
    visitor.wait_for_ply(1)
    first.stop()
    expect(visitor.note).to_contain_text("No connection")
    second = Site(replace(settings_for(tmp_path), port=first.port))
    try:
        expect(visitor.note).to_have_text("Orange to move")
        visitor.play("c3", "mouse")
        visitor.wait_for_ply(2)
    finally:
        visitor.leave()
        second.stop()


def test_a_move_made_while_the_line_was_lost_arrives_when_it_is_back(
    browser: Browser, site: Site, visit: Visit
) -> None:
    cable = Cable(site.port)
    host, guest = Visitor(browser, cable.url, wishes=BY_LINK), visit()
    try:
        host.begin("petrify")
        guest.page.goto(host.see("invite").inner_text().replace(cable.url, site.url))
        guest.wait_for_board()
        host.wait_for_turn(0)
        host.play("nonsense", "typed")
        expect(host.note).to_contain_text("nonsense")
        cable.cut()
        expect(host.note).to_contain_text("No connection")
        expect(guest.see("score-first")).to_contain_text("away")
        host.play("b2", "mouse")
        expect(host.note).not_to_contain_text("Your turn")
        assert guest.state()["moves"] == []
        cable.mend()
        guest.wait_for_turn(1)
        guest.play("c3", "mouse")
        host.wait_for_turn(2)
        assert host.state()["moves"] == ["b2", "c3"]
    finally:
        host.leave()
        cable.close()


def test_my_seat_moves_to_my_phone(visit: Visit) -> None:
    laptop, phone = visit(wishes=BY_LINK), visit(screen=PHONE)
    laptop.begin("petrify")
    answer = laptop.context.request.post(
        f"/api/games/{laptop.game_id}/handover", data={}, headers={"Origin": laptop.url}
    )
    phone.page.goto(f"/g/{laptop.game_id}#s={answer.json()['token']}")
    phone.wait_for_board()
    assert phone.state()["you"] == ["first"]
