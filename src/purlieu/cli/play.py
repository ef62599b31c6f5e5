"""``purlieu play``: a game at the terminal, two people at one keyboard or one against the computer."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Ascii, Command, GameNumber, Size, examples, one_of, whole_number

if TYPE_CHECKING:
    from purlieu.terminal.saving import Saver
    from purlieu.terminal.session import Session
    from purlieu.terminal.table import Table

OPPONENTS = ("person", "random", "greedy")
SEATS = ("first", "second")


def run(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game's name, or a position in quotes. Without it you are asked."),
    ] = None,
    size: Size = None,
    versus: Annotated[
        str, typer.Option("--versus", metavar="person|random|greedy", help="Who plays against you.")
    ] = "person",
    level: Annotated[
        int | None,
        typer.Option(
            "--level",
            metavar="1..9",
            parser=whole_number(1, 9),
            help="Play against the engine; 1 is its weakest.",
            show_default=False,
        ),
    ] = None,
    seat: Annotated[
        str, typer.Option("--seat", metavar="first|second", help="Your seat; the first one begins.")
    ] = "first",
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", metavar="N", parser=whole_number(), help="Makes the computer's chances the same every time."
        ),
    ] = None,
    load: Annotated[
        str | None, typer.Option("--load", metavar="FILE", help="Go on with a saved game.", show_default=False)
    ] = None,
    game_number: GameNumber = 1,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", metavar="FILE", help="Keep the game in this file, after every turn.", show_default=False
        ),
    ] = None,
    plain: Ascii = False,
) -> None:
    """Play a game: type moves (c3, c3xf6) or words (help lists them).

    Reads from a pipe as well: then it ends with the input, and exits with 1 if a line was not understood or not legal.
    """
    from purlieu.terminal.commands import words_for
    from purlieu.terminal.keyboard import Keyboard
    from purlieu.terminal.saving import require_folder
    from purlieu.terminal.screen import Screen
    from purlieu.terminal.session import Session
    from purlieu.terminal.streams import use_ascii

    from .menu import ask_for_game

    if plain:
        use_ascii()
    versus, seat = one_of(versus, OPPONENTS, "--versus"), one_of(seat, SEATS, "--seat")
    screen = Screen()
    keyboard = Keyboard(screen, lambda: [*words_for(table.position.game), *map(str, table.position.legal_moves())])
    if save:
        require_folder(save)
    refused = 0
    if game is None and load is None:
        try:
            asked = ask_for_game(keyboard)
        except EOFError:
            sentence = "the input ended before a game was chosen; one can be named, as in purlieu play petrify"
            typer.echo(f"purlieu: {sentence}", err=True)
            raise typer.Exit(2) from None
        if asked is None:
            return
        game, size, versus, seat, refused = asked.game, asked.size, asked.versus, asked.seat, asked.refused
    if level is not None:
        versus = f"level {level}"
    table, saver = lay(game, size, versus, seat, seed, load, game_number, save)
    pause = (lambda ask: keyboard.read(ask) or "") if keyboard.at_terminal else None
    session = Session(table, screen, saver, pause, again=seating(versus, seat))
    session.refused = refused
    code = sit(session, keyboard.read, strict=not keyboard.at_terminal)
    raise typer.Exit(code)


def seating(versus: str, seat: str) -> list[str]:
    """The options that seat the same opponent again; two people at one keyboard need none."""
    if versus == "person":
        return []
    opponent = ["--level", versus.split()[1]] if versus.startswith("level ") else ["--versus", versus]
    return [*opponent, *(["--seat", seat] if seat != "first" else [])]


def lay(
    game: str | None,
    size: int | None,
    versus: str,
    seat: str,
    seed: int | None,
    load: str | None,
    game_number: int,
    save: Path | None,
) -> tuple[Table, Saver]:
    """The table as the options ask for it, and where its game is kept."""
    from random import Random

    from purlieu.players import PLAYERS, engine_player
    from purlieu.rules import GAMES, Seat
    from purlieu.terminal.keeping import is_plain, table_of
    from purlieu.terminal.saving import Saver
    from purlieu.terminal.table import Table

    from .targets import find_position, record_in, records_in

    computer = Seat(seat).other
    players = PLAYERS | {f"level {number}": engine_player(number) for number in range(1, 10)}
    computers = {computer: players[versus]} if versus in players else {}
    names = {computer: versus} if computers else {}
    random = Random(seed)
    if load is None:
        assert game is not None
        if game.lower() not in GAMES and os.path.isfile(game):
            raise typer.BadParameter(
                f"{game} is a file; to go on with it: purlieu play --load {shlex.quote(game)}", param_hint="GAME"
            )
        return Table(find_position(game, size), computers=computers, names=names, random=random), Saver(save)
    if game is not None or size is not None:
        raise typer.BadParameter("a saved game brings its own game and size.", param_hint="--load")
    record = record_in(load, game_number)
    table = table_of(record)
    table.computers, table.random = computers, random
    table.names |= names
    alone = load != "-" and is_plain(record) and len(list(records_in(load))) == 1
    return table, Saver(save, own=Path(load) if alone else None)


def sit(session: Session, read: Callable[[str], str | None], *, strict: bool) -> int:
    """Plays until somebody leaves, and returns the exit code."""
    from purlieu.terminal.streams import ignore_interrupts

    try:
        session.screen.say("Type a move, or help.", style="grey50")
        session.begin()
        while not session.done:
            line = read(session.prompt)
            if line is None:
                break
            session.enter(line)
    except KeyboardInterrupt:
        ignore_interrupts()
        session.screen.say()
        session.farewell()
        return 130
    session.farewell()
    return 1 if strict and session.refused else 0


COMMAND = Command(
    "play",
    run,
    examples(
        "purlieu play",
        "purlieu play pilo --size 6",
        "purlieu play pyloff --versus greedy --seat second",
        "purlieu play petrify --save game.pur",
        "purlieu play --load game.pur --save game.pur",
        "echo 'c3 swap d4' | tr ' ' '\\n' | purlieu play petrify --size 6",
    ),
)
