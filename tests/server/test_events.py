"""The state that a client has, with the events that it missed, is the state that it would get afresh."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, get_args

import pytest

from purlieu.rules import Seat
from purlieu.server.domain.acts import AWAY_MS, decide_act, decide_flag, decide_pause
from purlieu.server.domain.game import Kind
from purlieu.server.services.committer import now_ms

from .site import Person, Site
from .socket_client import Socket, apply_event, settled


def played_through(site: Site) -> Iterator[tuple[Person, str, str, Callable[[Any], object]]]:
    """One game after another in which every kind of event comes up: who watches, the game, the kind, the deed."""
    ana, ben = site.person(), site.person()
    clock = {"mode": "fischer", "minutes": 5, "increment": 2}
    made = ana.make("pyloff", "me", "link", clock=clock)
    game, token = made["id"], made["invite"]
    yield ana, game, "join", lambda state: ben.post(f"/api/games/{game}/join", {"token": token})
    yield ana, game, "move", lambda state: ana.move(game, 1, "a1")
    yield ben, game, "draw_offer", lambda state: ben.act(game, "offer_draw", state["v"])
    yield ana, game, "draw_decline", lambda state: ana.act(game, "decline_draw", state["v"])
    yield ana, game, "draw_offer", lambda state: ana.act(game, "offer_draw", state["v"])
    yield ben, game, "move", lambda state: ben.move(game, 2, "b2")
    yield ben, game, "pause", lambda state: change(site, game, lambda g: decide_pause(g, 60_000, "restart", now_ms()))
    yield ana, game, "draw_offer", lambda state: ana.act(game, "offer_draw", state["v"])
    yield ana, game, "draw", lambda state: ben.act(game, "accept_draw", state["v"])
    yield ben, game, "rematch", lambda state: ana.act(game, "rematch", state["v"])

    alone = ana.make("petrify", size=6)["id"]
    yield ana, alone, "move", lambda state: ana.move(alone, 1, "c3")
    yield ana, alone, "move", lambda state: ana.move(alone, 2, "swap")
    yield ana, alone, "undo", lambda state: ana.act(alone, "undo", state["v"])
    yield ana, alone, "redo", lambda state: ana.act(alone, "redo", state["v"])
    yield ana, alone, "resign", lambda state: ana.act(alone, "resign", state["v"])

    timed = ana.make("pentwall", clock={"mode": "days", "days": 1})["id"]
    later = 3 * 86_400_000
    yield ana, timed, "flag", lambda state: change(site, timed, lambda g: decide_flag(g, now_ms() + later))
    live = ana.make("pilo", "me", "link", clock=clock)
    left, invite = live["id"], live["invite"]
    yield ana, left, "join", lambda state: ben.post(f"/api/games/{left}/join", {"token": invite})
    yield ben, left, "move", lambda state: ana.move(left, 1, "a1")
    yield ana, left, "move", lambda state: ben.move(left, 2, "b1")
    yield ben, left, "move", lambda state: ana.move(left, 3, "c1")
    gone = {Seat.SECOND: AWAY_MS}
    claim = partial(decide_act, seats=[Seat.FIRST], act="claim", away_ms=gone)
    yield ana, left, "claim", lambda state: change(site, left, partial(claim, at=state["v"], at_ms=now_ms()))
    off = ana.make("pilo")["id"]
    yield ana, off, "abort", lambda state: ana.act(off, "abort", state["v"])


def change(site: Site, game: str, decide: Any) -> None:
    """Change a game from inside, as the keeper of clocks does."""
    loop = site.runtime.keeper.tasks[0].get_loop()
    asyncio.run_coroutine_threadsafe(site.runtime.committer.change(game, decide), loop).result(20)


def test_state_and_events_make_the_fresh_state_for_every_kind_of_event(either_site: Site) -> None:
    seen = set()
    for person, game, kind, deed in played_through(either_site):
        before = person.state(game)
        with Socket(person, game, before["v"]) as socket:
            assert socket.welcome["events"] == []
            deed(before)
            after = person.state(game)
            state = before
            while state["v"] < after["v"]:
                event = socket.expect("ev")
                seen.add(event["kind"])
                state = apply_event(state, event)
        assert kind in seen
        assert settled(state) == settled(after), kind
    assert seen == set(get_args(Kind))


def test_whoever_comes_back_gets_what_was_missed_from_any_point(ana: Person) -> None:
    game = ana.make("petrify", size=6)["id"]
    states = [ana.state(game)]
    for ply, move in enumerate(["c3", "d4", "e5"], start=1):
        states.append(ana.move(game, ply, move)["state"])
    states.append(ana.act(game, "undo", 3)["state"])
    states.append(ana.act(game, "redo", 4)["state"])
    states.append(ana.act(game, "resign", 5)["state"])
    for since, state in enumerate(states):
        with Socket(ana, game, since) as socket:
            assert [event["v"] for event in socket.welcome["events"]] == list(range(since + 1, 7))
            for event in socket.welcome["events"]:
                state = apply_event(state, event)
        assert settled(state) == settled(states[-1])
        assert ana.get(f"/api/games/{game}/events", since=since)["events"] == socket.welcome["events"]


@pytest.mark.parametrize("since", [None, -1, 99, 2**40])
def test_a_version_that_never_was_is_answered_with_the_whole_state(ana: Person, since: int | None) -> None:
    game = ana.make()["id"]
    ana.move(game, 1, "c3")
    with Socket(ana, game, since) as socket:
        assert socket.welcome["state"]["moves"] == ["c3"]
