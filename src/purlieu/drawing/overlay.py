"""The ledger on the board: whose each patch or territory is, which groups cancel, what is buried."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_uppercase

from ..rules.board import Square
from ..rules.ledger import Group, Ledger, Patch, Territory
from ..rules.pieces import Marble, Piece
from ..rules.seats import Colour
from .canvas import Canvas
from .geometry import Board, outline
from .marbles import shows_level
from .men import DISK
from .sheet import middle_square

FIRST = {Colour.BLUE, Colour.SOLID, Colour.BLACK}
"""The colours that begin; their land is dotted, the others' striped, nobody's plain."""


def label(at: int) -> str:
    """The name of an entry of the ledger by its place: A to Z, then AA, AB and so on."""
    rounds, letter = divmod(at, len(ascii_uppercase))
    return (ascii_uppercase[rounds - 1] if rounds else "") + ascii_uppercase[letter]


def tint(canvas: Canvas, owner: Colour | None) -> str:
    """The fill of an owner's land."""
    if owner is None:
        return "board"

    def dots() -> None:
        canvas.rect(0, 0, 9, 9, fill="first-tint")
        canvas.circle(2.25, 2.25, 1.35, fill="first-tint-sign")
        canvas.circle(6.75, 6.75, 1.35, fill="first-tint-sign")

    def stripes() -> None:
        canvas.rect(0, 0, 7, 7, fill="second-tint")
        canvas.rect(0, 0, 1.5, 7, fill="second-tint-sign")

    if owner in FIRST:
        return canvas.pattern("land-first", 9, 9, dots)
    return canvas.pattern("land-second", 7, 7, stripes, patternTransform="rotate(-45)")


def draw_land(canvas: Canvas, board: Board, ledger: Ledger) -> None:
    """Under the pieces: each patch or territory in its owner's tint."""
    for entry in ledger.entries:
        if isinstance(entry, Patch | Territory):
            canvas.path(outline(board, entry.squares), fill=tint(canvas, entry.owner))


def draw_groups(canvas: Canvas, board: Board, ledger: Ledger) -> None:
    """Under the men: each patch's border, and a bridge between any two men of one group."""
    for entry in ledger.entries:
        if isinstance(entry, Patch):
            d = outline(board, entry.squares)
            canvas.path(d, fill="none", stroke="ink", stroke_width=2.6, stroke_linejoin="round")
            for group in entry.groups:
                draw_bridges(canvas, board, group)


def draw_bridges(canvas: Canvas, board: Board, group: Group) -> None:
    """Bars from man to man, in the group's colour."""
    d = "".join(
        f"M{x:g} {y:g}{step}"
        for square in group.squares
        for x, y in [board.centre(square)]
        for step, beside in (
            ("h48", Square(square.column + 1, square.row)),
            ("v-48", Square(square.column, square.row + 1)),
        )
        if beside in group.squares
    )
    if d:
        canvas.path(d, stroke=f"{group.colour.value}-edge", stroke_width=11, fill="none")
        canvas.path(d, stroke=group.colour.value, stroke_width=8.4, fill="none")


def draw_struck_out(canvas: Canvas, board: Board, ledger: Ledger) -> None:
    """Over the men: groups that cancel are pale, with a line through every man."""
    struck = [
        square
        for entry in ledger.entries
        if isinstance(entry, Patch)
        for pair in entry.struck_out
        for group in pair
        for square in group.squares
    ]

    def strike() -> None:
        reach = DISK * 0.86
        line = (-reach, reach, reach, -reach)
        canvas.circle(0, 0, DISK + 3, fill="board", opacity=0.5)
        canvas.line(*line, stroke="halo", stroke_width=6, stroke_linecap="round")
        canvas.line(*line, stroke="ink", stroke_width=2.8, stroke_linecap="round")

    for square in struck:
        canvas.stamp("struck-out", *board.centre(square), strike)


def draw_labels(canvas: Canvas, board: Board, ledger: Ledger) -> None:
    """A patch is named in the corner of its first square from the top, a territory in its middle."""
    for at, entry in enumerate(ledger.entries):
        if isinstance(entry, Patch):
            x, y = board.corner(min(entry.squares, key=lambda square: (-square.row, square.column)))
            draw_label(canvas, x + 7.5, y + 7.5, label(at), 13)
        elif isinstance(entry, Territory):
            x, y = board.centre(middle_square(list(entry.squares)))
            draw_label(canvas, x, y, label(at), 20)


def draw_label(canvas: Canvas, x: float, y: float, name: str, size: float) -> None:
    """A name on a small tag."""
    width, height = size * (0.62 + 0.62 * len(name)), size * 1.3
    canvas.rect(
        x - width / 2, y - height / 2, width, height, rx=size * 0.3, fill="halo", stroke="ink", stroke_width=1.2
    )
    canvas.text(name, x, y, size * 0.94, font_weight=600)


def draw_buried(canvas: Canvas, board: Board, pieces: Iterable[Piece]) -> None:
    """X-ray: on each marble that stands over buried ones, a small ring for each of these, the lowest on the left."""
    marbles = {piece.at: piece for piece in pieces if isinstance(piece, Marble)}
    lines: dict[tuple[float, float], list[Marble]] = {}
    for marble in marbles.values():
        lines.setdefault(board.centre(marble.at), []).append(marble)
    for (x, y), (*buried, top) in lines.items():
        pitch = min(10.5, 34 / len(buried)) if buried else 0
        down = 12.5 if shows_level(board.size, top.at, marbles) else 0
        for at, marble in enumerate(buried):
            aside = (at - (len(buried) - 1) / 2) * pitch
            draw_pip(canvas, x + aside, y + down, marble.colour)


def draw_pip(canvas: Canvas, x: float, y: float, colour: Colour) -> None:
    """A buried marble, as small as it matters: a black one full, a white one an open ring."""

    def pip() -> None:
        canvas.circle(0, 0, 5.4, fill="white6")
        canvas.circle(
            0, 0, 4.2, fill="black1" if colour is Colour.BLACK else "white6", stroke="black1", stroke_width=1.7
        )

    canvas.stamp(f"pip-{colour.value}", x, y, pip)
