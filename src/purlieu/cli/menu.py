"""The few questions that ``purlieu play`` asks when it is given no game. Enter takes what stands in brackets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from purlieu.kit.streams import ignore_interrupts
from purlieu.kit.suggestions import nearest
from purlieu.rules import GAMES, Game, Message, PurlieuError
from purlieu.sentences import IN_A_SENTENCE, by_designer
from purlieu.terminal.keyboard import Keyboard
from purlieu.terminal.screen import entry, said

from .opponent import OPPONENTS, Opponent

Answer = TypeVar("Answer")
FIRST_LEVEL = 1
"""What Enter takes: it beats random moves nine times in ten, which is as much as a first game needs."""


@dataclass(frozen=True)
class Asked:
    """What was chosen."""

    game: str
    size: int
    opponent: Opponent
    refused: int
    """How many answers were not understood."""


class _Left(Exception):
    """The person leaves instead."""


def ask_for_game(keyboard: Keyboard, opponent: Opponent, *, ask_opponent: bool = True) -> Asked | None:
    """Asks for game, size, opponent and seat, at a terminal or through a pipe; None if the person leaves instead.

    The opponent and the seat are not asked for if the command line named an opponent.
    Raises EOFError when a pipe ends before all is answered.
    """
    asker = _Asker(keyboard)
    say = keyboard.screen.say
    say(Message("menu.games", "Four games of territory. Which one?"), style="bold")
    say()
    for number, (name, about) in enumerate(GAMES.items(), start=1):
        say(f"  {number}  {said(by_designer(about))}", style="bold")
        say(IN_A_SENTENCE[name], indent=5)
    say()
    try:
        numbers = dict(zip("1234", GAMES, strict=True))
        question = Message("menu.game", "Game, 1 to 4 [1]: ")
        name = asker.ask(question, "1", lambda text: _choice(text, numbers))
        about = GAMES[name]
        size = about.default_size
        if len(about.sizes) > 1:
            question = Message(
                "menu.side",
                "Side of the board, {least} to {most} [{usual}]: ",
                least=about.sizes[0],
                most=about.sizes[-1],
                usual=about.default_size,
            )
            size = asker.ask(question, str(about.default_size), lambda text: _size(text, about))
        if ask_opponent:
            opponent = _ask_for_opponent(asker, opponent.seat)
    except _Left:
        say()
        return None
    except KeyboardInterrupt:
        ignore_interrupts()
        say()
        raise
    return Asked(name, size, opponent, asker.refused)


def _ask_for_opponent(asker: _Asker, seat: str) -> Opponent:
    from purlieu.engine.levels import LEVELS

    screen = asker.keyboard.screen
    screen.say()
    screen.say(Message("menu.opponents", "Who plays against you?"), style="bold")
    screen.say()
    beside_you = Message("menu.person.about", "Somebody beside you, at this keyboard.")
    choices = {"p": (Message("menu.person", "Person"), beside_you)}
    choices |= {str(level.number): (level.name, level.sentence) for level in LEVELS.values()}
    for key, (name, sentence) in choices.items():
        screen.lines(entry(f"{key}  {said(name)}", sentence, screen.width, margin=15))
    screen.say()
    question = Message("menu.opponent", "Opponent, p or a level from 1 to 9 [{level}]: ", level=FIRST_LEVEL)
    opponent = asker.ask(question, str(FIRST_LEVEL), _opponent)
    if opponent.name is None:
        return opponent
    seats = {"1": "first", "2": "second"}
    number = 2 if seat == "second" else 1
    question = Message("menu.seat", "Your seat, 1 first or 2 second [{number}]: ", number=number)
    return replace(opponent, seat=asker.ask(question, seat, lambda text: _choice(text, seats)))


def _opponent(text: str) -> Opponent:
    """A level by its number or name, a person, or one of the simple players, which the menu does not show."""
    from purlieu.engine.levels import find_level

    if text in ("p", *OPPONENTS):
        return Opponent("person" if text == "p" else text)
    if near := nearest(text, ["person"]):
        raise PurlieuError("cli.did_you_mean", "{text}: did you mean {near}?", text=text[:20], near=near)
    return Opponent(level=find_level(text.removeprefix("level ")[:20]))


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
                self.keyboard.screen.say(error.sentence)


def _choice(text: str, choices: dict[str, str]) -> str:
    words: Sequence[str] = [*choices, *choices.values()]
    if text in words:
        return choices.get(text, text)
    if near := nearest(text, choices.values()):
        raise PurlieuError("cli.did_you_mean", "{text}: did you mean {near}?", text=text[:20], near=near)
    raise PurlieuError(
        "cli.choices",
        "the choices are {choices}.",
        choices=", ".join(f"{key} {word}" for key, word in choices.items()),
    )


def _size(text: str, about: Game) -> int:
    number = text.split("x")[0].split("×")[0].strip()
    if not number.isdecimal() or int(number[:6]) not in about.sizes:
        raise PurlieuError(
            "cli.sides",
            "{title} is played on sides of {least} to {most}.",
            title=about.title,
            least=about.sizes[0],
            most=about.sizes[-1],
        )
    return int(number)
