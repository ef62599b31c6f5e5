"""Pyloff, sentence by sentence: the pyramid, valid and buried points. What follows has files of its own."""

from __future__ import annotations

import pytest

import purlieu
from purlieu import BadNotation, Colour, Rule, Seat
from purlieu.rules import pyloff
from purlieu.rules.pyramid import pyramid

from .asking import board, buried, is_legal, legal, names, picture, refused

BLACK, WHITE = Colour.BLACK, Colour.WHITE


@pytest.mark.parametrize("size", range(3, 20))
def test_pyloff_is_played_on_sizes_3_to_19(size: int) -> None:
    p = purlieu.start("pyloff", size)
    assert p.size == size
    assert p.pieces() == ()
    assert len(legal(p)) == size * size


@pytest.mark.parametrize("size", [0, 2, 20])
def test_pyloff_is_played_on_no_other_size(size: int) -> None:
    with pytest.raises(purlieu.BadSize, match="Pyloff is played on 3×3 to 19×19"):
        purlieu.start("pyloff", size)


def test_the_default_size_is_6() -> None:
    assert purlieu.start("pyloff").size == 6


def test_ruling_black_starts() -> None:
    """Black, the rulebook's X, is the first seat; turns alternate."""
    p = pyloff.start(3)
    assert (p.to_move, p.colour_to_move) == (Seat.FIRST, BLACK)
    p = p.play("b2")
    assert (p.to_move, p.colour_to_move) == (Seat.SECOND, WHITE)
    assert board(p.play("a1")) == picture("""
        . . .
        . b .
        w . .
    """)


@pytest.mark.parametrize("moves", [[], ["b2"], ["b2", "a1"]])
def test_no_pie_rule(moves: list[str]) -> None:
    p = pyloff.start(3)
    for move in moves:
        p = p.play(move)
    refusal = refused(p, "swap")
    assert refusal.rule is Rule.SWAP
    assert refusal.message == "Pyloff has no pie rule, so nobody swaps"


# -- the pyramid --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "most"),
    [
        (3, 14),
        (4, 30),
        (5, 55),
        (6, 91),
        (7, 140),
        (8, 204),
        (9, 285),
        (10, 385),
        (11, 506),
        (12, 650),
        (13, 819),
        (19, 2470),
    ],
)
def test_the_rulebooks_table_of_most_marbles(size: int, most: int) -> None:
    points = pyramid(size).points
    assert len(points) == len(set(points)) == most == size * (size + 1) * (2 * size + 1) // 6


def test_level_1_is_the_board_and_level_k_has_side_n_minus_k_plus_1() -> None:
    levels = [point.level for point in pyramid(5).points]
    assert [levels.count(level) for level in range(1, 7)] == [25, 16, 9, 4, 1, 0]


@pytest.mark.parametrize(
    ("move", "where"),
    [
        ("e1", "level 1 has 4×4 points"),
        ("a5", "level 1 has 4×4 points"),
        ("2d1", "level 2 has 3×3 points"),
        ("2a4", "level 2 has 3×3 points"),
        ("4b1", "level 4 has 1×1 points"),
        ("5a1", "there are 4 levels"),
        ("19s19", "there are 4 levels"),
    ],
)
def test_a_point_off_its_level_is_off_the_board(move: str, where: str) -> None:
    refusal = refused(pyloff.start(4), move)
    assert refusal.rule is Rule.OFF_BOARD
    assert refusal.message == f"{move} is off the board: {where}"
    assert names(refusal) == [move]


# -- valid points -------------------------------------------------------------------------------


def test_a_point_with_all_four_supports_occupied_by_any_colours_is_valid() -> None:
    """c3 of level 2 rests on c3, d3, c4 and d4 of level 1."""
    p = pyloff.draw("""
        . . b w
        . . w b
        . . . .
        . . . .
    """)
    assert [move for move in legal(p) if move[0].isdigit()] == ["2c3"]
    assert board(p.play("2c3")) == picture(
        """
        . . b w
        . . w b
        . . . .
        . . . .
        """,
        """
        . . b
        . . .
        . . .
        """,
    )


@pytest.mark.parametrize("missing", ["c3", "d3", "c4", "d4"])
def test_a_point_above_level_1_with_a_support_missing_is_not_valid(missing: str) -> None:
    rows = [
        " ".join("." if f"{column}{row}" == missing or column < "c" else "b" for column in "abcd") for row in (4, 3)
    ]
    p = pyloff.draw("\n".join([*rows, ". . . .", ". . . ."]))
    refusal = refused(p, "2c3")
    assert refusal.rule is Rule.UNSUPPORTED
    assert refusal.message == f"2c3 is unsupported: no marble on {missing}"
    assert names(refusal) == [missing]


def test_an_unsupported_point_names_every_missing_support() -> None:
    p = pyloff.draw(
        """
        b b b .
        b b b .
        b b . .
        . . . .
        """,
        """
        b . .
        . . .
        . . .
        """,
    )
    refusal = refused(p, "3a2")
    assert refusal.rule is Rule.UNSUPPORTED
    assert refusal.message == "3a2 is unsupported: no marble on 2a2, 2b2 and 2b3"
    assert names(refusal) == ["2a2", "2b2", "2b3"]


def test_a_level_3_point_rests_on_four_marbles_of_level_2() -> None:
    p = pyloff.draw(
        """
        w b w .
        b w b .
        w b w .
        . . . .
        """,
        """
        b w .
        w b .
        . . .
        """,
    )
    assert is_legal(p, "3a2")


@pytest.mark.parametrize(("point", "colour"), [("a4", "white"), ("b4", "black"), ("2a3", "black")])
def test_a_marble_goes_on_an_empty_point(point: str, colour: str) -> None:
    p = pyloff.draw(
        """
        w b . .
        b w . .
        . . . .
        . . . .
        """,
        """
        b . .
        . . .
        . . .
        """,
    )
    refusal = refused(p, point)
    assert refusal.rule is Rule.OCCUPIED
    assert refusal.message == f"{point} holds a {colour} marble; a marble goes on an empty point"
    assert names(refusal) == [point]


def test_legal_moves_go_level_by_level_from_the_lowest_each_from_its_a1_row_by_row() -> None:
    p = pyloff.draw(
        """
        . . . .
        b b b .
        b b b .
        b b b .
        """,
        """
        . . .
        b b .
        b . .
        """,
    )
    assert " ".join(legal(p)) == "d1 d2 d3 a4 b4 c4 d4 2b1"


def test_no_drawn_marble_hangs_in_the_air() -> None:
    with pytest.raises(BadNotation, match="the marble on 2a1 rests on nothing: it needs four marbles below it"):
        pyloff.draw("b b . \n b . . \n . . .", ". . \n b .")


# -- buried marbles -----------------------------------------------------------------------------


def test_ruling_directly_above_is_two_levels_up_on_the_same_vertical_line() -> None:
    """c3 of level 1 lies under b2 of level 3; the four marbles between them do not bury it."""
    without = """
        w w w w
        w w b w
        w w w w
        . . . .
    """
    level_2 = """
        . w w
        . w w
        . . .
    """
    assert buried(pyloff.draw(without, level_2)) == []
    assert buried(pyloff.draw(without, level_2, ". w \n . .")) == ["c3"]


def test_a_marble_three_levels_up_or_diagonally_above_buries_nothing() -> None:
    """A full pyramid of side 4: level 3 buries the inner four of level 1, the apex the middle of level 2."""
    p = pyloff.draw("b b b b \n" * 4, "w w w \n" * 3, "b b \n" * 2, "w")
    assert buried(p) == ["b2", "c2", "b3", "c3", "2b2"]


def test_marbles_on_the_outermost_row_or_column_of_any_level_cannot_be_buried() -> None:
    levels = ["b " * side + "\n" for side in range(5, 0, -1)]
    p = pyloff.draw(*(level * side for level, side in zip(levels, range(5, 0, -1), strict=True)))
    assert len(buried(p)) == 9 + 4 + 1
    edge = {str(point) for point in pyramid(5).points if {point.column, point.row} & {1, 6 - point.level}}
    assert len(edge) == 55 - 14
    assert edge.isdisjoint(buried(p))
