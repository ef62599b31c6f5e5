"""What purlieu says to people, in their language.

A language is a folder here, named by its tag: `messages.po` for its translators, `messages.json` made from that by
`make words`, and, where they are translated, the rules as `rules/GAME.md` and the lessons as `lessons/GAME.json`. The
page reads the same files. What a language lacks is said in English, whose sentences stand in the code.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from purlieu.rules import Message

FOLDER = Path(os.environ.get("PURLIEU_LANGUAGES") or Path(__file__).parent)
"""Where the languages are. Translators may point it to a folder of their own."""
ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Language:
    """A language, and what is translated into it."""

    tag: str
    texts: Mapping[str, str | list[str]] = field(default_factory=dict)
    """The translation of each message, by its code; several, if it depends on a number."""
    plurals: str = ""
    """For each number below 200, which of several translations is meant; then it repeats by hundreds."""

    def say(self, text: str) -> str:
        """A text in this language, if it is a message and translated; else as it is."""
        if not self.texts or not isinstance(text, Message):
            return text
        found = self.texts.get(text.code)
        if isinstance(found, list):
            count = int(text.values["count"])
            found = found[int(self.plurals[count if count < 200 else 100 + count % 100])]
        values = {name: self.say(value) if isinstance(value, str) else value for name, value in text.values.items()}
        if found is None:
            found = text.english if isinstance(text.english, str) else text.english[values["count"] != 1]
        return found.format(**values)


@cache
def language(tag: str) -> Language:
    """The language of that tag; English where there is no such folder."""
    import json  # here, since whoever speaks English need not wait for it

    try:
        stored = json.loads((FOLDER / tag / "messages.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Language(ENGLISH)
    return Language(tag, stored["texts"], stored["plurals"])


def tags() -> list[str]:
    """The languages that there are, English first."""
    found = sorted(path.parent.name for path in FOLDER.glob("*/messages.json"))
    return [ENGLISH, *(tag for tag in found if tag != ENGLISH)]


def wanted(environment: Mapping[str, str]) -> str:
    """The language that the environment asks for, as `PURLIEU_LANG` or as POSIX has it: ``de_AT.UTF-8`` is ``de``."""
    for name in ("PURLIEU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if asked := environment.get(name):
            tag = asked.partition(".")[0].replace("_", "-")
            return next((known for known in (tag, tag.partition("-")[0]) if known in tags()), ENGLISH)
    return ENGLISH


_spoken: ContextVar[Language | None] = ContextVar("language", default=None)


def speak(tag: str) -> None:
    """Say everything in that language from now on."""
    _spoken.set(language(tag))


@contextmanager
def speaking(tag: str) -> Iterator[None]:
    """Say everything in that language for a while."""
    token = _spoken.set(language(tag))
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken() -> str:
    """The tag of the language that is spoken now."""
    language = _spoken.get()
    return language.tag if language else ENGLISH


def say(text: str) -> str:
    """A text in the language that is spoken now."""
    language = _spoken.get()
    return text if language is None else language.say(text)


def file(kind: str, name: str) -> Path:
    """A file of the language that is spoken now, as ``rules/petrify.md``; the English one if it is not translated."""
    path = FOLDER / spoken() / kind / name
    return path if path.exists() else Path(__file__).parent / ENGLISH / kind / name
