"""``purlieu serve``: the board in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from .needs import require_web
from .options import Command, database_option, examples, whole_number


def run(
    port: Annotated[
        int, typer.Option("--port", "-p", metavar="N", parser=whole_number(1, 65535), help="Where to listen.")
    ] = 8000,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="0.0.0.0 lets others on your network in.")
    ] = "127.0.0.1",
    database: Annotated[
        str, database_option("A file, or postgresql://USER@HOST/NAME. Without it: a file in your data folder.")
    ] = "",
    public_url: Annotated[
        str | None,
        typer.Option(
            "--public-url",
            metavar="URL",
            envvar="PURLIEU_PUBLIC_URL",
            help="How people reach this server, if not by --host and --port.",
            show_default=False,
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option("--proxy", metavar="ADDRESS", help="A proxy of yours, whose X-Forwarded-For is believed."),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in your browser.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log a line for every request.")] = False,
) -> None:
    """Serve the board page, on this machine or to your network. Ctrl-C stops it; games go on where they were."""
    require_web()
    from purlieu.server.http.run import serve

    serve(
        host=host,
        port=port,
        database=database,
        public_url=public_url,
        proxies=proxy or (),
        open_page=open_page,
        verbose=verbose,
    )


COMMAND = Command(
    "serve",
    run,
    examples("purlieu serve --open", "purlieu serve --port 9000", "purlieu serve --database postgresql://me@db/games"),
)
