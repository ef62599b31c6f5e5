"""``purlieu check``: are these records sound?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from purlieu.kit.streams import printable

from .options import Command, examples
from .targets import records_in

if TYPE_CHECKING:
    from purlieu.records import RecordError


def run(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Files of records; - reads standard input.")],
) -> None:
    """Check records: name the first wrong move, and the rule.

    Every game of every file is replayed by the rules.

    Exits with 0 if all games are legal, 1 if one is not, 2 if a file cannot be read.
    """
    codes = [check_file(name) for name in files]
    raise typer.Exit(max(codes))


def check_file(name: str) -> int:
    """Prints what there is to say about one file and returns its exit code."""
    errors: list[RecordError] = []
    shown = "standard input" if name == "-" else printable(name)
    count = 0

    def report(error: RecordError) -> None:
        rule = f" [{error.rule.value}]" if error.rule else ""
        typer.echo(f"{shown}: game {count + len(errors) + 1}, {printable(str(error))}{rule}")
        errors.append(error)

    try:
        for _ in records_in(name, report):
            count += 1
    except OSError as error:
        typer.echo(f"purlieu: {shown}: {error.strerror or error}", err=True)
        return 2
    if errors:
        typer.echo(f"{shown}: {_games(count + len(errors))}, {len(errors)} wrong")
        return 1
    typer.echo(f"{shown}: {_games(count)}, all legal" if count else f"{shown}: no games")
    return 0 if count else 1


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number} games"


COMMAND = Command(
    "check", run, examples("purlieu check game.pur", "purlieu check *.pur games.jsonl", "purlieu check - < game.pur")
)
