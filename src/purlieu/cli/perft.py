"""``purlieu perft``: exact counts of move sequences."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from purlieu.kit.streams import ignore_interrupts
from purlieu.languages import say
from purlieu.rules import Message

from .options import Command, Size, examples, whole_number
from .targets import find_position


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or a position in quotes.")],
    depth: Annotated[
        int, typer.Option("--depth", "-d", metavar="D", parser=whole_number(0, 100), help="How many turns.")
    ],
    size: Size = None,
    divide: Annotated[bool, typer.Option("--divide", help="Also the count under each first move.")] = False,
    moves: Annotated[str, typer.Option("--moves", metavar="MOVES", help="Play these moves first.")] = "",
    fast: Annotated[bool, typer.Option("--core", help="Count with the native core: the same numbers, sooner.")] = False,
) -> None:
    """Count the sequences of D legal moves, swap and pass included.

    Two programs that agree on these numbers agree on the rules. The last line is "perft D COUNT".
    """
    from purlieu.core.perft import divide as divide_by_rules
    from purlieu.core.perft import divide_by_core

    position = find_position(game, size)
    for text in moves.replace(",", " ").split():
        position = position.play(text)
    if depth == 0:
        typer.echo("perft 0 1")
        return
    firsts, total, done, began = len(position.legal_moves()), 0, 0, time.monotonic()
    progress = _Progress(firsts)
    try:
        for move, count in (divide_by_core if fast else divide_by_rules)(position, depth):
            done, total = done + 1, total + count
            progress.clear()
            if divide:
                typer.echo(f"{move} {count}")
            progress.show(done, total, time.monotonic() - began)
    except KeyboardInterrupt:
        ignore_interrupts()
        progress.clear()
        told = {"done": done, "firsts": firsts, "total": total}
        typer.echo(
            say(
                Message(
                    "perft.interrupted",
                    "interrupted: {done} of {firsts} first moves done, {total} sequences among them",
                    **told,
                )
            ),
            err=True,
        )
        raise typer.Exit(130) from None
    progress.clear()
    typer.echo(f"perft {depth} {total}")


class _Progress:
    """A line on the terminal that says how far a long count has come; it goes when the count is there."""

    def __init__(self, firsts: int) -> None:
        self.firsts = firsts
        self.on = sys.stderr.isatty()
        self.shown = False

    def show(self, done: int, total: int, seconds: float) -> None:
        if self.on and seconds > 0.5 and done < self.firsts:
            told = {"done": done, "firsts": self.firsts, "total": f"{total:,}", "seconds": f"{seconds:.0f}"}
            sentence = Message(
                "perft.progress", "{done} of {firsts} first moves, {total} sequences, {seconds} s", **told
            )
            sys.stderr.write(say(sentence))
            sys.stderr.flush()
            self.shown = True

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self.shown = False


COMMAND = Command(
    "perft",
    run,
    examples(
        "purlieu perft petrify --size 3 --depth 3",
        "purlieu perft pyloff --size 4 --depth 2 --divide",
        "purlieu perft petrify --size 4 --depth 5 --core",
        'purlieu perft petrify --size 3 --moves "a1" --depth 1',
    ),
)
