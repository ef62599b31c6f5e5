"""Pyloff's connections, burials and freedoms, sentence by sentence, seen through what is captured."""

from __future__ import annotations

from random import Random

import pytest

from purlieu import Colour, Rule
from purlieu.rules import pyloff
from purlieu.rules.pyramid import Pyramid

from .asking import board, buried, is_legal, names, picture, refused

BLACK, WHITE = Colour.BLACK, Colour.WHITE


# -- connected ----------------------------------------------------------------------------------


def test_two_marbles_of_one_colour_squarely_adjacent_on_one_level_are_connected() -> None:
    """b1 is surrounded, but its group has freedom at d1."""
    p = pyloff.draw(
        """
        . . . .
        . . . .
        w w . .
        . b b .
        """,
        to_move=WHITE,
    )
    assert board(p.play("a1")) == picture("""
        . . . .
        . . . .
        w w . .
        w b b .
    """)


def test_diagonally_adjacent_marbles_of_a_level_are_not_connected() -> None:
    p = pyloff.draw(
        """
        . . . .
        . . . .
        w b . .
        b . . .
        """,
        to_move=WHITE,
    )
    assert board(p.play("b1")) == picture("""
        . . . .
        . . . .
        w b . .
        . w . .
    """)


def test_a_marble_is_connected_to_a_marble_of_its_colour_that_it_rests_on() -> None:
    """a1 has no freedom of its own; through 2a1 it has that of b2, which touches it by a corner only."""
    p = pyloff.draw(
        """
        . . . .
        . . . .
        w b . .
        b w . .
        """,
        """
        . . .
        . . .
        b . .
        """,
        to_move=WHITE,
    )
    assert board(p.play("c1")) == picture(
        """
        . . . .
        . . . .
        w b . .
        b w w .
        """,
        """
        . . .
        . . .
        b . .
        """,
    )


def test_marbles_of_two_colours_are_never_connected() -> None:
    p = pyloff.draw(
        """
        . . .
        . . .
        b w .
        """,
        to_move=WHITE,
    )
    assert board(p.play("a2")) == picture("""
        . . .
        w . .
        . w .
    """)


THREE_LEVELS = (
    """
    . . b .
    b b w .
    b b b .
    w b b .
    """,
    """
    . . .
    b w .
    w b .
    """,
    """
    . .
    w .
    """,
)
"""White's one group: a1, 2a1 on it, 3a1 on that, 2b2 below it and c3 below that, which is free at d3."""


def test_a_group_may_visit_several_levels() -> None:
    after = pyloff.draw(*THREE_LEVELS).play("a4")
    assert board(after) == picture(THREE_LEVELS[0].replace(". . b .", "b . b ."), *THREE_LEVELS[1:])


def test_a_group_over_several_levels_goes_as_one() -> None:
    assert board(pyloff.draw(*THREE_LEVELS).play("d3")) == picture(
        """
        . . b .
        b b . b
        b b b .
        . b b .
        """,
        """
        . . .
        b . .
        . b .
        """,
    )


def test_ruling_a_lone_marble_on_four_others_has_its_groups_freedom() -> None:
    """2a1 has no neighbour point on its level that is valid; what counts is the group, here b2 with c2 and b3."""
    p = pyloff.draw("""
        . . . .
        . . . .
        w b . .
        w w . .
    """)
    assert is_legal(p, "2a1")


def test_a_lone_marble_on_four_enemies_is_suicide() -> None:
    p = pyloff.draw("""
        . . . .
        . . . .
        w w . .
        w w . .
    """)
    refusal = refused(p, "2a1")
    assert refusal.rule is Rule.SUICIDE
    assert names(refusal) == ["2a1"]


# -- buried -------------------------------------------------------------------------------------

CHAIN_THROUGH_C3 = (
    """
    w w w w
    b b b b
    b w w b
    w . . .
    """,
    """
    w b w
    . w b
    . . .
    """,
)
"""Black's row 3 lives by d1. It is connected left to right at c3 only: 2b3 rests on b3 and c3, 2c2 on c3 and d3."""


def test_a_buried_marble_takes_part_in_no_connection() -> None:
    """White's 3b2 buries c3, so a2, a3, b3 and 2b3 are without freedom. Of these only a2 carries nothing."""
    p = pyloff.draw(*CHAIN_THROUGH_C3, to_move=WHITE).play("3b2")
    assert buried(p) == ["c3"]
    assert board(p) == picture(
        """
        w w w w
        b b b b
        . w w b
        w . . .
        """,
        """
        w b w
        . w b
        . . .
        """,
        """
        . w
        . .
        """,
    )


def test_as_long_as_it_is_not_buried_the_same_marble_connects() -> None:
    p = pyloff.draw(*CHAIN_THROUGH_C3, to_move=WHITE).play("c1")
    assert (
        board(p)[0]
        == picture("""
        w w w w
        b b b b
        b w w b
        w . w .
    """)[0]
    )


def test_a_buried_marble_belongs_to_no_group_and_is_never_captured() -> None:
    """b2 has no freedom and no friend, and Black plays; but it lies under 3a1."""
    p = pyloff.draw(
        """
        . . . .
        b b b .
        b w b .
        b b b .
        """,
        """
        . . .
        b b .
        b b .
        """,
        """
        . .
        b .
        """,
    )
    assert buried(p) == ["b2"]
    assert (
        board(p.play("d4"))[0]
        == picture("""
        . . . b
        b b b .
        b w b .
        b b b .
    """)[0]
    )


def test_a_buried_marble_stays_though_all_that_lies_on_it_is_captured_and_goes_when_it_is_judged_again() -> None:
    """Black's 2c1 captures White's five upper marbles. b2 was buried and stays; then it is bare, and goes next time."""
    p = pyloff.draw(
        """
        . . . .
        b b b .
        b w b b
        b b b b
        """,
        """
        . . .
        w w .
        w w .
        """,
        """
        . .
        w .
        """,
    )
    p = p.play("2c1")
    assert board(p) == picture(
        """
        . . . .
        b b b .
        b w b b
        b b b b
        """,
        """
        . . .
        . . .
        . . b
        """,
    )
    assert (
        board(p.play("d4").play("a4"))[0]
        == picture("""
        b . . w
        b b b .
        b . b b
        b b b b
    """)[0]
    )


# -- freedom ------------------------------------------------------------------------------------


def test_a_marble_has_freedom_if_a_squarely_adjacent_point_of_its_level_is_a_valid_empty_point() -> None:
    """The rulebook's play at b: the O group still has freedoms after it."""
    p = pyloff.draw("""
        . . . .
        . b . .
        b w b .
        . . . .
    """)
    assert (
        board(p.play("a1"))[0]
        == picture("""
        . . . .
        . b . .
        b w b .
        b . . .
    """)[0]
    )
    assert (
        board(p.play("b1"))[0]
        == picture("""
        . . . .
        . b . .
        b . b .
        . b . .
    """)[0]
    )


def test_a_diagonally_adjacent_empty_point_is_no_freedom() -> None:
    p = pyloff.draw("""
        . . .
        b . .
        w . .
    """)
    assert board(p.play("b1")) == picture("""
        . . .
        b . .
        . b .
    """)


def test_a_valid_point_on_the_next_level_is_no_freedom() -> None:
    """2a1 rests on a1 and is valid, but only points of its own level free a marble."""
    p = pyloff.draw("""
        . . .
        b b .
        w . .
    """)
    assert board(p.play("b1")) == picture("""
        . . .
        b b .
        . b .
    """)


def test_an_empty_point_that_is_not_valid_is_no_freedom() -> None:
    """2b1 is empty, but c2 below it too; so 2a1 has no freedom once 2a2 is taken."""
    p = pyloff.draw(
        """
        . . . .
        b b . .
        b b . .
        b b b .
        """,
        """
        . . .
        . . .
        w . .
        """,
    )
    assert board(p.play("2a2")) == picture(
        """
        . . . .
        b b . .
        b b . .
        b b b .
        """,
        """
        . . .
        b . .
        . . .
        """,
    )


def test_a_valid_empty_point_beside_it_frees_a_marble_of_level_2() -> None:
    """The same with c2 occupied: 2b1 is valid, and 2a1 stays."""
    p = pyloff.draw(
        """
        . . . .
        b b . .
        b b b .
        b b b .
        """,
        """
        . . .
        . . .
        w . .
        """,
    )
    assert (
        board(p.play("2a2"))[1]
        == picture("""
        . . .
        b . .
        w . .
    """)[0]
    )


def test_a_group_has_freedom_if_a_member_has_it() -> None:
    """Four white marbles in a bent line; only d2, at its far end, has a free point left."""
    p = pyloff.draw("""
        . . . .
        b b b .
        w w w w
        b b b .
    """)
    assert board(p.play("d3"))[0][2] == ["w", "w", "w", "w"]
    assert board(p.play("d3").play("a4").play("d1"))[0][2] == [".", ".", ".", "."]


def test_looking_for_groups_without_freedom_asks_each_marble_once_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long games stay quick: the work of a turn grows with the marbles on the board, not with their square."""
    asked: list[int] = []
    has_freedom = pyloff.has_freedom

    def counted(shape: Pyramid, board: bytes, at: int) -> bool:
        asked.append(at)
        return has_freedom(shape, board, at)

    monkeypatch.setattr(pyloff, "has_freedom", counted)
    chance, p = Random(3), pyloff.start(9)
    for _ in range(260):
        if p.is_over:
            break
        p = p.play(chance.choice(p.legal_moves()))
        for colour in (pyloff.BLACK, pyloff.WHITE):
            asked.clear()
            pyloff.groups_without_freedom(p.pyramid, p.board, colour)
            assert len(asked) == len(set(asked)) <= p.board.count(colour)
