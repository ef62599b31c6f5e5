"""Petrify's two forbidden formations: mounds and barricades, on the board and with the ring round it."""

from __future__ import annotations

import pytest

from purlieu import BadNotation, Colour, IllegalMove, Rule
from purlieu.rules import petrify

from .asking import board, captures, is_legal, legal, names, picture, refused


def with_one_disk_among_blocks(drawn: str, disk: int) -> petrify.PetrifyPosition:
    """The drawn board with a blue disk on one of the squares marked ?, counted from the top, and blocks on the rest."""
    parts = drawn.split("?")
    marks = ["b" if at == disk else "#" for at in range(len(parts) - 1)]
    return petrify.draw("".join(part + mark for part, mark in zip(parts, [*marks, ""], strict=True)))


# -- mounds -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("disk", "move"), [*enumerate(["b4xa4", "c4xd4", "b3xa3", "c3xd3"])])
def test_a_mound_is_a_2_by_2_area_of_four_blocks(disk: int, move: str) -> None:
    p = with_one_disk_among_blocks(
        """
        . . . . . .
        . . . . . .
        o ? ? o . .
        o ? ? o . .
        . . . . . .
        . . . . . .
        """,
        disk,
    )
    refusal = refused(p, move)
    assert refusal.rule is Rule.MOUND
    assert names(refusal) == ["b3", "c3", "b4", "c4"]
    others = [square for square in names(refusal) if square != move[:2]]
    assert refusal.message == (
        f"the block left on {move[:2]} would complete a mound with {others[0]}, {others[1]} and {others[2]}"
    )


def test_three_blocks_of_a_2_by_2_area_are_no_mound() -> None:
    p = petrify.draw("""
        . . . . . .
        . . . . . .
        . # # . . .
        . b . o . .
        . . . . . .
        . . . . . .
    """)
    assert board(p.play("b3xd3")) == picture("""
        . . . . . .
        . . . . . .
        . # # . . .
        . # . b . .
        . . . . . .
        . . . . . .
    """)


def test_four_blocks_in_a_straight_line_are_no_mound() -> None:
    p = petrify.draw("""
        . . . . . .
        . . . . . .
        . . . . . .
        . # # # b o
        . . . . . .
        . . . . . .
    """)
    assert is_legal(p, "e3xf3")


@pytest.mark.parametrize(
    ("drawn", "move", "mound"),
    [
        ("b . o / . . . / . . .", "a3xc3", ["@3", "a3", "@4", "a4"]),
        ("o . b / . . . / . . .", "c3xa3", ["c3", "d3", "c4", "d4"]),
        ("o . . / . . . / b . .", "a1xa3", ["@0", "a0", "@1", "a1"]),
        ("o . . / . . . / . . b", "c1xa3", ["c0", "d0", "c1", "d1"]),
    ],
)
def test_no_block_ever_stands_in_a_corner(drawn: str, move: str, mound: list[str]) -> None:
    """The corner and three ring squares are a mound."""
    p = petrify.draw(drawn.replace("/", "\n"))
    refusal = refused(p, move)
    assert refusal.rule is Rule.MOUND
    assert names(refusal) == mound
    assert refusal.message == f"the block left on {move[:2]} would complete a mound with the edge"
    assert captures(p) == []


def test_two_blocks_never_stand_side_by_side_along_an_edge() -> None:
    p = petrify.draw(
        """
        . . o .
        . . . .
        . . . .
        . # b .
        """,
        to_move=Colour.BLUE,
    )
    with pytest.raises(IllegalMove, match="mound") as caught:
        p.play("c1xc4")
    assert str(caught.value) == "c1xc4: the block left on c1 would complete a mound with b1 and the edge"
    assert names(caught.value.refusal) == ["b0", "c0", "b1", "c1"]


@pytest.mark.parametrize(
    ("drawn", "move", "mound"),
    [
        ("""
         . . . . .
         . . . . .
         . . . . .
         . . . . .
         o b # . .
         """, "b1xa1", ["b0", "c0", "b1", "c1"]),
        ("""
         o b # . .
         . . . . .
         . . . . .
         . . . . .
         . . . . .
         """, "b5xa5", ["b5", "c5", "b6", "c6"]),
        ("""
         . . . . .
         . . . . .
         # . . . .
         b . . . .
         o . . . .
         """, "a2xa1", ["@2", "a2", "@3", "a3"]),
        ("""
         . . . . o
         . . . . b
         . . . . #
         . . . . .
         . . . . .
         """, "e4xe5", ["e3", "f3", "e4", "f4"]),
    ],
    ids=["bottom", "top", "left", "right"],
)  # fmt: skip
def test_two_blocks_never_stand_side_by_side_along_any_of_the_four_edges(
    drawn: str, move: str, mound: list[str]
) -> None:
    refusal = refused(petrify.draw(drawn), move)
    assert refusal.rule is Rule.MOUND
    assert names(refusal) == mound


def test_two_blocks_may_stand_side_by_side_one_row_in() -> None:
    p = petrify.draw("""
        . . . . .
        . . . . .
        . . . . .
        . # b o .
        . . . . .
    """)
    assert is_legal(p, "c2xd2")


def test_two_blocks_may_stand_on_an_edge_with_a_square_between_them() -> None:
    p = petrify.draw("""
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        . # . b o
    """)
    assert is_legal(p, "d1xe1")


def test_a_block_may_stand_behind_a_block_on_the_edge() -> None:
    p = petrify.draw("""
        . . . . .
        . . . . .
        . . # . .
        . . # . .
        o . b . .
    """)
    assert is_legal(p, "c1xa1")


# -- barricades ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("disk", "move"), [*enumerate(["e5xd5", "d4xc4", "c3xb3"])])
def test_a_barricade_is_three_blocks_in_a_row_along_a_diagonal(disk: int, move: str) -> None:
    p = with_one_disk_among_blocks(
        """
        . . . . . . .
        . . . . . . .
        . . . o ? . .
        . . o ? . . .
        . o ? . . . .
        . . . . . . .
        . . . . . . .
        """,
        disk,
    )
    refusal = refused(p, move)
    assert refusal.rule is Rule.BARRICADE
    assert names(refusal) == ["c3", "d4", "e5"]
    others = [square for square in names(refusal) if square != move[:2]]
    assert (
        refusal.message == f"the block left on {move[:2]} would complete a barricade with {others[0]} and {others[1]}"
    )


@pytest.mark.parametrize(("disk", "move"), [*enumerate(["c5xb5", "d4xc4", "e3xd3"])])
def test_a_barricade_runs_along_either_diagonal(disk: int, move: str) -> None:
    p = with_one_disk_among_blocks(
        """
        . . . . . . .
        . . . . . . .
        . o ? . . . .
        . . o ? . . .
        . . . o ? . .
        . . . . . . .
        . . . . . . .
        """,
        disk,
    )
    refusal = refused(p, move)
    assert refusal.rule is Rule.BARRICADE
    assert sorted(names(refusal)) == ["c5", "d4", "e3"]


@pytest.mark.parametrize(
    "drawn",
    [
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . # # b o . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        """
        . . . . . . .
        . . # . . . .
        . . # . . . .
        . . . b o . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        """
        . . . . . . .
        . # . . . . .
        . . . . . . .
        . . . b o . .
        . . . . # . .
        . . . . . . .
        . . . . . . .
        """,
        """
        . . . . . . .
        . . . . . . .
        . . # . . . .
        . # . b o . .
        . . # . . . .
        . . . . . . .
        . . . . . . .
        """,
    ],
    ids=["in a row", "a bent line", "with a gap", "round a corner"],
)
def test_three_blocks_not_in_a_row_along_a_diagonal_are_no_barricade(drawn: str) -> None:
    assert is_legal(petrify.draw(drawn), "d4xe4")


EDGE_BLOCK_INNER_BLOCK_AND_THE_RING_SQUARE_BEHIND = [
    ("c1", "d2", "b0"),
    ("c1", "b2", "d0"),
    ("d6", "e5", "c7"),
    ("d6", "c5", "e7"),
    ("a3", "b4", "@2"),
    ("a3", "b2", "@4"),
    ("f4", "e5", "g3"),
    ("f4", "e3", "g5"),
]


def with_two(disk: str, block: str) -> petrify.PetrifyPosition:
    """A board of 6 with a blue disk, a block, and an orange disk in every corner."""
    mark = {disk: "b", block: "#", "a1": "o", "f1": "o", "a6": "o", "f6": "o"}
    return petrify.draw("\n".join(" ".join(mark.get(f"{c}{row}", ".") for c in "abcdef") for row in range(6, 0, -1)))


@pytest.mark.parametrize(("edge", "inner", "ring"), EDGE_BLOCK_INNER_BLOCK_AND_THE_RING_SQUARE_BEHIND)
def test_an_edge_block_is_never_diagonal_to_a_block_one_row_in(edge: str, inner: str, ring: str) -> None:
    """The ring square behind it makes the third: here the block would be left on the edge."""
    corner = {"c1": "a1", "d6": "a6", "a3": "a1", "f4": "f1"}[edge]
    refusal = refused(with_two(disk=edge, block=inner), f"{edge}x{corner}")
    assert refusal.rule is Rule.BARRICADE
    assert sorted(names(refusal)) == sorted([edge, inner, ring])
    assert refusal.message == f"the block left on {edge} would complete a barricade with {inner} and the edge"


def test_a_block_one_row_in_is_never_diagonal_to_an_edge_block() -> None:
    """The same, with the block left one row in."""
    p = petrify.draw("""
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        . . . b . o
        . . # . . .
    """)
    refusal = refused(p, "d2xf2")
    assert refusal.rule is Rule.BARRICADE
    assert names(refusal) == ["b0", "c1", "d2"]
    assert refusal.message == "the block left on d2 would complete a barricade with c1 and the edge"


def test_the_block_of_another_disk_is_not_forbidden_by_the_same_formation() -> None:
    """Only the new block counts: c1 may not be left, but e4 may."""
    p = petrify.draw("""
        . . . . . .
        . . . . . .
        . . . . b o
        . . . . . .
        . . . . . .
        . # b o . .
    """)
    assert captures(p) == ["e4xf4"]


def test_a_forbidden_capture_leaves_the_other_plays_legal() -> None:
    p = petrify.draw("""
        b . o
        . # .
        o . b
    """)
    assert legal(p) == ["b1", "a2", "c2", "b3"]


def test_placing_a_disk_is_never_forbidden_by_a_mound_or_a_barricade() -> None:
    """They are formations of blocks, and a placed disk is none."""
    p = petrify.draw("""
        . . . .
        . # # .
        . # . .
        . . . .
    """)
    assert is_legal(p, "c2")
    assert is_legal(p, "a1")
    assert is_legal(p, "d4")


@pytest.mark.parametrize(
    ("drawn", "formation"),
    [
        ("# . . / . . . / . . .", "a mound, and there is one at a3"),
        (". # # . / . . . . / . . . . / . . . .", "a mound, and there is one at b4 and c4"),
        (". . . . / . # # . / . # # . / . . . .", "a mound, and there is one at b2, c2, b3 and c3"),
        (". . . . / . . . . / . . # . / . # . .", "a barricade, and there is one at b1 and c2"),
    ],
)
def test_no_drawn_board_holds_a_mound_or_a_barricade(drawn: str, formation: str) -> None:
    with pytest.raises(BadNotation, match=f"no Petrify board holds {formation}"):
        petrify.draw(drawn.replace("/", "\n"))
