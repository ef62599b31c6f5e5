"""A position as a picture."""

from __future__ import annotations

from contextlib import AbstractContextManager

from ..languages import say
from ..rules.errors import PurlieuError, Refusal
from ..rules.ledger import Ledger
from ..rules.moves import Move
from ..rules.position import Position
from .canvas import Canvas
from .frame import PADDING, Frame, draw_card, draw_coordinates, draw_ground, draw_plate, draw_rules, lay_out
from .geometry import UNIT, Board
from .marbles import draw_holes, draw_marbles
from .marks import mark_last_move
from .men import draw_men
from .overlay import draw_buried, draw_groups, draw_labels, draw_land, draw_struck_out
from .refusal import draw_refusal
from .sheet import draw_pool, draw_sheet
from .tally import NARROWEST, draw_tally
from .theme import theme_named
from .words import description_of, title_of

GAP = 10.0
"""Between the board and what lies below it."""
WIDE = 540.0
"""A wider drawing will be shown smaller, so its ledger is written larger."""


def svg(
    position: Position,
    *,
    last_move: Move | None = None,
    before: Position | None = None,
    ledger: bool = False,
    coordinates: bool = True,
    refusal: Refusal | None = None,
    theme: str = "light",
    scale: int = 48,
) -> str:
    """The position as an SVG; `scale` is the width of a square in pixels.

    `last_move` is marked; with the position `before` it, captured marbles are shown as ghosts.
    `ledger` lays the count over the board and writes it below. `refusal` draws why a move is illegal.
    The theme is light, dark, or auto, which follows the reader's screen.
    """
    if scale < 1:
        raise PurlieuError("drawing.too_small", "a square is at least 1 pixel wide, not {scale}", scale=scale)
    canvas = Canvas(theme_named(theme))
    count = position.ledger() if ledger else None
    frame = lay_out(position.size, refusal, coordinates, NARROWEST if ledger else 0)
    draw_board(canvas, frame.board, position, count)
    if coordinates:
        with layer(canvas, "coordinates"):
            draw_coordinates(canvas, frame)
    if last_move:
        with layer(canvas, "last-move"):
            mark_last_move(canvas, frame.board, last_move, position, before)
    if refusal:
        with layer(canvas, "refusal"):
            draw_refusal(canvas, frame.board, refusal, position.pieces())
    bottom = draw_below(canvas, frame, position, count) + PADDING
    canvas.beneath(lambda: draw_card(canvas, frame.card_width, bottom))
    description = " ".join(map(say, description_of(position, last_move, refusal)))
    return canvas.finish(frame.card_width, bottom, scale / UNIT, say(title_of(position)), description)


def layer(canvas: Canvas, name: str) -> AbstractContextManager[None]:
    """A part of the drawing that a page can find by its name: ``[data-layer=last-move]``."""
    return canvas.within(data_layer=name)


def draw_board(canvas: Canvas, board: Board, position: Position, ledger: Ledger | None) -> None:
    """The board and what stands on it, with the ledger's marks under and over the pieces."""
    pieces = position.pieces()
    with layer(canvas, "board"):
        if position.game == "pyloff":
            draw_plate(canvas, board)
            draw_holes(canvas, board)
        else:
            draw_ground(canvas, board)
            if ledger:
                draw_land(canvas, board, ledger)
            draw_rules(canvas, board)
            if ledger:
                draw_groups(canvas, board, ledger)
    with layer(canvas, "pieces"):
        draw_pieces = {"pyloff": draw_marbles, "pentwall": draw_sheet}.get(position.game, draw_men)
        draw_pieces(canvas, board, pieces)
    if ledger:
        with layer(canvas, "count"):
            draw_buried(canvas, board, pieces)
            draw_struck_out(canvas, board, ledger)
            draw_labels(canvas, board, ledger)


def draw_below(canvas: Canvas, frame: Frame, position: Position, ledger: Ledger | None) -> float:
    """The pool of a Pentwall sheet, then the ledger in figures; the height where they end."""
    bottom = frame.bottom
    if position.game == "pentwall":
        with layer(canvas, "pool"):
            bottom += GAP + draw_pool(canvas, frame.board, position.pieces(), bottom + GAP)
    if ledger:
        larger = max(1.0, frame.width / WIDE)
        place = f"translate({frame.left:g} {bottom + GAP:g}) scale({larger:g})"
        with layer(canvas, "ledger"), canvas.within(transform=place):
            bottom += GAP + draw_tally(canvas, ledger, frame.width / larger) * larger
    return bottom
