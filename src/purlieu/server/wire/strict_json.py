"""JSON as we take it: one value, no NaN, no doubled keys, no half characters, not too deep; and JSON as we send it."""

from __future__ import annotations

import json
import math
from typing import Any

from pydantic_core import to_json

DEEPEST = 20
LONGEST_NUMBER = 30


class BadJson(ValueError):
    """What is wrong with a text that should be JSON."""


def json_text(value: object) -> str:
    """Plain data as we send it."""
    return to_json(value).decode()  # a third of the time that the standard library takes


def loads(data: bytes | str) -> Any:
    """The value that the text means. Raises BadJson with a sentence."""
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        raise BadJson(f"byte {error.start + 1} is not UTF-8") from None
    if text.startswith("\ufeff"):
        raise BadJson("it begins with a byte order mark, which JSON does not have")
    try:
        value = _decoder.decode(text)
    except json.JSONDecodeError as error:
        what = error.msg[:1].lower() + error.msg[1:]
        raise BadJson(f"{what} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise BadJson(f"more than {DEEPEST} values lie inside each other") from None
    if "\\u" in text or text.count("[") + text.count("{") > DEEPEST:
        _check(value)
    return value


def _check(value: Any) -> None:
    """No depth, no half characters and no NULs that something further on would stumble over.

    UTF-8 has none of those characters, and JSON none of them bare: only an escape can bring them in.
    """
    waiting = [(value, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            raise BadJson(f"more than {DEEPEST} values lie inside each other")
        if isinstance(value, dict):
            waiting += [(part, depth + 1) for pair in value.items() for part in pair]
        elif isinstance(value, list):
            waiting += [(part, depth + 1) for part in value]
        elif isinstance(value, str):
            if "\0" in value:
                raise BadJson("a text in it holds the character NUL")
            if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
                raise BadJson("a text in it holds half a character (a lone surrogate)")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise BadJson(f"the key {name[:40]!r} is given twice")
            seen.add(name)
    return found


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise BadJson(f"a number in it has {len(digits)} digits")
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits) if len(digits) <= LONGEST_NUMBER else math.inf
    if not math.isfinite(number):
        raise BadJson(f"the number {digits[:20]} is too big or too long")
    return number


def _constant(name: str) -> float:
    raise BadJson(f"{name} is no JSON number")


_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_constant
)
