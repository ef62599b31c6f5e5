"""Clocks: time charged is time passed, nobody both moves and loses on time, and an outage costs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purlieu.rules import Seat
from purlieu.server.errors import Problem
from purlieu.server.services.acts import AWAY_MS, FLAG_PATIENCE_MS, decide_act, decide_flag, decide_pause
from purlieu.server.services.game import LAG_BANK_MS, LAG_REFILL_MS, MOST_LAG_MS, Chair, ClockRules, Game
from purlieu.server.services.gate import now_ms
from purlieu.server.services.moves import Decision, decide_move
from purlieu.server.store.games import new_game

from .site import running, settings_for
from .socket_client import Socket

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


LAGS = st.tuples(st.integers(0, 3_000), st.integers(0, 2_000))


@given(st.lists(LAGS, min_size=1, max_size=40))
def test_lag_is_given_back_within_its_bounds_and_never_more_than_was_charged(turns: list[tuple[int, int]]) -> None:
    game, now = start(FISCHER), 0
    given_back = dict.fromkeys(Seat, 0)
    moves = dict.fromkeys(Seat, 0)
    for spent, lag in turns:
        seat, before = game.to_move, game.remaining_ms
        assert before is not None
        now += spent
        runs = game.clock_runs
        game = after(decide_move(game, list(Seat), game.ply + 1, PLACES[game.ply], now, lag_ms=lag))
        assert game.remaining_ms is not None
        increment = FISCHER.increment_ms if runs else 0
        credit = game.remaining_ms[seat] - before[seat] - increment + (spent if runs else 0)
        assert 0 <= credit <= min(lag, spent, MOST_LAG_MS)
        given_back[seat] += credit
        moves[seat] += 1
        assert given_back[seat] <= LAG_BANK_MS + LAG_REFILL_MS * moves[seat]
        assert game.remaining_ms[seat.other] == before[seat.other]


def test_where_a_move_has_days_no_lag_is_given_back() -> None:
    game = start(ClockRules("days", 86_400_000))
    decision = decide_move(game, list(Seat), 1, "a1", 5_000, lag_ms=200)
    assert decision.events[0].data["remaining"] == {"first": 86_400_000, "second": 86_400_000}
    assert "lag" not in decision.events[0].data


DAYS = ClockRules("days", 86_400_000)


def after_moves(rules: ClockRules, moves: int) -> Game:
    game = start(rules)
    for _ in range(moves):
        game = play(game, 0)
    return game


def test_whoever_was_left_alone_for_a_minute_may_claim_the_win() -> None:
    claimed = after(decide_act(after_moves(FISCHER, 3), [Seat.FIRST], "claim", 3, 10_000, {Seat.SECOND: AWAY_MS}))
    assert claimed.result is not None
    assert (claimed.result.winner, claimed.status) == (Seat.FIRST, "over")


@pytest.mark.parametrize(
    ("rules", "moves", "seats", "away", "why"),
    [
        (FISCHER, 3, [Seat.FIRST], {Seat.SECOND: AWAY_MS - 1}, "long enough"),
        (FISCHER, 3, [Seat.FIRST], {}, "they are here"),
        (FISCHER, 3, [Seat.FIRST], None, "several servers"),
        (FISCHER, 3, [Seat.SECOND], {Seat.FIRST: 10**9}, "whose turn it is"),
        (FISCHER, 3, list(Seat), {Seat.FIRST: 10**9, Seat.SECOND: 10**9}, "another person"),
        (FISCHER, 1, [Seat.FIRST], {Seat.SECOND: 10**9}, "once it runs"),
        (DAYS, 1, [Seat.FIRST], {Seat.SECOND: 10**9}, "minutes on the clock"),
    ],
)
def test_a_win_is_claimed_only_from_somebody_who_has_left_a_game_with_minutes(
    rules: ClockRules, moves: int, seats: list[Seat], away: dict[Seat, int] | None, why: str
) -> None:
    game = after_moves(rules, moves)
    with pytest.raises(Problem, match=why):
        decide_act(game, seats, "claim", game.v, 10_000, away)


def test_the_server_knows_who_has_left(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana, ben = site.person(), site.person()
        made = ana.make("pilo", "me", "link", clock={"mode": "fischer", "minutes": 5, "increment": 0})
        game = made["id"]
        ben.post(f"/api/games/{game}/join", {"token": made["invite"]})
        for ply, (person, square) in enumerate([(ana, "a1"), (ben, "b1"), (ana, "c1")], start=1):
            person.move(game, ply, square)
        site.world.hub.started -= 2 * AWAY_MS
        with Socket(ben, game):
            assert ana.act(game, "claim", 4, 422)["message"] == "they are here"
        ana.wait_for(game, "seats", {**ana.state(game)["seats"], "second": gone(ana.state(game)["seats"]["second"])})
        assert "long enough" in ana.act(game, "claim", 4, 422)["message"]
        site.world.hub.left[game, Seat.SECOND] -= AWAY_MS / 1000
        assert ana.act(game, "claim", 4)["state"]["result"]["winner"] == "first"


def gone(seat: dict[str, object]) -> dict[str, object]:
    return {**seat, "here": False}


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
