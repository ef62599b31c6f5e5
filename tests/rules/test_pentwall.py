"""Pentwall, sentence by sentence: the twelve pentominoes and where they go. The count is in test_pentwall_count.py."""

from __future__ import annotations

import pytest

import purlieu
from purlieu import BadNotation, Colour, Rule, Seat
from purlieu.rules import pentwall
from purlieu.rules.board import Square
from purlieu.rules.moves import Paint

from .asking import board, is_legal, legal, names, picture, refused

DRAWN = {
    "F": ". # # / # # . / . # .",
    "I": "# / # / # / # / #",
    "L": "# . / # . / # . / # #",
    "N": ". # / . # / # # / # .",
    "P": "# # / # # / # .",
    "T": "# # # / . # . / . # .",
    "U": "# . # / # # #",
    "V": "# . . / # . . / # # #",
    "W": "# . . / # # . / . # #",
    "X": ". # . / # # # / . # .",
    "Y": ". # / # # / . # / . #",
    "Z": "# # . / . # . / . # #",
}
"""The pentominoes by their usual letters."""
FIXED = {"F": 8, "I": 2, "L": 8, "N": 8, "P": 8, "T": 4, "U": 4, "V": 4, "W": 4, "X": 1, "Y": 8, "Z": 4}
BOXES = {"I": (1, 5), "L": (2, 4), "N": (2, 4), "Y": (2, 4), "P": (2, 3), "U": (2, 3)}
"""The sides of each pentomino's box; it is 3 by 3 for the rest."""


def squares_of(drawn: str, column: int = 3, row: int = 3) -> tuple[Square, ...]:
    """The squares of a drawn shape whose lowest left corner lies at that column and row."""
    rows = [line.split() for line in drawn.split("/")][::-1]
    return tuple(
        Square(column + across, row + up)
        for up, line in enumerate(rows)
        for across, token in enumerate(line)
        if token == "#"
    )


def test_pentwall_is_played_on_10_by_10() -> None:
    assert purlieu.start("pentwall").size == purlieu.start("pentwall", 10).size == 10
    with pytest.raises(purlieu.BadSize, match="Pentwall is played on 10×10"):
        purlieu.start("pentwall", 9)


def test_solid_is_the_first_seat_and_turns_alternate() -> None:
    p = pentwall.start()
    turns = [(p.to_move, p.colour_to_move)]
    for move in ("Ia1b1c1d1e1", "Xe3d4e4f4e5"):
        p = p.play(move)
        turns.append((p.to_move, p.colour_to_move))
    assert turns == [
        (Seat.FIRST, Colour.SOLID),
        (Seat.SECOND, Colour.STRIPED),
        (Seat.FIRST, Colour.SOLID),
    ]


# -- the pentominoes ----------------------------------------------------------------------------


def test_there_are_12_pentominoes_by_their_usual_letters() -> None:
    assert pentwall.start().pool == "FILNPTUVWXYZ"


@pytest.mark.parametrize("letter", DRAWN)
def test_each_pentomino_has_its_usual_shape_and_no_other_pentomino_has_it(letter: str) -> None:
    p = pentwall.start()
    squares = squares_of(DRAWN[letter])
    assert p.explain(Paint(letter, squares)) is None
    for other in DRAWN:
        if other != letter:
            refusal = p.explain(Paint(other, squares))
            assert refusal is not None
            assert refusal.rule is Rule.NOT_THE_SHAPE
            assert (
                refusal.message == f"these squares do not make the pentomino {other}: they make the pentomino {letter}"
            )


@pytest.mark.parametrize("letter", DRAWN)
def test_each_pentomino_fits_the_empty_sheet_in_as_many_ways_as_its_shapes_and_its_box_allow(letter: str) -> None:
    """A box of w by h squares fits (11-w)(11-h) times on 10 by 10, and each of the fixed shapes fills such a box."""
    width, height = BOXES.get(letter, (3, 3))
    moves = [move for move in legal(pentwall.start()) if move[0] == letter]
    assert len(moves) == FIXED[letter] * (11 - width) * (11 - height)


def test_there_are_63_fixed_shapes() -> None:
    """Turned and flipped as you like: counted from the opening moves, moved into the lower left corner."""
    shapes: dict[str, set[frozenset[tuple[int, int]]]] = {}
    for move in pentwall.start().legal_moves():
        assert isinstance(move, Paint)
        left = min(square.column for square in move.squares)
        bottom = min(square.row for square in move.squares)
        shape = frozenset((square.column - left, square.row - bottom) for square in move.squares)
        shapes.setdefault(move.letter, set()).add(shape)
    assert {letter: len(found) for letter, found in shapes.items()} == FIXED
    assert len(set().union(*shapes.values())) == sum(FIXED.values()) == 63


def test_there_are_4096_opening_placements() -> None:
    moves = legal(pentwall.start())
    assert len(moves) == len(set(moves)) == 4096


@pytest.mark.parametrize(
    "drawn",
    [
        ". # # / # # . / . # .",
        ". # . / # # # / . . #",
        ". # . / . # # / # # .",
        "# . . / # # # / . # .",
        "# # . / . # # / . # .",
        ". . # / # # # / . # .",
        ". # . / # # . / . # #",
        ". # . / # # # / # . .",
    ],
)
def test_a_pentomino_is_turned_and_flipped_as_you_like(drawn: str) -> None:
    assert pentwall.start().explain(Paint("F", squares_of(drawn))) is None


def test_legal_moves_go_by_letter_then_by_squares_from_a1_row_by_row() -> None:
    moves = pentwall.start().legal_moves()
    keys = [
        ("FILNPTUVWXYZ".index(move.letter), [(square.row, square.column) for square in move.squares])
        for move in moves
        if isinstance(move, Paint)
    ]
    assert len(keys) == 4096
    assert keys == sorted(keys)
    assert (str(moves[0]), str(moves[-1])) == ("Fa1b1b2c2b3", "Zj8h9i9j9h10")


# -- painting -----------------------------------------------------------------------------------


def test_take_an_unused_pentomino_and_paint_its_five_squares_in_your_own_colour() -> None:
    p = pentwall.start().play("Wc3d3d4e4e5").play("Ia1b1c1d1e1")
    assert board(p) == picture("""
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . W . . . . .
        . . . W W . . . . .
        . . W W . . . . . .
        . . . . . . . . . .
        i i i i i . . . . .
    """)


def test_the_pentominoes_are_one_common_pool() -> None:
    """Solid used the W; now neither side has it."""
    p = pentwall.start().play("Wc3d3d4e4e5")
    assert p.pool == "FILNPTUVXYZ"
    for position in (p, p.play("Ia1b1c1d1e1")):
        refusal = refused(position, "Wg7h7h8i8i9")
        assert refusal.rule is Rule.USED_PENTOMINO
        assert refusal.message == "W is used already: it lies on c3, d3, d4, e4 and e5"
        assert names(refusal) == ["c3", "d3", "d4", "e4", "e5"]
        assert not any(move.startswith("W") for move in legal(position))


def test_a_pentomino_is_painted_inside_the_board() -> None:
    refusal = refused(pentwall.start(), "Ih10i10j10k10l10")
    assert refusal.rule is Rule.OFF_BOARD
    assert refusal.message == "k10 and l10 are off the board, which ends at j10"
    assert names(refusal) == ["k10", "l10"]


def test_a_pentomino_does_not_go_over_the_upper_edge() -> None:
    refusal = refused(pentwall.start(), "Ia8a9a10a11a12")
    assert refusal.rule is Rule.OFF_BOARD
    assert names(refusal) == ["a11", "a12"]


def test_a_pentomino_is_painted_on_five_unpainted_squares() -> None:
    p = pentwall.draw("""
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . x . . . .
        . . . . x x x . . .
        I I I I I x . . . .
    """)
    refusal = refused(p, "Uf3g3h3f4h4")
    assert refusal.rule is Rule.OVERLAP
    assert refusal.message == "f3 is painted already"
    assert names(refusal) == ["f3"]
    refusal = refused(p, "Le1f1g1h1h2")
    assert refusal.message == "e1 and f1 are painted already"
    assert names(refusal) == ["e1", "f1"]
    assert is_legal(p, "Ug3h3i3g4i4")


def test_the_five_squares_have_that_pentominos_shape() -> None:
    refusal = refused(pentwall.start(), "Wc3d3e3f3g3")
    assert refusal.rule is Rule.NOT_THE_SHAPE
    assert refusal.message == "these squares do not make the pentomino W: they make the pentomino I"
    assert names(refusal) == ["c3", "d3", "e3", "f3", "g3"]


def test_five_squares_that_are_not_connected_are_no_pentomino() -> None:
    refusal = refused(pentwall.start(), "Ia1b1c1d1f1")
    assert refusal.rule is Rule.NOT_THE_SHAPE
    assert "they are not connected by their edges" in refusal.message


def test_squares_that_meet_at_corners_are_not_connected() -> None:
    refusal = refused(pentwall.start(), "Wa1b2c3d4e5")
    assert refusal.rule is Rule.NOT_THE_SHAPE
    assert "not connected by their edges" in refusal.message


def test_the_letter_then_the_five_squares_sorted_by_row_from_the_bottom_then_by_column() -> None:
    p = pentwall.start()
    for text in ("Wc3d3d4e4e5", "We5e4d4d3c3", "Wd4c3e5d3e4"):
        assert str(p.read_move(text)) == "Wc3d3d4e4e5"
        assert p.play(text) == p.play("Wc3d3d4e4e5")


def test_a_row_of_ten_comes_after_a_row_of_nine() -> None:
    assert str(pentwall.start().read_move("Ij10j9j8j7j6")) == "Ij6j7j8j9j10"


def test_no_passing() -> None:
    refusal = refused(pentwall.start(), "pass")
    assert refusal.rule is Rule.PASS
    assert refusal.message == "Pentwall has no pass: with no play left, the game is over"


@pytest.mark.parametrize("moves", [[], ["Ia1b1c1d1e1"], ["Ia1b1c1d1e1", "Xe3d4e4f4e5"]])
def test_no_pie_rule(moves: list[str]) -> None:
    p = pentwall.start()
    for move in moves:
        p = p.play(move)
    refusal = refused(p, "swap")
    assert refusal.rule is Rule.SWAP
    assert refusal.message == "Pentwall has no pie rule, so nobody swaps"


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("I I I I . . . . . .", "the squares marked I, a10, b10, c10 and d10, are not one pentomino I"),
        ("I I I I i . . . . .", "I is painted in both colours; each pentomino is used once"),
        ("L L L L L . . . . .", "the squares marked L, a10, b10, c10, d10 and e10, are not one pentomino L"),
        ("I I I I K . . . . .", "'K' stands for nothing on a drawn board"),
        ("I I I I I . . . .", "the sheet has 10 rows, so row 10 needs 10 places, and it has 9"),
    ],
)
def test_a_drawn_sheet_holds_whole_pentominoes(row: str, wrong: str) -> None:
    with pytest.raises(BadNotation) as caught:
        pentwall.draw(row + "\n. . . . . . . . . ." * 9)
    assert wrong in str(caught.value)
