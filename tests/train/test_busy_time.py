"""Time that several things cover which go on side by side."""

from __future__ import annotations

from random import Random

import pytest

from purlieu.train.network.evaluation import Interval
from purlieu.train.selfplay.pool import BusyTime, union_seconds


@pytest.mark.parametrize(
    ("intervals", "seconds"),
    [
        ([], 0),
        ([(1, 3)], 2),
        ([(1, 3), (3, 4)], 3),
        ([(5, 6), (1, 3)], 3),
        ([(1, 4), (2, 3)], 3),
        ([(1, 3), (2, 5), (2, 4), (7, 8)], 5),
        ([(1, 3), (1, 3), (1, 3)], 2),
    ],
)
def test_a_second_counts_once_however_many_things_go_on_in_it(intervals: list[Interval], seconds: float) -> None:
    assert union_seconds(intervals) == seconds


def test_what_is_told_piece_by_piece_comes_to_the_same_whenever_it_is_asked_for() -> None:
    random = Random(1)
    told: list[Interval] = []
    together = BusyTime(3)
    free = [0.0, 0.0, 0.0]
    for _ in range(500):
        teller = min(range(3), key=free.__getitem__) if random.random() < 0.8 else random.randrange(3)
        begun = free[teller] + random.choice((0, 1, 5)) * random.random()
        free[teller] = begun + random.random()
        told.append((begun, free[teller]))
        together.add(teller, told[-1])
        if random.random() < 0.2:
            assert together.seconds() == pytest.approx(union_seconds(told))
    assert union_seconds(told) < sum(ended - begun for begun, ended in told), "some overlap"


def test_what_was_counted_is_not_kept() -> None:
    together = BusyTime(2)
    for second in range(1_000):
        together.add(second % 2, (float(second), second + 1.5))
        assert together.seconds() == second + 1.5
    assert len(together._open) <= 3
