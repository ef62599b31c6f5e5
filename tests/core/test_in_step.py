"""The core plays the very games that the rules describe: 100,000 turns compared, answer by answer."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

import purlieu
from purlieu import GAMES
from purlieu.core import core
from purlieu.core.in_step import OutOfStep, compare, games_to_compare, same_answers

SHARES = {
    **dict.fromkeys((("petrify", size) for size in (3, 6, 8, 9)), 9_800),
    **dict.fromkeys((("pilo", size) for size in (3, 6, 8, 10)), 9_800),
    **dict.fromkeys((("pyloff", 3), ("pyloff", 4)), 9_800),
    ("pentwall", 10): 2_000,  # Has thousands of moves on each turn, and the rules take their time over them.
}


@pytest.mark.parametrize(("game", "size"), SHARES)
def test_core_and_rules_agree_at_every_turn_of_random_games(game: str, size: int) -> None:
    plies = SHARES[game, size]
    assert compare(plies, game=game, size=size, seed=1).plies >= plies


def test_that_is_a_hundred_thousand_turns() -> None:
    assert sum(SHARES.values()) >= 100_000


def test_core_and_rules_agree_on_a_larger_pile() -> None:
    assert compare(60, game="pyloff", size=6, seed=2).events["pyloff: burial"] > 0


def test_random_games_reach_the_rare_events() -> None:
    events = compare(2_500, game="petrify", size=4, seed=3).events
    events += compare(2_500, game="pyloff", size=4, seed=3).events
    for event in ("capture", "forced pass", "block refused", "swap", "tie broken"):
        assert events[f"petrify: {event}"] > 0, event
    for event in ("capture", "cut", "burial", "ko refused", "suicide refused", "forced pass"):
        assert events[f"pyloff: {event}"] > 0, event


def test_a_difference_is_named_with_its_position() -> None:
    rules, native = purlieu.start("petrify", 3), core().Position.start("petrify", 4)
    with pytest.raises(OutOfStep, match="text: the rules say petrify 3/3/3"):
        same_answers(rules, native, rules.legal_moves())


def test_a_comparison_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    night = str(tmp_path / "night.json")
    command = [sys.executable, "-m", "purlieu", "in-step", "petrify", "--size", "3", "--workers", "2", "--out", night]

    def tally(*more: str) -> str:
        return subprocess.run([*command, *more], capture_output=True, text=True, check=True).stdout

    tally("--plies", "100")
    assert tally("--plies", "400") == tally("--plies", "300")  # the second run has nothing left to do
    assert (
        tally("--plies", "400")
        == subprocess.run([*command[:-2], "--plies", "400"], capture_output=True, text=True, check=True).stdout
    )
    refused = subprocess.run([*command, "--seed", "2"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "is the tally of another game, size or seed." in refused.stderr


def test_all_sizes_are_compared_large_pyramids_seldom() -> None:
    hundred = list(itertools.takewhile(lambda kind: kind[2] <= 100, games_to_compare(1, None, None)))
    assert {kind[:2] for kind in hundred} == {(game.name, size) for game in GAMES.values() for size in game.sizes}
    assert sum(size > 10 for _, size, _ in hundred) == 9
