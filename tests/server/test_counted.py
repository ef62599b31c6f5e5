"""Nothing is worked out twice: how often the core and the rules are asked for one move, on a server that runs."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any, cast

import pytest

import purlieu
from purlieu.core import core
from purlieu.engine.levels import LEVELS
from purlieu.engine.plan import Settings
from purlieu.engine.thinker import Thinker
from purlieu.rules.petrify import PetrifyPosition
from purlieu.server.domain.played import begin, play_out
from purlieu.server.wire.explain import explain
from purlieu.server.workers.child import think
from purlieu.server.workers.jobs import Task

from .site import Person
from .socket_client import Socket

ONCE = Counter(["play", "legal_moves", "text", "explain", "after", "ledger"])
"""A move is played and its position listed by the core, judged and counted by the rules."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each was called since the counter was cleared, from any thread."""
    calls: Counter[str] = Counter()
    for name in ("play", "legal_moves", "text"):
        count_calls(monkeypatch, calls, core().Position, name)
    for name in ("explain", "after", "ledger"):
        count_calls(monkeypatch, calls, PetrifyPosition, name)
    return calls


def count_calls(monkeypatch: pytest.MonkeyPatch, calls: Counter[str], kind: Any, name: str) -> None:
    whole = getattr(kind, name)

    def call(self: Any, *given: Any) -> Any:
        calls[name] += 1
        return whole(self, *given)

    monkeypatch.setattr(kind, name, call)


def test_a_move_of_a_person_is_judged_once_and_shown_once(ana: Person, asked: Counter[str]) -> None:
    game = ana.make("petrify", size=6, moves=["c3", "d4"])["id"]
    with Socket(ana, game) as board, Socket(ana.site.person(), game) as watcher:
        asked.clear()
        assert board.ask(t="move", rid=1, ply=3, move="b2")["t"] == "ack"
        watcher.expect("ev")
        assert asked == ONCE
        ana.state(game)
        assert asked == ONCE, "what was shown is remembered"
        asked.clear()
        ana.move(game, 4, "e5")
        assert asked == ONCE, "over HTTP it is the same"


def test_a_move_of_the_computer_is_checked_played_and_shown_once(ana: Person, asked: Counter[str]) -> None:
    game = ana.make("petrify", "me", 1, size=6, moves=["c3", "d4"])["id"]
    with Socket(ana, game) as board:
        asked.clear()
        board.send(t="move", rid=1, ply=3, move="b2")
        while board.receive().get("ply") != 4:
            continue
        check, begins = Counter(["play"]), Counter(["text"])  # the latter of the game's first position
        assert asked == ONCE + ONCE + check + begins


def test_a_thinking_process_replays_a_game_once(asked: Counter[str]) -> None:
    moves, begin_at = ("c3", "d4", "b2", "e5"), purlieu.start("petrify", 6)
    most = len(begin_at.play("c3").play("d4").play("b2").play("e5").legal_moves())
    for level, wants in [(3, "move"), (6, "move"), (6, "analysis")]:
        task = Task(begin_at.text(), moves, level, 5.0, 1, wants=cast(Any, wants))
        asked.clear()
        think(Thinker(Settings(LEVELS[level]), 1), task, threading.Event(), lambda _: None)
        assert asked["play"] <= len(moves) + most, "each move is looked at once, for whether it ends the game"


def test_a_look_at_a_move_makes_and_counts_the_position_after_it_once(asked: Counter[str]) -> None:
    *_, last = play_out(begin("petrify", 6), ["c3", "c5"])
    asked.clear()
    assert explain(last, "c3xc5")["legal"]
    assert asked == Counter(["text", "explain", "after", "ledger"])  # the text to read the position with, by the rules
