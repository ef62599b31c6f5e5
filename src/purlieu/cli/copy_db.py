"""``purlieu copy-db``: the server's games from one database into another."""

from __future__ import annotations

from typing import Annotated

import typer

from .needs import require_web
from .options import Command, examples


def run(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A database, as --database of purlieu serve.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="Another, new one.")],
) -> None:
    """Copy the server's games into another database, from SQLite to PostgreSQL or back.

    No server may run on either. Every row is compared; if it is stopped, it can be started again.
    """
    require_web()
    from purlieu.server.settings import database_url
    from purlieu.server.store.copying import copy_database
    from purlieu.server.store.database import open_database

    opened = open_database(database_url(source))
    try:
        into = open_database(database_url(target))
        try:
            for table, rows in copy_database(opened, into):
                typer.echo(f"{table}: {rows:,} row{'' if rows == 1 else 's'}")
        finally:
            into.close()
    finally:
        opened.close()


COMMAND = Command("copy-db", run, examples("purlieu copy-db games.db postgresql://me@db/games"))
