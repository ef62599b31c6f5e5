"""``purlieu bench``: how fast the native core is on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import Command, Size, examples, positive_number


def run(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game; all four without it.")] = None,
    size: Size = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", parser=positive_number, help="For each row.")
    ] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a row.")] = False,
) -> None:
    """Random games from the empty board to the final score, on one core.

    The row gives nanoseconds a turn as the median of five runs with fresh seeds, with the fastest and the slowest.
    """
    import json
    from dataclasses import asdict

    from purlieu.core.bench import HEADER, boards, measure

    asked = boards(game, size)
    if not as_json:
        typer.echo(HEADER)
    for board in asked:
        row = measure(*board, seconds)
        typer.echo(json.dumps(asdict(row)) if as_json else str(row))


COMMAND = Command(
    "bench", run, examples("purlieu bench pilo --size 6 --seconds 0.1", "purlieu bench pentwall --seconds 0.1 --json")
)
