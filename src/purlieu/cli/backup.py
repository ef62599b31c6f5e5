"""``purlieu backup``: a copy of the server's database, while it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .needs import require_web
from .options import Command, database_option, examples


def run(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes; no file may be there.")],
    database: Annotated[str, database_option("As for purlieu serve.")] = "",
) -> None:
    """Copy the server's database into a file. Games may go on meanwhile."""
    require_web()
    from purlieu.server.settings import database_url
    from purlieu.server.store.backup import backup

    backup(database_url(database), target)
    typer.echo(f"{target}: {target.stat().st_size:,} bytes")


COMMAND = Command("backup", run, examples("purlieu backup games-monday.db"))
