"""``purlieu play``: a game at the terminal, two people at one keyboard or one against the computer."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from purlieu.kit.files import require_folder
from purlieu.kit.streams import ignore_interrupts, use_ascii
from purlieu.rules import GAMES, Message, Position, Seat
from purlieu.rules.messages import listed

from .opponent import Opponent, opponent_of, read_seconds, require_net_of
from .options import Ascii, Command, GameNumber, Size, examples, warn, whole_number
from .targets import find_position, record_in, records_in

if TYPE_CHECKING:
    from purlieu.terminal.saving import Saver
    from purlieu.terminal.session import Session
    from purlieu.terminal.table import Table
    from purlieu.terminal.thinking import Thinking


def run(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game's name, or a position in quotes. Without it you are asked."),
    ] = None,
    size: Size = None,
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            metavar="1..9|NAME",
            help="Play against the computer: 1 (seedling) is its weakest, 9 (wildwood) its strongest.",
            show_default=False,
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="SECONDS",
            parser=read_seconds,
            help="What level 9 takes for a move [3].",
            show_default=False,
        ),
    ] = None,
    net: Annotated[
        str | None,
        typer.Option(
            "--net",
            metavar="FILE",
            help="A net of your own that the computer plays with, such as run/net.onnx.",
            show_default=False,
        ),
    ] = None,
    versus: Annotated[
        str | None,
        typer.Option(
            "--versus",
            metavar="person|random|greedy",
            help="Play against a person at this keyboard, or a very simple player [person].",
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
    from purlieu.terminal.screen import Screen
    from purlieu.terminal.session import Session
    from purlieu.terminal.thinking import Thinking

    from .menu import ask_for_game

    if plain:
        use_ascii()
    opponent = opponent_of(versus, level, time, seat, net)
    screen = Screen()
    thinking = Thinking(screen)
    keyboard = Keyboard(screen, lambda: [*words_for(table.position.game), *map(str, table.position.legal_moves())])
    if save:
        require_folder(save)
    refused = 0
    if game is None and load is None:
        try:
            asked = ask_for_game(keyboard, opponent, ask_opponent=not versus and not level and not net)
        except EOFError:
            warn(
                Message(
                    "play.no_game_chosen",
                    "the input ended before a game was chosen; one can be named, as in purlieu play petrify",
                )
            )
            raise typer.Exit(2) from None
        if asked is None:
            return
        game, size, opponent, refused = asked.game, asked.size, asked.opponent, asked.refused
    table, saver = lay(game, size, opponent, thinking, seed, load, game_number, save)
    if opponent.net:
        require_net_of(opponent.net, table.position.game)
    pause = (lambda ask: keyboard.read(ask) or "") if keyboard.at_terminal else None
    session = Session(table, screen, saver, pause, thinking=thinking, again=opponent.options())
    session.refused = refused
    if opponent.level and (weaker := without_net(table.position)):
        screen.say(weaker, style="grey50")
    code = sit(session, keyboard.read, strict=not keyboard.at_terminal)
    raise typer.Exit(code)


def lay(
    game: str | None,
    size: int | None,
    opponent: Opponent,
    thinking: Thinking,
    seed: int | None,
    load: str | None,
    game_number: int,
    save: Path | None,
) -> tuple[Table, Saver]:
    """The table as the options ask for it, and where its game is kept."""
    from random import Random  # it takes a while to load, and most commands need none

    from purlieu.terminal.keeping import is_plain, table_of
    from purlieu.terminal.saving import Saver
    from purlieu.terminal.table import Table

    player, theirs = opponent.player(thinking), Seat(opponent.seat).other
    computers = {theirs: player} if player else {}
    names = {theirs: opponent.name} if opponent.name else {}
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


def without_net(position: Position) -> Message | None:
    """What is said where the computer could play with a net, if what runs nets were installed."""
    from purlieu.nets.shipped import missing, serves

    lacking = missing()
    if not lacking or not serves(position.game, position.size):
        return None
    return Message(
        "play.without_net",
        "Without {packages} the computer plays by playouts; pip install 'purlieu[net]' makes it stronger.",
        packages=listed(lacking),
    )


def sit(session: Session, read: Callable[[str], str | None], *, strict: bool) -> int:
    """Plays until somebody leaves, and returns the exit code."""
    try:
        session.screen.say(Message("play.begin", "Type a move, or hint, or help."), style="grey50")
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
        "purlieu play petrify --level 4 --seat second",
        "purlieu play pyloff --level wildwood --time 10",
        "purlieu play petrify --save game.pur",
        "purlieu play --load game.pur --save game.pur",
        "echo 'c3 swap d4' | tr ' ' '\\n' | purlieu play petrify --size 6",
    ),
)
