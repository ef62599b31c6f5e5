"""Petrify, sentence by sentence: placing and capturing. Mounds and barricades are in test_petrify_blocks.py."""

from __future__ import annotations

import pytest

import purlieu
from purlieu import Colour, Rule, Seat
from purlieu.rules import petrify

from .asking import board, captures, is_legal, legal, names, picture, play_all, refused

BLUE, ORANGE = Colour.BLUE, Colour.ORANGE


@pytest.mark.parametrize("size", range(3, 11))
def test_petrify_is_played_on_sizes_3_to_10(size: int) -> None:
    p = purlieu.start("petrify", size)
    assert p.size == size
    assert p.pieces() == ()
    assert len(legal(p)) == size * size


@pytest.mark.parametrize("size", [-1, 0, 2, 11, 19])
def test_petrify_is_played_on_no_other_size(size: int) -> None:
    with pytest.raises(purlieu.BadSize, match="Petrify is played on 3×3 to 10×10"):
        purlieu.start("petrify", size)


def test_the_default_size_is_8_and_6_to_10_are_recommended() -> None:
    assert purlieu.start("petrify").size == 8
    assert purlieu.GAMES["petrify"].recommended == range(6, 11)


def test_blue_is_the_first_seat_and_plays_first_then_turns_alternate() -> None:
    p = petrify.start(3)
    turns = [(p.to_move, p.colour_to_move)]
    for move in ("a1", "b1", "c1"):
        p = p.play(move)
        turns.append((p.to_move, p.colour_to_move))
    assert turns == [(Seat.FIRST, BLUE), (Seat.SECOND, ORANGE), (Seat.FIRST, BLUE), (Seat.SECOND, ORANGE)]


# -- placing ------------------------------------------------------------------------------------


def test_place_one_of_your_disks_on_an_empty_square() -> None:
    drawn = """
        o . b
        . # .
        . . .
    """
    assert board(petrify.draw(drawn, to_move=BLUE).play("c2")) == picture("""
        o . b
        . # b
        . . .
    """)
    assert board(petrify.draw(drawn, to_move=ORANGE).play("c2")) == picture("""
        o . b
        . # o
        . . .
    """)


@pytest.mark.parametrize(("square", "holds"), [("c3", "a blue disk"), ("a3", "an orange disk"), ("b2", "a block")])
def test_a_disk_is_not_placed_on_a_square_that_is_not_empty(square: str, holds: str) -> None:
    p = petrify.draw("""
        o . b
        . # .
        . . .
    """)
    refusal = refused(p, square)
    assert refusal.rule is Rule.OCCUPIED
    assert refusal.message.startswith(f"{square} holds {holds}")
    assert names(refusal) == [square]


@pytest.mark.parametrize("square", ["d1", "a4", "s19"])
def test_a_disk_is_not_placed_off_the_board(square: str) -> None:
    refusal = refused(petrify.start(3), square)
    assert refusal.rule is Rule.OFF_BOARD
    assert refusal.message == f"{square} is off the board, which ends at c3"
    assert names(refusal) == [square]


def test_legal_moves_are_placements_from_a1_row_by_row_then_captures_by_start_clockwise_from_north() -> None:
    p = petrify.draw("""
        . . . o
        o b . o
        . . . #
        . b . o
    """)
    assert " ".join(legal(p)) == "a1 c1 a2 b2 c2 c3 a4 b4 c4 b1xd3 b1xd1 b3xd3 b3xd1 b3xa3"


# -- capturing ----------------------------------------------------------------------------------


def test_a_disk_captures_in_one_of_8_directions_orthogonal_or_diagonal() -> None:
    p = petrify.draw("""
        o . . o . . o
        . . . . . . .
        . . . . . . .
        o . . b . . o
        . . . . . . .
        . . . . . . .
        o . . o . . o
    """)
    assert captures(p) == ["d4xd7", "d4xg7", "d4xg4", "d4xg1", "d4xd1", "d4xa1", "d4xa4", "d4xa7"]


@pytest.mark.parametrize("target", ["e7", "g5", "b7", "f1", "d4"])
def test_a_capture_goes_along_a_straight_line(target: str) -> None:
    p = petrify.draw("""
        . o . . o . .
        . . . . . . .
        . . . . . . o
        . . . b . . .
        . . . . . . .
        . . . . . . .
        . . . . . o .
    """)
    refusal = refused(p, f"d4x{target}")
    assert refusal.rule is Rule.NOT_IN_LINE
    assert refusal.message == f"{target} is not on an orthogonal or diagonal line from d4"
    assert names(refusal) == ["d4", target]


def test_the_enemy_disk_goes_the_disk_stands_there_and_a_block_stands_on_the_square_it_left() -> None:
    p = petrify.draw("""
        . . . . . .
        . . . . o .
        . . . . . .
        . . . . . .
        . b . . . .
        . . . . . .
    """)
    assert board(p.play("b2xe5")) == picture("""
        . . . . . .
        . . . . b .
        . . . . . .
        . . . . . .
        . # . . . .
        . . . . . .
    """)


def test_orange_captures_as_blue_does() -> None:
    p = petrify.draw(
        """
        . . . .
        . o . b
        . . . .
        . . . .
        """,
        to_move=ORANGE,
    )
    assert board(p.play("b3xd3")) == picture("""
        . . . .
        . # . o
        . . . .
        . . . .
    """)


def test_a_capture_travels_over_any_number_of_empty_squares_and_friendly_disks() -> None:
    p = petrify.draw("""
        . . . . . .
        . . . . . .
        . . . . . .
        . b . b b o
        . . . . . .
        . . . . . .
    """)
    assert captures(p) == ["b3xf3", "d3xf3", "e3xf3"]
    assert board(p.play("b3xf3")) == picture("""
        . . . . . .
        . . . . . .
        . . . . . .
        . # . b b b
        . . . . . .
        . . . . . .
    """)


def test_a_capture_of_the_next_square_travels_over_nothing() -> None:
    p = petrify.draw("""
        . . . .
        . o . .
        . . b .
        . . . .
    """)
    assert captures(p) == ["c2xb3"]


def test_a_block_ends_the_path() -> None:
    p = petrify.draw("""
        . . . . . .
        . . . . . .
        . . . . . .
        . b . # . o
        . . . . . .
        . . . . . .
    """)
    refusal = refused(p, "b3xf3")
    assert refusal.rule is Rule.BLOCKED
    assert refusal.message == "a block on d3 blocks the path to f3"
    assert names(refusal) == ["b3", "d3", "f3"]
    assert captures(p) == []


def test_the_first_square_that_holds_anything_else_must_hold_an_enemy_disk() -> None:
    p = petrify.draw("""
        . . . . . o
        . . . . . .
        . . . o . .
        . . . . . .
        . b . . . .
        . . . . . .
    """)
    assert captures(p) == ["b2xd4"]
    refusal = refused(p, "b2xf6")
    assert refusal.rule is Rule.BLOCKED
    assert refusal.message == "an enemy disk on d4 blocks the path to f6"
    assert names(refusal) == ["b2", "d4", "f6"]


@pytest.mark.parametrize(
    ("target", "holds"),
    [("b4", "is empty"), ("e2", "holds a disk of your own"), ("b1", "holds a block")],
)
def test_a_capture_ends_on_an_enemy_disk(target: str, holds: str) -> None:
    p = petrify.draw("""
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        . b . . b o
        . # . . . .
    """)
    refusal = refused(p, f"b2x{target}")
    assert refusal.rule is Rule.NO_ENEMY
    assert refusal.message == f"{target} {holds}; a capture ends on an enemy disk"
    assert names(refusal) == [target]


@pytest.mark.parametrize("start", ["a1", "d2", "b3"])
def test_pick_one_of_your_own_disks_to_capture_with(start: str) -> None:
    p = petrify.draw("""
        . . . .
        . # . .
        . b . o
        . . . .
    """)
    refusal = refused(p, f"{start}xb2" if start != "a1" else "a1xd2")
    assert refusal.rule is Rule.NOT_YOURS
    assert refusal.message == f"no blue disk stands on {start}"
    assert names(refusal) == [start]


@pytest.mark.parametrize(("move", "outside"), [("b2xe2", "e2"), ("e2xb2", "e2"), ("b2xb5", "b5")])
def test_a_capture_stays_on_the_board(move: str, outside: str) -> None:
    p = petrify.draw("""
        . . . .
        . . . .
        . b . o
        . . . .
    """)
    refusal = refused(p, move)
    assert refusal.rule is Rule.OFF_BOARD
    assert refusal.message == f"{outside} is off the board, which ends at d4"
    assert names(refusal) == [outside]


def test_a_disk_that_captured_may_capture_again() -> None:
    p = petrify.draw("""
        . . . . .
        . . . . .
        . b o o .
        . . . . .
        . . . . .
    """)
    after = p.play("b3xc3").play("e5").play("c3xd3")
    assert board(after) == picture("""
        . . . . o
        . . . . .
        . # # b .
        . . . . .
        . . . . .
    """)


# -- passing, and the end -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawn", "play"),
    [
        (
            """
            b b b
            b . b
            b b b
            """,
            "b2",
        ),
        (
            """
            b b b
            b b b
            b o b
            """,
            "a2xb1",
        ),
    ],
    ids=["a placement is left", "a capture is left"],
)
def test_nobody_passes_by_choice(drawn: str, play: str) -> None:
    p = petrify.draw(drawn)
    refusal = refused(p, "pass")
    assert refusal.rule is Rule.PASS
    assert refusal.message == f"you may pass only when you have no board play, and you can play {play}"


def test_with_no_board_play_pass_is_the_only_move() -> None:
    p = petrify.draw(
        """
        b b b
        b b b
        b b b
        """,
        to_move=ORANGE,
    )
    assert legal(p) == ["pass"]


def test_a_capture_that_a_mound_forbids_is_no_board_play_so_the_side_passes() -> None:
    """The blue corner disk sees orange disks on three sides, but no block ever stands in a corner."""
    p = petrify.draw("""
        o o o
        o o o
        b o o
    """)
    assert captures(p) == []
    assert legal(p) == ["pass"]


def test_two_passes_in_a_row_end_the_game_and_the_board_then_holds_no_empty_square() -> None:
    p = petrify.draw(
        """
        b b b
        b b b
        b b b
        """,
        to_move=ORANGE,
    ).play("pass")
    assert not p.is_over
    assert p.outcome is None
    p = p.play("pass")
    assert p.is_over
    assert legal(p) == []
    assert "." not in [token for row in board(p)[0] for token in row]
    assert p.outcome is not None
    assert p.outcome.winner is Seat.FIRST


def test_a_board_play_between_two_passes_keeps_the_game_going() -> None:
    """A whole game: Orange passes at ply 11, Blue still has a capture, and only then both pass in succession."""
    p = play_all(petrify.start(3), "b2 a2 a3 a2xb2 a1 b3 c3 b2xa1 b1 c1 c2")
    assert board(p) == picture("""
        b o b
        # # b
        o b o
    """)
    assert legal(p) == ["pass"]
    p = p.play("pass")
    assert legal(p) == ["c2xc1", "c2xb3"]
    p = p.play("c2xb3").play("pass")
    assert not p.is_over
    assert p.play("pass").is_over


@pytest.mark.parametrize("move", ["a1", "a1xb1", "pass", "swap"])
def test_once_the_game_is_over_nothing_is_legal(move: str) -> None:
    p = petrify.draw("""
        b b b
        b b b
        b b b
    """)
    over = p.play("pass").play("pass")
    refusal = refused(over, move)
    assert refusal.rule is Rule.GAME_OVER
    assert refusal.message == "the game is over: both sides have passed"


def test_play_leaves_the_position_it_is_asked_of_as_it_was() -> None:
    p = petrify.draw("""
        . . . .
        . b . o
        . . . .
        . . . .
    """)
    before = p.text()
    assert is_legal(p, "b3xd3")
    p.play("b3xd3")
    assert p.text() == before
