"""The table: undo and redo, computers, forced passes, resigning. Nothing is printed here."""

from random import Random

import pytest

import purlieu
from purlieu import GAMES, IllegalMove, PurlieuError, Seat
from purlieu.players import choose_random
from purlieu.rules import petrify
from purlieu.terminal.table import Table, is_forced_pass


def table_against_random(game: str = "petrify", size: int | None = None, seat: Seat = Seat.FIRST) -> Table:
    table = Table(purlieu.start(game, size), computers={seat.other: choose_random}, random=Random(5))
    list(table.replies())
    return table


def test_undo_and_redo_walk_back_and_forth_between_two_people() -> None:
    table = Table(purlieu.start("petrify", 6))
    for move in ("c3", "d4", "e5"):
        table.play(move)
    assert [str(move) for move in table.undo()] == ["e5"]
    assert [str(move) for move in table.undo()] == ["d4"]
    assert [str(move) for move in table.redo()] == ["d4"]
    assert [str(move) for move in table.redo()] == ["e5"]
    assert [str(move) for move in table.moves] == ["c3", "d4", "e5"]


def test_a_new_move_forgets_what_was_undone() -> None:
    table = Table(purlieu.start("petrify", 6))
    table.play("c3")
    table.undo()
    table.play("a1")
    with pytest.raises(PurlieuError, match="nothing to redo"):
        table.redo()


def test_one_undo_takes_back_the_computers_reply_and_ones_own_move() -> None:
    table = table_against_random()
    table.play("c3")
    assert len(list(table.replies())) == 1
    assert len(table.undo()) == 2
    assert table.position == purlieu.start("petrify")
    assert len(table.redo()) == 2


def test_the_computers_first_move_cannot_be_taken_back_by_its_opponent() -> None:
    table = table_against_random(seat=Seat.SECOND)
    assert table.position.ply == 1
    with pytest.raises(PurlieuError, match="nothing to take back"):
        table.undo()
    assert table.position.ply == 1


def test_an_illegal_move_changes_nothing() -> None:
    table = Table(purlieu.start("petrify", 6))
    table.play("c3")
    table.undo()
    with pytest.raises(IllegalMove):
        table.play("c3xc4")
    assert table.moves == []
    assert [str(move) for move in table.redo()] == ["c3"]


def test_forced_passes_are_played_without_asking() -> None:
    position = petrify.draw("""
        b b b
        b b b
        b b .
    """)
    table = Table(position)
    table.play("c1")
    assert [str(move) for move in table.replies()] == ["pass", "pass"]
    assert table.is_finished
    assert table.winner is position.to_move


def test_undo_goes_back_over_forced_passes_to_a_real_choice() -> None:
    table = Table(petrify.draw("b b b\nb b b\nb b ."))
    table.play("c1")
    list(table.replies())
    assert [str(move) for move in table.undo()] == ["c1", "pass", "pass"]
    assert not table.is_finished


def test_resigning_ends_the_game_and_undo_takes_it_back() -> None:
    table = Table(purlieu.start("pilo", 6))
    table.play("c3")
    assert table.resign() is Seat.SECOND
    assert table.winner is Seat.FIRST
    with pytest.raises(PurlieuError, match="resigned"):
        table.play("c4")
    table.undo()
    table.play("c4")


def test_it_is_the_person_who_resigns_even_on_the_computers_turn() -> None:
    table = Table(purlieu.start("pilo", 6), computers={Seat.FIRST: choose_random})
    assert table.resign() is Seat.SECOND


@pytest.mark.parametrize("game", GAMES)
def test_two_computers_play_every_game_to_its_end(game: str) -> None:
    size = GAMES[game].sizes[0]
    computers = dict.fromkeys(Seat, choose_random)
    table = Table(purlieu.start(game, size), computers=computers, random=Random(2))
    moves = list(table.replies())
    assert table.is_finished
    assert table.moves == moves
    assert not is_forced_pass(table.position)
