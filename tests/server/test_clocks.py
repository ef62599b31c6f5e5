"""Clocks: time charged is time passed, nobody both moves and loses on time, and an outage costs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purlieu.rules import Seat
from purlieu.server.errors import Problem
from purlieu.server.services.acts import FLAG_PATIENCE_MS, decide_flag, decide_pause
from purlieu.server.services.game import Chair, ClockRules, Game
from purlieu.server.services.gate import now_ms
from purlieu.server.services.moves import Decision, decide_move
from purlieu.server.store.games import new_game

from .site import running, settings_for

PEOPLE = {Seat.FIRST: Chair("person"), Seat.SECOND: Chair("person")}
FISCHER = ClockRules("fischer", 60_000, 2_000)
PLACES = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]


def start(rules: ClockRules, chairs: dict[Seat, Chair] = PEOPLE) -> Game:
    return new_game("a" * 16, "petrify", 8, chairs, rules, (), 0)


def after(decision: Decision) -> Game:
    assert decision.after is not None
    return decision.after


def play(game: Game, at_ms: int) -> Game:
    return after(decide_move(game, list(Seat), game.ply + 1, PLACES[game.ply], at_ms))


@given(st.lists(st.integers(0, 20_000), min_size=1, max_size=30))
def test_what_a_clock_loses_is_the_time_that_passed_less_the_increments(spent: list[int]) -> None:
    game, now = start(FISCHER), 0
    used = dict.fromkeys(Seat, 0)
    gained = dict.fromkeys(Seat, 0)
    for ms in spent:
        seat, runs = game.to_move, game.clock_runs
        left = game.remaining_at(now)
        assert left is not None
        now += ms
        if ms > left[seat] and runs:
            with pytest.raises(Problem, match="time was up"):
                play(game, now)
            assert decide_flag(game, now).events == () or now >= game.turn_started_ms + left[seat] + FLAG_PATIENCE_MS
            flagged = after(decide_flag(game, now + FLAG_PATIENCE_MS))
            assert flagged.result is not None
            assert flagged.result.winner is seat.other
            return
        game = play(game, now)
        if runs:
            used[seat] += ms
            gained[seat] += FISCHER.increment_ms
        assert game.remaining_ms == {s: FISCHER.initial_ms - used[s] + gained[s] for s in Seat}
        assert all(left >= 0 for left in game.remaining_ms.values())


def test_the_clock_starts_once_both_have_moved() -> None:
    game = start(FISCHER)
    game = play(play(game, 1_000_000), 2_000_000)
    assert game.remaining_ms == dict.fromkeys(Seat, 60_000)
    assert game.clock_runs
    assert game.deadline_ms == 2_060_000


@pytest.mark.parametrize("past", [-1, 0, 1])
def test_a_move_at_the_last_moment_counts_and_the_flag_waits_for_it(past: int) -> None:
    game = play(play(start(FISCHER), 0), 0)
    deadline = game.deadline_ms
    assert deadline == 60_000
    if past <= 0:
        assert play(game, deadline + past).ply == 3
    else:
        with pytest.raises(Problem):
            play(game, deadline + past)
    assert decide_flag(game, deadline + FLAG_PATIENCE_MS - 1).events == ()
    flag = decide_flag(game, deadline + FLAG_PATIENCE_MS)
    assert flag.events[0].kind == "flag"
    assert after(flag).remaining_ms == {Seat.FIRST: 0, Seat.SECOND: 60_000}


def test_days_are_given_anew_for_each_move() -> None:
    day = 86_400_000
    game = start(ClockRules("days", day))
    assert game.deadline_ms == day
    game = play(game, day - 1)
    assert game.remaining_ms == dict.fromkeys(Seat, day)
    assert game.deadline_ms == 2 * day - 1


def test_the_computers_clock_never_runs() -> None:
    game = start(FISCHER, {Seat.FIRST: Chair("person"), Seat.SECOND: Chair("computer", 1)})
    for at in (0, 0, 0):
        game = play(game, at)
    assert game.to_move is Seat.SECOND
    assert game.deadline_ms is None


def test_a_clock_that_goes_backwards_charges_nothing() -> None:
    game = play(play(start(FISCHER), 5_000), 5_000)
    assert play(game, 1_000).remaining_ms == {Seat.FIRST: 62_000, Seat.SECOND: 60_000}


def test_an_outage_is_given_back() -> None:
    game = play(play(start(FISCHER), 0), 0)
    paused = after(decide_pause(game, 3_600_000, "restart", 3_601_000))
    assert paused.remaining_at(3_601_000) == {Seat.FIRST: 59_000, Seat.SECOND: 60_000}


def test_the_server_flags_and_gives_back_the_time_it_was_away(folder: Path) -> None:
    settings = settings_for(folder)
    with running(settings) as site:
        ana = site.person()
        long = ana.make(clock={"mode": "fischer", "minutes": 10, "increment": 0}, moves=["c3", "d4"])["id"]
        ana.move(long, 3, "e5")
        ana.move(long, 4, "f6")
        left = ana.state(long)["clock"]["remaining_ms"]
        site.world.keeper.grace_ms = 0
        short = ana.make(clock={"mode": "fischer", "minutes": 0.001, "increment": 0})["id"]
        ana.move(short, 1, "c3")
        ana.move(short, 2, "d4")
        state = ana.wait_for(short, "status", "over")
        assert state["result"] == {"winner": "second", "reason": "the first seat ran out of time"}
        assert ana.move(short, 3, "e5", 409)["code"] == "game_over"
        loop = site.world.keeper.tasks[0].get_loop()
        loop.call_soon_threadsafe(lambda: [task.cancel() for task in site.world.keeper.tasks])
        site.world.keeper.note = lambda: site.world.gate.write(long_ago)  # type: ignore[method-assign]
    with running(settings) as site:
        ana = site.person()
        state = ana.state(long)
        assert ana.get(f"/api/games/{long}/events", since=state["v"] - 1)["events"][0]["data"]["cause"] == "restart"
        assert state["clock"]["remaining_ms"]["first"] > left["first"] - 60_000


def long_ago(connection: object) -> None:
    """As if the server had last been alive two hours ago, and the game's turn had begun before."""
    from sqlalchemy import Connection, text

    assert isinstance(connection, Connection)
    ago = 7_200_000
    connection.execute(text("UPDATE event SET at_ms = at_ms - :ago"), {"ago": ago + 30_000})
    connection.execute(text("UPDATE meta SET last_alive_ms = :then"), {"then": now_ms() - ago})
