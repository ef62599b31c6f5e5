"""``purlieu in-step``: is the native core still the game that the rules describe?"""

from __future__ import annotations

import json
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from purlieu.kit.files import write_whole
from purlieu.rules.registry import game as find_game

from .options import Command, Size, examples, whole_number

if TYPE_CHECKING:
    from purlieu.core.in_step import Comparison


def run(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game; all four without it.")] = None,
    size: Size = None,
    plies: Annotated[
        int, typer.Option("--plies", metavar="N", parser=whole_number(1), help="How many turns to compare.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", parser=whole_number(), help="Where to begin.")] = 1,
    workers: Annotated[
        int, typer.Option("-w", "--workers", metavar="N", parser=whole_number(1), help="Processes at a time.")
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="Keep the tally here, and go on from it.", show_default=False),
    ] = None,
) -> None:
    """Play random games through the rules and the core together and compare every answer at every turn.

    At the first difference it stops, says what differs and exits with 1. At the end it tells how often rare things
    happened, so that one knows they were reached. --plies 100000000 on all cores is a night's work; with --out it can
    be stopped at any time, and the same command goes on.
    """
    from purlieu.core.in_step import compare_many, games_to_compare

    game = find_game(game).name if game else None
    asked = {"game": game, "size": size, "seed": seed}
    played = take_up(out, asked)
    stopped = False
    try:
        if played.plies < plies:
            games = islice(games_to_compare(seed, game, size), played.games, None)
            for compared in compare_many(games, workers):
                played.add(compared)
                if out:
                    keep(out, asked, played)
                tell(f"\r{played.plies:,} of {plies:,} turns, {played.games:,} games")
                if played.plies >= plies:
                    break
    except KeyboardInterrupt:
        stopped = True
    tell("\r\x1b[K")
    typer.echo(f"in step: {played.plies} turns of {played.games} games, no difference")
    for event, count in sorted(played.events.items()):
        typer.echo(f"  {event:28} {count}")
    if stopped:
        typer.echo(f"stopped early; the same command goes on from {out}" if out else "stopped early", err=True)
        raise typer.Exit(130)


def tell(text: str) -> None:
    """Progress, for somebody who watches."""
    if sys.stderr.isatty():
        sys.stderr.write(text)
        sys.stderr.flush()


def take_up(out: Path | None, asked: dict[str, Any]) -> Comparison:
    """What an earlier run has compared."""
    from purlieu.core.in_step import Comparison

    if out is None or not out.exists():
        return Comparison()
    try:
        kept: dict[str, Any] = json.loads(out.read_text())
        found = Comparison(int(kept["plies"]), int(kept["games"]), Counter(kept["events"]))
        same = all(kept[name] == value for name, value in asked.items())
    except (OSError, ValueError, KeyError, TypeError):
        raise typer.BadParameter(f"{out} is no tally of purlieu in-step.", param_hint="--out") from None
    if not same:
        raise typer.BadParameter(f"{out} is the tally of another game, size or seed.", param_hint="--out")
    return found


def keep(out: Path, asked: dict[str, Any], played: Comparison) -> None:
    """Write the tally, all of it or nothing."""
    told = {**asked, "plies": played.plies, "games": played.games, "events": played.events}
    write_whole(out, json.dumps(told).encode())


COMMAND = Command(
    "in-step",
    run,
    examples(
        "purlieu in-step petrify --size 4 --plies 200",
        "purlieu in-step pilo --size 4 --plies 300 --workers 2 --out night.json",
    ),
)
