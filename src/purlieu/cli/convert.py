"""``purlieu convert``: from the text that people read to JSON Lines for programs, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from purlieu.kit.files import write_whole
from purlieu.rules import Message, PurlieuError

from .options import STANDARD_INPUT, Command, examples, require_ending, tell
from .targets import records_in


def run(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file of records; - reads standard input.")],
    out: Annotated[str, typer.Option("--out", "-o", metavar="OUT", help="FILE.pur or FILE.jsonl, to be written.")],
) -> None:
    """Convert records between .pur and .jsonl.

    Nothing that a record holds is lost.
    """
    from purlieu.terminal.keeping import records_text

    require_ending(out, (".pur", ".jsonl"))
    path = Path(out)
    found = records_in(source)
    if source != "-" and path.exists() and path.samefile(source):
        raise typer.BadParameter("OUT is the same file as IN.", param_hint="-o")
    records = list(found)
    if not records:
        raise PurlieuError(
            "cli.nothing_to_convert",
            "{file} holds no game, so {out} was not written",
            file=STANDARD_INPUT if source == "-" else source,
            out=out,
        )
    write_whole(path, records_text(records, path).encode())
    tell(Message.many("convert.done", "{file}: {count} game", "{file}: {count} games", file=out, count=len(records)))


COMMAND = Command(
    "convert", run, examples("purlieu convert game.pur -o game.jsonl", "purlieu convert games.jsonl -o games.pur")
)
