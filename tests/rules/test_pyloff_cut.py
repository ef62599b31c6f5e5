"""Pyloff's over/under rule, sentence by sentence: a connection passing over an enemy connection cuts it."""

from __future__ import annotations

import pytest

from purlieu import Colour
from purlieu.rules import pyloff

from .asking import board, picture

BLACK, WHITE = Colour.BLACK, Colour.WHITE


def test_the_rulebooks_overpass_cuts_the_two_marbles_below_it() -> None:
    """2b1 and 2b2 rest on both b2 and c2. Cut off, a2 and b2 are without freedom, and a2 carries nothing."""
    p = pyloff.draw(
        """
        . . . .
        w w w .
        b b b b
        w w w .
        """,
        """
        . . .
        . . .
        . w .
        """,
        to_move=WHITE,
    )
    assert board(p.play("2b2")) == picture(
        """
        . . . .
        w w w .
        . b b b
        w w w .
        """,
        """
        . . .
        . w .
        . w .
        """,
    )


def test_an_overpass_cuts_two_marbles_of_a_column_too() -> None:
    """The same board, turned: 2a2 and 2b2 rest on both b2 and b3."""
    p = pyloff.draw(
        """
        . b . .
        w b w .
        w b w .
        w b w .
        """,
        """
        . . .
        . w .
        . . .
        """,
        to_move=WHITE,
    )
    assert board(p.play("2a2")) == picture(
        """
        . b . .
        w b w .
        w b w .
        w . w .
        """,
        """
        . . .
        w w .
        . . .
        """,
    )


def test_one_enemy_marble_above_two_marbles_does_not_cut_them() -> None:
    """2b2 alone: 2b1 is still empty, and the whole row stays."""
    p = pyloff.draw(
        """
        . . . .
        w w w .
        b b b b
        w w w .
        """,
        to_move=WHITE,
    )
    assert (
        board(p.play("2b2"))[0]
        == picture("""
        . . . .
        w w w .
        b b b b
        w w w .
    """)[0]
    )


def test_a_pair_above_that_is_not_both_of_the_other_colour_does_not_cut() -> None:
    p = pyloff.draw(
        """
        . . . .
        w w w .
        b b b b
        w w w .
        """,
        """
        . . .
        . . .
        . b .
        """,
        to_move=WHITE,
    )
    assert (
        board(p.play("2b2"))[0]
        == picture("""
        . . . .
        w w w .
        b b b b
        w w w .
    """)[0]
    )


def test_a_pair_of_enemies_that_does_not_rest_on_both_marbles_does_not_cut_them() -> None:
    """2b2 and 2c2 rest on b2, c2 and d2 from above the row, but nothing rests on it from below."""
    p = pyloff.draw(
        """
        . . . .
        w w w w
        b b b b
        w w . .
        """,
        """
        . . .
        . w .
        . . .
        """,
        to_move=WHITE,
    )
    assert (
        board(p.play("2c2"))[0]
        == picture("""
        . . . .
        w w w w
        b b b b
        w w . .
    """)[0]
    )


@pytest.mark.parametrize(
    ("level_1", "move"),
    [
        (
            """
            . . . .
            . . . .
            w w w .
            b b b b
            """,
            "2b1",
        ),
        (
            """
            b . . .
            b w . .
            b w . .
            b w . .
            """,
            "2a2",
        ),
        (
            """
            b b b b
            w w w .
            . . . .
            . . . .
            """,
            "2b3",
        ),
        (
            """
            . . . b
            . . w b
            . . w b
            . . w b
            """,
            "2c2",
        ),
    ],
    ids=["bottom row", "left column", "top row", "right column"],
)
def test_adjacent_marbles_on_the_outermost_row_or_column_cannot_be_cut(level_1: str, move: str) -> None:
    """Only one point of the next level rests on both; White holds it, and still the far end lives by the near one."""
    p = pyloff.draw(level_1, to_move=WHITE)
    assert board(p.play(move))[0] == picture(level_1)[0]


def test_adjacent_marbles_on_the_outermost_row_of_a_higher_level_cannot_be_cut_either() -> None:
    """3b1 rests on 2b1 and 2c1, and 2a1, which carries nothing, still lives by the freedom at 2d1."""
    p = pyloff.draw(
        """
        . . . . .
        . . . . .
        w w w w w
        w w w w w
        w w w w w
        """,
        """
        . . . .
        . . . .
        w w w .
        b b b .
        """,
        to_move=WHITE,
    )
    assert (
        board(p.play("3b1"))[1]
        == picture("""
        . . . .
        . . . .
        w w w .
        b b b .
    """)[0]
    )


def test_an_overpass_cuts_on_a_higher_level_too() -> None:
    """3b1 and 3b2 cut 2b2 from 2c2. White captures 2a2 and 2b2, and 2a2 carries nothing."""
    p = pyloff.draw(
        """
        . . . . .
        w w w w .
        w w w w w
        w w w w w
        w w w w w
        """,
        """
        . . . .
        w w w .
        b b b .
        w w w .
        """,
        """
        . . .
        . . .
        . w .
        """,
        to_move=WHITE,
    )
    assert (
        board(p.play("3b2"))[1]
        == picture("""
        . . . .
        w w w .
        . b b .
        w w w .
    """)[0]
    )
