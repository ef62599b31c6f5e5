"""The sheets of Petrify and Pilo: a board of squares as large as the page allows, and a table of patches."""

from __future__ import annotations

from ..rules import Colour, Game, Message
from . import parts
from .page import DARK, LIGHT, Box, Page, cap_height

PLAYERS = ((Colour.BLUE.title, parts.disk), (Colour.ORANGE.title, parts.ring))

_PASS = Message(
    "sheet.blocks.pass",
    "**Pass** only when you have no play. Two passes in a row end the game.",
)
_SWAP = Message(
    "sheet.blocks.swap",
    "**Swap.** On their first turn Orange may exchange colours with Blue instead of playing.",
)
_WINNER = Message(
    "sheet.blocks.winner",
    "**Winner.** A patch scores its size for its owner; the higher total wins. On a tie, whoever made the "
    "last play on the board loses.",
)

RULES = {
    "petrify": (
        Message(
            "sheet.petrify.play",
            "**Play.** Blue begins. Put a disk on an empty square, or capture.",
        ),
        Message(
            "sheet.petrify.capture",
            "**Capture.** Move a disk straight, diagonals too, over empty squares and your own disks, onto "
            "the first enemy disk, which goes. A block fills the square you left.",
        ),
        Message(
            "sheet.petrify.blocks",
            "**Blocks** may never complete a 2×2 square, nor three in a diagonal row. The grey rim counts as blocks.",
        ),
        _PASS,
        _SWAP,
        Message(
            "sheet.petrify.count",
            "**Count.** Squares without a block, joined by edges, form a patch; disks of one colour, joined "
            "by edges, a group. In each patch strike out pairs of a blue and an orange group of equal size "
            "until no pair is left. The biggest group that remains owns the patch. Sizes count squares.",
        ),
        _WINNER,
    ),
    "pilo": (
        Message(
            "sheet.pilo.play",
            "**Play.** Blue begins. Put a disk on an empty square, or capture.",
        ),
        Message(
            "sheet.pilo.capture",
            "**Capture.** Move a stack straight, not diagonally, over empty squares and your own stacks, onto"
            " the first enemy stack, if it is as high as yours. It goes; yours grows by one disk and leaves a"
            " block behind.",
        ),
        _PASS,
        _SWAP,
        Message(
            "sheet.pilo.count",
            "**Count.** Squares without a block, joined by edges, form a patch; stacks of one colour, joined "
            "by edges, a group. In each patch strike out pairs of a blue and an orange group of equal size "
            "until no pair is left. The biggest group that remains owns the patch. Sizes count squares.",
        ),
        _WINNER,
    ),
}

_PATCHES = 14
_COORDINATES = 6.0
_RIM = 1.6


def draw(page: Page, game: Game, size: int) -> None:
    """Fill the page."""
    area, rules = page.area, RULES[game.name]
    parts.heading(page, game, size)
    names_top = area.top + parts.HEADING_HEIGHT
    parts.names(page, names_top, PLAYERS, tick=Message("sheet.swapped", "colours were swapped"))
    rules_top = area.bottom - parts.FOOT_HEIGHT - parts.rules_height(page, rules)
    parts.short_rules(page, rules_top, rules)
    _legend(page, rules_top, heights=game.name == "pilo")
    parts.foot(page, game)
    table_top = rules_top - parts.GAP - parts.TABLE_HEIGHT
    patches = [str(number) for number in range(1, _PATCHES + 1)]
    aside = Message("sheet.patches", "each patch’s squares, in its owner’s row")
    parts.score_table(page, table_top, aside, Message("sheet.patch", "Patch"), patches, PLAYERS)

    top = names_top + parts.NAMES_HEIGHT + 3
    room = Box(area.left, top, area.width, table_top - 3 - top).inset(_COORDINATES)
    side = min(room.width, room.height)
    board = Box(room.left + (room.width - side) / 2, room.top + (room.height - side) / 2, side, side)
    if game.name == "petrify":
        page.box(board.inset(-_RIM), weight=0, fill=LIGHT)
        page.box(board, weight=0, fill=1.0)
    parts.squares(page, board, size)
    parts.coordinates(page, board, size, rim=side / size / 2, off=4.0, type_size=9)


def _legend(page: Page, top: float, *, heights: bool) -> None:
    """What to draw where, for those who play with a pencil."""
    marks = [(swatch, name) for name, swatch in (*PLAYERS, (Message("sheet.block", "block"), parts.solid))]
    words = Message("sheet.pencil", "With a pencil:")
    tail = Message("sheet.heights", "write the height of a stack beside it") if heights else ""
    entries = [(swatch, name, page.text_width(name, size=8) + 9) for swatch, name in marks]
    width = (
        page.text_width(words, size=8)
        + 3
        + sum(entry[2] for entry in entries)
        + (page.text_width(tail, size=8) if tail else -4.6)
    )
    x, baseline = page.area.right - width, top + 3
    page.text(x, baseline, words, size=8, ink=DARK)
    x += page.text_width(words, size=8) + 3
    for swatch, name, wide in entries:
        swatch(page, x + 1.6, baseline - cap_height(8) / 2, 3.0)
        page.text(x + 4.4, baseline, name, size=8)
        x += wide
    page.text(x, baseline, tail, size=8)
