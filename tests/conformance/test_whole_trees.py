"""Every position that can arise on the smallest boards."""

from __future__ import annotations

from functools import cache

import pytest

import purlieu
from purlieu import Position, Seat
from purlieu.rules.petrify import PetrifyPosition, formations_completed


def every_position(start: Position) -> set[Position]:
    """All positions that can be reached from there, by every legal move."""
    found = {start}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        for move in position.legal_moves():
            after = position.after(move)
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found


def winner_with_best_play(start: Position) -> Seat:
    """Who wins if both play perfectly; these games have no draws."""

    @cache
    def winner(position: Position) -> Seat:
        if position.outcome:
            assert position.outcome.winner
            return position.outcome.winner
        mover = position.to_move
        return mover if any(winner(position.after(m)) is mover for m in position.legal_moves()) else mover.other

    return winner(start)


@pytest.fixture(scope="module")
def petrify_3() -> set[Position]:
    return every_position(purlieu.start("petrify", 3))


def test_petrify_3_has_so_many_positions(petrify_3: set[Position]) -> None:
    assert len(petrify_3) == 44_903
    assert sum(position.is_over for position in petrify_3) == 216


def test_every_petrify_3_game_ends_on_a_full_board_with_a_winner(petrify_3: set[Position]) -> None:
    for position in petrify_3:
        if position.is_over:
            assert len(position.pieces()) == 9
            assert position.outcome is not None
            assert position.outcome.winner is not None


def test_no_petrify_3_board_ever_holds_a_mound_or_a_barricade(petrify_3: set[Position]) -> None:
    for position in petrify_3:
        assert isinstance(position, PetrifyPosition)
        for at in position.grid.inside:
            if position.kinds[at] == 3:
                assert not formations_completed(position.grid, position.kinds, at)


def test_no_petrify_3_game_is_longer_than_two_board_plays_a_square(petrify_3: set[Position]) -> None:
    assert max(position.ply for position in petrify_3) <= 2 * 9 + 3


def test_on_petrify_3_blue_wins_after_every_opening_so_the_second_seat_swaps() -> None:
    start = purlieu.start("petrify", 3)
    for opening in start.legal_moves():
        swapped = start.play(opening).play("swap")
        assert winner_with_best_play(swapped) is Seat.SECOND
    assert winner_with_best_play(start) is Seat.SECOND


@pytest.mark.deep
def test_pilo_3_has_so_many_positions() -> None:
    positions = every_position(purlieu.start("pilo", 3))
    assert len(positions) == 833_787
    assert sum(position.is_over for position in positions) == 41_864


@pytest.mark.deep
def test_on_pilo_3_blue_wins_after_every_opening_so_the_second_seat_swaps() -> None:
    start = purlieu.start("pilo", 3)
    for opening in ("a1", "b1", "b2"):
        assert winner_with_best_play(start.play(opening).play("swap")) is Seat.SECOND
