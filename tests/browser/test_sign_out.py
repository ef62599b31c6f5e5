"""Signing out of a browser: the page says beforehand which seats it gives up, asks, and says what it did."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from .test_pages import serious, too_small
from .test_together import BY_LINK, invite
from .visitor import DESK, PHONE, Visitor

Visit = Callable[..., Visitor]


def ask(visitor: Visitor) -> Locator:
    """From the settings to the question."""
    visitor.page.get_by_role("button", name="Settings").click()
    visitor.see("sign-out").click()
    expect(visitor.see("sign-out-ask")).to_be_visible()
    return visitor.page.get_by_role("dialog", name="Sign out of this browser")


def test_signing_out_names_the_seats_it_gives_up_asks_and_says_what_it_did(visit: Visit) -> None:
    host, guest = visit(wishes=BY_LINK), visit(screen=PHONE)
    invite(host, guest, "petrify")
    host.make("pilo", 5, [])
    host.make("petrify", 3, ["a2"])
    host.see("more").click()
    host.see("resign").click()
    host.see("resign-yes").click()
    expect(host.see("over")).to_be_visible()
    host.go("/")
    expect(host.page.get_by_role("heading", name="Your games")).to_be_visible()
    dialog = ask(host)
    expect(dialog).to_contain_text("gives up your seats in these 2 running games")
    expect(dialog.get_by_role("listitem")).to_contain_text(["Pilo 5 × 5", "Petrify 4 × 4"])
    expect(dialog.get_by_role("listitem")).to_contain_text(["Both seats", "First seat"])
    dialog.get_by_role("button", name="Stay signed in").click()
    expect(host.page.get_by_role("dialog", name="Settings")).to_be_visible()
    host.key("Escape")
    expect(host.page.get_by_role("button", name="Settings")).to_be_focused()
    assert len(host.context.cookies()) == 1, "nothing happens before it is confirmed"

    ask(host)
    host.see("sign-out-yes").click()
    expect(host.see("sign-out-done")).to_contain_text("You gave up your seats in:")
    expect(dialog.get_by_role("listitem")).to_have_count(2)
    assert host.context.cookies() == []
    expect(dialog.get_by_role("button", name="Close").last).to_be_focused()
    host.key("Enter")
    expect(host.page.get_by_role("button", name="Settings")).to_be_focused()
    expect(host.page.get_by_role("heading", name="Your games")).to_have_count(0)
    host.page.reload()
    expect(host.see("choose-petrify")).to_be_enabled()
    expect(host.page.get_by_role("heading", name="Your games")).to_have_count(0)


def test_after_signing_out_the_other_sees_an_empty_seat_and_the_page_of_the_game_only_watches(visit: Visit) -> None:
    host, guest = visit(wishes=BY_LINK), visit()
    invite(host, guest, "pilo")
    ask(host)
    host.see("sign-out-yes").click()
    expect(host.see("sign-out-done")).to_be_visible()
    host.key("Escape")
    expect(host.note).to_have_text("Blue to move")  # and no longer: your turn
    host.see("more").click()
    expect(host.see("share")).to_be_visible()
    expect(host.see("call-off")).to_have_count(0)
    expect(guest.see("score-first").get_by_text("away")).to_be_visible()
    assert guest.state()["status"] == "active"


def test_a_link_to_a_game_that_would_be_given_up_leads_there(visit: Visit) -> None:
    visitor = visit()
    visitor.make("petrify", 4, [])
    game = visitor.game_id
    visitor.go("/")
    dialog = ask(visitor)
    dialog.get_by_role("link", name="Petrify 4 × 4").click()
    visitor.wait_for_board()
    assert visitor.game_id == game
    expect(dialog).to_have_count(0)


def test_whoever_holds_no_seat_gives_up_nothing(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/")
    dialog = ask(visitor)
    expect(dialog).to_contain_text("gives up no seat in a running game")
    visitor.key("Escape")


@pytest.mark.parametrize("dark", [False, True])
def test_on_every_screen_a_thumb_hits_its_buttons_and_axe_finds_nothing_serious(
    visit: Visit, axe: str, dark: bool
) -> None:
    visitor = visit(dark=dark, screen=PHONE if dark else DESK)
    visitor.make("petrify", 4, [])
    ask(visitor)
    for step in ("sign-out-ask", "sign-out-done"):
        expect(visitor.see(step)).to_be_visible()
        assert serious(visitor, axe) == [], step
        assert not dark or too_small(visitor) == [], step
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), step
        if step == "sign-out-ask":
            visitor.see("sign-out-yes").click()
