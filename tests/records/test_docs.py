"""The examples in docs/records.md are what the code does."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

from purlieu.arena.games import Played
from purlieu.arena.store import Identity, read_games
from purlieu.records import RecordError, dump_json, dumps, loads, read_jsonl
from purlieu.records.games import LONGEST_GAME
from purlieu.records.model import DEEPEST, MOST_MOVES
from purlieu.records.tags import MOST_TAGS, STANDARD
from purlieu.rules import Seat, start

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")


def examples(kind: str) -> list[str]:
    """The blocks of code of that kind on the page."""
    blocks = PAGE.split("```")[1::2]
    return [block.removeprefix(f"{kind}\n") for block in blocks if block.startswith(f"{kind}\n")]


def test_the_text_on_the_page_is_as_the_writer_writes_it() -> None:
    (text,) = examples("pur")
    (record,) = loads(text)
    assert dumps(record) == text


def test_the_json_line_on_the_page_is_the_same_record() -> None:
    (text,), (line,) = examples("pur"), examples("jsonl")
    assert list(read_jsonl([line])) == loads(text)
    assert dump_json(*loads(text)) + "\n" == line


def test_the_errors_on_the_page_are_what_the_readers_say() -> None:
    (text_error,), (json_error,) = examples("error"), examples("jsonl-error")
    text, sentence = text_error.split("---\n")
    with pytest.raises(RecordError) as caught:
        loads(text)
    assert f"{caught.value}\n" == sentence
    line, sentence = json_error.split("---\n")
    with pytest.raises(RecordError) as caught:
        list(read_jsonl([line]))
    assert f"{caught.value}\n" == sentence


def test_the_python_on_the_page_runs() -> None:
    (code,) = examples("python")
    exec(compile(code, "docs/records.md", "exec"), {})


def test_the_results_of_a_match_on_the_page_are_read_as_such_and_every_key_is_in_its_table(tmp_path: Path) -> None:
    (results,) = examples("results")
    file = tmp_path / "match.jsonl"
    file.write_text(results, encoding="utf-8")
    (game,) = read_games(file).values()
    match, line = (json.loads(each) for each in results.splitlines())
    played = {field.name for field in dataclasses.fields(Played)}
    assert set(line) == {"key", "opening"} | played
    assert set(match["match"]) == {"version"} | {field.name for field in dataclasses.fields(Identity)}
    for_the_match, for_a_game = (PAGE.split(f"| key of {what} |")[1].split("\n\n")[0] for what in ("`match`", "a game"))
    for table, keys in ((for_the_match, set(match["match"])), (for_a_game, set(line))):
        named = {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
        assert named == keys
    assert all(f"`{name}`" in for_a_game for name in line["key"])
    position = start(match["match"]["game"], match["match"]["size"])
    for move in game.played.moves:
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner is {"1-0": Seat.FIRST, "0-1": Seat.SECOND}[line["result"]]


def test_the_page_names_every_standard_tag_and_every_bound() -> None:
    for name in STANDARD:
        assert name in PAGE
    bounds = (f"{LONGEST_GAME:,} characters", f"{MOST_MOVES:,} moves", f"{MOST_TAGS} tags", f"at most {DEEPEST} deep")
    for bound in bounds:
        assert bound in " ".join(PAGE.split())
