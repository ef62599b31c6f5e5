"""How low levels pick among the good moves: freely, and never far from the best."""

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, cast

import pytest

import purlieu
from purlieu.engine.choice import choose, choose_at_first_sight, found_shares, seen_shares
from purlieu.engine.core import Proven, core
from purlieu.engine.ladder import WITHOUT_NETS, Work, glance, playouts
from purlieu.nets import Judgement

if TYPE_CHECKING:
    from purlieu.engine._core import Report


@dataclass(frozen=True)
class Move:
    move: str
    visits: int
    win_chance: float
    proven: Proven | None = None
    share: float = 0.0
    expected_score: float = 0.0


@dataclass(frozen=True)
class Found:
    """A report as the core would give it."""

    moves: tuple[Move, ...]
    proven: Proven | None = None
    simulations: int = 100
    nodes: int = 100
    seconds: float = 0.1
    expected_score: float = 0.0

    @property
    def best_move(self) -> str:
        return self.moves[0].move

    @property
    def win_chance(self) -> float:
        return self.moves[0].win_chance

    @property
    def line(self) -> tuple[str, ...]:
        return (self.best_move,)


REPORT = Found((Move("c3", 50, 0.6), Move("d4", 30, 0.5), Move("e5", 20, 0.1), Move("f6", 0, 0.6)))
LOOSE = playouts(100, temperature=1.0, margin=0.2)
EVEN = Judgement(0.5, 0.0, 1.0, {"c3": 0.6, "d4": 0.3, "e5": 0.1}, {})


def picks(report: Found, work: Work | None) -> Counter[str]:
    position = core().Position.parse(purlieu.start("petrify", 8).text())
    return Counter(choose(position, cast("Report", report), work, Random(seed)) for seed in range(500))


def glances(sight: Judgement, work: Work) -> Counter[str]:
    position = core().Position.parse(purlieu.start("petrify", 8).text())
    return Counter(choose_at_first_sight(position, sight, work, Random(seed)) for seed in range(500))


def test_moves_far_below_the_best_are_never_picked() -> None:
    found = picks(REPORT, LOOSE)
    assert set(found) == {"c3", "d4"}
    assert 150 < found["d4"] < 230


def test_the_higher_levels_play_the_best_move_only() -> None:
    assert set(picks(REPORT, WITHOUT_NETS[-1])) == set(picks(REPORT, None)) == {"c3"}


def test_a_proven_win_is_taken_and_a_proven_loss_left_alone() -> None:
    won = Found((Move("c3", 5, 1.0, "win"), Move("d4", 90, 0.95)), proven="win")
    assert set(picks(won, LOOSE)) == {"c3"}
    trap = Found((Move("c3", 50, 0.3), Move("d4", 45, 0.25, "loss"), Move("e5", 10, 0.2)))
    assert set(picks(trap, LOOSE)) == {"c3", "e5"}


def test_a_lower_temperature_keeps_closer_to_the_best() -> None:
    cool = playouts(100, temperature=0.3, margin=0.2)
    assert picks(REPORT, cool)["d4"] < picks(REPORT, LOOSE)["d4"] / 1.5
    assert list(found_shares(cast("Report", REPORT), playouts(100, temperature=1.0, margin=0.05))) == ["c3"]


def test_a_glance_picks_by_first_sight_and_leaves_out_what_looks_far_worse() -> None:
    found = glances(EVEN, glance(1.0, floor=0.2))
    assert set(found) == {"c3", "d4"}
    assert 130 < found["d4"] < 210
    assert set(glances(EVEN, glance(1.0, floor=0.0))) == {"c3", "d4", "e5"}


def test_a_weak_level_swaps_the_more_often_the_worse_it_stands_and_misjudges_only_what_is_close() -> None:
    def swaps(win_chance: float, temperature: float) -> float:
        sight = Judgement(win_chance, 0.0, 1.0, EVEN.policy, {})
        shares = seen_shares(sight, glance(temperature, floor=0.02), can_swap=True)
        return shares["swap"] / sum(shares.values())

    assert swaps(0.5, 2.0) == pytest.approx(0.5)
    assert 0.3 < swaps(0.6, 2.0) < 0.5 < swaps(0.4, 2.0) < 0.7
    assert swaps(0.02, 2.0) > 0.85
    assert swaps(0.4, 0.2) > 0.85
    assert swaps(1.0, 2.0) < 1e-6
