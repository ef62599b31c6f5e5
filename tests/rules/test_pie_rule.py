"""The pie rule of Petrify and Pilo, sentence by sentence, and its ruling."""

from __future__ import annotations

import pytest

import purlieu
from purlieu import Colour, Position, Rule, Seat

from .asking import board, is_legal, legal, picture, play_all, refused

BLUE, ORANGE = Colour.BLUE, Colour.ORANGE

both_games = pytest.mark.parametrize("game", ["petrify", "pilo"])


def started(game: str, moves: str = "") -> Position:
    return play_all(purlieu.start(game, 4), moves)


@both_games
def test_on_the_second_seats_first_turn_swap_is_legal_beside_its_board_plays(game: str) -> None:
    p = started(game, "b2")
    assert " ".join(legal(p)) == "a1 b1 c1 d1 a2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4 swap"


@both_games
@pytest.mark.parametrize("moves", ["", "b2 c3", "b2 c3 d4", "b2 swap", "b2 swap c3", "b2 swap c3 d4"])
def test_swap_is_legal_on_the_second_seats_first_turn_only(game: str, moves: str) -> None:
    refusal = refused(started(game, moves), "swap")
    assert refusal.rule is Rule.SWAP
    assert refusal.message == "a swap is the second seat's first turn or never"


@both_games
def test_the_seats_exchange_colours(game: str) -> None:
    before, after = started(game, "b2"), started(game, "b2 swap")
    assert [before.colour_of(seat) for seat in Seat] == [BLUE, ORANGE]
    assert [after.colour_of(seat) for seat in Seat] == [ORANGE, BLUE]
    assert [before.seat_of(colour) for colour in (BLUE, ORANGE)] == [Seat.FIRST, Seat.SECOND]
    assert [after.seat_of(colour) for colour in (BLUE, ORANGE)] == [Seat.SECOND, Seat.FIRST]


@both_games
def test_a_swap_changes_nothing_on_the_board(game: str) -> None:
    before, after = started(game, "b2"), started(game, "b2 swap")
    assert after.pieces() == before.pieces() != ()


@both_games
def test_ruling_after_a_swap_the_first_seat_moves_as_orange(game: str) -> None:
    """The swap took the second seat's turn."""
    p = started(game, "b2 swap")
    assert (p.to_move, p.colour_to_move) == (Seat.FIRST, ORANGE)
    p = p.play("c3")
    assert (p.to_move, p.colour_to_move) == (Seat.SECOND, BLUE)
    p = p.play("d4")
    disk, one = ("b", "o") if game == "petrify" else ("b1", "o1")
    assert board(p) == picture(f"""
        .  .  .  {disk}
        .  .  {one} .
        .  {disk} .  .
        .  .  .  .
    """)


@both_games
def test_after_a_swap_the_second_seat_captures_with_the_blue_disk_that_the_first_seat_placed(game: str) -> None:
    p = started(game, "b2 swap c2")
    assert is_legal(p, "b2xc2")
    assert refused(p, "c2xb2").message.startswith("no blue")


@both_games
def test_seats_never_change_turns_alternate_through_a_swap(game: str) -> None:
    seats = [started(game, moves).to_move for moves in ("", "b2", "b2 swap", "b2 swap c3")]
    assert seats == [Seat.FIRST, Seat.SECOND, Seat.FIRST, Seat.SECOND]


@both_games
def test_swap_is_not_a_board_play(game: str) -> None:
    """The last board play stays the first seat's placement, and a swap is no pass either."""
    p = started(game, "b2 swap")
    assert p.text().endswith("ply=2 blue=second passes=0 last=first")


@both_games
def test_without_a_swap_the_seats_keep_their_colours(game: str) -> None:
    p = started(game, "b2 c3")
    assert [p.colour_of(seat) for seat in Seat] == [BLUE, ORANGE]
    assert p.text().endswith("ply=2 blue=first passes=0 last=second")
