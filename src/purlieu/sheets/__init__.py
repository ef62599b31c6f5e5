"""Sheets to print and play on: one page of vector PDF for each game, in black and grey only.

Drawing needs ReportLab, which the extra ``purlieu[print]`` brings; it is imported when a sheet is made.
"""

from __future__ import annotations

from ..rules import Message
from ..rules import game as find_game
from . import boards, pentwall, pyloff
from .page import PAPERS as PAPERS
from .page import Page, find_paper

_DRAW = {"petrify": boards.draw, "pilo": boards.draw, "pentwall": pentwall.draw, "pyloff": pyloff.draw}


def make_sheet(game: str, *, size: int | None = None, paper: str = "a4") -> bytes:
    """The PDF of one game's sheet, for a board of that side or of the default one. Same input, same bytes.

    Raises a PurlieuError with a sentence if the game, the size or the paper is unknown, or if ReportLab is missing.
    """
    found = find_game(game)
    side = found.start(size).size
    name, (width, height) = find_paper(paper)
    page = Page(width, height)
    page.describe(
        title=Message("sheet.title", "{game} sheet, {size}×{size}, {paper}", game=found.title, size=side, paper=name),
        author="purlieu",
        subject=Message("sheet.subject", "Rules by {designer}", designer=found.designer),
    )
    _DRAW[found.name](page, found, side)
    return page.pdf()
