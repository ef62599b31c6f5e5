"""What was probably meant by a word that nobody knows."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from purlieu.rules.messages import Message

LONGEST = 100
"""Letters of a word that are compared: no name is longer, and a whole file in place of one would take long."""


def nearest(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The choice that looks most like a word, in any case, if one does.

    >>> nearest("Petrfy", ["petrify", "pilo"])
    'petrify'
    """
    by_letters = {choice.lower(): choice for choice in choices}
    near = difflib.get_close_matches(word[:LONGEST].lower(), by_letters, n=1, cutoff=cutoff)
    return by_letters[near[0]] if near else None


def did_you_mean(word: str, choices: Iterable[str], otherwise: str, cutoff: float = 0.6) -> str:
    """The end of a sentence that refuses a word: the choice that was probably meant, or what to say if none was.

    >>> did_you_mean("undi", ["undo", "quit"], "the words are undo and quit")
    'did you mean undo?'
    """
    near = nearest(word, choices, cutoff)
    return Message("did_you_mean", "did you mean {near}?", near=near) if near else otherwise
