"""``purlieu bench``: how fast the native core is on this machine."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from .needs import require_numpy
from .options import Command, Size, examples, positive_number


def run(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game; all four without it.")] = None,
    size: Size = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", parser=positive_number, help="For each row.")
    ] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a row.")] = False,
    signature: Annotated[
        bool, typer.Option("--signature", help="Print one number that changes with what the search does, and no row.")
    ] = False,
) -> None:
    """Random games from the empty board to the final score, on one core.

    The row gives nanoseconds a turn as the median of five runs with fresh seeds, with the fastest and the slowest.
    --signature searches a few positions of each game instead, always the same ones with one thread.
    """
    import json

    from purlieu.core.bench import HEADER, boards, measure

    if signature:
        from purlieu.core.signature import signature as signature_of

        require_numpy()
        typer.echo(signature_of())
        return
    asked = boards(game, size)
    if not as_json:
        typer.echo(HEADER)
    for board in asked:
        row = measure(*board, seconds)
        typer.echo(json.dumps(asdict(row)) if as_json else str(row))


COMMAND = Command(
    "bench",
    run,
    examples(
        "purlieu bench pilo --size 6 --seconds 0.1",
        "purlieu bench pentwall --seconds 0.1 --json",
        "purlieu bench --signature",
    ),
)
