"""How low levels pick among the good moves: freely, and never far from the best."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import purlieu
from purlieu.core import Proven, core
from purlieu.engine import Analysis, MoveAnalysis
from purlieu.engine.choice import choose, choose_at_first_sight, found_shares, seen_shares
from purlieu.engine.ladder import WITHOUT_NETS, Work, glance, playouts
from purlieu.nets import Judgement

START = purlieu.start("petrify", 8)


def seen(move: str, visits: int, win_chance: float, proven: Proven | None = None) -> MoveAnalysis:
    read = START.read_move if len(move) < 5 else purlieu.start("pentwall").read_move
    return MoveAnalysis(read(move), visits, visits / 100, win_chance, 0.0, proven)


def found(*moves: MoveAnalysis, proven: Proven | None = None) -> Analysis:
    """An analysis whose best move is the first."""
    best = moves[0]
    return Analysis(START, best.move, best.win_chance, 0.0, proven, (best.move,), moves, 100, 100, 0.1)


REPORT = found(seen("c3", 50, 0.6), seen("d4", 30, 0.5), seen("e5", 20, 0.1), seen("f6", 0, 0.6))
LOOSE = playouts(100, temperature=1.0, margin=0.2)
EVEN = Judgement(0.5, 0.0, 1.0, {"c3": 0.6, "d4": 0.3, "e5": 0.1}, {})


def picks(report: Analysis, work: Work | None) -> Counter[str]:
    position = core().Position.parse(purlieu.start("petrify", 8).text())
    return Counter(choose(position, report, work, Random(seed)) for seed in range(500))


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
    won = found(seen("c3", 5, 1.0, "win"), seen("d4", 90, 0.95), proven="win")
    assert set(picks(won, LOOSE)) == {"c3"}
    trap = found(seen("c3", 50, 0.3), seen("d4", 45, 0.25, "loss"), seen("e5", 10, 0.2))
    assert set(picks(trap, LOOSE)) == {"c3", "e5"}


def test_a_lower_temperature_keeps_closer_to_the_best() -> None:
    cool = playouts(100, temperature=0.3, margin=0.2)
    assert picks(REPORT, cool)["d4"] < picks(REPORT, LOOSE)["d4"] / 1.5
    assert list(found_shares(REPORT, playouts(100, temperature=1.0, margin=0.05))) == ["c3"]


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


def test_no_level_misses_a_win_on_the_very_last_turn_however_many_moves_there_are() -> None:
    """The last pentomino has 135 places; the one that looks best here is the one that loses."""
    rows = "10/10/10/v6Z2/v6ZZZ/vvvwwNNNXZ/uuwwNNFXXX/1uwppFFFXT/uupppFYTTT/iiiiiYYYYT"
    last = core().Position.parse(f"pentwall {rows}")
    legal = last.legal_moves()
    losing = [move for move in legal if last.play(move).winner != last.to_move]
    assert (len(legal), len(losing)) == (135, 1)
    sight = Judgement(0.5, 0.0, 1.0, {move: 0.9 if move in losing else 0.001 for move in legal}, {})
    report = found(seen(losing[0], 50, 0.6), seen(next(move for move in legal if move not in losing), 5, 0.5))
    for seed in range(20):
        assert choose_at_first_sight(last, sight, glance(1.0, floor=0.0), Random(seed)) not in losing
        assert choose(last, report, LOOSE, Random(seed)) not in losing


def test_a_swap_that_is_decided_against_is_never_drawn_and_one_that_is_decided_is_always_made() -> None:
    position = core().Position.parse(purlieu.start("petrify", 8).text())
    staying = found(seen("c3", 50, 0.55), seen("swap", 45, 0.45), seen("d4", 5, 0.5))
    swapping = replace(staying, best_move=START.read_move("swap"))

    def drawn(report: Analysis, *, decided: bool) -> set[str]:
        return {choose(position, report, LOOSE, Random(seed), swap_is_decided=decided) for seed in range(200)}

    assert drawn(staying, decided=False) == {"c3", "swap", "d4"}
    assert drawn(staying, decided=True) == {"c3", "d4"}
    assert drawn(swapping, decided=True) == {"swap"}
