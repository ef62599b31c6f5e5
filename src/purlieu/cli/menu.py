"""The few questions that ``purlieu play`` asks when it is given no game. Enter takes what stands in brackets."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from purlieu.rules import GAMES, Game, PurlieuError
from purlieu.terminal.keyboard import Keyboard
from purlieu.terminal.rulebook import IN_A_SENTENCE
from purlieu.terminal.streams import ignore_interrupts

Answer = TypeVar("Answer")
_OPPONENTS = {"1": "person", "2": "greedy", "3": "random"}


@dataclass(frozen=True)
class Asked:
    """What was chosen."""

    game: str
    size: int
    versus: str
    seat: str
    """The seat of the person who was asked."""
    refused: int
    """How many answers were not understood."""


class _Left(Exception):
    """The person leaves instead."""


def ask_for_game(keyboard: Keyboard) -> Asked | None:
    """Asks for game, size, opponent and seat, at a terminal or through a pipe; None if the person leaves instead.

    Raises EOFError when a pipe ends before all is answered.
    """
    asker = _Asker(keyboard)
    say = keyboard.screen.say
    say("Four games of territory. Which one?\n", style="bold")
    for number, (name, about) in enumerate(GAMES.items(), start=1):
        say(f"  {number}  {about.title}, by {about.designer}", style="bold")
        say(IN_A_SENTENCE[name], indent=5)
    say()
    try:
        numbers = dict(zip("1234", GAMES, strict=True))
        name = asker.ask("Game, 1 to 4 [1]: ", "1", lambda text: _choice(text, numbers))
        about = GAMES[name]
        size = about.default_size
        if len(about.sizes) > 1:
            question = f"Side of the board, {about.sizes[0]} to {about.sizes[-1]} [{about.default_size}]: "
            size = asker.ask(question, str(about.default_size), lambda text: _size(text, about))
        question = "Against 1 a person at this keyboard, 2 greedy, 3 random [1]: "
        versus = asker.ask(question, "1", lambda text: _choice(text, _OPPONENTS))
        seat = "first"
        if versus != "person":
            seats = {"1": "first", "2": "second"}
            seat = asker.ask("Your seat, 1 first or 2 second [1]: ", "1", lambda text: _choice(text, seats))
    except _Left:
        say()
        return None
    except KeyboardInterrupt:
        ignore_interrupts()
        say()
        raise
    return Asked(name, size, versus, seat, asker.refused)


class _Asker:
    """Asks a question until the answer can be read."""

    def __init__(self, keyboard: Keyboard) -> None:
        self.keyboard = keyboard
        self.refused = 0

    def ask(self, question: str, default: str, read: Callable[[str], Answer]) -> Answer:
        while True:
            line = self.keyboard.read(question)
            if line is None and not self.keyboard.at_terminal:
                raise EOFError
            if line is None or line.strip().lower() in ("q", "quit", "exit"):
                raise _Left
            try:
                return read(line.strip().lower() or default)
            except PurlieuError as error:
                self.refused += 1
                self.keyboard.screen.say(str(error))


def _choice(text: str, choices: dict[str, str]) -> str:
    words: Sequence[str] = [*choices, *choices.values()]
    if text in words:
        return choices.get(text, text)
    near = difflib.get_close_matches(text, choices.values(), n=1)
    if near:
        raise PurlieuError(f"{text[:20]}: did you mean {near[0]}?")
    raise PurlieuError(f"the choices are {', '.join(f'{key} {word}' for key, word in choices.items())}.")


def _size(text: str, about: Game) -> int:
    number = text.split("x")[0].split("×")[0].strip()
    if not number.isdecimal() or int(number[:6]) not in about.sizes:
        raise PurlieuError(f"{about.title} is played on sides of {about.sizes[0]} to {about.sizes[-1]}.")
    return int(number)
