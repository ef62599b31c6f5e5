"""The computer players as Python programs and people meet them."""

import copy
import dataclasses
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from random import Random
from typing import Any, cast

import numpy as np
import pytest

import purlieu
from purlieu import GAMES, Position, PurlieuError
from purlieu.engine import LEVELS, Analysis, Engine, analyse, best_move, find_level
from purlieu.engine.ladder import WITH_NETS, WITHOUT_NETS
from purlieu.engine.plan import Settings
from purlieu.engine.thinker import Limit, Line, Thinker
from purlieu.rules.moves import Pass

FIXED = [level for level in LEVELS.values() if not level.takes_time]


def run_python(program: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    ).stdout.strip()


def positions_near_the_end(game: str, size: int, count: int, turns: int) -> list[Position]:
    """Positions of random games, that many turns before their ends."""
    found = []
    for seed in range(count):
        random, line = Random(seed), [purlieu.start(game, size)]
        while not line[-1].is_over:
            line.append(line[-1].after(random.choice(line[-1].legal_moves())))
        board_plays = [p for p in line if p.legal_moves() and not isinstance(p.legal_moves()[0], Pass)]
        found.append(board_plays[-turns])
    return found


def end_after(position: Position, move: object) -> Position | None:
    """Where the game ends if a move leaves nobody a choice; None if it leaves one."""
    after = position.play(str(move))
    while not after.is_over:
        if len(after.legal_moves()) > 1:
            return None
        after = after.after(after.legal_moves()[0])
    return after


def test_nothing_native_is_loaded_before_it_is_asked_to_think() -> None:
    program = (
        "import sys, purlieu.engine; print([name for name in sys.modules if '_core' in name and 'purlieu' in name])"
    )
    assert run_python(program) == "[]"


def test_both_builds_of_the_core_play_the_same_move() -> None:
    program = (
        "import purlieu; from purlieu.engine import Engine; from purlieu.core import core_name;"
        "print(core_name(), Engine(3, seed=7).best_move(purlieu.start('petrify', 6).play('c3')))"
    )
    plain = run_python(program, PURLIEU_CORE="plain").split()
    usual = run_python(program, PURLIEU_CORE="").split()
    assert plain[0] == "_core"
    assert plain[1] == usual[1]


def test_there_are_nine_levels_each_with_more_work_a_name_and_a_sentence() -> None:
    assert list(LEVELS) == list(range(1, 10))
    assert [level.number for level in LEVELS.values() if level.takes_time] == [9]
    for ladder in (*WITH_NETS.values(), WITHOUT_NETS):
        assert len(ladder) == len(FIXED)
        for less, more in itertools.pairwise(ladder):
            assert less.simulations < more.simulations or less.temperature > more.temperature
            assert less.simulations <= more.simulations
    assert len({level.name for level in LEVELS.values()}) == 9
    assert all(level.sentence.endswith(".") for level in LEVELS.values())
    assert find_level("Wildwood") is find_level(9) is find_level("9") is LEVELS[9]
    with pytest.raises(PurlieuError, match="levels go from 1 to 9"):
        find_level(10)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", [1, 4])
def test_every_level_plays_legal_moves_in_every_game(game: str, level: int) -> None:
    engine = Engine(level, seed=3)
    position = purlieu.start(game)
    for _ in range(3):
        position = position.play(engine.best_move(position))


@pytest.mark.parametrize("level", FIXED[:5], ids=str)
def test_the_same_seed_gives_the_same_moves_and_another_seed_others(level: object) -> None:
    position = purlieu.start("petrify", 8).play("c3").play("f5")
    moves = [Engine(level, seed=seed).best_move(position) for seed in [5] * 3 + list(range(20))]  # type: ignore[arg-type]
    assert len(set(moves[:3])) == 1
    assert len(set(moves[3:])) > 1


@pytest.mark.parametrize(("game", "size"), [("petrify", 4), ("pilo", 4), ("pyloff", 3)])
def test_no_level_gives_the_game_away_on_the_last_ply(game: str, size: int) -> None:
    chances = 0
    for position in positions_near_the_end(game, size, 40, turns=1) + positions_near_the_end(game, size, 40, turns=2):
        mine = position.to_move
        ends = {str(move): end_after(position, move) for move in position.legal_moves()}
        winners = {move: end.outcome.winner for move, end in ends.items() if end and end.outcome}
        wins = {move for move, winner in winners.items() if winner is mine}
        losses = {move for move, winner in winners.items() if winner is mine.other}
        chances += bool(wins) + bool(losses)
        for level in FIXED[:5]:
            played = str(Engine(level, seed=1).best_move(position))
            assert not wins or played in wins
            assert played not in losses or len(losses) == len(ends)
    assert chances > 20


@pytest.mark.parametrize("game", GAMES)
def test_an_analysis_speaks_of_legal_moves_the_best_first(game: str) -> None:
    position = purlieu.start(game)
    for _ in range(2):  # where a swap may follow, fair moves come first, not those that were looked at most
        position = position.play(position.legal_moves()[0])
    found = analyse(position, simulations=300)
    assert found.position is position
    assert found.best_move == found.moves[0].move == found.line[0]
    assert found.simulations >= 300 or found.proven
    assert 0 <= found.win_chance <= 1
    assert [one.visits for one in found.moves[1:]] == sorted((one.visits for one in found.moves[1:]), reverse=True)
    assert {one.move for one in found.moves} <= set(position.legal_moves())
    for move in found.line:
        position = position.play(move)


@pytest.mark.parametrize("game", GAMES)
def test_an_analysis_is_json_with_moves_in_their_notation_and_its_fields_can_be_taken_apart(game: str) -> None:
    position = purlieu.start(game)
    position = position.play(position.legal_moves()[0])
    found = analyse(position, simulations=50)
    told = json.loads(json.dumps(found.to_dict()))
    assert set(told) == {field.name for field in dataclasses.fields(found)} == set(dataclasses.asdict(found))
    assert purlieu.parse(told["position"]) == position
    assert position.read_move(told["best_move"]) == found.best_move
    assert told["line"] == [str(move) for move in found.line]
    assert [(one["move"], one["visits"], one["proven"]) for one in told["moves"]] == [
        (str(one.move), one.visits, one.proven) for one in found.moves
    ]
    assert found.policy is not None
    assert told["policy"] == found.policy
    assert set(found.policy) <= {str(move) for move in position.legal_moves()}
    assert told["owners"] == found.owners


def test_a_won_endgame_is_seen_as_won() -> None:
    for position in positions_near_the_end("petrify", 4, 10, turns=3):
        found = analyse(position, simulations=20_000)
        after = found.position.play(found.best_move)
        assert found.proven in ("win", "loss")
        other = None if after.is_over else analyse(after, simulations=20_000).proven
        assert other == {"win": "loss", "loss": "win"}[found.proven]


def test_the_ninth_level_uses_the_time_it_is_given_and_tells_of_it_on_the_way() -> None:
    told: list[Analysis] = []
    engine = Engine(9, seed=1)
    engine.best_move(purlieu.start("petrify"), simulations=1)  # loads the net
    began = time.monotonic()
    found = engine.analyse(purlieu.start("petrify"), seconds=0.6, on_progress=told.append)
    assert 0.55 < time.monotonic() - began < 10
    assert told
    assert told[0].simulations < found.simulations


def test_asked_move_after_move_with_positions_alone_it_goes_on_from_what_it_found() -> None:
    """Which is worth much: matches are played so (benchmarks/results/search.md)."""
    before = purlieu.start("petrify", 6)
    for move in ("c3", "d5", "b2"):
        before = before.play(move)
    thinker = Thinker(Settings(LEVELS[9]), seed=1)
    played = before.play(thinker.move(Line(before.text()), Limit(seconds=0.4)))
    reply = Thinker(Settings(LEVELS[9]), seed=1).think(Line(played.text()), Limit(simulations=300)).best_move
    now = Line(played.play(reply).text())
    brief = Limit(seconds=0.02)
    known, unknown = (
        sum(move.visits for move in each.think(now, brief).moves)
        for each in (thinker, Thinker(Settings(LEVELS[9]), seed=1))
    )
    assert known > 2 * unknown
    elsewhere = before.play("f6")
    assert thinker.think(Line(elsewhere.text()), brief).best_move in elsewhere.legal_moves()


def test_without_a_limit_a_level_decides_how_long_it_thinks_and_what_has_none_is_refused() -> None:
    line = Line(purlieu.start("petrify", 6).text())
    assert Thinker(Settings(LEVELS[4])).think(line).simulations > 0
    with pytest.raises(ValueError, match="how many seconds or simulations"):
        Thinker(Settings()).think(line)


def test_a_player_tells_what_it_thinks_of_on_the_way_and_plays_when_stopped() -> None:
    engine, position = Engine(9, seed=1), purlieu.start("petrify")
    told: list[Analysis] = []

    def enough(analysis: Analysis) -> None:
        told.append(analysis)
        engine.stop()

    assert engine.best_move(position, seconds=60, on_progress=enough) in position.legal_moves()
    assert told[0].seconds < 30


def test_a_search_is_stopped_from_another_thread_and_still_answers() -> None:
    engine, position = Engine(9, seed=1), purlieu.start("petrify")
    answers: list[Analysis] = []
    begun = threading.Event()
    search = threading.Thread(
        target=lambda: answers.append(engine.analyse(position, seconds=60, on_progress=lambda _: begun.set()))
    )
    search.start()
    assert begun.wait(10)
    engine.stop()
    search.join(10)
    assert answers[0].best_move in position.legal_moves()


@pytest.mark.parametrize(
    ("game", "size", "quick", "thorough"),
    [("petrify", 8, 64, 600), ("petrify", 3, 450, 3_500), ("pyloff", 11, 150, 1_166)],
    ids=["by a net", "by playouts", "by slow playouts"],
)
def test_the_strongest_level_looks_with_an_effort_that_is_the_same_everywhere(
    game: str, size: int, quick: int, thorough: int
) -> None:
    position = purlieu.start(game, size)
    works = Engine(effort="quick").work(position), Engine(effort="thorough").work(position)
    assert [work and work.simulations for work in works] == [quick, thorough]


def test_an_effort_with_a_level_that_has_its_own_work_or_one_that_is_none_is_refused_in_a_sentence() -> None:
    for level, effort in ((4, "quick"), (9, "heroic")):
        with pytest.raises(
            PurlieuError, match=f"an effort of '{effort}' with level {level}; level 9 may look quick or thorough"
        ):
            Engine(level, effort=cast(Any, effort))


def test_what_cannot_be_searched_is_refused_with_a_sentence() -> None:
    over = purlieu.parse("petrify bbb/###/oob ply=15 blue=first passes=2 last=first")
    with pytest.raises(PurlieuError, match="the game is over"):
        best_move(over)
    for seconds in (0, -1, float("nan"), "a", [1]):
        with pytest.raises(PurlieuError, match="seconds is no time to think in; give a number above 0"):
            analyse(purlieu.start("petrify"), seconds=cast(Any, seconds))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"threads": 0}, "threads is 0; expected a whole number from 1 to 1024"),
        ({"threads": 2.0}, "threads is 2.0; expected a whole number from 1 to 1024"),
        ({"memory_mb": 0}, "memory_mb is 0; expected a whole number from 1 to 1048576"),
        ({"seed": 1.5}, "seed is 1.5; expected a whole number"),
        ({"seed": "x"}, "seed is 'x'; expected a whole number"),
    ],
    ids=str,
)
def test_settings_that_no_player_can_have_are_refused_at_once(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PurlieuError) as refused:
        Engine(3, **given)
    assert str(refused.value) == sentence


def test_a_player_made_with_limits_keeps_to_them_and_a_question_may_bring_its_own() -> None:
    position = purlieu.start("petrify", 6).play("c3").play("d5")
    engine = Engine(simulations=40, seed=1)
    found = [each.analyse(position).simulations for each in (engine, engine.seeded(2), copy.deepcopy(engine))]
    assert found == [40, 40, 40]
    assert engine.analyse(position, simulations=90).simulations == 90
    assert engine.best_move(position) == Engine(seed=1).best_move(position, simulations=40)
    assert Engine(seconds=0.05).analyse(position).seconds < 1
    assert Engine(4, simulations=10**6).analyse(position).simulations < 10**6, "a level does no more than its own work"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"seconds": 0}, "0 seconds is no time to think in; give a number above 0"),
        ({"seconds": "a"}, "'a' seconds is no time to think in; give a number above 0"),
        ({"simulations": 1.5}, "simulations is 1.5; expected a whole number from 1 to 1000000000000000"),
    ],
    ids=str,
)
def test_limits_that_make_no_sense_are_refused_when_a_player_is_made(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PurlieuError) as refused:
        Engine(**given)
    assert str(refused.value) == sentence


def test_what_is_no_position_of_the_rules_is_refused_with_how_to_get_one() -> None:
    engine = Engine(3)
    for ask in (engine.analyse, engine.best_move):
        with pytest.raises(PurlieuError) as refused:
            ask(cast(Any, "petrify"))
        expected = "expected one of purlieu.rules, as purlieu.start and purlieu.parse make them"
        assert str(refused.value) == f"'petrify' is no position; {expected}"


@pytest.mark.parametrize("simulations", [0, -1, 1.5, "many", 10**30])
def test_simulations_that_cannot_be_counted_are_refused_in_a_sentence(simulations: Any) -> None:
    engine, position = Engine(3, seed=1), purlieu.start("petrify", 4)
    for ask in (engine.best_move, engine.analyse):
        with pytest.raises(PurlieuError) as refused:
            ask(position, simulations=simulations)
        expected = "expected a whole number from 1 to 1000000000000000"
        assert str(refused.value) == f"simulations is {simulations!r}; {expected}"


def test_whole_numbers_of_numpy_are_as_good_as_pythons() -> None:
    position = purlieu.start("petrify", 6).play("c3")
    engine = Engine(3, threads=np.int64(1), memory_mb=np.int32(64), seed=np.uint8(7))  # type: ignore[arg-type]
    found = engine.best_move(position, simulations=np.int16(40))  # type: ignore[arg-type]
    assert found == Engine(3, seed=7).best_move(position, simulations=40)
