"""``purlieu draw``: a board as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from purlieu.kit.files import write_whole
from purlieu.rules import Message

from .options import Command, GameNumber, Ply, Size, examples, one_of, require_ending, tell, whole_number
from .targets import find_record, moment_of


def run(
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="A file with a record, a position in quotes, or a game's name.")
    ],
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="FILE.svg or FILE.png, to be written.")],
    game_number: GameNumber = 1,
    ply: Ply = None,
    size: Size = None,
    ledger: Annotated[bool, typer.Option("--ledger", help="Draw the count over and below the board.")] = False,
    theme: Annotated[str, typer.Option("--theme", metavar="light|dark|auto", help="The colours.")] = "light",
    width: Annotated[
        int, typer.Option("--width", metavar="PIXELS", parser=whole_number(16, 10_000), help="The width of a PNG.")
    ] = 960,
    no_coordinates: Annotated[bool, typer.Option("--no-coordinates", help="Leave out letters and numbers.")] = False,
) -> None:
    """Draw a board as SVG or PNG, the last move marked."""
    from purlieu.drawing import png, svg

    ending = require_ending(out, (".svg", ".png"))
    theme = one_of(theme, ("light", "dark", "auto"), "--theme")
    record = find_record(target, game_number, size)
    before, move, position = moment_of(record, ply)
    text = svg(position, last_move=move, before=before, ledger=ledger, coordinates=not no_coordinates, theme=theme)
    write_whole(Path(out), text.encode() if ending == ".svg" else png(text, width))
    done = Message("draw.done", "{file}: {game}, after {ply} turns", file=out, game=position.game, ply=position.ply)
    tell(done)


COMMAND = Command(
    "draw",
    run,
    examples(
        "purlieu draw game.pur -o board.svg",
        "purlieu draw game.pur --ply 12 --ledger -o board.png",
        'purlieu draw "petrify b2/1o1/3 ply=2" -o board.svg',
    ),
)
