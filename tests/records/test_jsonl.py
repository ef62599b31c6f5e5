import json

import pytest

import purlieu
from purlieu.records import DEEPEST, RecordError, dump_json, read_jsonl

from .made import only


def error_of(value: object) -> RecordError:
    text = value if isinstance(value, str) else json.dumps(value)
    with pytest.raises(RecordError) as caught:
        list(read_jsonl(["\n\n", text]))
    assert caught.value.line == 3
    return caught.value


def test_a_plain_move_is_a_text_and_one_with_remarks_is_an_object() -> None:
    record = only('[Game "Petrify"] [Event "x"] {all} c3 2. {b} d4! {a} (e5 f6?) 1-0')
    assert json.loads(dump_json(record)) == {
        "game": "petrify",
        "size": 8,
        "rules": 1,
        "first": None,
        "second": None,
        "date": None,
        "result": "1-0",
        "score": None,
        "position": None,
        "comment": "all",
        "tags": {"Event": "x"},
        "moves": [
            "c3",
            {
                "move": "d4",
                "marks": ["!"],
                "before": "b",
                "comment": "a",
                "variations": [["e5", {"move": "f6", "marks": ["?"]}]],
            },
        ],
    }


def test_a_game_and_its_moves_are_all_that_must_be_there() -> None:
    (record,) = read_jsonl(['{"game": "Petrify", "moves": ["c3", {"move": "swap", "comment": null}], "size": null}'])
    assert record.end == purlieu.start("petrify").play("c3").play("swap")


@pytest.mark.parametrize(
    ("value", "path", "ply", "sentence"),
    [
        ([], None, None, "expected an object, not a list"),
        ({"moves": []}, None, None, "expected the key game"),
        ({"game": "petrify"}, None, None, "expected the key moves"),
        ({"game": "petrify", "move": []}, None, None, "there is no key 'move'; did you mean moves?"),
        ({"game": "petrify", "moves": [], "qqq": 1}, None, None, "there is no key 'qqq'; the keys are game, size"),
        ({"game": 1, "moves": []}, "game", None, "expected a text, not a number"),
        ({"game": "chess", "moves": []}, "game", None, "there is no game called 'chess'"),
        ({"game": "petrify", "size": True, "moves": []}, "size", None, "expected a whole number, not true or false"),
        ({"game": "petrify", "size": 8.0, "moves": []}, "size", None, "expected a whole number, not a number"),
        ({"game": "petrify", "size": 99, "moves": []}, "size", None, "99 is not such a size"),
        ({"game": "petrify", "size": -1, "moves": []}, "size", None, "the Size tag says '-1'"),
        ({"game": "petrify", "rules": 2, "moves": []}, "rules", None, "up to version 1"),
        ({"game": "petrify", "result": "won", "moves": []}, "result", None, "the Result tag says 'won'"),
        ({"game": "petrify", "score": [1], "moves": []}, "score", None, "as in [29, 16]"),
        ({"game": "petrify", "score": [1, "2"], "moves": []}, "score[1]", None, "expected a whole number, not a text"),
        ({"game": "petrify", "position": "x", "moves": []}, "position", None, "a position begins with its game's name"),
        ({"game": "petrify", "comment": 5, "moves": []}, "comment", None, "expected a text"),
        ({"game": "petrify", "comment": "\ud800", "moves": []}, "comment", None, "half a character"),
        ({"game": "petrify", "tags": [], "moves": []}, "tags", None, "expected an object"),
        ({"game": "petrify", "tags": {"First": "x"}, "moves": []}, "tags['First']", None, "a key of its own, first"),
        ({"game": "petrify", "tags": {"a b": "x"}, "moves": []}, "tags['a b']", None, "names no tag"),
        ({"game": "petrify", "tags": {"x": 1}, "moves": []}, "tags['x']", None, "expected a text"),
        ({"game": "petrify", "moves": "c3"}, "moves", None, "expected a list, not a text"),
        ({"game": "petrify", "moves": ["c3", 5]}, "moves[1]", 2, "expected a move as text, or an object"),
        ({"game": "petrify", "moves": ["c3", "c3"]}, "moves[1]", 2, "c3: c3 holds a blue disk"),
        ({"game": "petrify", "moves": [{"move": 5}]}, "moves[0].move", 1, "expected a text"),
        ({"game": "petrify", "moves": [{"mov": "c3"}]}, "moves[0]", 1, "did you mean move?"),
        ({"game": "petrify", "moves": [{"move": "c3", "marks": "!"}]}, "moves[0].marks", 2, "expected a list"),
        ({"game": "petrify", "moves": [{"move": "c3", "marks": ["#"]}]}, "moves[0]", 2, "'#' is no mark"),
        ({"game": "petrify", "moves": [{"move": "c3", "before": 1}]}, "moves[0].before", 1, "expected a text"),
        (
            {"game": "petrify", "moves": ["a1", {"move": "c3", "variations": [["b1", "b1"]]}]},
            "moves[1].variations[0][1]",
            3,
            "b1: b1 holds an orange disk",
        ),
        ({"game": "petrify", "moves": [{"move": "c3", "variations": [[]]}]}, "moves[0]", 1, "expected a move in the"),
    ],
)
def test_an_error_names_the_line_and_the_way_to_the_field(
    value: object, path: str | None, ply: int | None, sentence: str
) -> None:
    error = error_of(value)
    assert (error.path, error.ply) == (path, ply), error
    assert sentence in error.message
    assert str(error).startswith(f"line 3, {path}" if path else "line 3: ")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "line 3, column 2: this is not JSON"),
        ('{"game":"petrify","moves":[]} x', "line 3, column 31: this is not JSON: Extra data"),
        ("[" * 200_000, "line 3: this JSON is nested too deeply"),
        ('{"a":' * 200_000, "line 3: this JSON is nested too deeply"),
        ('{"game":"petrify","size":' + "9" * 5000 + ',"moves":[]}', "line 3: this JSON cannot be read"),
        ('{"game":"petrify","size":NaN,"moves":[]}', "line 3: NaN is no JSON number"),
        ('{"game":"petrify","moves":[],"moves":["c3"]}', "line 3: the key 'moves' is given twice"),
    ],
)
def test_what_is_not_json_is_our_error(text: str, sentence: str) -> None:
    assert str(error_of(text)).startswith(sentence)


def test_variations_have_a_deepest_level_here_too() -> None:
    line: list[object] = ["a1"]
    for _ in range(DEEPEST + 1):
        line = [{"move": "a1", "variations": [line]}]
    assert "inside each other" in error_of({"game": "petrify", "moves": line}).message


def test_with_a_handler_reading_goes_on_at_the_next_line() -> None:
    good = '{"game":"petrify","moves":["c3"]}\n'
    errors: list[RecordError] = []
    assert len(list(read_jsonl([good, "oops\n", good, "{}\n"], errors.append))) == 2
    assert [error.line for error in errors] == [2, 4]
