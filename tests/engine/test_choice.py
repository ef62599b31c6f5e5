"""How low levels pick among the good moves: freely, and never far from the best."""

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, cast

import purlieu
from purlieu.engine.choice import choose, good_moves
from purlieu.engine.core import Proven, core
from purlieu.engine.levels import LEVELS, Level

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
LOOSE = Level(1, "test", "Test.", 100, temperature=1.0, margin=0.2)


def picks(report: Found, level: Level | None) -> Counter[str]:
    position = core().Position.parse(purlieu.start("petrify", 8).text())
    return Counter(choose(position, cast("Report", report), level, Random(seed)) for seed in range(500))


def test_moves_far_below_the_best_are_never_picked() -> None:
    found = picks(REPORT, LOOSE)
    assert set(found) == {"c3", "d4"}
    assert 150 < found["d4"] < 230


def test_the_higher_levels_play_the_best_move_only() -> None:
    assert set(picks(REPORT, LEVELS[8])) == set(picks(REPORT, LEVELS[9])) == set(picks(REPORT, None)) == {"c3"}


def test_a_proven_win_is_taken_and_a_proven_loss_left_alone() -> None:
    won = Found((Move("c3", 5, 1.0, "win"), Move("d4", 90, 0.95)), proven="win")
    assert set(picks(won, LOOSE)) == {"c3"}
    trap = Found((Move("c3", 50, 0.3), Move("d4", 45, 0.25, "loss"), Move("e5", 10, 0.2)))
    assert set(picks(trap, LOOSE)) == {"c3", "e5"}


def test_a_lower_temperature_keeps_closer_to_the_best() -> None:
    cool = Level(2, "test", "Test.", 100, temperature=0.3, margin=0.2)
    assert picks(REPORT, cool)["d4"] < picks(REPORT, LOOSE)["d4"] / 1.5
    assert [move.move for move in good_moves(cast("Report", REPORT), 0.05)] == ["c3"]
