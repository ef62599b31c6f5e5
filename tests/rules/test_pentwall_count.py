"""The count of Pentwall, sentence by sentence: territories, who touches them, the end, and the tie-break."""

from __future__ import annotations

import pytest

from purlieu import Colour, Rule, Seat
from purlieu.rules import pentwall
from purlieu.rules.ledger import Territory

from .asking import legal, refused

SOLID, STRIPED = Colour.SOLID, Colour.STRIPED


def territories(position: pentwall.PentwallPosition) -> list[Territory]:
    """The territories, in the order of their lowest squares."""
    entries = position.ledger().entries
    assert all(isinstance(entry, Territory) for entry in entries)
    return [entry for entry in entries if isinstance(entry, Territory)]


def owners(position: pentwall.PentwallPosition) -> list[tuple[Colour | None, int]]:
    return [(territory.owner, len(territory.squares)) for territory in territories(position)]


def sizes(position: pentwall.PentwallPosition, colour: Colour) -> list[int]:
    """The sizes of a colour's territories from the largest down."""
    return sorted((size for owner, size in owners(position) if owner is colour), reverse=True)


def touching(territory: Territory, colour: Colour) -> list[str]:
    return [str(square) for square in territory.touching[colour]]


# -- territories --------------------------------------------------------------------------------


def test_a_territory_is_an_orthogonally_connected_region_of_unpainted_squares() -> None:
    """The V walls off four squares in the corner; c3 touches them with its corner only."""
    p = pentwall.draw("""
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        V V V . . . . . . .
        . . V . . . . . . .
        . . V . . . . . . .
    """)
    corner, rest = territories(p)
    assert [str(square) for square in corner.squares] == ["a1", "b1", "a2", "b2"]
    assert touching(corner, SOLID) == ["c1", "c2", "a3", "b3"]
    assert len(rest.squares) == 91
    assert touching(rest, SOLID) == ["c1", "c2", "a3", "b3", "c3"]
    assert p.score() == {SOLID: 95, STRIPED: 0}


def test_squares_that_touch_by_a_corner_only_are_in_different_territories() -> None:
    """a1 and b2 meet at a corner between the I and the L."""
    p = pentwall.draw("""
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        I . . . . . . . . .
        I . . . . . . . . .
        I . . . . . . . . .
        I . . . . . . . . .
        I . . . l . . . . .
        . l l l l . . . . .
    """)
    assert [len(territory.squares) for territory in territories(p)] == [1, 89]


def test_ruling_a_territory_touched_equally_by_both_is_nobodys() -> None:
    p = pentwall.draw("""
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        I . . . . . . . . .
        I . . . . . . . . .
        I . . . . . . . . .
        I . . . . . . . . .
        I . . . l . . . . .
        . l l l l . . . . .
    """)
    assert owners(p) == [(None, 1), (None, 89)]
    assert [(touching(t, SOLID), touching(t, STRIPED)) for t in territories(p)] == [
        (["a2"], ["b1"]),
        (["a2", "a3", "a4", "a5", "a6"], ["b1", "c1", "d1", "e1", "e2"]),
    ]
    assert p.score() == {SOLID: 0, STRIPED: 0}


def test_a_territory_goes_to_the_colour_with_more_squares_touching_it_not_more_edges() -> None:
    """The P touches with 5 squares and 10 edges, the X with 4 squares and 12 edges."""
    p = pentwall.draw("""
        . . . . . . . . . .
        . . . . . . . x . .
        . . . . . . x x x .
        . . . . . . . x . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . P P . . . . . .
        . . P P . . . . . .
        . . P . . . . . . .
    """)
    (territory,) = territories(p)
    assert touching(territory, SOLID) == ["c1", "c2", "d2", "c3", "d3"]
    assert touching(territory, STRIPED) == ["h7", "g8", "i8", "h9"]
    assert territory.owner is SOLID
    assert p.score() == {SOLID: 90, STRIPED: 0}


def test_a_square_that_touches_a_territory_on_two_edges_counts_once() -> None:
    """The corners e7, g7, e5 and i5 meet the outside on two edges or three, and still it is five against five."""
    p = pentwall.draw("""
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . U U U . . .
        . . . . U . U . . .
        . . . . i i i i i .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
    """)
    outside, hole = territories(p)
    assert [str(square) for square in hole.squares] == ["f6"]
    assert (touching(hole, SOLID), touching(hole, STRIPED)) == (["e6", "g6", "f7"], ["f5"])
    assert (touching(outside, SOLID), touching(outside, STRIPED)) == (
        ["e6", "g6", "e7", "f7", "g7"],
        ["e5", "f5", "g5", "h5", "i5"],
    )
    assert owners(p) == [(None, 89), (SOLID, 1)]


def test_a_square_may_touch_two_territories_and_counts_in_both() -> None:
    p = pentwall.draw("""
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        v v v . . . . . . .
        . . v . . . . . . .
        . . v . . . . . . .
    """)
    assert all("c1" in touching(territory, STRIPED) for territory in territories(p))
    assert owners(p) == [(STRIPED, 4), (STRIPED, 91)]


def test_an_unpainted_sheet_is_nobodys() -> None:
    assert owners(pentwall.start()) == [(None, 100)]
    assert pentwall.start().score() == {SOLID: 0, STRIPED: 0}


# -- the end ------------------------------------------------------------------------------------

NO_ROOM_FOR_X_AND_Z = """
    . . i . y . . F . .
    . . i . y . . F F .
    . p i . y y F F . .
    p p i n y . . . . .
    p p i n n . U U U .
    . t t t n . U . U .
    . . t . n . . W W .
    . . t . . V V V W W
    . L . . . V . . . W
    . L L L L V . . . .
"""
THE_RULEBOOKS_TIE_BREAK = """
    y u u u P P P . I .
    y u . u w P P . I .
    y y . . w w . . I .
    y x . . . w w . I .
    x x x z z . . T I .
    . x . . z . . T T T
    . . N N z z . T F .
    v v v N N N F F F .
    . . v . L . . F . .
    . . v . L L L L . .
"""


def test_the_game_ends_when_no_unused_pentomino_fits_anywhere() -> None:
    p = pentwall.draw(NO_ROOM_FOR_X_AND_Z)
    assert p.pool == "XZ"
    assert p.is_over
    assert legal(p) == []


def test_the_game_ends_when_all_pentominoes_are_used() -> None:
    p = pentwall.draw(THE_RULEBOOKS_TIE_BREAK)
    assert p.pool == ""
    assert p.is_over
    assert legal(p) == []


def test_the_game_goes_on_while_one_pentomino_fits_anywhere() -> None:
    """Without its P, the same sheet has room for a P, and it is Solid's turn: five against four."""
    p = pentwall.draw(NO_ROOM_FOR_X_AND_Z.replace("p", "."))
    assert not p.is_over
    assert p.outcome is None
    assert "Pa6b6a7b7b8" in legal(p)


@pytest.mark.parametrize("move", ["Xc3b4c4d4c5", "pass", "swap"])
@pytest.mark.parametrize(
    ("drawn", "why"),
    [
        (NO_ROOM_FOR_X_AND_Z, "no unused pentomino fits anywhere"),
        (THE_RULEBOOKS_TIE_BREAK, "all pentominoes are used"),
    ],
    ids=["no room", "all used"],
)
def test_once_the_game_is_over_nothing_is_legal(drawn: str, why: str, move: str) -> None:
    refusal = refused(pentwall.draw(drawn), move)
    assert refusal.rule is Rule.GAME_OVER
    assert refusal.message == f"the game is over: {why}"


# -- who wins -----------------------------------------------------------------------------------


def test_the_larger_total_of_territory_squares_wins() -> None:
    p = pentwall.draw("""
        f . . T . . L L . .
        f f f T . . . L . .
        . f T T T . . L . .
        . U U U . . . L . .
        . U Z U y y y y w w
        Z Z Z N N x y w w .
        Z N N N x x x w . .
        p p . . . x v . . .
        p p p . . . v . . .
        I I I I I . v v v .
    """)
    assert (sizes(p, SOLID), sizes(p, STRIPED)) == ([10, 8, 3], [10, 7, 2])
    assert p.outcome is not None
    assert p.outcome.winner is Seat.FIRST
    assert p.outcome.by_colour == {SOLID: 21, STRIPED: 19}
    assert p.outcome.reason == "Solid has the larger total of territory"


def test_the_larger_total_wins_for_striped_too() -> None:
    """The sheet of the first test of the end, with the colours exchanged: 15 against 31."""
    p = pentwall.draw(NO_ROOM_FOR_X_AND_Z.swapcase())
    assert p.outcome is not None
    assert p.outcome.winner is Seat.SECOND
    assert p.outcome.by_seat == {Seat.FIRST: 15, Seat.SECOND: 31}
    assert p.outcome.reason == "Striped has the larger total of territory"


def test_on_equal_totals_the_rulebooks_6_5_5_2_2_beats_6_5_4_3_2() -> None:
    """Pentwall's worked tie-break on a sheet with all twelve pentominoes."""
    p = pentwall.draw(THE_RULEBOOKS_TIE_BREAK)
    assert (sizes(p, SOLID), sizes(p, STRIPED)) == ([6, 5, 5, 2, 2], [6, 5, 4, 3, 2])
    assert p.outcome is not None
    assert p.outcome.by_colour == {SOLID: 20, STRIPED: 20}
    assert p.outcome.winner is Seat.FIRST
    assert p.outcome.reason == ("the totals are equal and Solid's third largest territory is larger: 5 against 4")


def test_on_equal_totals_the_largest_territories_are_compared_first() -> None:
    """Striped's 9 beats Solid's 8, though the second of Solid is larger: 7 against 6."""
    p = pentwall.draw("""
        . . . . N N N . . .
        W . . . . F N N T .
        W W u u i F F F T .
        . W W u i . F T T T
        . Z u u i . . v v v
        . Z Z Z i . . . y v
        . . L Z i . . . y v
        . . L L L L x y y .
        p p . . . x x x y .
        p p p . . . x . . .
    """)
    assert (sizes(p, SOLID), sizes(p, STRIPED)) == ([8, 7, 5], [9, 6, 5])
    assert p.outcome is not None
    assert p.outcome.by_colour == {SOLID: 20, STRIPED: 20}
    assert p.outcome.winner is Seat.SECOND


def test_the_reason_of_a_tie_break_gives_the_winners_size_first() -> None:
    reason = "the totals are equal and Solid's largest territory is larger: 9 against 8"
    assert pentwall.decide([9, 6], [8, 7])[2] == reason
    assert pentwall.decide([8, 7], [9, 6])[2] == reason.replace("Solid", "Striped")


def test_equal_totals_and_no_difference_of_sizes_is_a_draw() -> None:
    p = pentwall.draw("""
        . . . V V V z z . .
        . . . V . . . z . .
        . . . V . . . z z .
        L L L L . . . f . .
        L i i i i i y f f f
        P P P U U U y y f .
        P P T U x U y w . .
        . . T x x x y w w .
        . T T T x N N N w w
        . . . . N N . . . .
    """)
    assert sizes(p, SOLID) == sizes(p, STRIPED) == [9, 7, 4]
    assert p.outcome is not None
    assert p.outcome.winner is None
    assert p.outcome.by_colour == {SOLID: 20, STRIPED: 20}
    assert p.outcome.reason == "the totals and all territory sizes are equal"


@pytest.mark.parametrize(
    ("solid", "striped", "winner"),
    [
        ([6, 5, 5, 2, 2], [6, 5, 4, 3, 2], Seat.FIRST),
        ([6, 5, 4, 3, 2], [6, 5, 5, 2, 2], Seat.SECOND),
        ([5, 5], [4, 3, 2, 1], Seat.FIRST),
        ([4, 3, 2, 1], [10], Seat.SECOND),
        ([1], [], Seat.FIRST),
        ([9], [5, 5], Seat.SECOND),
        ([], [], None),
        ([3, 2], [3, 2], None),
    ],
)
def test_the_first_difference_from_the_largest_down_decides(
    solid: list[int], striped: list[int], winner: Seat | None
) -> None:
    assert pentwall.decide(solid, striped)[0] is winner
