"""Pyloff's end, sentence by sentence: forced passes, two in a row, the count, and the apex that is never played."""

from __future__ import annotations

import pytest

from purlieu import Colour, Rule, Seat
from purlieu.rules import pyloff
from purlieu.rules.ledger import Marbles

from .asking import board, buried, legal, names, refused

BLACK, WHITE = Colour.BLACK, Colour.WHITE


def test_pass_while_plays_exist_is_illegal() -> None:
    refusal = refused(pyloff.start(3), "pass")
    assert refusal.rule is Rule.PASS
    assert refusal.message == "you may pass only when you have no legal play, and you can play a1"


STUCK = (
    """
    b b b
    w b b
    w w b
    """,
    """
    b .
    w b
    """,
)
"""2b2 is suicide for both. Black there lifts 2a1 and a1, which gives no black marble a neighbour point that is
valid. White there lifts 2a2, 2b1, a3 and c1, and with a3 and c1 the points 2a2 and 2b1 are no longer valid."""


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_no_legal_play_means_pass(colour: Colour) -> None:
    p = pyloff.draw(*STUCK, to_move=colour)
    assert refused(p, "2b2").rule is Rule.SUICIDE
    assert legal(p) == ["pass"]
    after = p.play("pass")
    assert board(after) == board(p)
    assert after.colour_to_move is colour.other


def test_two_passes_in_a_row_end_the_game_and_more_marbles_on_the_board_win() -> None:
    p = pyloff.draw(*STUCK).play("pass")
    assert not p.is_over
    assert p.outcome is None
    p = p.play("pass")
    assert p.is_over
    assert legal(p) == []
    assert p.outcome is not None
    assert p.outcome.winner is Seat.FIRST
    assert p.outcome.by_colour == {BLACK: 8, WHITE: 4}
    assert p.outcome.reason == "Black has more marbles on the board"


def test_more_marbles_win_for_white_too() -> None:
    swapped = [level.translate(str.maketrans("bw", "wb")) for level in STUCK]
    p = pyloff.draw(*swapped).play("pass").play("pass")
    assert p.outcome is not None
    assert p.outcome.winner is Seat.SECOND
    assert p.outcome.by_seat == {Seat.FIRST: 4, Seat.SECOND: 8}
    assert p.outcome.reason == "White has more marbles on the board"


@pytest.mark.parametrize("move", ["a1", "2b2", "pass", "swap"])
def test_once_the_game_is_over_nothing_is_legal(move: str) -> None:
    refusal = refused(pyloff.draw(*STUCK).play("pass").play("pass"), move)
    assert refusal.rule is Rule.GAME_OVER
    assert refusal.message == "the game is over: both sides have passed"


def test_a_play_between_two_passes_keeps_the_game_going() -> None:
    """Black has to pass, White takes the ko, Black has to pass again, and White plays on."""
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
    assert legal(p) == ["pass"]
    p = p.play("pass")
    assert not p.is_over
    assert legal(p) == ["a1", "2a2", "3b1"]


def test_ruling_equal_counts_are_a_draw() -> None:
    """Nobody can play on this board, two marbles are buried, and each side has twelve."""
    p = pyloff.draw(
        """
        . w w w
        w w w b
        w b b b
        w w b b
        """,
        """
        . b b
        b w b
        b b .
        """,
        """
        . w
        w .
        """,
    )
    p = p.play("pass").play("pass")
    assert p.outcome is not None
    assert p.outcome.winner is None
    assert p.outcome.by_colour == {BLACK: 12, WHITE: 12}
    assert p.outcome.reason == "both have the same number of marbles on the board"


def test_buried_marbles_count_like_the_others() -> None:
    p = pyloff.draw(
        """
        . . . .
        w w w .
        w b w .
        w w w .
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
    assert buried(p) == ["b2"]
    assert p.score() == {BLACK: 1, WHITE: 13}
    entries = [entry for entry in p.ledger().entries if isinstance(entry, Marbles)]
    assert [(entry.level, entry.owner, entry.points, [*map(str, entry.buried)]) for entry in entries] == [
        (1, BLACK, 1, ["b2"]),
        (1, WHITE, 8, []),
        (2, WHITE, 4, []),
        (3, WHITE, 1, []),
    ]
    assert p.ledger().totals == p.score()


@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize(
    "levels",
    [
        ("b b b \n b b b \n b b b", "b b \n b b"),
        ("w w w \n w w w \n w w w", "w w \n w w"),
        ("b w b \n w b w \n b w b", "b w \n w b"),
        ("w w w \n b b b \n w w w", "w b \n w b"),
    ],
)
def test_the_most_marbles_are_never_reached_for_the_apex_is_always_suicide(
    levels: tuple[str, str], colour: Colour
) -> None:
    """Everything below carries something, so nothing is lifted, and no point is left to be free at."""
    p = pyloff.draw(*levels, to_move=colour)
    refusal = refused(p, "3a1")
    assert refusal.rule is Rule.SUICIDE
    assert "3a1" in names(refusal)
    assert legal(p) == ["pass"]
