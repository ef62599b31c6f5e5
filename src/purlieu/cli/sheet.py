"""``purlieu sheet``: a board on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from purlieu.kit.files import write_whole
from purlieu.rules import Message

from .options import Command, Size, examples, one_of, require_ending, tell


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="petrify, pilo, pentwall or pyloff.")],
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE.pdf", help="The file to write.")],
    paper: Annotated[str, typer.Option("--paper", metavar="a4|letter", help="The size of the paper.")] = "a4",
    size: Size = None,
) -> None:
    """Make a sheet to print and play on, as a PDF."""
    require_ending(out, (".pdf",))
    from purlieu.sheets import PAPERS, make_sheet

    paper = one_of(paper, list(PAPERS), "--paper")
    write_whole(Path(out), make_sheet(game, size=size, paper=paper))
    tell(Message("sheet.done", "{file}: one sheet of {paper}", file=out, paper=paper))


COMMAND = Command(
    "sheet",
    run,
    examples("purlieu sheet pentwall --paper a4 -o pentwall.pdf", "purlieu sheet pyloff --size 6 -o pyloff.pdf"),
)
