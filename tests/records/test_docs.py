"""The examples in docs/records.md are what the code does."""

from pathlib import Path

import pytest

from purlieu.records import RecordError, dump_json, dumps, loads, read_jsonl
from purlieu.records.games import LONGEST_GAME
from purlieu.records.model import DEEPEST, MOST_MOVES
from purlieu.records.tags import MOST_TAGS, STANDARD

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


def test_the_page_names_every_standard_tag_and_every_bound() -> None:
    for name in STANDARD:
        assert name in PAGE
    bounds = (f"{LONGEST_GAME:,} characters", f"{MOST_MOVES:,} moves", f"{MOST_TAGS} tags", f"at most {DEEPEST} deep")
    for bound in bounds:
        assert bound in " ".join(PAGE.split())
