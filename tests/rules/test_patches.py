"""The count of Petrify and Pilo, sentence by sentence: patches, groups, striking out, owners, the tie."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from purlieu import Colour, Position, Seat
from purlieu.rules import petrify, pilo
from purlieu.rules.ledger import Patch

from .asking import legal, play_all

BLUE, ORANGE = Colour.BLUE, Colour.ORANGE

Draw = Callable[..., Position]
both_games = pytest.mark.parametrize("draw", [petrify.draw, pilo.draw], ids=["petrify", "pilo"])


def patches(position: Position) -> list[Patch]:
    entries = position.ledger().entries
    assert all(isinstance(entry, Patch) for entry in entries)
    return [entry for entry in entries if isinstance(entry, Patch)]


def owners(position: Position) -> list[tuple[Colour | None, int]]:
    """Each patch's owner and its size, in the order of the patches' lowest squares."""
    return [(patch.owner, len(patch.squares)) for patch in patches(position)]


def score(position: Position) -> tuple[int, int]:
    return position.score()[BLUE], position.score()[ORANGE]


# -- patches and groups -------------------------------------------------------------------------


@both_games
def test_a_patch_is_an_orthogonally_connected_region_of_squares_that_hold_no_block(draw: Draw) -> None:
    p = draw("""
        . . # . .
        . b # . .
        . . # . o
        . . # . .
        . . # . .
    """)
    assert owners(p) == [(BLUE, 10), (ORANGE, 10)]
    assert " ".join(map(str, patches(p)[0].squares)) == "a1 b1 a2 b2 a3 b3 a4 b4 a5 b5"


def test_squares_that_touch_by_a_corner_only_are_in_different_patches() -> None:
    p = pilo.draw("""
        .  .  #
        .  b1 #
        #  #  o1
    """)
    assert owners(p) == [(ORANGE, 1), (BLUE, 4)]


def test_a_patch_goes_round_corners() -> None:
    p = pilo.draw("""
        b1 .  .
        #  #  .
        o1 #  .
    """)
    assert owners(p) == [(ORANGE, 1), (BLUE, 5)]


@both_games
def test_a_patch_may_hold_any_number_of_groups_as_well_as_empty_squares(draw: Draw) -> None:
    p = draw("""
        b . o . b
        . . . . .
        o . b b .
        . . . . .
        . . . o .
    """)
    (patch,) = patches(p)
    assert len(patch.squares) == 25
    assert sorted((group.colour.value, group.size) for group in patch.groups) == [
        ("blue", 1),
        ("blue", 1),
        ("blue", 2),
        ("orange", 1),
        ("orange", 1),
        ("orange", 1),
    ]
    assert score(p) == (25, 0)


@both_games
def test_a_group_is_an_orthogonally_connected_set_of_like_coloured_disks(draw: Draw) -> None:
    """Four blue disks that meet only at corners are four groups, and lose to two orange ones side by side."""
    p = draw("""
        b . . .
        . b . o
        . . b o
        . . . b
    """)
    assert score(p) == (0, 16)


@both_games
def test_an_enemy_disk_between_two_disks_parts_them(draw: Draw) -> None:
    p = draw("""
        b b o b b
        . . . . .
        o o o . .
        . . . . .
        . . . . .
    """)
    assert [group.size for group in patches(p)[0].groups] == [3, 2, 2, 1]
    assert score(p) == (0, 25)


def test_in_pilo_groups_and_sizes_count_squares_not_disks() -> None:
    p = pilo.draw("""
        b7 .  .
        .  .  .
        .  o1 o1
    """)
    assert score(p) == (0, 9)


def test_in_pilo_stacks_of_different_heights_form_one_group() -> None:
    p = pilo.draw("""
        b3 b1 b2
        .  .  .
        .  o1 o1
    """)
    assert [(group.colour, group.size) for group in patches(p)[0].groups] == [(BLUE, 3), (ORANGE, 2)]
    assert score(p) == (9, 0)


# -- striking out -------------------------------------------------------------------------------


@both_games
def test_strike_out_pairs_of_one_blue_and_one_orange_group_of_equal_size(draw: Draw) -> None:
    """The two groups of three cancel, and Orange's pair is bigger than Blue's single disk."""
    p = draw("""
        b b b . .
        . . . . b
        o o o . .
        . . . . .
        . . o o .
    """)
    (patch,) = patches(p)
    (pair,) = patch.struck_out
    assert [(group.colour, group.size) for group in pair] == [(BLUE, 3), (ORANGE, 3)]
    assert [(group.colour, group.size) for group in patch.left] == [(ORANGE, 2), (BLUE, 1)]
    assert score(p) == (0, 25)


@both_games
def test_a_group_is_struck_out_with_one_group_only(draw: Draw) -> None:
    """Two blue pairs against one orange pair: one blue pair is left."""
    p = draw("""
        b b . o o
        . . . . .
        b b . . o
        . . . . .
        o . o . o
    """)
    (patch,) = patches(p)
    assert len(patch.struck_out) == 1
    assert [(group.colour, group.size) for group in patch.left] == [
        (BLUE, 2),
        *[(ORANGE, 1)] * 4,
    ]
    assert score(p) == (25, 0)


@both_games
def test_pairs_are_struck_out_until_no_such_pair_is_left(draw: Draw) -> None:
    p = draw("""
        b b b . o
        . . . . .
        o o o . b
        . . . . .
        b b . o o
    """)
    (patch,) = patches(p)
    assert len(patch.struck_out) == 3
    assert patch.left == ()
    assert patch.owner is None
    assert score(p) == (0, 0)


@both_games
def test_groups_of_unequal_size_are_not_struck_out(draw: Draw) -> None:
    p = draw("""
        b b b
        . . .
        o o .
    """)
    assert patches(p)[0].struck_out == ()
    assert score(p) == (9, 0)


@both_games
def test_many_small_groups_do_not_outweigh_one_big_group(draw: Draw) -> None:
    p = draw("""
        o . o . o
        . o . o .
        o . . . o
        . . b b .
        o . . . o
    """)
    assert score(p) == (25, 0)


@both_games
def test_groups_of_one_colour_are_never_struck_out_against_each_other(draw: Draw) -> None:
    p = draw("""
        b . b
        . . .
        b . b
    """)
    assert patches(p)[0].struck_out == ()
    assert score(p) == (9, 0)


@both_games
def test_pairs_are_struck_out_within_a_patch_only(draw: Draw) -> None:
    p = draw("""
        b . # o .
        b . # o .
        . . # . .
        . . # . .
        . . # . b
    """)
    assert owners(p) == [(BLUE, 10), (ORANGE, 10)]
    assert [patch.struck_out for patch in patches(p)] == [(), ()]


# -- owners and scores --------------------------------------------------------------------------


@both_games
def test_the_colour_of_the_biggest_group_left_owns_the_patch_and_scores_the_patchs_size(draw: Draw) -> None:
    p = draw("""
        . . # . o
        . . # . o
        b . # . .
        . . # b .
        . . # . .
    """)
    assert [patch.points for patch in patches(p)] == [10, 10]
    assert score(p) == (10, 10)


@both_games
def test_ruling_empty_patches_are_patches_with_no_group_left_after_striking_out(draw: Draw) -> None:
    """Left, the two pairs cancel; right, nobody ever stood: both patches are nobody's and score nothing."""
    p = draw("""
        b b . # .
        . . . # .
        o o . # .
        . . . # .
        . . . # .
    """)
    assert owners(p) == [(None, 15), (None, 5)]
    assert [patch.points for patch in patches(p)] == [0, 0]
    assert score(p) == (0, 0)


@both_games
def test_a_score_is_the_sum_of_the_sizes_of_the_patches_a_colour_owns(draw: Draw) -> None:
    p = draw("""
        b . # . o . .
        . . # . . . .
        . . # . . . .
        # # # # # # #
        . . # . . . .
        . . # . . . .
        . . # . b . .
    """)
    assert sorted(owners(p), key=str) == sorted([(None, 6), (BLUE, 12), (BLUE, 6), (ORANGE, 12)], key=str)
    assert score(p) == (18, 12)


@both_games
@pytest.mark.parametrize("colour", [BLUE, ORANGE])
def test_the_higher_total_wins(draw: Draw, colour: Colour) -> None:
    mine, theirs = ("b", "o") if colour is BLUE else ("o", "b")
    p = draw(f"""
        {mine} {mine} {mine} {mine}
        {mine} {mine} {mine} {mine}
        # # # #
        {theirs} {theirs} {theirs} {theirs}
    """)
    assert legal(p) == ["pass"]
    outcome = p.play("pass").play("pass").outcome
    assert outcome is not None
    assert outcome.winner is (Seat.FIRST if colour is BLUE else Seat.SECOND)
    assert outcome.by_colour == {colour: 8, colour.other: 4}
    assert outcome.reason == f"{colour.title} has the higher score"


@pytest.mark.parametrize("last", [BLUE, ORANGE])
def test_on_equal_totals_the_side_that_made_the_last_board_play_loses(last: Colour) -> None:
    """Three points each: above Blue, below Orange, whose second disk is left when one pair is struck out."""
    p = petrify.draw(
        """
        b b b
        # # #
        o b o
        """,
        to_move=last.other,
    )
    outcome = p.play("pass").play("pass").outcome
    assert outcome is not None
    assert outcome.by_colour == {BLUE: 3, ORANGE: 3}
    assert outcome.winner is (Seat.SECOND if last is BLUE else Seat.FIRST)
    assert outcome.reason == f"the totals are equal and {last.title} made the last board play"


def test_no_draws_not_even_at_nothing_each() -> None:
    p = pilo.draw(
        """
        b1 #  o2
        #  #  #
        o3 b2 #
        """,
        to_move=ORANGE,
    )
    p = p.play("pass").play("pass")
    assert p.score() == {BLUE: 1, ORANGE: 1}
    assert p.outcome is not None
    assert p.outcome.winner is Seat.SECOND


@pytest.mark.parametrize(
    ("start", "moves"),
    [
        (petrify.start, "b2 a2 a3 a2xb2 a1 b3 c3 b2xa1 b1 c1 c2 pass c2xb3 pass pass"),
        (pilo.start, "c3 c2 c1 b3 c1xc2 b2 a3 b1 a2 b2xa2 c3xb3 a1 pass a1xa3 b3xa3 pass pass"),
    ],
    ids=["petrify", "pilo"],
)
def test_a_pass_is_not_a_board_play(start: Callable[[int], Position], moves: str) -> None:
    """Two whole games with a pass on the way; Blue made the last board play, so the second seat wins."""
    p = play_all(start(3), moves)
    assert p.outcome is not None
    assert len(set(p.outcome.by_colour.values())) == 1
    assert p.outcome.winner is Seat.SECOND


@pytest.mark.parametrize(
    ("start", "moves", "points"),
    [
        (petrify.start, "a2 swap b2 a2xb2 c2 b3 c2xb3 b2xb3 b1 c3 a1 a3 c1 pass pass", 3),
        (pilo.start, "a3 swap b1 b2 a1 b2xb1 c2 b3 a1xa3 c1 c3 b3xc3 c2xc1 b1xc1 a2 pass pass", 2),
    ],
    ids=["petrify", "pilo"],
)
def test_after_a_swap_the_seat_that_made_the_last_board_play_loses_a_tie(
    start: Callable[[int], Position], moves: str, points: int
) -> None:
    """Two whole games in which the first seat, now Orange, placed the last disk."""
    p = play_all(start(3), moves)
    assert p.outcome is not None
    assert p.outcome.by_seat == {Seat.FIRST: points, Seat.SECOND: points}
    assert p.outcome.winner is Seat.SECOND
    assert p.outcome.reason == "the totals are equal and Orange made the last board play"


@pytest.mark.parametrize(
    ("start", "moves", "winner", "colour"),
    [
        (petrify.start, "a1 swap c3 b1 a3 c1 c2 b2 c2xc1 a2 b3 a2xb3 pass b2xc3 pass pass", Seat.SECOND, BLUE),
        (pilo.start, "a3 swap b1 c1 c3 b3 c2 b3xc3 a2 c1xb1 a1 a3xa2 b2 pass pass", Seat.FIRST, ORANGE),
    ],
    ids=["petrify", "pilo"],
)
def test_after_a_swap_the_higher_total_wins_for_the_seat_that_now_plays_the_colour(
    start: Callable[[int], Position], moves: str, winner: Seat, colour: Colour
) -> None:
    p = play_all(start(3), moves)
    assert p.outcome is not None
    assert p.outcome.by_colour == {colour: 6, colour.other: 0}
    assert p.outcome.by_seat == {winner: 6, winner.other: 0}
    assert p.outcome.winner is winner
