"""What every game promises. A new game joins by being registered."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, fields

import pytest

import purlieu
from purlieu import GAMES, IllegalMove, Position, Seat
from purlieu.records import Record, dump_json, dumps, loads, read_jsonl
from purlieu.rules import pentwall
from purlieu.rules.board import Point, Square
from purlieu.rules.ledger import Patch
from purlieu.rules.moves import PASS, SWAP, Capture, Move, Paint, Place

from .games import EVERY_DEFAULT, EVERY_GAME_AND_SIZE, EVERY_SMALLEST, random_game, some_positions
from .transform import SYMMETRIES, exchanged, turned, turned_move

every_game_and_size = pytest.mark.parametrize(("game", "size"), EVERY_GAME_AND_SIZE)
every_default = pytest.mark.parametrize(("game", "size"), EVERY_DEFAULT + EVERY_SMALLEST)


@every_game_and_size
def test_a_position_text_reads_back_equal(game: str, size: int) -> None:
    for position in some_positions(game, size):
        assert purlieu.parse(position.text()) == position
        assert "\n" not in position.text()


@every_default
def test_a_record_reads_back_equal_as_text_and_as_json(game: str, size: int) -> None:
    moves = [move for _, move in random_game(game, size, seed=6, plies=120) if move]
    record = Record.of(purlieu.start(game, size), moves, first="Ana", second="Ben")
    assert loads(dumps(record)) == [record]
    assert list(read_jsonl([dump_json(record)])) == [record]


@every_game_and_size
def test_a_move_text_reads_back_equal(game: str, size: int) -> None:
    for position in some_positions(game, size):
        for move in position.legal_moves():
            assert position.read_move(str(move)) == move


@every_game_and_size
def test_play_leaves_its_input_alone(game: str, size: int) -> None:
    for position in some_positions(game, size):
        text, twin = position.text(), copy.deepcopy(position)
        for move in position.legal_moves()[:3]:
            assert position.play(move) != position
        assert position.text() == text
        assert position == twin
        assert hash(position) == hash(twin)


@every_default
def test_a_position_cannot_be_changed(game: str, size: int) -> None:
    position = purlieu.start(game, size)
    name = fields(position)[0].name  # type: ignore[arg-type]
    with pytest.raises(FrozenInstanceError):
        setattr(position, name, None)


@every_default
def test_legal_moves_are_exactly_the_moves_that_explain_accepts(game: str, size: int) -> None:
    for position in some_positions(game, size):
        accepted = {move for move in every_nameable_move(position) if position.explain(move) is None}
        legal = position.legal_moves()
        assert accepted == set(legal)
        assert len(legal) == len(set(legal))


@every_default
def test_a_move_that_explain_refuses_cannot_be_played(game: str, size: int) -> None:
    position = some_positions(game, size)[3]
    refused = [move for move in every_nameable_move(position) if position.explain(move) is not None]
    for move in refused[:200]:
        with pytest.raises(IllegalMove) as caught:
            position.play(move)
        assert caught.value.refusal == position.explain(move)
        assert str(caught.value).startswith(f"{move}: ")


@every_game_and_size
def test_an_over_position_has_no_moves_and_an_outcome(game: str, size: int) -> None:
    if game == "pyloff" and size > 6:
        position = purlieu.parse(f"pyloff {'/'.join([str(size)] * size)} ply=2 passes=2")
    else:
        *_, (position, _) = random_game(game, size, seed=5)
    assert position.is_over
    assert position.legal_moves() == []
    assert position.outcome is not None
    for move in ("pass", "swap"):
        refusal = position.explain(move)
        assert refusal is not None
        assert refusal.rule is purlieu.Rule.GAME_OVER


@every_default
def test_while_the_game_goes_on_there_is_a_move_and_no_outcome(game: str, size: int) -> None:
    for position, move in random_game(game, size, seed=1):
        assert (move is None) == position.is_over
        assert (position.outcome is None) != position.is_over


@every_default
def test_pass_is_legal_only_when_it_is_alone(game: str, size: int) -> None:
    for seed in range(3):
        for position, _ in random_game(game, size, seed):
            moves = position.legal_moves()
            assert PASS not in moves or list(moves) == [PASS]


@every_default
def test_swap_is_legal_on_the_second_seats_first_turn_of_a_pie_game_only(game: str, size: int) -> None:
    for position, _ in random_game(game, size, seed=2):
        assert (SWAP in position.legal_moves()) == (GAMES[game].has_pie_rule and position.ply == 1)


@every_default
def test_turns_alternate_between_the_seats(game: str, size: int) -> None:
    for position, _ in random_game(game, size, seed=3):
        assert position.to_move is (Seat.FIRST if position.ply % 2 == 0 else Seat.SECOND)
        assert position.colour_to_move is position.colour_of(position.to_move)
        assert {position.colour_of(seat) for seat in Seat} == set(position.colours)
        assert all(position.seat_of(position.colour_of(seat)) is seat for seat in Seat)


@every_default
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_turned_or_mirrored_board_gives_turned_or_mirrored_answers(game: str, size: int, symmetry: int) -> None:
    for position in some_positions(game, size, seed=symmetry):
        other = turned(position, symmetry)
        assert other.score() == position.score()
        assert other.outcome == position.outcome
        moves = position.legal_moves()
        assert set(other.legal_moves()) == {turned_move(move, size, symmetry) for move in moves}
        for move in moves[:: max(1, len(moves) // 5)]:
            assert turned(position.play(move), symmetry) == other.play(turned_move(move, size, symmetry))


@every_default
def test_exchanged_colours_exchange_the_score_and_nothing_else(game: str, size: int) -> None:
    for position in some_positions(game, size, seed=4):
        other = exchanged(position)
        first, second = position.colours
        assert other.score() == {first: position.score()[second], second: position.score()[first]}
        assert other.legal_moves() == position.legal_moves()


@every_game_and_size
def test_the_ledger_adds_up_to_the_score(game: str, size: int) -> None:
    for position in some_positions(game, size):
        ledger = position.ledger()
        for colour in position.colours:
            assert sum(e.points for e in ledger.entries if e.owner is colour) == position.score()[colour]
        for entry in ledger.entries:
            assert entry.points == (len(entry.squares) if entry.owner else 0)


@pytest.mark.parametrize(("game", "size"), [("petrify", 8), ("pilo", 8)])
def test_in_a_ledger_every_group_is_struck_out_once_or_left(game: str, size: int) -> None:
    for position in some_positions(game, size):
        for entry in position.ledger().entries:
            assert isinstance(entry, Patch)
            struck = [group for pair in entry.struck_out for group in pair]
            assert sorted(map(id, (*struck, *entry.left))) == sorted(map(id, entry.groups))
            assert all(one.size == two.size and one.colour is not two.colour for one, two in entry.struck_out)
            assert {square for group in entry.groups for square in group.squares} <= set(entry.squares)


@every_default
def test_an_outcome_gives_the_scores_by_seat_and_by_colour(game: str, size: int) -> None:
    for seed in range(4):
        *_, (position, _) = random_game(game, size, seed)
        outcome = position.outcome
        assert outcome is not None
        assert outcome.by_colour == position.score()
        assert outcome.by_seat == {seat: outcome.by_colour[position.colour_of(seat)] for seat in Seat}
        if outcome.winner and outcome.by_seat[Seat.FIRST] != outcome.by_seat[Seat.SECOND]:
            assert outcome.by_seat[outcome.winner] == max(outcome.by_seat.values())
        assert outcome.reason


@every_default
def test_positions_and_errors_travel_between_processes(game: str, size: int) -> None:
    position = some_positions(game, size)[2]
    assert pickle.loads(pickle.dumps(position)) == position
    with pytest.raises(IllegalMove) as caught:
        position.play("pass")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@every_default
def test_repr_can_be_typed_back(game: str, size: int) -> None:
    position = some_positions(game, size)[2]
    assert eval(repr(position), {"purlieu": purlieu}) == position


def every_nameable_move(position: Position) -> list[Move]:
    """All moves one could name on this board, and some just off it."""
    reach = range(1, position.size + 2)
    squares = [Square(column, row) for row in reach for column in reach]
    moves: list[Move] = [PASS, SWAP]
    match position.game:
        case "pyloff":
            moves += [Place(Point(column, row, level)) for column, row in squares for level in reach]
        case "pentwall":
            for letter in pentwall.SHAPES:
                paints = [paint for _, paint in pentwall.placements_of(letter)]
                moves += paints
                moves += [Paint("X" if letter != "X" else "I", paint.squares) for paint in paints[::50]]
        case _:
            moves += [Place(square) for square in squares]
            moves += [Capture(start, target) for start in squares for target in squares]
    return moves
