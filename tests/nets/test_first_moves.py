"""First moves and swaps where nets play: what games say of them is what levels do, and what hints and bars tell."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, stdev

import pytest

import purlieu
from purlieu.arena.stats import wilson
from purlieu.core import core
from purlieu.engine import LEVELS, Analysis, Engine, MoveAnalysis, first_move
from purlieu.engine.first_move import Outlook, fair_first_moves, first_moves, is_offered_for_swap, told_by_games
from purlieu.engine.plan import Settings, plan_of
from purlieu.engine.thinker import Limit, Line, Thinker
from purlieu.rules import GAMES, Position

ROOT = Path(__file__).parents[2]
PIE = ["petrify", "pilo"]
SEARCHING = [level for level in LEVELS.values() if level.number >= 6]


def knowledge(game: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((ROOT / f"docs/knowledge/{game}.json").read_text())
    return found


def after(move: str) -> Position:
    """On 10×10 in Pilo Blue won 55 % of 6,030 games."""
    return purlieu.start("pilo", 10).play(move)


@pytest.fixture
def fresh() -> Iterator[None]:
    """Nothing that was read of first moves is remembered, before or after."""
    caches = (first_move.first_moves, first_move.fair_first_moves, first_move._with_one_piece)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


STRONG = purlieu.start("petrify", 8).play("c3")


@pytest.fixture
def orange_wins_by_games(fresh: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are made to say that Blue does badly after every first move, which no search believes."""
    known = {"petrify": {"8": {move: [0.2, -5.0] for move in first_moves("petrify", 8)}}}
    path = tmp_path / "first_moves.json"
    path.write_text(json.dumps(known))
    monkeypatch.setattr(first_move, "PLAYED", path)
    first_move.first_moves.cache_clear()


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_what_is_known_says_which_net_played_it_and_whether_another_ships(game: str) -> None:
    page = (ROOT / "docs/knowledge.md").read_text(encoding="utf-8")
    player = str(knowledge(game)["net"])
    shipped = hashlib.sha256((ROOT / f"runs/{game}/net.onnx").read_bytes()).hexdigest()
    assert f"{game} {player[:8]}" in page
    assert (f"{game} {player[:8]} (replaced since)" in page) == (not shipped.startswith(player))


@pytest.mark.parametrize("game", PIE)
def test_what_levels_know_of_first_moves_is_what_the_nets_games_say(game: str) -> None:
    sizes = knowledge(game)["sizes"]
    assert isinstance(sizes, dict)
    for size, tallies in sizes.items():
        known = first_moves(game, int(size))
        assert set(known) == {move for tally in tallies for move in tally["moves"]}
        for tally in tallies:
            games = tally["wins"] + tally["draws"] + tally["losses"]
            low, high = wilson(tally["wins"] + tally["draws"] / 2, games)
            points = [int(margin) for margin, count in tally["margins"].items() for _ in range(count)]
            for move in tally["moves"]:  # within three standard errors, as one in twenty lies outside of two
                assert abs(known[move].chance - (low + high) / 2) < 3 / 1.96 * (high - low) / 2
                assert abs(known[move].margin - mean(points)) < 3 * stdev(points) / games**0.5


def test_what_levels_know_and_the_pages_tables_and_pictures_are_what_their_command_writes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.studies.knowledge", str(tmp_path)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    tables = re.findall(r"(?:^\|.*\n)+", printed, re.MULTILINE)
    page = re.findall(r"(?:^\|.*\n)+", (ROOT / "docs/knowledge.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(tables) == 6
    assert [table for table in tables if table not in page] == []
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(written) == 5
    kept = {first_move.PLAYED, *(ROOT / "docs/knowledge").glob("*.svg")}
    assert written == {path.name: path.read_bytes() for path in kept}


@pytest.mark.parametrize("game", PIE)
def test_where_the_other_side_may_swap_the_first_move_is_a_fair_one_and_not_always_the_same(game: str) -> None:
    start, known = purlieu.start(game), first_moves(game, 8)
    nearest = min(abs(outlook.chance - 0.5) for outlook in known.values())
    played = {str(Engine(level, seed=seed).best_move(start)) for level in (1, 5) for seed in range(6)}
    assert len(played) > 2
    assert all(abs(known[move].chance - 0.5) < nearest + 0.05 for move in played)
    assert set(fair_first_moves(game, start.size)) >= played


@pytest.mark.parametrize("game", PIE)
def test_on_4x4_where_no_net_plays_levels_know_that_whoever_may_swap_wins(game: str) -> None:
    """It is proved (docs/solved.md), and a second of search gave the side that begins a third or more."""
    start = purlieu.start(game, 4)
    assert plan_of(Settings(LEVELS[9]), game, 4).net is None
    assert Engine(9, seed=1).analyse(start, seconds=0.1).win_chance < 0.1
    for move in ("b1", "b2"):
        assert str(Engine(9, seed=1).best_move(start.play(move), seconds=0.1)) == "swap"


@pytest.mark.parametrize("game", PIE)
def test_an_analysis_of_the_empty_board_offers_the_fairest_first_move_and_tells_what_it_leaves(game: str) -> None:
    known = first_moves(game, 8)
    found = Engine(9, seed=1).analyse(purlieu.start(game), seconds=0.2)
    fairest = min(known.values(), key=lambda outlook: abs(outlook.chance - 0.5))
    assert known[str(found.best_move)] == fairest
    assert found.win_chance == pytest.approx(min(fairest.chance, 1 - fairest.chance)), "the other may swap"
    assert found.expected_score == fairest.offered.margin
    assert list(map(str, found.line)) == [str(found.best_move), *(["swap"] if fairest.chance > 0.5 else [])]
    chances = [move.win_chance for move in found.moves]
    assert len(chances) == 64
    assert chances == sorted(chances, reverse=True)


@pytest.mark.usefixtures("orange_wins_by_games")
def test_a_search_would_swap_where_games_say_stay_and_levels_stay() -> None:
    line = Line(STRONG.text())
    assert Thinker(Settings(preset="net"), seed=1).think(line, Limit(simulations=300)).best_move == STRONG.read_move(
        "swap"
    )
    for level in SEARCHING:
        engine = Engine(level, seed=1)
        assert str(engine.best_move(STRONG, seconds=0.2)) != "swap", str(level)
        found = engine.analyse(STRONG, seconds=0.2)
        assert str(found.best_move) == str(found.line[0]) != "swap", str(level)


def test_levels_that_only_glance_swap_by_games_too() -> None:
    """By what the net says at first sight they would do so in two games of five."""
    worse = after("e5")
    for level in (1, 3, 5):
        swaps = sum(str(Engine(level, seed=seed).best_move(worse)) == "swap" for seed in range(200))
        assert swaps > 100


def test_chances_turn_with_a_swap_and_do_not_jump() -> None:
    worse = after("e5")
    blue = first_moves("pilo", 10)["e5"]
    engine = Engine(6, seed=1)
    before, swapped = engine.analyse(worse), engine.analyse(worse.play("swap"))
    assert (before.win_chance, before.expected_score) == (blue.chance, blue.margin)
    assert swapped.win_chance == pytest.approx(1 - blue.chance)
    assert swapped.expected_score == pytest.approx(-blue.margin)
    stayed = before.moves[1]
    assert stayed.win_chance == pytest.approx(1 - blue.chance)
    assert max(move.win_chance for move in swapped.moves) < 0.6


def test_where_staying_is_better_the_swap_comes_last_and_the_other_moves_keep_their_order() -> None:
    start = purlieu.start("petrify", 4).play("a1")
    position, read = core().Position.parse(start.text()), start.read_move
    stay = first_moves("petrify", 4)["a1"].turned
    assert stay.chance > 0.5
    moves = (
        MoveAnalysis(read("swap"), 60, 0.6, 0.7, 2.0),
        MoveAnalysis(read("c3"), 30, 0.3, 0.3, -2.0),
        MoveAnalysis(read("d4"), 10, 0.1, 0.2, -4.0),
    )
    line = (read("swap"), read("c3"))
    told = told_by_games(position, Analysis(start, line[0], 0.7, 2.0, None, line, moves, 100, 100, 0.1))
    assert [str(found.move) for found in told.moves] == ["c3", "d4", "swap"]
    assert (told.best_move, told.line) == (read("c3"), (read("c3"),))
    assert told.win_chance == pytest.approx(stay.chance)
    assert told.moves[1].win_chance < stay.chance
    assert told.moves[1].expected_score == pytest.approx(stay.margin - 2)
    assert (told.moves[2].win_chance, told.moves[2].expected_score) == (1 - stay.chance, -stay.margin)


def test_what_is_proven_is_told_as_it_is() -> None:
    start = purlieu.start("petrify", 4).play("a1")
    position, swap = core().Position.parse(start.text()), start.read_move("swap")
    found = (MoveAnalysis(swap, 9, 1.0, 1.0, 3.0, "win"),)
    proven = Analysis(start, swap, 1.0, 3.0, "win", (swap,), found, 9, 9, 0.1)
    assert told_by_games(position, proven) is proven


def test_whoever_offers_is_left_with_the_worse_colour() -> None:
    assert Outlook(0.6, 2.0).offered == Outlook(0.4, -2.0)
    assert Outlook(0.3, -2.0).offered == Outlook(0.3, -2.0)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("text", [None, "", "[]", '{"pilo": {"8": {"a1": 0.5}}}', '{"pilo": {"8": {"a1": [0.5, 1]}}}'])
def test_without_a_readable_file_of_first_moves_a_search_judges_them_and_it_is_said(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "first_moves.json"
    if text is not None:
        path.write_text(text)
    monkeypatch.setattr(first_move, "PLAYED", path)
    start = purlieu.start("pilo")
    with caplog.at_level(logging.WARNING):
        for level in (1, 6):
            move = Engine(level, seed=1).best_move(start)
            assert move in start.legal_moves()
            answer = Engine(level, seed=1).best_move(start.play(move))
            assert answer in start.play(move).legal_moves()
    assert "first_moves.json" in caplog.text


def test_pentwall_and_pyloff_offer_nothing() -> None:
    assert not any(
        is_offered_for_swap(core().Position.start(game, GAMES[game].default_size)) for game in ("pentwall", "pyloff")
    )
