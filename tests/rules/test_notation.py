"""Reading and printing squares and moves: generous where it can't mislead, strict otherwise."""

from __future__ import annotations

import pickle

import pytest

import purlieu
from purlieu import BadNotation, IllegalMove, PurlieuError
from purlieu.rules import Point, Square, pentwall, petrify, pilo, pyloff
from purlieu.rules.moves import PASS, SWAP, Capture, Move, Paint, Place
from purlieu.rules.notation import parse_point, parse_square

from .asking import legal

# -- squares and points -------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "square"), [("a1", Square(1, 1)), ("c4", Square(3, 4)), ("j10", Square(10, 10))])
def test_a_square_is_a_column_letter_from_the_left_and_a_row_number_from_the_bottom(text: str, square: Square) -> None:
    assert parse_square(text) == square
    assert str(square) == text


def test_a1_is_the_bottom_left_square() -> None:
    p = petrify.draw("""
        . . o
        . . .
        b . .
    """)
    assert [(str(piece.at), piece.at) for piece in p.pieces()] == [("a1", Square(1, 1)), ("c3", Square(3, 3))]


def test_no_letter_is_skipped_so_s19_is_the_far_corner_of_a_board_of_19() -> None:
    columns = [str(Square(column, 1))[0] for column in range(1, 20)]
    assert "".join(columns) == "abcdefghijklmnopqrs"
    assert legal(pyloff.start(19))[-1] == "s19"


@pytest.mark.parametrize(
    "text", ["", "c", "3", "3c", "c0", "c03", "c-1", "cc3", "c 3", "c1 2", "c3.", "é1", "c³", "c٣", "@1", "c3\x00"]
)
def test_what_names_no_square_is_bad_notation(text: str) -> None:
    with pytest.raises(BadNotation, match="names no square"):
        parse_square(text)


@pytest.mark.parametrize("text", ["t1", "a20", "c33", "z99"])
def test_no_square_lies_beyond_s19(text: str) -> None:
    with pytest.raises(BadNotation, match=f"{text} names no square: the largest board ends at s19"):
        parse_square(text)


@pytest.mark.parametrize(
    ("text", "point", "printed"),
    [
        ("c3", Point(3, 3, 1), "c3"),
        ("1c3", Point(3, 3, 1), "c3"),
        ("2c3", Point(3, 3, 2), "2c3"),
        ("11b2", Point(2, 2, 11), "11b2"),
        ("19a1", Point(1, 1, 19), "19a1"),
        (" 2 C3 ", Point(3, 3, 2), "2c3"),
    ],
)
def test_a_point_is_a_level_and_a_square_and_level_1_is_not_written(text: str, point: Point, printed: str) -> None:
    assert parse_point(text) == point
    assert str(point) == printed


@pytest.mark.parametrize("text", ["", "2", "0c3", "02c3", "2c", "c32c3", "-1c3", "2 c 3", "1.5c3"])
def test_what_names_no_point_is_bad_notation(text: str) -> None:
    with pytest.raises(BadNotation, match="names no point"):
        parse_point(text)


@pytest.mark.parametrize("text", ["20a1", "99a1"])
def test_no_point_lies_above_level_19(text: str) -> None:
    with pytest.raises(BadNotation, match="there are at most 19 levels"):
        parse_point(text)


def test_a_square_of_the_ring_prints_though_no_move_names_it() -> None:
    assert [str(Square(0, 4)), str(Square(3, 0)), str(Square(0, 0))] == ["@4", "c0", "@0"]


# -- generous -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "move", "printed"),
    [
        ("c3", Place(Square(3, 3)), "c3"),
        ("C3", Place(Square(3, 3)), "c3"),
        ("  c3\n", Place(Square(3, 3)), "c3"),
        ("c3xf6", Capture(Square(3, 3), Square(6, 6)), "c3xf6"),
        ("C3XF6", Capture(Square(3, 3), Square(6, 6)), "c3xf6"),
        ("c3 x f6", Capture(Square(3, 3), Square(6, 6)), "c3xf6"),
        ("c10xj10", Capture(Square(3, 10), Square(10, 10)), "c10xj10"),
        ("pass", PASS, "pass"),
        ("Pass", PASS, "pass"),
        ("SWAP", SWAP, "swap"),
        (" swap ", SWAP, "swap"),
    ],
)
def test_moves_of_petrify_and_pilo_are_read_generously_and_printed_one_way(text: str, move: Move, printed: str) -> None:
    for game in (petrify.PetrifyPosition, pilo.PiloPosition):
        assert game.read_move(text) == move
        assert str(game.read_move(text)) == printed
        assert game.read_move(printed) == move


W = (Square(3, 3), Square(4, 3), Square(4, 4), Square(5, 4), Square(5, 5))


@pytest.mark.parametrize(
    "text",
    ["Wc3d3d4e4e5", "wc3d3d4e4e5", "WC3D3D4E4E5", "W c3 d3 d4 e4 e5", " We5 e4d4  d3c3 ", "Wd4e4c3e5d3"],
)
def test_a_pentominos_squares_are_read_in_any_order_and_case(text: str) -> None:
    move = pentwall.PentwallPosition.read_move(text)
    assert move == Paint("W", W)
    assert str(move) == "Wc3d3d4e4e5"


def test_the_squares_of_a_pentomino_are_told_apart_though_a_row_has_two_digits() -> None:
    move = pentwall.PentwallPosition.read_move("Ia10b10c10d10e10")
    assert str(move) == "Ia10b10c10d10e10"
    assert str(pentwall.PentwallPosition.read_move("ii5i6i7i8i9")) == "Ii5i6i7i8i9"


@pytest.mark.parametrize(
    ("text", "printed"),
    [("c3", "c3"), ("1c3", "c3"), ("1 C3", "c3"), ("2C3", "2c3"), ("2 c3", "2c3"), ("11b2", "11b2"), ("PASS", "pass")],
)
def test_moves_of_pyloff_are_read_generously_and_printed_one_way(text: str, printed: str) -> None:
    move = pyloff.PyloffPosition.read_move(text)
    assert str(move) == printed
    assert pyloff.PyloffPosition.read_move(printed) == move


# -- strict -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["", " ", "c", "c1 2", "c 3", "c3-f6", "c3xf6x", "c3xxf6", "c3x", "xf6", "c3f6", "c3 f6", "pas s", "resign", "2c3"],
)
def test_what_is_no_move_of_petrify_or_pilo_is_bad_notation(text: str) -> None:
    for position in (petrify.start(6), pilo.start(6)):
        with pytest.raises(BadNotation, match="is no move; expected c3, c3xf6, pass or swap"):
            position.play(text)
        with pytest.raises(BadNotation):
            position.explain(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "is no move; expected a pentomino's letter and its five squares"),
        ("W", "is no move; expected a pentomino's letter and its five squares"),
        ("c3d3d4e4e5", "is no move; expected a pentomino's letter and its five squares"),
        ("Kc3d3d4e4e5", "no pentomino is called K; they are F I L N P T U V W X Y Z"),
        ("Wc3d3d4e4", "a pentomino has five squares, and this names 4"),
        ("Wc3d3d4e4e5f5", "a pentomino has five squares, and this names 6"),
        ("Wc3d3d4e4c3", "it names c3 twice"),
        ("Wc3d3d4e4e5!", "is no move"),
        ("Wc3,d3,d4,e4,e5", "is no move"),
        ("Wc3d3d4e4e 5", "is no move"),
        ("Wc3d3d4e4e50", "e50 names no square: the largest board ends at s19"),
    ],
)
def test_what_is_no_move_of_pentwall_is_bad_notation(text: str, wrong: str) -> None:
    with pytest.raises(BadNotation) as caught:
        pentwall.start().play(text)
    assert wrong in str(caught.value)


@pytest.mark.parametrize("text", ["", "2", "c", "c3xf6", "2 2c3", "0c3", "c3c4", "2c 3"])
def test_what_is_no_move_of_pyloff_is_bad_notation(text: str) -> None:
    with pytest.raises(BadNotation, match="is no move; expected c3, 2c3 or pass"):
        pyloff.start(6).play(text)


def test_a_long_text_is_no_move_and_is_not_repeated_in_full() -> None:
    for name in purlieu.GAMES:
        with pytest.raises(BadNotation, match="is no move: it is 500 characters long") as caught:
            purlieu.start(name).play("c3" * 250)
        assert len(str(caught.value)) < 120


def test_a_text_that_cannot_be_printed_is_shown_escaped() -> None:
    with pytest.raises(BadNotation) as caught:
        petrify.start(6).play("c3\x1b[31m")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("position", "move"),
    [
        (petrify.start(6), Place(Point(3, 3, 2))),
        (petrify.start(6), Paint("W", W)),
        (pilo.start(6), Paint("W", W)),
        (pentwall.start(), Place(Square(3, 3))),
        (pentwall.start(), Paint("W", W[:4])),
        (pentwall.start(), Paint("K", W)),
        (pyloff.start(6), Capture(Square(3, 3), Square(6, 6))),
        (pyloff.start(6), Place(Square(3, 3))),
    ],
    ids=str,
)
def test_a_move_of_another_games_kind_is_bad_notation(position: purlieu.Position, move: Move) -> None:
    with pytest.raises(BadNotation, match="is no move"):
        position.play(move)


def test_a_move_of_the_games_own_kind_is_played_as_its_text_is() -> None:
    assert petrify.start(6).play(Place(Square(3, 3))) == petrify.start(6).play("c3")
    assert pentwall.start().play(Paint("W", W[::-1])) == pentwall.start().play("Wc3d3d4e4e5")
    assert pyloff.start(6).play(Place(Point(3, 3, 1))) == pyloff.start(6).play("1c3")


@pytest.mark.parametrize("name", purlieu.GAMES)
def test_every_legal_move_reads_back_from_its_text(name: str) -> None:
    p = purlieu.start(name)
    assert [p.read_move(str(move)) for move in p.legal_moves()] == list(p.legal_moves())


# -- the two errors -----------------------------------------------------------------------------


def test_bad_notation_and_an_illegal_move_are_different_errors() -> None:
    assert not issubclass(BadNotation, IllegalMove)
    assert not issubclass(IllegalMove, BadNotation)
    assert issubclass(BadNotation, PurlieuError)
    assert issubclass(IllegalMove, PurlieuError)


def test_an_illegal_moves_message_begins_with_the_move_in_its_canonical_form() -> None:
    with pytest.raises(IllegalMove) as caught:
        petrify.start(6).play(" G7")
    assert str(caught.value) == "g7: g7 is off the board, which ends at f6"
    assert caught.value.move == "g7"
    assert str(caught.value.refusal) == caught.value.refusal.message


def test_an_illegal_move_survives_pickling_so_other_processes_can_raise_it() -> None:
    with pytest.raises(IllegalMove) as caught:
        petrify.start(6).play("g7")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.refusal) == (str(caught.value), caught.value.refusal)


@pytest.mark.parametrize("name", purlieu.GAMES)
@pytest.mark.parametrize(
    "move",
    [
        Capture("c3", "d4"),  # type: ignore[arg-type]
        Capture(None, None),  # type: ignore[arg-type]
        Capture(Point(1, 1, 1), Point(2, 2, 1)),  # type: ignore[arg-type]
        Place(Square(1.0, 1)),  # type: ignore[arg-type]
        Place(Square(True, 1)),
        Place(Point(1, 1, 1.0)),  # type: ignore[arg-type]
        Place(None),  # type: ignore[arg-type]
        Paint("W", (Square(3.0, 3), Square(3, 4), Square(4, 4), Square(4, 5), Square(5, 5))),  # type: ignore[arg-type]
        Paint(["W"], (Square(3, 3), Square(3, 4), Square(4, 4), Square(4, 5), Square(5, 5))),  # type: ignore[arg-type]
        None,
        7,
    ],
    ids=repr,
)
def test_an_object_that_is_no_move_is_bad_notation_which_shows_it(name: str, move: Move) -> None:
    position = purlieu.start(name)
    for ask in (position.explain, position.play):
        with pytest.raises(BadNotation) as caught:
            ask(move)
        assert repr(move) in str(caught.value)
