"""Pyloff's captures, sentence by sentence: who is captured, what is lifted, and what is suicide."""

from __future__ import annotations

from purlieu import Colour
from purlieu.rules import pyloff

from .asking import board, buried, is_legal, picture

BLACK, WHITE = Colour.BLACK, Colour.WHITE


# -- who is captured ----------------------------------------------------------------------------


def test_the_rulebooks_play_at_a_captures_the_group_that_has_no_freedom_left() -> None:
    p = pyloff.draw("""
        . b b .
        b w w b
        . b w .
        . . b .
    """)
    assert board(p.play("d2")) == picture("""
        . b b .
        b . . b
        . b . b
        . . b .
    """)


def test_all_enemy_groups_without_freedom_are_captured() -> None:
    """c3 takes the last freedom of two groups at once."""
    p = pyloff.draw("""
        . . b . .
        . b w b .
        . b . b .
        . b w b .
        . . b . .
    """)
    assert board(p.play("c3")) == picture("""
        . . b . .
        . b . b .
        . b b b .
        . b . b .
        . . b . .
    """)


def test_enemy_groups_without_freedom_are_captured_wherever_they_are() -> None:
    """a1 has been without freedom since an earlier play; it goes though Black plays at the far corner."""
    p = pyloff.draw("""
        . . . .
        . . . .
        b . . .
        w b . .
    """)
    assert board(p.play("d4")) == picture("""
        . . . b
        . . . .
        b . . .
        . b . .
    """)


def test_only_enemy_groups_are_captured() -> None:
    """Black's own a1 is without freedom too, and stays."""
    p = pyloff.draw("""
        . . . .
        . . . .
        w . . .
        b w . .
    """)
    assert board(p.play("d4")) == picture("""
        . . . b
        . . . .
        w . . .
        b w . .
    """)


def test_groups_are_judged_just_after_the_placement() -> None:
    """2a1 is free at 2b1 only since Black's own marble on c2 made that point valid."""
    p = pyloff.draw(
        """
        . . . .
        b b . .
        b b . .
        b b b .
        """,
        """
        . . .
        b . .
        w . .
        """,
    )
    assert (
        board(p.play("c2"))[1]
        == picture("""
        . . .
        b . .
        w . .
    """)[0]
    )
    assert board(p.play("d4"))[1:] == picture("""
        . . .
        b . .
        . . .
    """)


# -- what is lifted -----------------------------------------------------------------------------


def test_the_rulebooks_play_at_c_lifts_all_but_the_marbles_that_support_higher_enemy_marbles() -> None:
    p = pyloff.draw(
        """
        w w .
        w w w
        w w w
        """,
        """
        b .
        b .
        """,
    )
    assert board(p.play("c3")) == picture(
        """
        w w b
        w w .
        w w .
        """,
        """
        b .
        b .
        """,
    )


def test_a_captured_marble_that_still_carries_one_stays_and_stays_alive() -> None:
    """The six white marbles that stayed have freedom again, and White's c2, joining them, takes c3."""
    p = pyloff.draw(
        """
        w w b
        w w .
        w w .
        """,
        """
        b .
        b .
        """,
        to_move=WHITE,
    )
    assert is_legal(p, "c2")
    assert board(p.play("c2")) == picture(
        """
        w w .
        w w w
        w w .
        """,
        """
        b .
        b .
        """,
    )


def test_a_group_that_all_carries_something_stays_whole() -> None:
    """Black's c1 leaves White's four without freedom, but 2a1 rests on all of them."""
    p = pyloff.draw(
        """
        . . . .
        b b . .
        w w b .
        w w . .
        """,
        """
        . . .
        . . .
        b . .
        """,
    )
    assert board(p.play("c1")) == picture(
        """
        . . . .
        b b . .
        w w b .
        w w b .
        """,
        """
        . . .
        . . .
        b . .
        """,
    )


def test_ruling_what_supports_is_judged_while_lifting_from_the_top_down() -> None:
    """2a1 goes first; then a1 carries nothing and goes too. b1, a2 and b2 still carry Black's marbles."""
    p = pyloff.draw(
        """
        b b b
        w w b
        w w b
        """,
        """
        . .
        w b
        """,
    )
    assert board(p.play("2a2")) == picture(
        """
        b b b
        w w b
        . w b
        """,
        """
        b .
        . b
        """,
    )


def test_captured_marbles_are_lifted_over_three_levels_from_the_highest_down() -> None:
    """3a1, 2b1 and 2c1 go, then c1, d1 and a4; a1, b1, a2, a3 and b3 carry Black's level 2 and stay."""
    p = pyloff.draw(
        """
        w . b b
        w w b .
        w w b b
        w w w w
        """,
        """
        . . .
        b b .
        b w w
        """,
        """
        . .
        w .
        """,
    )
    assert buried(p) == ["b2"]
    after = p.play("b4")
    assert board(after) == picture(
        """
        . b b b
        w w b .
        w w b b
        w w . .
        """,
        """
        . . .
        b b .
        b . .
        """,
    )
    assert buried(after) == []


# -- what stays for now -------------------------------------------------------------------------


def test_an_own_group_that_lost_its_last_freedom_is_legal_and_goes_when_the_enemy_next_plays() -> None:
    """Black's c3 lifts c1 and c2, so 2b1 is valid no more, and 2a1 and 2a2 have lost their freedom."""
    p = pyloff.draw(
        """
        w w .
        w w w
        w w w
        """,
        """
        b .
        b .
        """,
    )
    assert is_legal(p, "c3")
    p = p.play("c3")
    assert board(p)[1] == [["b", "."], ["b", "."]]
    assert board(p.play("c1")) == picture("""
        w w b
        w w .
        w w w
    """)


def test_an_enemy_group_that_lost_its_freedom_through_the_lifting_goes_at_the_movers_next_play() -> None:
    """Black's c3 lifts c1 and c2, and 2b1 is valid no more. 2a1 and 2a2 stay until Black plays again."""
    p = pyloff.draw(
        """
        . . . .
        b b . .
        b b w b
        b b w b
        """,
        """
        . . .
        w . .
        w . .
        """,
    )
    stays = picture("""
        . . .
        w . .
        w . .
    """)[0]
    p = p.play("c3")
    assert board(p)[1] == stays
    p = p.play("d4")
    assert board(p)[1] == stays
    assert board(p.play("a4")) == picture("""
        b . . w
        b b b .
        b b . b
        b b . b
    """)


def test_ruling_captures_do_not_cascade() -> None:
    """One step: what the lifting leaves without freedom is not captured by the same play."""
    p = pyloff.draw(
        """
        . . . .
        . . b b
        b w b b
        b w b b
        """,
        """
        . . .
        . . w
        . . w
        """,
    )
    assert board(p.play("b3")) == picture(
        """
        . . . .
        . b b b
        b . b b
        b . b b
        """,
        """
        . . .
        . . w
        . . w
        """,
    )


def test_a_carrying_marble_is_fixed_until_what_it_carries_is_itself_captured_and_removed() -> None:
    """At Black's c3 White's a and b columns stay; White's c1 takes 2a1 and 2a2 off them; Black's c2 takes them all."""
    p = pyloff.draw(
        """
        w w .
        w w w
        w w w
        """,
        """
        b .
        b .
        """,
    )
    assert board(p.play("c3").play("c1").play("c2")) == picture("""
        . . b
        . . b
        . . .
    """)
