"""Random requests in random order, from everybody: each is answered or refused, and the log always adds up."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from purlieu.rules import Seat
from purlieu.server.domain.acts import Act, decide_act, decide_flag, decide_pause
from purlieu.server.domain.game import Chair, ClockRules, Game, Turn
from purlieu.server.domain.moves import Decision, append_move, decide_move
from purlieu.server.domain.refusals import Problem
from purlieu.server.settings import database_url
from purlieu.server.store.audit import check_game
from purlieu.server.store.database import open_database, reading
from purlieu.server.store.games import Conflict, append, insert_game, load_game, new_game
from purlieu.server.wire.frames import BadFrame, read_frame
from purlieu.server.wire.strict_json import BadJson, loads

ACTS = [act for act in get_args(Act) if act not in ("rematch", "stop_thinking")]
SEATS = st.sampled_from([(), (Seat.FIRST,), (Seat.SECOND,), (Seat.FIRST, Seat.SECOND)])
OPPONENTS = st.sampled_from([Chair("person"), Chair("computer", 1)])
CLOCKS = st.sampled_from([None, ClockRules("fischer", 60_000, 1_000), ClockRules("days", 86_400_000)])


class Table(RuleBasedStateMachine):
    """A game on a real database; what is judged is stored, and what is stored is read back."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.database = open_database(database_url(str(Path(self.folder.name) / "games.db")))
        self.number = 0
        self.now = 0
        self.begin("pyloff", 3, Chair("person"), None)

    def teardown(self) -> None:
        self.database.close()
        self.folder.cleanup()

    @rule(
        kind=st.sampled_from([("petrify", 3), ("pilo", 4), ("pyloff", 3), ("pentwall", 10)]),
        other=OPPONENTS,
        clock=CLOCKS,
    )
    def another_game(self, kind: tuple[str, int], other: Chair, clock: ClockRules | None) -> None:
        self.begin(*kind, other, clock)

    def begin(self, kind: str, size: int, other: Chair, clock: ClockRules | None) -> None:
        self.number += 1
        chairs = {Seat.FIRST: Chair("person"), Seat.SECOND: other}
        self.game = new_game(f"{self.number:016}", kind, size, chairs, clock, (), self.now)
        with self.database.writer.begin() as connection:
            insert_game(connection, self.game, self.now)

    def store(self, decision: Decision) -> None:
        if decision.after is None:
            assert decision.duplicate
            return
        with self.database.writer.begin() as connection:
            append(connection, self.game, decision.events, decision.after, self.now)
        stale, self.game = self.game, decision.after
        try:
            with self.database.writer.begin() as connection:
                append(connection, stale, decision.events, decision.after, self.now)
        except Conflict:
            return
        raise AssertionError("the same events were stored twice")

    def legal(self, at: int) -> str:
        moves = self.game.played.core.legal_moves() or ["a1"]
        return moves[at % len(moves)]

    @rule(seats=SEATS, off=st.sampled_from([1, 1, 1, 0, -1, 2]), at=st.integers(0, 5000), passed=st.integers(0, 9000))
    def move(self, seats: tuple[Seat, ...], off: int, at: int, passed: int) -> None:
        self.now += passed
        before = self.game
        ply, text = before.ply + off, self.legal(at)
        try:
            self.store(decide_move(before, seats, ply, text, self.now))
        except Problem as problem:
            assert problem.message
            assert self.game is before
            return
        assert seats
        assert ply <= before.ply or (before.status == "active" and before.to_move in seats)

    @rule(at=st.integers(0, 5000))
    def computer_moves(self, at: int) -> None:
        if self.game.status == "active" and self.game.is_computer(self.game.to_move):
            self.store(append_move(self.game, self.legal(at), self.now))

    @rule(seats=SEATS, act=st.sampled_from(ACTS), back=st.sampled_from([0, 0, 0, 1, 2, -1]))
    def act(self, seats: tuple[Seat, ...], act: Act, back: int) -> None:
        before = self.game
        try:
            self.store(decide_act(before, seats, act, max(0, before.v - back), self.now))
        except Problem as problem:
            assert problem.message
            assert self.game is before

    @rule(passed=st.integers(0, 200_000_000))
    def clock_runs_out(self, passed: int) -> None:
        self.now += passed
        self.store(decide_flag(self.game, self.now))

    @rule(ms=st.integers(0, 10_000))
    def server_was_away(self, ms: int) -> None:
        self.now += ms
        self.store(decide_pause(self.game, ms, "restart", self.now))

    @invariant()
    def the_log_adds_up_to_the_game(self) -> None:
        with reading(self.database) as connection:
            assert check_game(connection, self.game.id) is None
            stored = load_game(connection, self.game.id)
        assert stored is not None
        assert told(stored) == told(self.game)
        if self.game.remaining_ms:
            assert min(self.game.remaining_ms.values()) >= 0


def told(game: Game) -> Any:
    """All of a game but the core's positions, which compare by identity."""
    texts = [game.at_ply(ply).position.text() for ply in range(game.ply + 1)]
    fields = [getattr(game, name) for name in Game.__slots__ if name not in ("first", "played")]
    return texts, fields


TestTable = Table.TestCase
TestTable.settings = settings(
    max_examples=1_000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 15,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_a_pyloff_game_that_would_go_on_for_ever_ends_without_a_result() -> None:
    chairs = {seat: Chair("person") for seat in Seat}
    game = new_game("a" * 16, "pyloff", 3, chairs, None, (), 0)
    long = replace(game, turns=(Turn("a1"),) * (4 * 14 - 1))
    after = append_move(long, "b2", 0).after
    assert after is not None
    assert after.result is not None
    assert (after.status, after.result.winner) == ("over", None)
    assert after.result.reason == "unfinished: a game here ends after 56 turns"


def test_after_five_hundred_times_back_and_forth_moves_stay() -> None:
    game = new_game("a" * 16, "petrify", 6, {seat: Chair("person") for seat in Seat}, None, ["c3"], 0)
    moved = append_move(game, "d4", 0).after
    assert moved is not None
    assert decide_act(replace(moved, epoch=499), tuple(Seat), "undo", moved.v, 0).after
    with pytest.raises(Problem, match="taken back and made again 500 times in this game; from here on they stay"):
        decide_act(replace(moved, epoch=500), tuple(Seat), "undo", moved.v, 0)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FRAMES = st.fixed_dictionaries(
    {"t": st.sampled_from(["hello", "move", "act", "sync", "p", "ev", ""])},
    optional={
        name: JSON_VALUES | st.integers(0, 9) | st.sampled_from(["c3", "resign"])
        for name in ("rid", "ply", "move", "kind", "at", "ms", "proto", "game", "since", "token")
    },
)


@given(FRAMES | JSON_VALUES)
def test_any_json_is_a_frame_or_is_refused_with_a_sentence(value: Any) -> None:
    try:
        read_frame(json.dumps(value))
    except BadFrame as error:
        assert str(error)


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_json_or_are_refused_with_a_sentence(data: bytes) -> None:
    try:
        loads(data)
    except BadJson as error:
        assert str(error)
