"""A position as the board page draws it. A pure function of the position: the client knows no rules."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from purlieu.rules import Capture, Outcome, Paint, Pass, Place, Seat, Swap
from purlieu.rules.notation import LETTERS
from purlieu.rules.pentwall import PentwallPosition, placements_of
from purlieu.rules.pieces import Block, Disk, Marble, Painted, Piece, Stack, lifted

from .count import LedgerView, ledger_view
from .links import Links, links_of
from .model import Model, name_of
from .played import Played

SeatName = Literal["first", "second"]
ColourName = Literal["blue", "orange", "solid", "striped", "black", "white"]


class DiskView(Model):
    """A Petrify disk."""

    kind: Literal["disk"] = "disk"
    at: str
    colour: ColourName


class StackView(Model):
    """A Pilo stack."""

    kind: Literal["stack"] = "stack"
    at: str
    colour: ColourName
    height: int


class BlockView(Model):
    """A neutral block."""

    kind: Literal["block"] = "block"
    at: str


class PaintedView(Model):
    """A painted square of Pentwall."""

    kind: Literal["painted"] = "painted"
    at: str
    colour: ColourName
    letter: str


class MarbleView(Model):
    """A Pyloff marble."""

    kind: Literal["marble"] = "marble"
    at: str
    colour: ColourName
    buried: bool


PieceView = Annotated[DiskView | StackView | BlockView | PaintedView | MarbleView, Field(discriminator="kind")]


class LastMove(Model):
    """What the last move did."""

    move: str
    start: str | None = Field(default=None, alias="from")
    to: str | None = None
    block: str | None = None
    squares: list[str]
    captured: list[str]


class OutcomeView(Model):
    """How the rules say that a finished game ended."""

    winner: SeatName | None
    reason: str
    by_colour: dict[str, int]


class View(Model):
    """All the board needs to draw one moment."""

    game: str
    size: int
    ply: int
    text: str = Field(description="The position in one line, as /api/views takes it in `from`.")
    to_move: SeatName
    colour_to_move: ColourName
    colours: dict[SeatName, ColourName]
    pieces: list[PieceView]
    legal: list[str] | None = Field(description="Every legal move; null in Pentwall, which has `placements`.")
    placements: str | None = Field(
        default=None, description="Pentwall: base64; bit i (lowest first) tells if the i-th placement is legal."
    )
    pool: list[str] | None = Field(default=None, description="Pentwall: the letters left.")
    fits: list[str] | None = Field(default=None, description="Pentwall: those of them that fit somewhere.")
    can_swap: bool
    must_pass: bool
    last: LastMove | None
    ledger: LedgerView
    links: Links | None = Field(default=None, description="Pyloff up to size 10: what is joined, cut and free.")
    over: bool
    outcome: OutcomeView | None


def view(played: Played) -> View:
    """The view of a position."""
    position = played.position
    outcome = position.outcome
    legal: list[str] | None = None
    placements = pool = fits = None
    if isinstance(position, PentwallPosition):
        placements, fits = fitting(position)
        pool = list(position.pool)
    else:
        legal = played.core.legal_moves()
    return View.model_construct(  # its parts are checked already; to check the whole would double its cost
        game=position.game,
        size=position.size,
        ply=position.ply,
        text=played.core.text(),
        to_move=position.to_move.value,
        colour_to_move=position.colour_to_move.value,
        colours={seat.value: position.colour_of(seat).value for seat in Seat},
        pieces=[piece_view(piece) for piece in position.pieces()],
        legal=legal,
        placements=placements,
        pool=pool,
        fits=fits,
        can_swap=legal is not None and "swap" in legal,
        must_pass=legal == ["pass"],
        last=last_move(played),
        ledger=ledger_view(position.ledger()),
        links=links_of(position),
        over=position.is_over,
        outcome=outcome_view(outcome) if outcome else None,
    )


def outcome_view(outcome: Outcome) -> OutcomeView:
    """An outcome as it is sent."""
    return OutcomeView(
        winner=outcome.winner.value if outcome.winner else None,
        reason=outcome.reason,
        by_colour={colour.value: points for colour, points in outcome.by_colour.items()},
    )


def piece_view(piece: Piece) -> PieceView:
    """A piece as it is sent."""
    match piece:
        case Disk(at, colour):
            return DiskView(at=name_of(at), colour=colour.value)
        case Stack(at, colour, height):
            return StackView(at=name_of(at), colour=colour.value, height=height)
        case Block(at):
            return BlockView(at=name_of(at))
        case Painted(at, colour, letter):
            return PaintedView(at=name_of(at), colour=colour.value, letter=letter)
        case Marble(point, colour, buried):
            return MarbleView(at=name_of(point), colour=colour.value, buried=buried)


def last_move(played: Played) -> LastMove | None:
    """What the last move did, told from the boards before and after it."""
    before, move = played.before, played.move
    if before is None or move is None:
        return None
    text = str(move)
    match move:
        case Capture(start, target):
            return LastMove(
                move=text,
                **{"from": name_of(start)},
                to=name_of(target),
                block=name_of(start),
                squares=[name_of(start), name_of(target)],
                captured=[name_of(target)],
            )
        case Place(at):
            captured = [name_of(marble.at) for marble in lifted(before.pieces(), played.position.pieces())]
            return LastMove(move=text, to=name_of(at), squares=[name_of(at)], captured=captured)
        case Paint(_, squares):
            return LastMove(move=text, squares=[name_of(square) for square in squares], captured=[])
        case Pass() | Swap():
            return LastMove(move=text, squares=[], captured=[])


# -- Pentwall's placements ----------------------------------------------------------------------


@cache
def placement_texts() -> list[str]:
    """Every way to paint a pentomino on the empty sheet, in the order of the rules."""
    return [str(paint) for letter in LETTERS for _, paint in placements_of(letter)]


def fitting(position: PentwallPosition) -> tuple[str, list[str]]:
    """Which placements are legal, as a bit each, and the letters that fit somewhere."""
    legal = {str(move) for move in position.placements()}
    bits = bytearray((len(placement_texts()) + 7) // 8)
    for at, text in enumerate(placement_texts()):
        if text in legal:
            bits[at // 8] |= 1 << at % 8
    letters = {text[0] for text in legal}
    return b64encode(bytes(bits)).decode(), [letter for letter in LETTERS if letter in letters]
