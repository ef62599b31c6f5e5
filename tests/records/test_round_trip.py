import io
import pickle
from dataclasses import replace

import pytest
from hypothesis import given

import purlieu
from purlieu.records import (
    DEEPEST,
    Line,
    Node,
    Record,
    dump_json,
    dumps,
    loads,
    read_jsonl,
    read_records,
    write_jsonl,
    write_records,
)

from .made import SMALL, only, records, whole_game


@given(records())
def test_what_is_written_as_text_reads_back_equal(record: Record) -> None:
    text = dumps(record)
    back = only(text)
    assert back == record
    assert list(back.header.items()) == list(record.header.items())
    assert dumps(back) == text


@given(records())
def test_what_is_written_as_json_reads_back_equal(record: Record) -> None:
    line = dump_json(record)
    assert "\n" not in line
    (back,) = read_jsonl([line])
    assert back == record
    assert dumps(back) == dumps(record)
    assert dump_json(only(dumps(record))) == line


@given(records())
def test_lines_of_moves_and_comments_keep_to_80_columns_where_a_space_allows_it(record: Record) -> None:
    _, _, moves = dumps(record).partition("\n\n")
    for line in moves.splitlines():
        assert len(line) <= 80 or line.count(" ") <= 2 or any(len(word) > 60 for word in line.split(" "))


def test_many_games_written_one_after_the_other_read_back_in_order() -> None:
    games = [whole_game(game, size, seed) for game, size in SMALL for seed in range(3)]
    text, lines = io.StringIO(), io.StringIO()
    write_records(games, text)
    write_jsonl(games, lines)
    assert list(read_records(io.StringIO(text.getvalue()))) == games
    assert list(read_jsonl(io.StringIO(lines.getvalue()))) == games


@pytest.mark.parametrize(("game", "size"), [(game.name, game.default_size) for game in purlieu.GAMES.values()])
def test_a_whole_game_is_written_with_the_result_and_the_score_that_the_rules_decide(game: str, size: int) -> None:
    record = whole_game(game, size)
    outcome = record.end.outcome
    assert outcome is not None
    back = only(dumps(record))
    assert back == record
    assert back.score == (outcome.by_seat[purlieu.Seat.FIRST], outcome.by_seat[purlieu.Seat.SECOND])
    assert {"1-0": purlieu.Seat.FIRST, "0-1": purlieu.Seat.SECOND, "1/2-1/2": None}[back.result] is outcome.winner


def test_variations_nest_as_deep_as_is_allowed_and_come_back() -> None:
    start = purlieu.start("petrify", 6)
    line: Line = (Node(start.read_move("a1")),)
    for _ in range(DEEPEST):
        line = (Node(start.read_move("a1"), variations=(line,)),)
    record = Record(start, line)
    assert only(dumps(record)) == record
    assert next(read_jsonl([dump_json(record)])) == record
    assert pickle.loads(pickle.dumps(record)) == record
    with pytest.raises(purlieu.PurlieuError, match="inside each other"):
        Record(start, (Node(start.read_move("a1"), variations=(line,)),))


def test_a_copy_with_other_tags_keeps_the_moves_and_is_checked_anew() -> None:
    record = whole_game("petrify", 3)
    renamed = replace(record, tags={**record.tags, "First": "Cleo"})
    assert (renamed.first, renamed.line) == ("Cleo", record.line)
    assert renamed != record
    shorter = replace(record, line=record.line[:2])
    assert shorter.end.ply == 2


def test_an_empty_text_holds_no_records() -> None:
    for text in ("", "\n", "\ufeff", "  \r\n\t\r\n"):
        assert loads(text) == []
        assert list(read_jsonl([text])) == []
    assert loads("% only an escape\n") == []
