"""Pilo, sentence by sentence: what differs from Petrify. The count and the pie rule have files of their own."""

from __future__ import annotations

import pytest

import purlieu
from purlieu import BadNotation, Colour, Rule, Seat
from purlieu.rules import pilo

from .asking import board, captures, is_legal, legal, names, picture, play_all, refused

BLUE, ORANGE = Colour.BLUE, Colour.ORANGE


@pytest.mark.parametrize("size", range(3, 11))
def test_pilo_is_played_on_sizes_3_to_10(size: int) -> None:
    p = purlieu.start("pilo", size)
    assert p.size == size
    assert p.pieces() == ()
    assert len(legal(p)) == size * size


@pytest.mark.parametrize("size", [2, 11])
def test_pilo_is_played_on_no_other_size(size: int) -> None:
    with pytest.raises(purlieu.BadSize, match="Pilo is played on 3×3 to 10×10"):
        purlieu.start("pilo", size)


def test_the_default_size_is_8_and_6_to_10_are_recommended() -> None:
    assert purlieu.start("pilo").size == 8
    assert purlieu.GAMES["pilo"].recommended == range(6, 11)


def test_blue_plays_first() -> None:
    p = pilo.start(3)
    assert (p.to_move, p.colour_to_move) == (Seat.FIRST, BLUE)


# -- placing ------------------------------------------------------------------------------------


def test_a_placed_disk_is_a_stack_of_height_1() -> None:
    p = pilo.draw("""
        .  .  .
        .  b3 .
        .  .  .
    """)
    assert board(p.play("c1")) == picture("""
        .  .  .
        .  b3 .
        .  .  b1
    """)


@pytest.mark.parametrize(("square", "holds"), [("b2", "a blue stack"), ("a3", "an orange stack"), ("c1", "a block")])
def test_a_disk_is_placed_on_an_empty_square_never_on_a_stack(square: str, holds: str) -> None:
    p = pilo.draw("""
        o2 .  .
        .  b3 .
        .  .  #
    """)
    refusal = refused(p, square)
    assert refusal.rule is Rule.OCCUPIED
    assert refusal.message.startswith(f"{square} holds {holds}")
    assert names(refusal) == [square]


def test_a_disk_is_not_placed_off_the_board() -> None:
    refusal = refused(pilo.start(3), "d3")
    assert refusal.rule is Rule.OFF_BOARD
    assert names(refusal) == ["d3"]


def test_a_stack_has_one_colour() -> None:
    """The captured stack goes: what stands there is the moving stack and one disk more, all of the mover's colour."""
    p = pilo.draw("""
        .  .  .
        b2 .  o2
        .  .  .
    """)
    assert board(p.play("a2xc2")) == picture("""
        .  .  .
        #  .  b3
        .  .  .
    """)


# -- capturing ----------------------------------------------------------------------------------


def test_a_stack_captures_in_the_four_orthogonal_directions_only() -> None:
    p = pilo.draw("""
        o . . o . . o
        . . . . . . .
        . . . . . . .
        o . . b . . o
        . . . . . . .
        . . . . . . .
        o . . o . . o
    """)
    assert captures(p) == ["d4xd7", "d4xg4", "d4xd1", "d4xa4"]


@pytest.mark.parametrize("target", ["a1", "a7", "g1", "g7", "b5"])
def test_a_stack_does_not_capture_along_a_diagonal(target: str) -> None:
    p = pilo.draw("""
        o . . . . . o
        . . . . . . .
        . o . . . . .
        . . . b . . .
        . . . . . . .
        . . . . . . .
        o . . . . . o
    """)
    refusal = refused(p, f"d4x{target}")
    assert refusal.rule is Rule.NOT_IN_LINE
    assert refusal.message == f"{target} is not on an orthogonal line from d4"
    assert names(refusal) == ["d4", target]


def test_the_enemy_stack_goes_the_moving_stack_stands_there_one_disk_higher_and_a_block_is_left() -> None:
    p = pilo.draw("""
        .  .  .  .
        b2 .  .  o2
        .  .  .  .
        .  .  .  .
    """)
    assert board(p.play("a3xd3")) == picture("""
        .  .  .  .
        #  .  .  b3
        .  .  .  .
        .  .  .  .
    """)


def test_orange_captures_as_blue_does() -> None:
    p = pilo.draw(
        """
        .  .  b1
        .  .  .
        .  .  o1
        """,
        to_move=ORANGE,
    )
    assert board(p.play("c1xc3")) == picture("""
        .  .  o2
        .  .  .
        .  .  #
    """)


def test_empty_squares_and_friendly_stacks_of_any_height_are_passed_over() -> None:
    p = pilo.draw("""
        .  .  .  .  .  .
        .  .  .  .  .  .
        b1 .  b3 b2 .  o1
        .  .  .  .  .  .
        .  .  .  .  .  .
        .  .  .  .  .  .
    """)
    assert captures(p) == ["a4xf4"]
    assert board(p.play("a4xf4")) == picture("""
        .  .  .  .  .  .
        .  .  .  .  .  .
        #  .  b3 b2 .  b2
        .  .  .  .  .  .
        .  .  .  .  .  .
        .  .  .  .  .  .
    """)


@pytest.mark.parametrize(("mine", "theirs"), [(1, 2), (2, 1), (3, 7), (7, 6)])
def test_the_enemy_stack_must_have_the_same_height_as_the_moving_stack(mine: int, theirs: int) -> None:
    p = pilo.draw(f"""
        .  .  .
        b{mine} . o{theirs}
        .  .  .
    """)
    refusal = refused(p, "a2xc2")
    assert refusal.rule is Rule.UNEQUAL_HEIGHTS
    assert refusal.message == (
        f"the stack on a2 has height {mine} and the one on c2 height {theirs}; they must be equal"
    )
    assert names(refusal) == ["a2", "c2"]


def test_a_stack_of_another_height_blocks_the_path_to_one_of_the_same_height() -> None:
    p = pilo.draw("""
        .  .  .  .
        b2 .  o1 o2
        .  .  .  .
        .  .  .  .
    """)
    refusal = refused(p, "a3xd3")
    assert refusal.rule is Rule.BLOCKED
    assert refusal.message == "an enemy stack on c3 blocks the path to d3"
    assert names(refusal) == ["a3", "c3", "d3"]
    assert captures(p) == []


def test_a_block_ends_the_path() -> None:
    p = pilo.draw("""
        .  .  .  .
        b2 #  .  o2
        .  .  .  .
        .  .  .  .
    """)
    refusal = refused(p, "a3xd3")
    assert refusal.rule is Rule.BLOCKED
    assert refusal.message == "a block on b3 blocks the path to d3"
    assert names(refusal) == ["a3", "b3", "d3"]


@pytest.mark.parametrize(
    ("move", "target", "holds"),
    [
        ("b2xb3", "b3", "is empty"),
        ("a3xc3", "c3", "holds a stack of your own"),
        ("a3xa1", "a1", "holds a block"),
    ],
)
def test_a_capture_ends_on_an_enemy_stack(move: str, target: str, holds: str) -> None:
    p = pilo.draw("""
        b1 .  b1
        .  b1 .
        #  .  o1
    """)
    refusal = refused(p, move)
    assert refusal.rule is Rule.NO_ENEMY
    assert refusal.message == f"{target} {holds}; a capture ends on an enemy stack"
    assert names(refusal) == [target]


def test_pick_one_of_your_own_stacks_to_capture_with() -> None:
    p = pilo.draw("""
        .  .  .
        b1 .  o1
        .  .  .
    """)
    refusal = refused(p, "c2xa2")
    assert refusal.rule is Rule.NOT_YOURS
    assert refusal.message == "no blue stack stands on c2"
    assert names(refusal) == ["c2"]


@pytest.mark.parametrize(
    ("drawn", "move"),
    [
        ("b . o / . . . / . . .", "a3xc3"),
        (". # b / . . . / . . o", "c3xc1"),
        (". . . / # # . / # b o", "b1xc1"),
        (". . # / . # . / b . o", "a1xc1"),
        (". . . / . # . / o b .", "b1xa1"),
    ],
    ids=["a corner", "side by side along an edge", "four in a 2 by 2 area", "three on a diagonal", "a corner's side"],
)
def test_no_mounds_no_barricades_any_block_is_legal(drawn: str, move: str) -> None:
    p = pilo.draw(drawn.replace("/", "\n"))
    assert is_legal(p, move)
    row = board(p.play(move))[0][3 - int(move[1])]
    assert row["abc".index(move[0])] == "#"


def test_legal_moves_are_placements_from_a1_row_by_row_then_captures_by_start_clockwise_from_north() -> None:
    p = pilo.draw("""
        o1 o2 b2
        b1 .  o1
        b2 o1 o2
    """)
    assert legal(p) == ["b2", "a2xa3", "a2xc2", "c3xb3"]


# -- passing, and the end -----------------------------------------------------------------------


def test_nobody_passes_by_choice() -> None:
    p = pilo.draw("""
        b1 b1 b1
        b1 b1 b1
        b1 o1 b1
    """)
    refusal = refused(p, "pass")
    assert refusal.rule is Rule.PASS
    assert refusal.message == "you may pass only when you have no board play, and you can play a1xb1"


def test_with_no_empty_square_and_no_enemy_of_equal_height_in_reach_the_side_passes() -> None:
    p = pilo.draw("""
        b1 b2 b1
        b2 b1 b1
        b1 o3 b1
    """)
    assert legal(p) == ["pass"]


def test_two_passes_in_a_row_end_the_game() -> None:
    p = pilo.draw("""
        b1 b2 b1
        b2 b1 b1
        b1 o3 b1
    """)
    p = p.play("pass")
    assert not p.is_over
    p = p.play("pass")
    assert p.is_over
    assert legal(p) == []
    assert p.outcome is not None
    assert p.outcome.winner is Seat.FIRST


def test_a_board_play_between_two_passes_keeps_the_game_going() -> None:
    """A whole game: Blue passes at ply 12, and both sides then capture once more before both pass."""
    p = play_all(pilo.start(3), "c3 c2 c1 b3 c1xc2 b2 a3 b1 a2 b2xa2 c3xb3 a1")
    assert board(p) == picture("""
        b1 b2 #
        o2 #  b2
        o1 o1 #
    """)
    assert legal(p) == ["pass"]
    p = p.play("pass")
    assert is_legal(p, "a1xa3")
    p = play_all(p, "a1xa3 b3xa3")
    assert board(p) == picture("""
        b3 #  #
        o2 #  b2
        #  o1 #
    """)
    p = p.play("pass")
    assert not p.is_over
    assert p.play("pass").is_over


@pytest.mark.parametrize("move", ["a1", "a1xb1", "pass", "swap"])
def test_once_the_game_is_over_nothing_is_legal(move: str) -> None:
    p = pilo.draw("""
        b1 b1 b1
        b1 b1 b1
        b1 b1 b1
    """)
    refusal = refused(p.play("pass").play("pass"), move)
    assert refusal.rule is Rule.GAME_OVER


def test_a_stack_is_at_most_7_high_for_an_8th_disk_would_take_127_blocks() -> None:
    tallest = """
        b7 .  .
        .  .  .
        .  .  .
    """
    assert board(pilo.draw(tallest)) == picture(tallest)
    with pytest.raises(BadNotation, match="'b8' stands for nothing"):
        pilo.draw(tallest.replace("b7", "b8"))
