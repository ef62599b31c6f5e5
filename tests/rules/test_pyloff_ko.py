"""Pyloff's ko, sentence by sentence: no play brings back an earlier board."""

from __future__ import annotations

from purlieu import Colour, Rule
from purlieu.rules import pyloff

from .asking import board, is_legal, legal, names, picture, play_all, refused

BLACK, WHITE = Colour.BLACK, Colour.WHITE


def test_a_play_that_brings_back_the_board_before_the_last_play_is_illegal() -> None:
    """Black takes the ko at c2; White may not take it back at once, but may after a play elsewhere."""
    p = pyloff.draw("""
        . . . .
        . b w .
        b w . w
        . b w .
    """)
    p = p.play("c2")
    assert board(p) == picture("""
        . . . .
        . b w .
        b . b w
        . b w .
    """)
    refusal = refused(p, "b2")
    assert refusal.rule is Rule.SUPERKO
    assert refusal.ply == 0
    assert refusal.message == "superko: changing b2 and c2 would bring back the board as it was after ply 0"
    assert names(refusal) == ["b2", "c2"]
    assert is_legal(p.play("a4").play("d4"), "b2")


def test_the_ply_of_a_superko_is_that_of_the_game() -> None:
    """The same ko out of a whole game: the board after ply 8 would return."""
    p = play_all(pyloff.start(4), "b3 c3 a2 b2 b1 d2 d4 c1 c2")
    refusal = refused(p, "b2")
    assert refusal.rule is Rule.SUPERKO
    assert refusal.ply == 8


def test_ruling_positional_superko_over_the_whole_game() -> None:
    """Eight plays round a board of 3, each taking one marble; the last would bring back the board of ply 1."""
    p = pyloff.draw(
        """
        w . w
        b w b
        . b .
        """,
        to_move=WHITE,
    )
    refusal = refused(play_all(p, "c1 b3 a1 c2 a3 b1 c3"), "a2")
    assert refusal.rule is Rule.SUPERKO
    assert refusal.ply == 1
    assert "after ply 1" in refusal.message


def test_an_earlier_board_may_not_return_whoever_was_to_move() -> None:
    """White sends two, Black takes two, White takes one: the board of ply 1 again, but with Black to move."""
    p = pyloff.draw(
        """
        . . . .
        . . . .
        b b w .
        . w . w
        """,
        to_move=WHITE,
    )
    p = p.play("a1").play("c1")
    assert board(p) == picture("""
        . . . .
        . . . .
        b b w .
        . . b w
    """)
    refusal = refused(p, "b1")
    assert refusal.rule is Rule.SUPERKO
    assert refusal.ply == 1


def test_superko_holds_across_a_forced_pass() -> None:
    """Black had to pass, White took the ko at a2, and Black may not take back: it would be the board of ply 0."""
    p = pyloff.draw(
        """
        b b b b
        b w w b
        . b b b
        b w w w
        """,
        """
        w w b
        . w w
        . w w
        """,
        """
        . w
        . .
        """,
    )
    assert legal(p) == ["pass"]
    p = p.play("pass").play("a2")
    refusal = refused(p, "a1")
    assert refusal.rule is Rule.SUPERKO
    assert refusal.ply == 0
    assert legal(p) == ["pass"]


def test_a_forced_pass_does_not_make_the_game_forget_the_boards_before_it() -> None:
    """Black took two at a3, White took one at b3, Black had to pass; c3 would bring back the board of ply 0."""
    p = pyloff.draw(
        """
        . w w
        w b b
        . w b
        """,
        """
        . .
        . w
        """,
    )
    p = p.play("a3").play("b3")
    assert legal(p) == ["pass"]
    p = p.play("pass")
    refusal = refused(p, "c3")
    assert refusal.rule is Rule.SUPERKO
    assert refusal.ply == 0


def test_a_pass_leaves_the_board_as_it_was_and_is_no_play_so_ko_does_not_forbid_it() -> None:
    p = pyloff.draw("b b b \n b b b \n b b b", "b b \n b .")
    assert legal(p) == ["pass"]
    assert board(p.play("pass")) == board(p)
    assert legal(p.play("pass")) == ["pass"]


def test_the_board_is_every_marble_buried_ones_too() -> None:
    """Two boards that differ in the colour of a buried marble are two boards."""
    level_1 = """
        . . . .
        w w w .
        w b w .
        w w w .
    """
    above = [". . . \n w w . \n w w .", ". . \n w ."]
    black, white = pyloff.draw(level_1, *above), pyloff.draw(level_1.replace("b", "w"), *above)
    assert black.board != white.board
    assert black.text() != white.text()


def test_the_empty_board_counts_among_the_earlier_boards() -> None:
    """No play can bring it back, for the marble just played always stays; but it is remembered."""
    p = pyloff.start(3).play("a1")
    assert p.boards == (bytes(14), bytes([1]) + bytes(13))


def test_a_play_that_is_suicide_is_refused_as_suicide_before_ko_is_asked() -> None:
    p = pyloff.draw("""
        . . .
        w . .
        . w .
    """)
    assert refused(p, "a1").rule is Rule.SUICIDE
