"""Any text is read or refused with our own error, in time in proportion to its length."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purlieu.records import Record, RecordError, dump_json, dumps, read_jsonl, read_records

from .made import SMALL, only, whole_game

WORDS = ["1.", "2...", "a1", "b2", "c3xa1", "2a1", "swap", "pass", "?!", "$1", "1-0", "9" * 50]
PIECES = [*"![]\"'“”{}();%$*\\é \n\r\ufeff\ud800", *WORDS, '[Game "Petrify"]', '[Size "3"]', '[Game "Pyloff"]']
JSON_WORDS = ['"move"', '"a1"', '"marks"', '"variations":[[', "null", "true", "NaN", "1e999", "\\ud800"]
JSON_PIECES = [*'[]{}",:\n', *JSON_WORDS, '{"game":"petrify","moves":[', "]}"]


def damaged(text: str, seed: int) -> str:
    """The text with a few characters lost, doubled, moved or replaced."""
    random = Random(seed)
    for _ in range(random.randint(1, 4)):
        at, to = sorted(random.randrange(len(text) + 1) for _ in range(2))
        match random.randrange(4):
            case 0:
                text = text[:at] + text[min(to, at + 5) :]
            case 1:
                text = text[:at] + random.choice(PIECES) + text[at:]
            case 2:
                text = text[:at] + text[at:to] * 2 + text[to:]
            case _:
                text = text[to:] + text[:at]
    return text


VALID = [dumps(whole_game(game, size)) for game, size in SMALL]
REMARKED = '[Game "Petrify"]\n[Size "3"]\n\n{all} 1. a1! {so} (1. b2 $5 (1. c3) 1... {if} a1) swap ; x\n2. b1 1-0\n'
FILES = st.sampled_from([*VALID, REMARKED]) | st.lists(st.sampled_from([*VALID, REMARKED]), max_size=3).map("\n".join)
BROKEN_FILES = st.builds(damaged, FILES, st.integers(0, 2**32))
JSON_VALID = [dump_json(only(text)) for text in [*VALID, REMARKED]]
BROKEN_LINES = st.builds(damaged, st.sampled_from(JSON_VALID), st.integers(0, 2**32))


def read_all(text: str, reader: Callable[..., Iterator[Record]]) -> list[Record]:
    """All that can be read, with and without a handler; the errors must be ours and be the same."""
    errors: list[RecordError] = []
    records = list(reader([text], errors.append))
    if errors:
        with pytest.raises(RecordError) as caught:
            list(reader([text]))
        assert str(caught.value) == str(errors[0])
    else:
        assert list(reader([text])) == records
    return records


@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join) | st.lists(st.sampled_from(PIECES)).map(" ".join))
def test_any_text_is_read_or_refused_with_our_error(text: str) -> None:
    read_all(text, read_records)
    read_all('[Game "Petrify"] ' + text, read_records)


@given(BROKEN_FILES)
def test_a_damaged_file_is_read_or_refused_and_what_is_read_is_not_lost(text: str) -> None:
    for record in read_all(text, read_records):
        assert only(dumps(record)) == record
        assert list(read_jsonl([dump_json(record)])) == [record]


@given(st.text() | st.lists(st.sampled_from(JSON_PIECES)).map("".join) | BROKEN_LINES)
def test_any_json_is_read_or_refused_with_our_error(text: str) -> None:
    for record in read_all(text, read_jsonl):
        assert only(dumps(record)) == record


HEAD = '[Game "Petrify"]\n\n1. c3 '
NASTY = {
    "open braces": (HEAD, "{"),
    "open comments in games": ("", '[Game "Pilo"]\n\n{ c3\n'),
    "backslashes in a comment": (HEAD + "{", "\\"),
    "spaces in a comment": (HEAD + "{x", " "),
    "spaces": (HEAD, " "),
    "empty lines in a comment": (HEAD + "{x", "\n \n"),
    "carriage returns": (HEAD, "\r"),
    "parentheses": (HEAD, "("),
    "variations": (HEAD, "(c4)"),
    "comments": (HEAD, "{x}"),
    "marks": (HEAD, "!"),
    "numbered marks": (HEAD, "$9"),
    "digits": (HEAD, "1"),
    "dots": (HEAD, "1."),
    "letters": (HEAD, "c"),
    "open brackets": ("", "["),
    "tags": ("", '[x{} "y"]\n'),
    "tags without a value": ("", "[x "),
    "a tag without its quote": ('[x "', "\\"),
    "a long tag": ('[x "', "y"),
    "a long name": ("[", "x"),
    "spaces in a tag": ("[x", " "),
    "games": ("", '[Game "Pilo"]\n\n*\n'),
}
NASTY_JSON = {
    "brackets": ("", "["),
    "keys": ("{", '"k{}":1,'),
    "text": ('"', "\\u0041"),
    "tags": ('{"game":"pilo","tags":{', '"k{}":"",'),
    "spaces": ("", " "),
    "digits": ('{"game":', "9"),
}


def seconds(reader: Callable[..., Iterator[Record]], start: str, again: str, length: int) -> float:
    times = length // len(again)
    text = start + ("".join(again.replace("{}", str(n)) for n in range(times)) if "{}" in again else again * times)
    errors: list[RecordError] = []
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        for _ in reader([text], errors.append):
            pass
        best = min(best, time.process_time() - begun)
    return best


@pytest.mark.parametrize(("start", "again"), NASTY.values(), ids=NASTY)
def test_reading_text_takes_time_in_proportion_to_its_length(start: str, again: str) -> None:
    assert seconds(read_records, start, again, 40_000) < 12 * seconds(read_records, start, again, 10_000) + 0.02


@pytest.mark.parametrize(("start", "again"), NASTY_JSON.values(), ids=NASTY_JSON)
def test_reading_json_takes_time_in_proportion_to_its_length(start: str, again: str) -> None:
    assert seconds(read_jsonl, start, again, 40_000) < 12 * seconds(read_jsonl, start, again, 10_000) + 0.02
