"""``purlieu in-step``: is the native core still the game that the rules describe?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from .options import Command, Size, examples, whole_number


def run(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game; all four without it.")] = None,
    size: Size = None,
    plies: Annotated[
        int, typer.Option("--plies", metavar="N", parser=whole_number(1), help="How many turns to compare.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", parser=whole_number(), help="Where to begin.")] = 1,
) -> None:
    """Play random games through the rules and the core together and compare every answer at every turn.

    At the first difference it stops, says what differs and exits with 1. At the end it tells how often rare things
    happened, so that one knows they were reached. --plies 100000000 is a night's work.
    """
    from purlieu.engine.in_step import Comparison, compare

    def told(played: Comparison) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{played.plies:,} of {plies:,} turns, {played.games:,} games")
            sys.stderr.flush()

    played = compare(plies, seed=seed, game=game, size=size, progress=told)
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    typer.echo(f"in step: {played.plies} turns of {played.games} games, no difference")
    for event, count in sorted(played.events.items()):
        typer.echo(f"  {event:28} {count}")


COMMAND = Command("in-step", run, examples("purlieu in-step petrify --size 4 --plies 200"))
