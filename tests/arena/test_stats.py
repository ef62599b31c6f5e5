"""Elo and SPRT from pairs, against the figures that chess's own tools give for the same counts."""

import math
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purlieu.arena.ratings import PairResult, ratings
from purlieu.arena.stats import MOST_ELO, Pairs, Sprt, elo_of, estimate, score_of

Counts = tuple[int, int, int, int, int]
counts = st.tuples(*[st.integers(0, 2_000)] * 5)


@pytest.mark.parametrize(
    ("pairs", "elo", "error"),
    [
        ((34, 54, 63, 64, 75), 55.58, 27.65),
        ((332, 433, 498, 333, 334), -8.64, 10.33),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95),
    ],
)
def test_elo_and_its_interval_agree_with_fastchess(pairs: Counts, elo: float, error: float) -> None:
    found = estimate(Pairs(pairs))
    assert found.elo is not None
    assert found.elo_low is not None
    assert found.elo_high is not None
    assert found.elo == pytest.approx(elo, abs=0.01)
    assert (found.elo_high - found.elo_low) / 2 == pytest.approx(error, abs=0.01)


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "llr"),
    [((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07), ((871, 26175, 55983, 26678, 821), 0, 2, -4.98)],
)
def test_the_likelihood_ratio_agrees_with_fastchess(pairs: Counts, elo0: float, elo1: float, llr: float) -> None:
    assert Sprt(elo0, elo1).llr(Pairs(pairs)) == pytest.approx(llr, abs=0.005)


def test_bounds_are_those_of_wald() -> None:
    low, high = Sprt(0, 15).bounds
    assert (round(low, 2), round(high, 2)) == (-2.94, 2.94)


@pytest.mark.parametrize("number", [10, 20, 48, 100, 300])
def test_a_game_lost_lowers_the_least_score_that_is_likely(number: int) -> None:
    lows = [estimate(Pairs((0, 0, lost, 0, number - lost))).score_low for lost in range(min(number, 60))]
    assert all(fewer > more for fewer, more in pairwise(lows))


@pytest.mark.parametrize(("number", "lost"), [(24, 0.05), (48, 0.035), (100, 0.02), (100, 0.1)])
def test_nineteen_intervals_of_twenty_hold_the_truth_near_all_points_too(number: int, lost: float) -> None:
    random, held = Random(1), 0
    for _ in range(1_000):
        points = [2 - (random.random() < lost) - (random.random() < lost) for _ in range(number)]
        found = estimate(Pairs.of(points))
        held += found.score_low <= 1 - lost <= found.score_high
    assert held > 920


def test_pairs_of_one_opening_count_as_one_and_not_as_two_games() -> None:
    """All pairs split: two hundred single games would leave an Elo of ±48, the pairs know it is even."""
    split, mixed = estimate(Pairs((0, 0, 100, 0, 0))), estimate(Pairs((50, 0, 0, 0, 50)))
    assert split.elo == mixed.elo == 0
    assert split.score_high - split.score_low == pytest.approx(0.06)
    assert mixed.score_high - mixed.score_low > 0.19


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("number", [5, 19, 20, 39, 40])
def test_pairs_that_all_gave_the_same_still_leave_room(number: int, at: int) -> None:
    counts = [0] * 5
    counts[at] = number
    found = estimate(Pairs((counts[0], counts[1], counts[2], counts[3], counts[4])))
    assert found.score_high - found.score_low > 3 / (number + 4)


@given(counts)
def test_exchanged_players_have_exchanged_figures(pairs: Counts) -> None:
    there, back = estimate(Pairs(pairs)), estimate(Pairs(pairs[::-1]))
    assert there.score == pytest.approx(1 - back.score)
    assert there.superiority == pytest.approx(1 - back.superiority)
    assert Sprt(-5, 5).llr(Pairs(pairs)) == pytest.approx(-Sprt(-5, 5).llr(Pairs(pairs[::-1])), abs=1e-6)


@given(counts, st.floats(-MOST_ELO, MOST_ELO - 0.5), st.floats(0.5, 2 * MOST_ELO))
def test_no_counts_break_a_test_within_the_bounds_that_one_may_have(pairs: Counts, elo0: float, width: float) -> None:
    assert math.isfinite(Sprt(elo0, min(elo0 + width, MOST_ELO)).llr(Pairs(pairs)))


@given(counts)
def test_a_side_is_surely_the_stronger_exactly_where_its_interval_says_so(pairs: Counts) -> None:
    found = estimate(Pairs(pairs))
    assert (found.superiority > 0.975) == (found.score_low > 0.5)
    assert (found.superiority < 0.025) == (found.score_high < 0.5)


@pytest.mark.parametrize("pairs", [(0, 0, 0, 1, 0), (0, 0, 0, 0, 1), (0, 0, 0, 2, 0)])
def test_a_pair_or_two_prove_nobody_the_stronger(pairs: Counts) -> None:
    assert 0.5 < estimate(Pairs(pairs)).superiority < 0.975


def test_few_or_one_sided_pairs_have_a_score_but_no_elo() -> None:
    assert estimate(Pairs((0, 0, 5, 0, 24))).elo is None
    assert estimate(Pairs((0, 0, 0, 0, 500))).elo is None
    assert estimate(Pairs((0, 0, 20, 0, 480))).elo == pytest.approx(elo_of(0.98))


@pytest.mark.parametrize(("elo", "verdict"), [(0, "not better"), (60, "better")])
def test_the_test_decides_and_is_right(elo: float, verdict: str) -> None:
    """Drawless games of a known strength, far from both bounds: twenty tests, one wrong answer at most."""
    sprt = Sprt(0, 30)
    right = 0
    for seed in range(20):
        random, points, found = Random(seed), list[float](), "open"
        while found == "open":
            points.append(sum(random.random() < score_of(elo) for _ in range(2)))
            found = sprt.verdict(Pairs.of(points)) if len(points) % 10 == 0 else "open"
        right += found == verdict
    assert right >= 18


@given(st.floats(-800, 800))
def test_elo_goes_to_a_score_and_back(elo: float) -> None:
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-6)


def test_ratings_of_three_lie_as_far_apart_as_their_scores_say() -> None:
    random = Random(5)
    strengths = [100.0, 0.0, -100.0]
    results = [
        PairResult(one, other, sum(random.random() < score_of(strengths[one] - strengths[other]) for _ in range(2)))
        for one, other in [(0, 1), (1, 2), (0, 2)] * 400
    ]
    found = ratings(3, results)
    for strength, rating in zip(strengths, found, strict=True):
        assert rating.low < rating.elo < rating.high
        assert rating.elo == pytest.approx(strength, abs=30)
    assert sum(rating.elo for rating in found) == pytest.approx(0, abs=1e-6)
