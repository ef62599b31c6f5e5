"""What all four games share, sentence by sentence, and the names of the games."""

from __future__ import annotations

import pytest

import purlieu
from purlieu import GAMES, BadSize, Colour, Position, Rule, Seat, UnknownGame
from purlieu.rules import pentwall, petrify, pilo, pyloff

from .asking import legal, play_all, refused

PASSING = {
    "petrify": petrify.draw("o o o \n o o o \n b o o"),
    "pilo": pilo.draw("b1 b2 b1 \n b2 b1 b1 \n b1 o3 b1"),
    "pyloff": pyloff.draw("b b b \n w b b \n w w b", "b . \n w b"),
}
"""A position of each game with a pass whose side to move has no other play."""
FINISHED = {
    **{name: position.play("pass").play("pass") for name, position in PASSING.items() if name != "petrify"},
    "petrify": petrify.draw("b b b \n # # # \n o b o").play("pass").play("pass"),
    "pentwall": pentwall.draw("""
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
    """),
}


def test_two_seats_first_and_second() -> None:
    assert [seat.value for seat in Seat] == ["first", "second"]
    assert (Seat.FIRST.other, Seat.SECOND.other) == (Seat.SECOND, Seat.FIRST)


@pytest.mark.parametrize(
    ("name", "colours"),
    [
        ("petrify", (Colour.BLUE, Colour.ORANGE)),
        ("pilo", (Colour.BLUE, Colour.ORANGE)),
        ("pentwall", (Colour.SOLID, Colour.STRIPED)),
        ("pyloff", (Colour.BLACK, Colour.WHITE)),
    ],
)
def test_the_first_seat_begins_with_the_first_named_colour(name: str, colours: tuple[Colour, Colour]) -> None:
    p = purlieu.start(name)
    assert p.to_move is Seat.FIRST
    assert (p.colour_of(Seat.FIRST), p.colour_of(Seat.SECOND)) == colours == GAMES[name].colours
    assert (p.seat_of(colours[0]), p.seat_of(colours[1])) == (Seat.FIRST, Seat.SECOND)
    assert (colours[0].other, colours[1].other) == (colours[1], colours[0])


@pytest.mark.parametrize("name", GAMES)
def test_seats_never_change_the_second_seat_follows_the_first(name: str) -> None:
    p = purlieu.start(name)
    for ply in range(6):
        assert p.ply == ply
        assert p.to_move is (Seat.SECOND if ply % 2 else Seat.FIRST)
        p = p.play(p.legal_moves()[0])


@pytest.mark.parametrize("name", GAMES)
def test_pass_is_not_legal_while_the_side_to_move_has_another_play(name: str) -> None:
    p = purlieu.start(name)
    assert "pass" not in legal(p)
    assert refused(p, "pass").rule is Rule.PASS


@pytest.mark.parametrize("name", PASSING)
def test_pass_is_a_move_legal_when_the_side_to_move_has_no_other_play(name: str) -> None:
    p = PASSING[name]
    assert legal(p) == ["pass"]
    assert p.play("pass").ply == p.ply + 1
    assert p.play("pass").to_move is p.to_move.other


@pytest.mark.parametrize("name", ["pilo", "pyloff"])
def test_both_final_passes_are_played_as_moves(name: str) -> None:
    p = PASSING[name]
    once = p.play("pass")
    assert (once.is_over, legal(once)) == (False, ["pass"])
    twice = once.play("pass")
    assert (twice.is_over, legal(twice)) == (True, [])
    assert twice.ply == p.ply + 2


def test_pentwall_has_no_pass_with_no_play_left_it_is_over() -> None:
    p = FINISHED["pentwall"]
    assert p.is_over
    assert refused(p, "pass").rule is Rule.GAME_OVER


@pytest.mark.parametrize("name", GAMES)
def test_an_over_position_has_no_legal_moves_and_an_outcome(name: str) -> None:
    p = FINISHED[name]
    assert p.is_over
    assert legal(p) == []
    assert p.outcome is not None
    assert p.outcome.by_colour == p.score()
    assert p.outcome.reason


@pytest.mark.parametrize("name", GAMES)
def test_a_position_that_is_not_over_has_legal_moves_and_no_outcome(name: str) -> None:
    p = purlieu.start(name)
    assert not p.is_over
    assert legal(p)
    assert p.outcome is None


@pytest.mark.parametrize("name", GAMES)
def test_only_petrify_and_pilo_have_the_pie_rule(name: str) -> None:
    p = purlieu.start(name)
    after = p.play(p.legal_moves()[0])
    assert GAMES[name].has_pie_rule == ("swap" in legal(after)) == (name in ("petrify", "pilo"))


@pytest.mark.parametrize(
    ("name", "moves"), [("petrify", "b2 swap"), ("pilo", "b2 swap"), ("pyloff", "a1 b1"), ("pentwall", "Ia1b1c1d1e1")]
)
def test_a_position_is_a_value(name: str, moves: str) -> None:
    """Equal moves make equal positions, which hash alike; playing on leaves a position as it was."""
    once, again = play_all(purlieu.start(name), moves), play_all(purlieu.start(name), moves)
    assert once == again
    assert hash(once) == hash(again)
    before = once.text()
    once.play(once.legal_moves()[0])
    assert once.text() == before


# -- names and sizes ----------------------------------------------------------------------------


def test_the_four_games_by_name() -> None:
    assert list(GAMES) == ["petrify", "pilo", "pentwall", "pyloff"]
    assert [game.default_size for game in GAMES.values()] == [8, 8, 10, 6]
    assert purlieu.start(" Pyloff ").game == "pyloff"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("petrifi", "there is no game called 'petrifi'; did you mean petrify?"),
        ("chess", "there is no game called 'chess'; the games are petrify, pilo, pentwall, pyloff"),
    ],
)
def test_an_unknown_game_is_told_so_and_a_near_miss_the_right_name(name: str, message: str) -> None:
    with pytest.raises(UnknownGame) as caught:
        purlieu.start(name)
    assert str(caught.value) == message


@pytest.mark.parametrize("size", ["8", 8.0, True])
def test_a_size_is_a_whole_number(size: object) -> None:
    with pytest.raises(BadSize, match="is not such a size"):
        purlieu.start("petrify", size)  # type: ignore[arg-type]


def test_positions_are_positions() -> None:
    assert all(isinstance(purlieu.start(name), Position) for name in GAMES)
