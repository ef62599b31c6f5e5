"""The texts of positions: one canonical line, which reads back; what is wrong with one is said, and where."""

from __future__ import annotations

import pytest

import purlieu
from purlieu import BadNotation, Colour, IllegalMove, PurlieuError, Seat
from purlieu.rules import pentwall, petrify, pilo, pyloff

from .asking import board, legal, picture, play_all, refused

# -- printing and reading -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size", "moves", "text"),
    [
        ("petrify", 3, "", "petrify 3/3/3 ply=0 blue=first passes=0 last=none"),
        ("petrify", 4, "b2", "petrify 4/4/1b2/4 ply=1 blue=first passes=0 last=first"),
        ("petrify", 4, "b2 swap", "petrify 4/4/1b2/4 ply=2 blue=second passes=0 last=first"),
        ("petrify", 4, "b2 d2 b2xd2", "petrify 4/4/1#1b/4 ply=3 blue=first passes=0 last=first"),
        ("petrify", 10, "a10", "petrify b9/10/10/10/10/10/10/10/10/10 ply=1 blue=first passes=0 last=first"),
        ("pilo", 3, "a2 c2 a2xc2", "pilo 3/#1b2/3 ply=3 blue=first passes=0 last=first"),
        ("pyloff", 3, "", "pyloff 3/3/3 ply=0 passes=0"),
        ("pyloff", 3, "a1 c3", "pyloff 2w/3/b2 ply=2 passes=0 moves=a1,c3"),
        (
            "pentwall",
            10,
            "Ia1b1c1d1e1 Xe3d4e4f4e5",
            "pentwall 10/10/10/10/10/4x5/3xxx4/4x5/10/IIIII5",
        ),
    ],
)
def test_a_position_has_one_text_which_reads_back(name: str, size: int, moves: str, text: str) -> None:
    p = play_all(purlieu.start(name, size), moves)
    assert p.text() == str(p) == text
    assert purlieu.parse(text) == p
    assert repr(p) == f"purlieu.parse({text!r})"


def test_the_text_of_a_drawn_pyloff_board_names_the_board_it_began_from() -> None:
    p = pyloff.draw("b b . \n b b . \n . . .", "w . \n . .", to_move=Colour.WHITE)
    assert p.text() == "pyloff bb1/bb1/3;w1/2 ply=1 passes=0"
    text = "pyloff bb1/bb1/2w;w1/2 ply=2 passes=0 from=bb1/bb1/3;w1/2 moves=c1"
    assert p.play("c1").text() == text
    assert purlieu.parse(text) == p.play("c1")


def test_the_text_of_a_pyloff_position_holds_what_ko_needs() -> None:
    p = play_all(purlieu.start("pyloff", 4), "b3 c3 a2 b2 b1 d2 d4 c1 c2")
    again = purlieu.parse(p.text())
    refusal = refused(again, "b2")
    assert refusal.ply == 8


def test_the_text_of_a_pyloff_position_keeps_its_passes() -> None:
    p = pyloff.draw("b b b \n w b b \n w w b", "b . \n w b").play("pass")
    assert p.text() == "pyloff bbb/wbb/wwb;b1/wb ply=1 passes=1 from=bbb/wbb/wwb;b1/wb moves=pass"
    assert purlieu.parse(p.text()) == p
    over = p.play("pass")
    assert purlieu.parse(over.text()) == over
    assert over.is_over


def test_a_pyloff_text_without_its_moves_knows_no_earlier_board() -> None:
    p = purlieu.parse("pyloff 1b1/3/3 ply=1 passes=0")
    assert (p.ply, p.to_move, p.text()) == (1, Seat.SECOND, "pyloff 1b1/3/3 ply=1 passes=0")


def test_the_game_s_name_is_read_in_any_case_and_spaces_may_be_many() -> None:
    assert purlieu.parse("  PETRIFY   b2/3/3   ply=1 ").text() == (
        "petrify b2/3/3 ply=1 blue=first passes=0 last=first"
    )


def test_what_a_text_leaves_out_is_as_if_the_seats_had_simply_played_in_turn() -> None:
    assert purlieu.parse("petrify b2/3/3").text() == "petrify b2/3/3 ply=0 blue=first passes=0 last=second"
    full = "petrify bbb/bbb/bbb"
    assert purlieu.parse(f"{full} ply=9 passes=1").text() == f"{full} ply=9 blue=first passes=1 last=second"
    assert purlieu.parse(f"{full} ply=9 passes=2").text() == f"{full} ply=9 blue=first passes=2 last=first"


def test_a_pass_is_no_board_play_so_the_text_names_who_played_before_it() -> None:
    p = petrify.draw("b b b \n b b b \n b b b", to_move=Colour.ORANGE)
    assert p.text() == "petrify bbb/bbb/bbb ply=3 blue=first passes=0 last=first"
    assert p.play("pass").text() == "petrify bbb/bbb/bbb ply=4 blue=first passes=1 last=first"


def test_a_text_sets_who_is_blue_and_who_loses_a_tie() -> None:
    """Both seats passed: 3 points each, the second seat is Blue and made the last board play, so the first wins."""
    p = purlieu.parse("petrify bbb/###/obo ply=16 blue=second passes=2 last=second")
    assert p.is_over
    assert p.colour_of(Seat.FIRST) is Colour.ORANGE
    assert p.outcome is not None
    assert p.outcome.winner is Seat.FIRST
    assert p.outcome.reason == "the totals are equal and Blue made the last board play"


def test_rows_are_read_from_the_top_and_numbers_are_empty_squares() -> None:
    assert board(purlieu.parse("petrify b2/2o/3")) == picture("""
        b . .
        . . o
        . . .
    """)


# -- drawing ------------------------------------------------------------------------------------


def test_a_drawn_board_is_in_mid_game_with_the_named_colour_to_move() -> None:
    for draw in (petrify.draw, pilo.draw):
        blue = draw("b . . \n . o . \n . . .", to_move=Colour.BLUE)
        orange = draw("b . . \n . o . \n . . .", to_move=Colour.ORANGE)
        assert (blue.colour_to_move, orange.colour_to_move) == (Colour.BLUE, Colour.ORANGE)
        assert "swap" not in legal(blue) + legal(orange)
    assert pyloff.draw(". . . \n . . . \n . . .", to_move=Colour.WHITE).colour_to_move is Colour.WHITE


@pytest.mark.parametrize(
    ("picture_text", "wrong"),
    [
        ("b . x \n . . . \n . . .", "'x' stands for nothing on a drawn board; expected . or b (blue disk)"),
        ("b . \n . . . \n . . .", "the board has 3 rows, so row 3 needs 3 places, and it has 2"),
        ("b . . \n . . .", "the board has 2 rows, so row 2 needs 2 places, and it has 3"),
        ("b . \n . .", "a board has 3 to 10 rows, and this has 2"),
        ("", "a board has 3 to 10 rows, and this has 0"),
    ],
)
def test_a_drawing_that_is_no_board_says_what_is_wrong_and_where(picture_text: str, wrong: str) -> None:
    with pytest.raises(BadNotation) as caught:
        petrify.draw(picture_text)
    assert wrong in str(caught.value)


# -- what is wrong, and where -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "a position begins with its game's name (petrify, pilo, pentwall, pyloff), not with ''"),
        ("chess 3/3/3", "a position begins with its game's name (petrify, pilo, pentwall, pyloff), not with 'chess'"),
        ("petrify", "after petrify a position names its board, row by row from the top"),
        ("petrify b2/3", "the board has 2 rows, so row 2 needs 2 places, and it has 3"),
        ("petrify b2//3", "the board has 3 rows, so row 2 needs 3 places, and it has 0"),
        ("petrify 3/b3/3", "the board has 3 rows, so row 2 needs 3 places, and it has 4"),
        ("petrify 3/3/1x1", "row 1, '1x1': character 2, 'x', stands for nothing; expected b (blue disk)"),
        ("petrify 3/3/B2", "row 1, 'B2': character 1, 'B', stands for nothing"),
        ("petrify 3/3/0b2", "row 1, '0b2': character 1, '0', stands for nothing"),
        ("petrify 19b/3/3", "row 3, '19b', is longer than any board: at most 19 squares"),
        ("petrify 2/2", "a board has 3 to 10 rows, and this has 2"),
        ("petrify " + "/".join(["11"] * 11), "a board has 3 to 10 rows, and this has 11"),
        ("petrify #2/3/3", "no Petrify board holds a mound, and there is one at a3"),
        ("petrify 3/3/3 foo", "'foo' says nothing here; expected one of ply=…, blue=…, passes=…, last=…"),
        ("petrify 3/3/3 PLY=1", "'PLY=1' says nothing here"),
        ("petrify 3/3/3 moves=a1", "'moves=a1' says nothing here"),
        ("petrify 3/3/3 ply=1 ply=1", "ply= is given twice"),
        ("petrify 3/3/3 ply=-1", "'-1' is not a whole number from 0 to 100000"),
        ("petrify 3/3/3 ply=01", "'01' is not a whole number"),
        ("petrify 3/3/3 ply=100001", "'100001' is not a whole number from 0 to 100000"),
        ("petrify 3/3/3 ply=", "'' is not a whole number"),
        ("petrify b2/3/3 passes=3", "'3' is not a whole number from 0 to 2"),
        ("petrify b2/3/3 blue=green", "'green' is no seat; expected first or second"),
        ("petrify b2/3/3 last=third", "'third' is no seat; expected first or second"),
        ("petrify b2/3/3 last=none", "last=none belongs to the empty board"),
        ("petrify 3/3/3 last=first", "on the empty board nobody has made a board play: last=none"),
        ("petrify b2/3/3 ply=4 last=first", "last=first does not fit ply=4: the last board play was by second"),
        ("petrify b2/3/3 ply=2 blue=second last=second", "last=second does not fit ply=2"),
        ("petrify ooo/obo/ooo ply=30 passes=2", "passes=2 does not fit this board: Orange can capture, b1xb2"),
        ("pilo o1b1o2/b2o2b2/b1b1b1 ply=9 passes=1", "passes=1 does not fit this board: Blue can capture, a1xa3"),
        ("pilo b7o71/3/3 ply=20", "these stacks are too high: they are made of 128 disks"),
        ("pilo b/3/3", "row 3, 'b': character 1, 'b', stands for nothing; expected b1 to b7 or o1 to o7"),
        ("pilo b8b1b1/3/3", "row 3, 'b8b1b1': character 1, 'b', stands for nothing"),
        ("pyloff 2/2", "a Pyloff board has 3 to 19 rows, and this has 2"),
        ("pyloff 3/3/o2", "row 1, 'o2': character 1, 'o', stands for nothing; expected b (black marble)"),
        ("pyloff 3/3/3;b1/2", "the marble on 2a2 rests on nothing: it needs four marbles below it"),
        ("pyloff 3/3/3;3/3/3", "level 2 has 2 rows on this board, and here it has 3"),
        ("pyloff 3/3/3;2/3", "level 2 has 2 rows, so row 1 needs 2 places, and it has 3"),
        ("pyloff 3/3/3;2/2;1;1", "a board of 3 rows has 3 levels, and this has more"),
        ("pyloff 3/3/3 passes=3", "'3' is not a whole number from 0 to 2"),
        ("pyloff b2/3/3 ply=0 moves=a3", "ply=0 is less than the 1 moves given"),
        ("pyloff b2/3/3 ply=1 moves=", "'' is no move; expected c3, 2c3 or pass"),
        ("pyloff b2/3/3 ply=1 moves=zz", "'zz' is no move; expected c3, 2c3 or pass"),
        ("pyloff b2/3/3 ply=1 moves=a1", "the moves do not lead to the board and the passes that the text gives"),
        ("pyloff b2/3/3 ply=1 passes=1 moves=a3", "the moves do not lead to the board and the passes"),
        ("pyloff b2/3/3 ply=1 from=4/4/4/4 moves=a3", "from= names a board of another size"),
        ("pentwall 3/3/3", "a Pentwall sheet has 10 rows, and this has 3"),
        ("pentwall " + "10/" * 9 + "IIIII4", "the sheet has 10 rows, so row 1 needs 10 places, and it has 9"),
        ("pentwall " + "10/" * 9 + "IIII6", "the squares marked I, a1, b1, c1 and d1, are not one pentomino I"),
        ("pentwall " + "10/" * 9 + "IIIIi5", "I is painted in both colours; each pentomino is used once"),
        ("pentwall " + "10/" * 9 + "K9", "row 1, 'K9': character 1, 'K', stands for nothing"),
        ("pentwall " + "10/" * 9 + "IIIII5 ply=1", "nothing follows in a Pentwall position, but here 'ply=1' does"),
    ],
)
def test_a_text_that_is_no_position_says_what_is_wrong_and_where(text: str, wrong: str) -> None:
    with pytest.raises(BadNotation) as caught:
        purlieu.parse(text)
    assert wrong in str(caught.value)


@pytest.mark.parametrize("strange", ["\r", "\t", "\x00", "\x1c", "\x85", "\xa0", "\u2028", "\u3000"])
@pytest.mark.parametrize(
    "text", ["petrify{}3/3/3 ply=0", "petrify 3/3/3{}", "{}petrify 3/3/3", "petrify 3/3/3 ply={}0"]
)
def test_only_spaces_part_a_position_as_in_the_core(text: str, strange: str) -> None:
    with pytest.raises(BadNotation) as caught:
        purlieu.parse(text.format(strange))
    assert "a position is one line, its parts separated by spaces; this text holds " in str(caught.value)
    assert repr(strange) in str(caught.value)


def test_spaces_and_line_ends_around_a_position_are_ignored_and_inside_it_is_one_line() -> None:
    assert purlieu.parse(" petrify 3/3/3  ply=0 \n") == purlieu.start("petrify", 3)
    with pytest.raises(BadNotation, match="a position is one line"):
        purlieu.parse("petrify 3/3/3\nply=0")


def test_no_play_leads_to_stacks_that_no_text_can_name() -> None:
    position = purlieu.parse("pilo b6b51/o62/3 ply=20")
    while captures := [move for move in position.legal_moves() if "x" in str(move)]:
        position = position.play(captures[0])
        assert purlieu.parse(position.text()) == position


def test_a_text_longer_than_any_position_is_refused_unread() -> None:
    with pytest.raises(BadNotation, match="this text is 200001 characters long; a position has at most 200000"):
        purlieu.parse("x" * 200_001)


def test_a_pyloff_text_whose_moves_are_illegal_is_bad_notation() -> None:
    """The text is wrong, not a move of this game: any text parses or raises BadNotation."""
    with pytest.raises(PurlieuError, match="a1 holds a black marble") as caught:
        purlieu.parse("pyloff 3/3/b2 ply=2 moves=a1,a1")
    assert not isinstance(caught.value, IllegalMove)


@pytest.mark.parametrize("name", ["petrify", "pilo"])
@pytest.mark.parametrize("passes", [1, 2])
def test_a_text_with_passes_and_an_empty_square_is_no_position(name: str, passes: int) -> None:
    """Nobody passes by choice, so after a pass the board holds no empty square."""
    with pytest.raises(BadNotation):
        purlieu.parse(f"{name} 3/3/3 ply=2 passes={passes}")


def test_pentwall_positions_read_back_with_both_colours() -> None:
    p = play_all(pentwall.start(), "Wc3d3d4e4e5 Ia1b1c1d1e1 Xh8g9h9i9h10")
    assert purlieu.parse(p.text()) == p
    assert purlieu.parse(p.text()).to_move is Seat.SECOND
