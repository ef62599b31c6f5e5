"""The few questions that ``purlieu play`` asks when it is given no game. Enter takes what stands in brackets."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import TypeVar

from purlieu.rules import GAMES, Game, PurlieuError
from purlieu.terminal.keyboard import Keyboard
from purlieu.terminal.rulebook import IN_A_SENTENCE

Asked = tuple[str, int, str, str]
"""The game, its size, the opponent, and the seat of the person who was asked."""

Answer = TypeVar("Answer")
_OPPONENTS = {"1": "person", "2": "greedy", "3": "random"}


class _Left(Exception):
    """There is nobody to ask any more."""


def ask_for_game(keyboard: Keyboard) -> Asked | None:
    """Asks for game, size, opponent and seat; None if the person leaves instead."""
    say = keyboard.screen.say
    say("Four games of territory. Which one?\n", style="bold")
    for number, (name, about) in enumerate(GAMES.items(), start=1):
        say(f"  {number}  {about.title}, by {about.designer}", style="bold")
        say(IN_A_SENTENCE[name], indent=5)
    say()
    try:
        numbers = dict(zip("1234", GAMES, strict=True))
        name = _ask(keyboard, "Game, 1 to 4 [1]: ", "1", lambda text: _choice(text, numbers))
        about = GAMES[name]
        size = about.default_size
        if len(about.sizes) > 1:
            question = f"Side of the board, {about.sizes[0]} to {about.sizes[-1]} [{about.default_size}]: "
            size = _ask(keyboard, question, str(about.default_size), lambda text: _size(text, about))
        question = "Against 1 a person at this keyboard, 2 greedy, 3 random [1]: "
        versus = _ask(keyboard, question, "1", lambda text: _choice(text, _OPPONENTS))
        seat = "first"
        if versus != "person":
            seats = {"1": "first", "2": "second"}
            seat = _ask(keyboard, "Your seat, 1 first or 2 second [1]: ", "1", lambda text: _choice(text, seats))
    except (_Left, KeyboardInterrupt):
        say()
        return None
    return name, size, versus, seat


def _ask(keyboard: Keyboard, question: str, default: str, read: Callable[[str], Answer]) -> Answer:
    """Asks until the answer can be read."""
    while True:
        line = keyboard.read(question)
        if line is None or line.strip().lower() in ("q", "quit", "exit"):
            raise _Left
        try:
            return read(line.strip().lower() or default)
        except PurlieuError as error:
            keyboard.screen.say(f"{error}.")


def _choice(text: str, choices: dict[str, str]) -> str:
    words: Sequence[str] = [*choices, *choices.values()]
    if text in words:
        return choices.get(text, text)
    near = difflib.get_close_matches(text, choices.values(), n=1)
    if near:
        raise PurlieuError(f"{text[:20]}: did you mean {near[0]}")
    raise PurlieuError(f"the choices are {', '.join(f'{key} {word}' for key, word in choices.items())}")


def _size(text: str, about: Game) -> int:
    number = text.split("x")[0].split("×")[0].strip()
    if not number.isdecimal() or int(number[:6]) not in about.sizes:
        raise PurlieuError(f"{about.title} is played on sides of {about.sizes[0]} to {about.sizes[-1]}")
    return int(number)
