"""``purlieu check-db``: replay every game of the server's database."""

from __future__ import annotations

from typing import Annotated

import typer

from .needs import require_web
from .options import Command, database_option, examples


def run(
    database: Annotated[
        str, database_option("As for purlieu serve. The server must not be running on the same file.")
    ] = "",
) -> None:
    """Check the server's database: every game is replayed by the rules and compared with what is stored.

    Exits with 0 if all games are sound, 1 if one is not.
    """
    require_web()
    from purlieu.server.settings import database_url
    from purlieu.server.store.audit import check_file, check_games
    from purlieu.server.store.database import open_database

    opened = open_database(database_url(database))
    try:
        games = wrong = 0
        if fault := check_file(opened):
            typer.echo(f"the file is damaged: {fault}")
            wrong += 1
        for game_id, fault in check_games(opened):
            games += 1
            if fault:
                wrong += 1
                typer.echo(f"game {game_id}: {fault}")
    finally:
        opened.close()
    typer.echo(f"{games} game{'' if games == 1 else 's'}, {f'{wrong} wrong' if wrong else 'all sound'}")
    raise typer.Exit(1 if wrong else 0)


COMMAND = Command("check-db", run, examples("purlieu check-db", "purlieu check-db --database games-monday.db"))
