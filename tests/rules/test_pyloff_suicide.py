"""Pyloff's suicide, sentence by sentence: judged after the captures and the lifting."""

from __future__ import annotations

from purlieu import Rule
from purlieu.rules import pyloff

from .asking import board, is_legal, legal, names, picture, refused


def test_no_suicide() -> None:
    p = pyloff.draw("""
        . . .
        w . .
        . w .
    """)
    refusal = refused(p, "a1")
    assert refusal.rule is Rule.SUICIDE
    assert refusal.message == "suicide: the marble on a1 would have no freedom"
    assert names(refusal) == ["a1"]
    assert legal(p) == ["c1", "b2", "c2", "a3", "b3", "c3"]


def test_the_whole_group_of_the_marble_just_played_must_have_freedom() -> None:
    p = pyloff.draw("""
        . . . .
        w . . .
        b w . .
        . w . .
    """)
    refusal = refused(p, "a1")
    assert refusal.rule is Rule.SUICIDE
    assert refusal.message == "suicide: its group on a1 and a2 would have no freedom"
    assert names(refusal) == ["a1", "a2"]


def test_a_play_may_take_its_own_freedom_from_the_group_it_joins() -> None:
    p = pyloff.draw("""
        . . . .
        . w . .
        b w . .
        . w . .
    """)
    assert is_legal(p, "a1")


def test_a_play_without_freedom_is_legal_if_its_capture_brings_freedom() -> None:
    """White's a1 and b1 are without freedom once Black plays c1, and Black's c1 is free where they stood."""
    p = pyloff.draw("""
        . . . .
        . . . .
        b b w .
        w w . w
    """)
    assert board(p.play("c1")) == picture("""
        . . . .
        . . . .
        b b w .
        . . b w
    """)


def test_ruling_any_capture_may_bring_freedom_adjacent_or_not() -> None:
    """a1 is surrounded; White's c3, at the far corner, is without freedom and goes, which frees b3."""
    p = pyloff.draw(
        """
        b b w
        b w b
        . w w
        """,
        """
        . .
        . w
        """,
    )
    assert board(p.play("a1")) == picture(
        """
        b b .
        b w b
        b w w
        """,
        """
        . .
        . w
        """,
    )


def test_the_same_play_is_suicide_where_nothing_is_captured() -> None:
    p = pyloff.draw(
        """
        b b b
        b w b
        . w w
        """,
        """
        . .
        . w
        """,
    )
    refusal = refused(p, "a1")
    assert refusal.rule is Rule.SUICIDE
    assert names(refusal) == ["a1", "a2", "c2", "a3", "b3", "c3"]


def test_ruling_a_play_whose_lifting_takes_its_last_freedom_is_suicide_and_the_refusal_says_so() -> None:
    """2a1 would be free at 2b1. But it captures 2a2, a3 and c1, and then neither 2b1 nor 2a2 is supported."""
    p = pyloff.draw(
        """
        w b b
        w w b
        w w w
        """,
        """
        w b
        . .
        """,
    )
    refusal = refused(p, "2a1")
    assert refusal.rule is Rule.SUICIDE
    assert refusal.message == "suicide: lifting what it captures would take the last freedom of the marble on 2a1"
    assert names(refusal) == ["2a1"]
    assert is_legal(p, "2b1")
