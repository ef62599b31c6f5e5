"""Records as JSON Lines: one object a line, for programs. It holds all that the text holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn, TextIO

from purlieu.kit.suggestions import did_you_mean
from purlieu.rules import Message
from purlieu.rules.notation import shown

from .builder import Builder
from .errors import RecordError
from .games import LONGEST_GAME, TextLine, readable, text_lines
from .model import Line, Node, Record
from .reader import OnError
from .tags import STANDARD, UNKNOWN, add_tag, start_of
from .texts import half_character

_KEYS = (*(name.lower() for name in STANDARD), "comment", "tags", "moves")
_NODE_KEYS = ("move", "marks", "before", "comment", "variations")


def dump_json(record: Record) -> str:
    """The record as one line of JSON, without the line's end."""
    header = record.header
    value = {
        "game": record.game,
        "size": record.start.size,
        "rules": record.rules,
        **{name.lower(): None if header[name] == UNKNOWN else header[name] for name in ("First", "Second", "Date")},
        "result": record.result,
        "score": record.score,
        "position": header.get("Position"),
        "comment": record.comment or None,
        "tags": {name: value for name, value in header.items() if name not in STANDARD},
        "moves": _dump_line(record.line),
    }
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return readable(text)


def write_jsonl(records: Iterable[Record], stream: TextIO) -> None:
    """Write each record as it comes, one a line."""
    for record in records:
        stream.write(dump_json(record) + "\n")


def _dump_line(line: Line) -> list[object]:
    return [_dump_node(node) for node in line]


def _dump_node(node: Node) -> object:
    """A plain move is its text; one with something said about it is an object."""
    said = {
        "marks": list(node.marks),
        "before": node.before,
        "comment": node.comment,
        "variations": [_dump_line(variation) for variation in node.variations],
    }
    said = {key: value for key, value in said.items() if value}
    return {"move": str(node.move), **said} if said else str(node.move)


def read_jsonl(source: Iterable[str] | TextIO, errors: OnError | None = None) -> Iterator[Record]:
    """The records of a JSON Lines text, each read when it is asked for.

    The first error is raised; if `errors` is given, it is called with each error instead, and
    reading goes on at the next line.
    """
    try:
        for line in text_lines(source):
            if not line.text.strip():
                continue
            try:
                record = _read_line(line)
            except RecordError as error:
                error.at(line=line.number)
                if errors is None:
                    raise
                errors(error)
                continue
            yield record
    except UnicodeDecodeError as error:
        wrong = RecordError(
            Message("record.this_text_is_not", "this text is not UTF-8: {reason}", reason=error.reason),
            expected="UTF-8",
        )
        if errors is None:
            raise wrong from error
        errors(wrong)


def _read_line(line: TextLine) -> Record:
    if len(line.text) > LONGEST_GAME:
        raise RecordError(
            Message(
                "record.this_line_is_longer",
                "this line is longer than {longest_game} characters, the most that one may have",
                longest_game=LONGEST_GAME,
            )
        )
    bad = half_character(line.text)
    if bad is not None:
        byte = line.byte + len(line.text[:bad].encode())
        raise RecordError(
            Message(
                "record.byte_at_offset_is", "the byte at offset {byte} is not UTF-8; save the file as UTF-8", byte=byte
            ),
            expected="UTF-8",
        )
    try:
        value = json.loads(line.text, object_pairs_hook=_object, parse_constant=_refuse_constant)
        return _read_record(value)
    except json.JSONDecodeError as error:
        raise RecordError(
            Message("record.this_is_not_json", "this is not JSON: {msg}", msg=error.msg),
            line=line.number,
            column=error.colno,
        ) from error
    except RecursionError as error:
        raise RecordError(Message("record.this_json_is_nested", "this JSON is nested too deeply")) from error
    except RecordError:
        raise
    except ValueError as error:  # a number of thousands of digits
        raise RecordError(
            Message("record.this_json_cannot_be", "this JSON cannot be read: {error}", error=error)
        ) from error


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value: dict[str, object] = {}
    for name, field in pairs:
        if name in value:
            raise RecordError(
                Message("record.key_is_given_twice", "the key {name} is given twice in one object", name=shown(name))
            )
        value[name] = field
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise RecordError(Message("record.is_no_json_number", "{name} is no JSON number", name=name))


def _read_record(value: object) -> Record:
    fields = _expect_object(value, _KEYS, required=("game", "moves"), path="")
    tags: dict[str, str] = {}
    for name in STANDARD:
        _add(tags, name, _standard_value(fields, name.lower()), name.lower())
    others = fields.get("tags")
    for name, other in ({} if others is None else _expect_mapping(others, "tags")).items():
        path = f"tags[{shown(name)}]"
        if name.lower() in _KEYS[: len(STANDARD)]:
            raise RecordError(
                Message(
                    "record.has_key_of_its",
                    "{name} has a key of its own, {lower}, outside tags",
                    name=name,
                    lower=name.lower(),
                ),
                path=path,
            )
        _add(tags, name, _expect_text(other, path), path)
    try:
        builder = Builder(start_of(tags))
        _comment(builder, fields, "comment", "comment")
        _read_moves(builder, fields["moves"], "moves")
        return builder.finish(tags)
    except RecordError as error:
        error.at(path=error.tag and error.tag.lower())
        raise


def _standard_value(fields: Mapping[str, object], key: str) -> str | None:
    """A field as its tag's text; None where it is not given."""
    value = fields.get(key)
    if value is None:
        return None
    if key in ("size", "rules"):
        return str(_expect_int(value, key))
    if key == "score":
        scores = _expect_list(value, key)
        if len(scores) != 2:
            raise _wrong(
                Message("expected.score_list", "the first seat's score and the second's, as in [29, 16]"),
                value,
                key,
            )
        return "-".join(str(_expect_int(score, f"score[{at}]")) for at, score in enumerate(scores))
    return _expect_text(value, key)


def _add(tags: dict[str, str], name: str, value: str | None, path: str) -> None:
    if value is None:
        return
    try:
        add_tag(tags, name, value)
    except RecordError as error:
        error.at(path=path)
        raise


def _read_moves(builder: Builder, value: object, path: str) -> None:
    for at, move in enumerate(_expect_list(value, path)):
        here = f"{path}[{at}]"
        try:
            if isinstance(move, str):
                builder.play(move)
            else:
                _read_node(builder, move, here)
        except RecordError as error:
            error.at(path=here, ply=builder.ply)
            raise


def _read_node(builder: Builder, value: object, path: str) -> None:
    if not isinstance(value, dict):
        raise _wrong(Message("expected.move_or_object", "a move as text, or an object with a move in it"), value, path)
    fields = _expect_object(value, _NODE_KEYS, required=("move",), path=path)
    builder.interrupt()
    _comment(builder, fields, "before", f"{path}.before")
    builder.play(_expect_text(fields["move"], f"{path}.move"))
    for at, mark in enumerate(_expect_list(fields.get("marks", []), f"{path}.marks")):
        builder.mark(_expect_text(mark, f"{path}.marks[{at}]"))
    _comment(builder, fields, "comment", f"{path}.comment")
    for at, variation in enumerate(_expect_list(fields.get("variations", []), f"{path}.variations")):
        builder.open_variation()
        _read_moves(builder, variation, f"{path}.variations[{at}]")
        builder.close_variation()


def _comment(builder: Builder, fields: Mapping[str, object], key: str, path: str) -> None:
    text = fields.get(key)
    if text is None:
        return
    try:
        builder.comment(_expect_text(text, path))
    except RecordError as error:
        error.at(path=path)
        raise


# -- what a value must be -------------------------------------------------------------------------


def _expect_object(value: object, known: tuple[str, ...], required: tuple[str, ...], path: str) -> Mapping[str, object]:
    fields = _expect_mapping(value, path)
    for key in fields:
        if key not in known:
            hint = did_you_mean(key, known, Message("record.the_keys", "the keys are {keys}", keys=", ".join(known)))
            raise RecordError(
                Message("record.there_is_no_key", "there is no key {key}; {hint}", key=shown(key), hint=hint),
                path=path or None,
                expected="a known key",
            )
    for key in required:
        if key not in fields:
            raise RecordError(
                Message("record.expected_key", "expected the key {key}", key=key),
                path=path or None,
                expected=f"the key {key}",
            )
    return fields


def _expect_mapping(value: object, path: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _wrong(Message("expected.an_object", "an object"), value, path)
    return value


def _expect_list(value: object, path: str) -> list[Any]:
    if not isinstance(value, list):
        raise _wrong(Message("expected.a_list", "a list"), value, path)
    return value


def _expect_text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise _wrong(Message("expected.a_text", "a text"), value, path)
    return value


def _expect_int(value: object, path: str) -> int:
    if type(value) is not int:
        raise _wrong(Message("expected.whole_number", "a whole number"), value, path)
    return value


def _wrong(expected: str, value: object, path: str) -> RecordError:
    return RecordError(
        Message(
            "record.expected_not",
            "expected {expected}, not {json_names}",
            expected=expected,
            json_names=_JSON_NAMES[type(value)],
        ),
        path=path or None,
        expected=expected,
    )


_JSON_NAMES = {
    dict: Message("expected.an_object", "an object"),
    list: Message("expected.a_list", "a list"),
    str: Message("expected.a_text", "a text"),
    int: Message("expected.a_number", "a number"),
    float: Message("expected.a_number", "a number"),
    bool: Message("expected.true_or_false", "true or false"),
    type(None): "null",
}
