"""The core plays the very games that the rules describe: 100,000 turns compared, answer by answer."""

from __future__ import annotations

import pytest

import purlieu
from purlieu.engine.core import core
from purlieu.engine.in_step import OutOfStep, compare, same_answers

SHARES = [
    *(("petrify", size) for size in (3, 6, 8, 9)),
    *(("pilo", size) for size in (3, 6, 8, 10)),
    *(("pentwall", 10), ("pyloff", 3), ("pyloff", 4)),
]


@pytest.mark.parametrize(("game", "size"), SHARES)
def test_core_and_rules_agree_at_every_turn_of_random_games(game: str, size: int) -> None:
    plies = 100_000 // len(SHARES) + 1
    assert compare(plies, game=game, size=size, seed=1).plies >= plies


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
