"""Sentences that remember what they say.

A `Message` is its own English sentence: code that knows nothing of languages prints it like any other text. It also
carries a code and the values that fill it, so that whoever speaks to a person can say the same in that person's
language (`purlieu.languages`), and so that no code has to read a sentence to learn what happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, TypedDict

Value = str | int | float
"""What fills a message: a number, a text that is the same in every language (a square, a file), or a message."""


class MessageData(TypedDict):
    """A message as JSON."""

    code: str
    values: dict[str, Any]
    text: str


class Message(str):
    """An English sentence, with its code and its values.

    >>> Message("occupied", "{square} is taken", square="c3")
    'c3 is taken'
    """

    __slots__ = ("code", "english", "values")
    code: str
    """What it says, whatever the values: the name under which a translation is found."""
    english: str | tuple[str, str]
    """The sentence with names in braces where the values go; for a number of things, its singular and its plural."""
    values: Mapping[str, Value]

    def __new__(cls, code: str, english: str, /, **values: object) -> Message:
        """The sentence with its values filled in; squares and other values of the rules become texts."""
        return cls._made(code, english, values)

    @classmethod
    def many(cls, code: str, one: str, many: str, /, **values: object) -> Message:
        """A sentence about `count` things."""
        return cls._made(code, (one, many), values)

    @classmethod
    def of(cls, text: str) -> Message:
        """A text as a message: what is none is said as it is in every language."""
        return text if isinstance(text, Message) else cls._made("as_it_is", "{text}", {"text": text})

    @classmethod
    def _made(cls, code: str, english: str | tuple[str, str], values: Mapping[str, object]) -> Message:
        plain = {name: _plain(value) for name, value in values.items()}
        text = english if isinstance(english, str) else english[plain["count"] != 1]
        self = str.__new__(cls, text.format(**plain))
        self.code, self.english, self.values = code, english, plain
        return self

    def __reduce__(self) -> tuple[Callable[..., Message], tuple[object, ...]]:
        """How it travels between processes."""
        return Message._made, (self.code, self.english, dict(self.values))

    def data(self) -> MessageData:
        """As JSON, the messages among its values too."""
        values = {name: value.data() if isinstance(value, Message) else value for name, value in self.values.items()}
        return {"code": self.code, "values": values, "text": str(self)}


def _plain(value: object) -> Value:
    """A value as it is sent and stored; of an error, its own sentence."""
    if isinstance(value, Exception):
        value = getattr(value, "sentence", str(value))
    return value if isinstance(value, Value) else str(value)


def listed(things: Sequence[object]) -> str:
    """``a``, ``a and b``, ``a, b and c``; of a long list the first few."""
    names = [thing if isinstance(thing, str) else str(thing) for thing in things]
    if len(names) == 1:
        return names[0]
    if len(names) > 8:
        return Message("list.more", "{first} and {count} more", first=commas(names[:6]), count=len(names) - 6)
    return Message("list.and", "{first} and {last}", first=commas(names[:-1]), last=names[-1])


def commas(parts: Sequence[str]) -> str:
    """``a, b, c``."""
    if not any(isinstance(part, Message) for part in parts):
        return ", ".join(parts)
    return reduce(lambda first, second: Message("list.comma", "{first}, {second}", first=first, second=second), parts)


def semicolons(parts: Sequence[str]) -> str:
    """``a; b; c``."""
    return reduce(
        lambda first, second: Message("list.semicolon", "{first}; {second}", first=first, second=second), parts
    )
