"""The levels where nets play them: what people meet, whatever the calibration."""

from __future__ import annotations

import copy
import pickle
import sys
import time
from random import Random

import pytest

import purlieu
from purlieu.core import core
from purlieu.engine import LEVELS, Engine
from purlieu.engine.ladder import WITH_NETS, WITHOUT_NETS
from purlieu.engine.plan import Settings, plan_of
from purlieu.engine.thinker import Line, Thinker
from purlieu.nets import net_for, shipped
from purlieu.players import choose_random
from purlieu.rules import GAMES, Position, Seat

FIXED = [level for level in LEVELS.values() if not level.takes_time]


def in_the_middle(game: str, seed: int) -> Position:
    """A position of a random game, some way in."""
    random, position = Random(seed), purlieu.start(game)
    for _ in range(2 if game == "pentwall" else 14):
        position = position.after(random.choice([move for move in position.legal_moves() if str(move) != "swap"]))
    return position


def moves_of_a_game(game: str, level: int, seed: int, turns: int = 12) -> list[str]:
    """How a level plays with itself."""
    engine, position = Engine(level, seed=seed), purlieu.start(game)
    moves: list[str] = []
    while not position.is_over and len(moves) < turns:
        moves.append(str(engine.best_move(position)))
        position = position.play(moves[-1])
    return moves


@pytest.mark.parametrize("game", GAMES)
def test_the_lowest_levels_play_only_moves_of_a_decent_share_at_first_sight(game: str) -> None:
    net = net_for(game)
    assert net is not None
    for seed in range(10):
        position = in_the_middle(game, seed)
        policy = net.judge(core().Position.parse(position.text())).policy
        for level, work in zip(FIXED, WITH_NETS[game], strict=True):
            if work.by == "glance":
                played = str(Engine(level, seed=seed).best_move(position))
                assert policy[played] >= work.floor * max(policy.values()) > 0


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_plays_the_same_game_and_another_seed_another_one(game: str) -> None:
    for level in (1, 4, 6):
        again = [moves_of_a_game(game, level, seed) for seed in (1, 1, 2)]
        assert again[0] == again[1] != again[2]


def test_a_copied_or_pickled_engine_plays_as_the_first_one_does() -> None:
    position = in_the_middle("petrify", 1)
    for level in (2, 6):
        engine = Engine(level, seed=3)
        move = engine.best_move(position)
        for other in (copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))):
            assert other.best_move(position) == move == engine.best_move(position)


@pytest.mark.parametrize("game", GAMES)
def test_who_wants_to_know_what_a_level_thinks_meets_the_same_move_as_who_does_not(game: str) -> None:
    for seed, level in enumerate(FIXED[:6]):
        line, thinker = Line(in_the_middle(game, seed).text()), Thinker(Settings(level), seed)
        assert thinker.move(line) == thinker.choose(line, thinker.think(line))


@pytest.mark.parametrize("game", GAMES)
def test_levels_1_to_6_answer_well_within_a_second(game: str) -> None:
    position = in_the_middle(game, 1)
    Engine(1).best_move(position)  # the first answer loads the net
    for level in FIXED[:6]:
        began = time.monotonic()
        Engine(level, seed=1).best_move(position)
        assert time.monotonic() - began < 1


@pytest.mark.parametrize("game", ["petrify", "pilo", "pyloff"])
def test_level_1_beats_random_moves_nearly_always(game: str) -> None:
    """Nine games in ten and more (benchmarks/results/levels.md); these are a few of them."""
    won = 0
    for seed in range(6):
        engine, random, mine = Engine(1, seed=seed), Random(seed), Seat.FIRST if seed % 2 else Seat.SECOND
        position = purlieu.start(game, 5 if game == "pyloff" else 6)
        while not position.is_over:
            mover = position.to_move is mine
            position = position.after(engine.best_move(position) if mover else choose_random(position, random))
        assert position.outcome
        won += position.outcome.winner is mine
    assert won >= 4


@pytest.mark.parametrize(("game", "move"), [("petrify", "c3"), ("pilo", "b2")])
def test_every_level_swaps_what_is_clearly_worth_it(game: str, move: str) -> None:
    """First moves on 5×5 after which Blue wins nine of ten of the nets' own games (docs/knowledge.md)."""
    worse = purlieu.start(game, 5).play(move)
    for level in FIXED:
        games = 16 if level.number <= 5 else 2
        swaps = sum(str(Engine(level, seed=seed).best_move(worse)) == "swap" for seed in range(games))
        assert swaps >= (14 if games == 16 else 2), str(level)


def test_every_level_leaves_what_is_clearly_good() -> None:
    better = purlieu.parse("petrify 8/8/2o2o2/8/8/2o2o2/8/b7 ply=1 blue=first passes=0 last=first")
    assert "swap" in map(str, better.legal_moves())
    for level in FIXED:
        games = 16 if level.number <= 5 else 2
        swaps = sum(str(Engine(level, seed=seed).best_move(better)) == "swap" for seed in range(games))
        assert swaps <= (2 if games == 16 else 0), str(level)


def test_without_what_runs_nets_the_levels_by_playouts_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    shipped.net_for.cache_clear()
    try:
        position = in_the_middle("petrify", 1)
        for level, work in zip(FIXED, WITHOUT_NETS, strict=True):
            plan = plan_of(Settings(level), "petrify", 8)
            assert (plan.net, plan.work) == (None, work)
            assert Engine(level, seed=1).best_move(position) in position.legal_moves()
    finally:
        shipped.net_for.cache_clear()


@pytest.mark.parametrize("game", GAMES)
def test_a_turn_without_a_choice_is_played_by_every_level(game: str) -> None:
    random = Random(4)
    forced: list[Position] = []
    while len(forced) < 3:
        position = purlieu.start(game)
        while not position.is_over:
            if len(position.legal_moves()) == 1:
                forced.append(position)
            position = position.after(random.choice(position.legal_moves()))
    for position in forced[:3]:
        for level in FIXED:
            assert Engine(level, seed=1).best_move(position) == position.legal_moves()[0]
