"""Clocks: time charged is time passed, nobody both moves and loses on time, and an outage costs nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from purlieu.rules import Seat
from purlieu.server.domain.acts import AWAY_MS, FLAG_PATIENCE_MS, Act, decide_act, decide_flag, decide_pause
from purlieu.server.domain.game import LAG_BANK_MS, LAG_REFILL_MS, MOST_LAG_MS, Chair, ClockRules, Event, Game, apply
from purlieu.server.domain.moves import Decision, decide_move
from purlieu.server.domain.refusals import Problem
from purlieu.server.domain.who import Who
from purlieu.server.services.committer import now_ms
from purlieu.server.services.keeper import GRACE_MS, Keeper
from purlieu.server.services.making import Wish, make
from purlieu.server.store.games import new_game

from .site import Person, Site, running, settings_for
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


def as_if_away(site: Site, game: str) -> None:
    """As if the second seat had been seen a minute earlier."""
    seen, key = site.runtime.hub.seen, (game, Seat.SECOND)
    seen.put(key, (seen.peek(key) or 0.0) - AWAY_MS / 1000)


def test_the_server_knows_who_has_left(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana, ben = site.person(), site.person()
        made = ana.make("pilo", "me", "link", clock={"mode": "fischer", "minutes": 5, "increment": 0})
        game = made["id"]
        ben.post(f"/api/games/{game}/join", {"token": made["invite"]})
        for ply, (person, square) in enumerate([(ana, "a1"), (ben, "b1"), (ana, "c1")], start=1):
            person.move(game, ply, square)
        site.runtime.hub.seen.values.clear()
        site.runtime.hub.started -= 2 * AWAY_MS
        with Socket(ben, game):
            assert ana.act(game, "claim", 4, 422)["message"] == "they are here"
        ana.wait_for(game, "seats", {**ana.state(game)["seats"], "second": gone(ana.state(game)["seats"]["second"])})
        assert "long enough" in ana.act(game, "claim", 4, 422)["message"]
        as_if_away(site, game)
        assert ana.act(game, "claim", 4)["state"]["result"]["winner"] == "first"


def test_whoever_plays_without_a_socket_has_not_left(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana, ben = site.person(), site.person()
        made = ana.make("petrify", "me", "link", clock={"mode": "fischer", "minutes": 10})
        game = made["id"]
        ben.post(f"/api/games/{game}/join", {"token": made["invite"]})
        site.runtime.hub.started -= AWAY_MS
        for ply, (person, square) in enumerate([(ana, "c3"), (ben, "d4"), (ana, "c4")], start=1):
            person.move(game, ply, square)
        assert "long enough" in ana.act(game, "claim", 4, 422)["message"]
        as_if_away(site, game)
        ben.move(game, 4, "c3xd3", 422)
        assert "long enough" in ana.act(game, "claim", 4, 422)["message"], "a move that was refused is a sign of life"
        as_if_away(site, game)
        ben.act(game, "undo", 4, 422)
        assert "long enough" in ana.act(game, "claim", 4, 422)["message"], "so is anything else"
        as_if_away(site, game)
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


@pytest.mark.parametrize(("minutes", "status"), [(1e-9, 422), (4.999 / 60, 422), (5 / 60, 201)])
def test_a_clock_too_short_to_move_in_is_refused_with_a_sentence(ana: Person, minutes: float, status: int) -> None:
    seats = {"first": {"kind": "me"}, "second": {"kind": "me"}}
    body = {"game": "petrify", "seats": seats, "clock": {"mode": "fischer", "minutes": minutes}}
    answer = ana.post("/api/games", body, status)
    if status == 422:
        assert answer["where"] == "clock.fischer.minutes"
        assert answer["message"] == f"a clock begins with at least 5 seconds, and {minutes:g} minutes are less"


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


COMPUTER = {Seat.FIRST: Chair("person"), Seat.SECOND: Chair("computer", 1)}


def act(game: Game, kind: Act, at_ms: int) -> Game:
    return after(decide_act(game, [Seat.FIRST], kind, game.v, at_ms))


def test_a_move_taken_back_gives_back_no_time_and_takes_its_increment_along() -> None:
    game = start(FISCHER, COMPUTER)
    for _ in range(4):
        game = play(game, 0)
    assert game.remaining_ms == {Seat.FIRST: 62_000, Seat.SECOND: 60_000}
    undone = act(game, "undo", 6_000)
    assert undone.remaining_ms == {Seat.FIRST: 54_000, Seat.SECOND: 60_000}
    redone = act(undone, "redo", 7_000)
    assert redone.remaining_ms == {Seat.FIRST: 55_000, Seat.SECOND: 60_000}
    assert redone.deadline_ms == 7_000 + 55_000


def test_a_move_taken_back_while_the_computer_thinks_has_cost_its_time() -> None:
    game = play(play(play(start(FISCHER, COMPUTER), 0), 0), 6_000)
    assert game.is_computer(game.to_move)
    undone = act(game, "undo", 9_000)
    assert undone.remaining_ms == {Seat.FIRST: 54_000, Seat.SECOND: 60_000}


def test_where_a_move_has_days_taking_back_goes_on_with_those_and_making_again_gives_new_ones() -> None:
    day = 86_400_000
    game = play(play(start(ClockRules("days", day), COMPUTER), 0), 0)
    undone = act(game, "undo", 5_000)
    assert undone.deadline_ms == day
    assert act(undone, "redo", 6_000).deadline_ms == day + 6_000


@given(st.lists(st.tuples(st.sampled_from(["play", "undo", "redo"]), st.integers(0, 3_000)), max_size=60))
def test_no_clock_ever_shows_more_than_its_moves_on_the_board_have_earned(steps: list[tuple[str, int]]) -> None:
    game, now, used = start(FISCHER, COMPUTER), 0, 0
    for kind, ms in steps:
        now, runs = now + ms, game.clock_runs
        try:
            if kind == "undo":
                game = act(game, "undo", now)
            elif kind == "redo":
                game = act(game, "redo", now)
            else:
                game = play(game, now)
        except Problem:
            now -= ms
            continue
        used += ms if runs else 0
        earned = FISCHER.increment_ms * max(0, (game.ply + 1) // 2 - 1)
        assert game.remaining_ms == {Seat.FIRST: FISCHER.initial_ms - used + earned, Seat.SECOND: FISCHER.initial_ms}


@pytest.mark.parametrize("kind", ["undo", "redo"])
def test_a_clock_that_has_run_out_is_not_saved_by_undo_or_redo(kind: Act) -> None:
    game = start(FISCHER, COMPUTER)
    for _ in range(6):
        game = play(game, 0)
    game = act(game, "undo", 0)
    with pytest.raises(Problem, match="too little time"):
        act(game, kind, 62_000)
    assert act(game, kind, 59_000).status == "active"


def test_a_move_is_not_taken_back_where_that_would_leave_no_time() -> None:
    game = start(FISCHER, COMPUTER)
    for _ in range(4):
        game = play(game, 0)
    with pytest.raises(Problem, match="too little time"):
        act(game, "undo", 60_500)
    assert play(game, 60_500).ply == 5


def test_a_log_from_before_undo_told_the_clocks_is_read_as_it_was() -> None:
    game = start(FISCHER, COMPUTER)
    for _ in range(4):
        game = play(game, 0)
    undone = apply(game, Event(5, "undo", Seat.FIRST, 6_000, 1, None, {"ply": 2}))
    assert undone.remaining_ms == game.remaining_ms
    redone = apply(undone, Event(6, "redo", Seat.FIRST, 7_000, 2, None, {"count": 2, "moves": PLACES[2:4]}))
    assert (redone.remaining_ms, redone.ply) == (game.remaining_ms, 4)


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
        site.runtime.keeper.grace_ms = 0
        loop = site.runtime.keeper.tasks[0].get_loop()
        seats: dict[Seat, tuple[str, int | None]] = dict.fromkeys(Seat, ("me", None))
        wish = Wish("petrify", None, seats, ClockRules("fischer", 60))  # shorter than anybody may ask for
        making = make(
            site.runtime.committer, site.runtime.hub, settings.limits, Who(ana.http.cookies["purlieu"]), wish, None
        )
        short = asyncio.run_coroutine_threadsafe(making, loop).result(20).id
        ana.move(short, 1, "c3")
        ana.move(short, 2, "d4")
        state = ana.wait_for(short, "status", "over")
        assert state["result"]["winner"] == "second"
        assert state["result"]["ending"] == "flag"
        assert state["result"]["reason"] == "the first seat ran out of time"
        assert ana.move(short, 3, "e5", 409)["code"] == "game_over"
        loop.call_soon_threadsafe(lambda: [task.cancel() for task in site.runtime.keeper.tasks])
        site.runtime.keeper.note = lambda: site.runtime.store.write(long_ago)  # type: ignore[method-assign]
    with running(settings) as site:
        ana = site.person()
        state = ana.state(long)
        assert ana.get(f"/api/games/{long}/events", since=state["v"] - 1)["events"][0]["data"]["cause"] == "restart"
        assert state["clock"]["remaining_ms"]["first"] > left["first"] - 60_000


class Watch:
    """The server's keeper, with a clock that moves when the test says so; the one on the wall's time stops."""

    def __init__(self, site: Site, grace_ms: int = GRACE_MS) -> None:
        self.now = now_ms()
        self.keeper = Keeper(
            site.runtime.committer, site.runtime.seats, site.runtime.hub, grace_ms=grace_ms, clock=lambda: self.now
        )
        self.loop = site.runtime.keeper.tasks[0].get_loop()
        asyncio.run_coroutine_threadsafe(stop(site.runtime.keeper.tasks), self.loop).result(60)

    def after(self, ms: int) -> None:
        """Look for those whose time is up once so much more has passed."""
        self.now += ms
        asyncio.run_coroutine_threadsafe(self.keeper.flag(), self.loop).result(60)


async def stop(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def one_minute_each(ana: Person) -> str:
    game = ana.make(clock={"mode": "fischer", "minutes": 1, "increment": 0})["id"]
    ana.move(game, 1, "c3")
    ana.move(game, 2, "d4")
    return str(game)


def test_time_in_which_the_server_was_suspended_is_given_back_and_only_that(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        game = one_minute_each(ana)
        watch = Watch(site, grace_ms=0)
        watch.after(1_000)
        assert ana.state(game)["v"] == 2, "a second is no outage"
        watch.after(70_000)
        assert (ana.state(game)["status"], ana.state(game)["v"]) == ("active", 3)
        assert ana.get(f"/api/games/{game}/events", since=2)["events"][0]["data"]["ms"] == 70_000
        for _ in range(29):
            watch.after(2_000)
        assert ana.state(game)["status"] == "active", "of its minute, 59 seconds have passed"
        watch.after(2_000)
        watch.after(FLAG_PATIENCE_MS)
        assert ana.state(game)["result"]["reason"] == "the first seat ran out of time"


def test_time_that_could_not_be_given_back_at_once_is_given_back_later_and_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        games = [one_minute_each(ana) for _ in range(2)]
        watch = Watch(site, grace_ms=0)
        change_now, asked = site.runtime.committer.change_now, list[str]()

        async def fails_once(game_id: str, *given: Any) -> Any:
            asked.append(game_id)
            if len(asked) == 2:
                raise Problem("storage", "the database does not answer just now")
            return await change_now(game_id, *given)

        monkeypatch.setattr(site.runtime.committer, "change_now", fails_once)
        with pytest.raises(Problem):
            watch.after(70_000)
        watch.after(1_000)
        assert len(asked) == 3
        for game in games:
            assert ana.state(game)["v"] == 3, "once each"
            assert ana.get(f"/api/games/{game}/events", since=2)["events"][0]["data"]["ms"] == 70_000


def test_nobody_is_flagged_right_after_the_server_was_suspended(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        game = one_minute_each(ana)
        watch = Watch(site)
        for passed in [*[2_000] * 29, 70_000, *[2_000] * (GRACE_MS // 2_000 - 1)]:
            watch.after(passed)
            assert ana.state(game)["status"] == "active"
        watch.after(2_000)
        assert ana.state(game)["status"] == "over"


def test_a_move_that_waited_while_the_server_was_suspended_is_not_late(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        game = one_minute_each(ana)
        Watch(site)  # from here on nobody looks at the clock before the move does
        site.runtime.store.writer.write(long_ago).result(20)
        site.runtime.cache.kept.values.clear()
        site.runtime.keeper.pulse.seen_ms -= 7_200_000
        state = ana.move(game, 3, "e5")["state"]
        assert state["clock"]["remaining_ms"]["first"] == pytest.approx(30_000, abs=10_000)


def long_ago(connection: Connection) -> None:
    """As if the server had last been alive two hours ago, and the game's turn had begun before."""
    ago = 7_200_000
    connection.execute(text("UPDATE event SET at_ms = at_ms - :ago"), {"ago": ago + 30_000})
    connection.execute(text("UPDATE meta SET last_alive_ms = :then"), {"then": now_ms() - ago})
