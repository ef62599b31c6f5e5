"""A position as the board page draws it. A pure function of the position: the client knows no rules.

This and what it uses need the rules and the standard library alone, so views can be made elsewhere too.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Literal, Protocol

from purlieu.rules import Capture, Move, Outcome, Paint, Place, Point, Position, Seat
from purlieu.rules.notation import LETTERS
from purlieu.rules.pentwall import PentwallPosition, placements_of
from purlieu.rules.pieces import Block, Disk, Marble, Painted, Piece, Stack, lifted

from .count import LedgerView, ledger_view
from .links import Links, links_of
from .plain import NotRequired, TypedDict, as_sent, name_of

SeatName = Literal["first", "second"]
ColourName = Literal["blue", "orange", "solid", "striped", "black", "white"]


EndingName = Literal[
    "score",
    "tie rule",
    "draw",
    "resignation",
    "flag",
    "claim",
    "forfeit",
    "agreement",
    "called off",
    "unfinished",
]


@as_sent
class Said(TypedDict):
    """A sentence for people: its code and its values, for other languages than the English of `text`."""

    code: str
    values: dict[str, Any]
    text: str


SETTLED_PLY = 2
"""From here on nobody swaps any more."""


@as_sent
class DiskView(TypedDict):
    """A Petrify disk."""

    kind: Literal["disk"]
    at: str
    colour: ColourName


@as_sent
class StackView(TypedDict):
    """A Pilo stack."""

    kind: Literal["stack"]
    at: str
    colour: ColourName
    height: int


@as_sent
class BlockView(TypedDict):
    """A neutral block."""

    kind: Literal["block"]
    at: str


@as_sent
class PaintedView(TypedDict):
    """A painted square of Pentwall."""

    kind: Literal["painted"]
    at: str
    colour: ColourName
    letter: str


@as_sent
class MarbleView(TypedDict):
    """A Pyloff marble."""

    kind: Literal["marble"]
    at: str
    colour: ColourName
    buried: bool


PieceView = DiskView | StackView | BlockView | PaintedView | MarbleView


LastMove = TypedDict(
    "LastMove",
    {
        "move": str,
        "from": str | None,
        "to": str | None,
        "block": str | None,
        "squares": list[str],
        "captured": list[str],
    },
)
"""What the last move did."""


@as_sent
class OutcomeView(TypedDict):
    """How the rules say that a finished game ended."""

    winner: SeatName | None
    ending: EndingName
    reason: str
    said: Said
    by_colour: dict[str, int]


@as_sent
class View(TypedDict):
    """All the board needs to draw one moment."""

    game: str
    size: int
    ply: int
    text: str
    """The position in one line, as /api/views takes it in `from`."""
    to_move: SeatName
    colour_to_move: ColourName
    colours: dict[SeatName, ColourName]
    pieces: list[PieceView]
    legal: list[str] | None
    """Every legal move; null in Pentwall, which has `placements`."""
    # These are not asked of the page's own empty view, which it draws before we have spoken; ours have them always.
    hash: NotRequired[str]
    """The position's name; sent back with a move, it shows that we see the same."""
    placements: NotRequired[str | None]
    """Pentwall: base64; bit i (lowest first) tells if the i-th placement is legal."""
    pool: NotRequired[list[str] | None]
    """Pentwall: the letters left."""
    fits: NotRequired[list[str] | None]
    """Pentwall: those of them that fit somewhere."""
    links: NotRequired[Links | None]
    """Pyloff up to size 10: what is joined, cut and free."""
    can_swap: bool
    pie_open: bool
    """Whether a swap may still come, now or in answer to the move due."""
    must_pass: bool
    last: LastMove | None
    ledger: LedgerView
    over: bool
    outcome: OutcomeView | None


@as_sent
class Summary(TypedDict):
    """What a graph of a game needs of one moment: the count and whose turn it is, without the board."""

    ply: int
    to_move: SeatName
    colour_to_move: ColourName
    colours: dict[SeatName, ColourName]
    totals: dict[str, int]
    """The score of each colour, if the game ended here."""
    can_swap: bool
    pie_open: bool
    over: bool
    outcome: OutcomeView | None


class Moment(Protocol):
    """A position and the move that led to it, as `domain.played` holds them; each part is worked out when asked for."""

    @property
    def position(self) -> Position:
        """The position, as the rules hold it."""

    @property
    def before(self) -> Position | None:
        """The position before the last move."""

    @property
    def move(self) -> Move | None:
        """The last move."""

    @property
    def position_text(self) -> str:
        """The position in one line."""

    @property
    def hash(self) -> str:
        """A short name for the position."""

    @property
    def legal(self) -> list[str]:
        """The legal moves."""

    @property
    def ply(self) -> int:
        """How many turns were taken."""

    @property
    def to_move(self) -> Seat:
        """Whose turn it is."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def score(self) -> Sequence[int]:
        """The score of the first colour and of the second, if the game ended here."""


def view(moment: Moment) -> View:
    """The view of a position."""
    position = moment.position
    outcome, pieces = position.outcome if moment.is_over else None, position.pieces()
    legal: list[str] | None = None
    placements = pool = fits = None
    if isinstance(position, PentwallPosition):
        placements, fits = fitting(moment.legal)
        pool = list(position.pool)
    else:
        legal = moment.legal
    return {
        "game": position.game,
        "size": position.size,
        "ply": position.ply,
        "text": moment.position_text,
        "hash": moment.hash,
        "to_move": position.to_move.value,
        "colour_to_move": position.colour_to_move.value,
        "colours": colours_of(position),
        "pieces": [piece_view(piece) for piece in pieces],
        "legal": legal,
        "placements": placements,
        "pool": pool,
        "fits": fits,
        "can_swap": legal is not None and "swap" in legal,
        "pie_open": pie_open(position, legal),
        "must_pass": legal == ["pass"],
        "last": last_move(moment, pieces),
        "ledger": ledger_view(position.ledger()),
        "links": links_of(position),
        "over": moment.is_over,
        "outcome": outcome_view(outcome) if outcome else None,
    }


def summaries(line: Iterable[Moment]) -> Iterator[Summary]:
    """The summaries of a line, from a position on. Only a swap changes who plays which colour, and the score is the
    core's, which is held to the rules' own: a line of thousands of plies takes milliseconds.
    """
    colours: dict[SeatName, ColourName] = {}
    totals: list[str] = []
    for moment in line:
        early = moment.ply <= SETTLED_PLY
        seat: SeatName = moment.to_move.value
        if early or not totals:
            colours = colours_of(moment.position)
            totals = [colour.value for colour in moment.position.ledger().totals]
        legal = moment.legal if early else None
        outcome = moment.position.outcome if moment.is_over else None
        yield {
            "ply": moment.ply,
            "to_move": seat,
            "colour_to_move": colours[seat],
            "colours": colours,
            "totals": dict(zip(totals, moment.score, strict=True)),
            "can_swap": legal is not None and "swap" in legal,
            "pie_open": early and pie_open(moment.position, legal),
            "over": moment.is_over,
            "outcome": outcome_view(outcome) if outcome else None,
        }


def colours_of(position: Position) -> dict[SeatName, ColourName]:
    """Who plays which colour."""
    return {seat.value: position.colour_of(seat).value for seat in Seat}


def pie_open(position: Position, legal: Sequence[str] | None) -> bool:
    """Whether who plays which colour is still to be decided: by a swap now, or in answer to the move that is due."""
    if not legal or position.ply > 1:
        return False
    return "swap" in legal or position.play(legal[0]).explain("swap") is None


def outcome_view(outcome: Outcome) -> OutcomeView:
    """An outcome as it is sent."""
    return {
        "winner": outcome.winner.value if outcome.winner else None,
        "ending": outcome.ending.value,
        "reason": outcome.reason,
        "said": outcome.reason.data(),
        "by_colour": {colour.value: points for colour, points in outcome.by_colour.items()},
    }


@cache
def piece_view(piece: Piece) -> PieceView:
    """A piece as it is sent. There are a few thousand that can be, and a view has a hundred."""
    match piece:
        case Disk(at, colour):
            return {"kind": "disk", "at": name_of(at), "colour": colour.value}
        case Stack(at, colour, height):
            return {"kind": "stack", "at": name_of(at), "colour": colour.value, "height": height}
        case Block(at):
            return {"kind": "block", "at": name_of(at)}
        case Painted(at, colour, letter):
            return {"kind": "painted", "at": name_of(at), "colour": colour.value, "letter": letter}
        case Marble(point, colour, buried):
            return {"kind": "marble", "at": name_of(point), "colour": colour.value, "buried": buried}


def last_move(moment: Moment, pieces: Sequence[Piece]) -> LastMove | None:
    """What the last move did, told from the board before it and the pieces after it."""
    before, move = moment.before, moment.move
    if before is None or move is None:
        return None
    told: LastMove = {"move": str(move), "from": None, "to": None, "block": None, "squares": [], "captured": []}
    match move:
        case Capture(start, target):
            told["from"] = told["block"] = name_of(start)
            told["to"] = name_of(target)
            told["squares"] = [name_of(start), name_of(target)]
            told["captured"] = [name_of(target)]
        case Place(at):
            told["to"] = name_of(at)
            told["squares"] = [name_of(at)]
            if isinstance(at, Point):
                told["captured"] = [name_of(gone.at) for gone in lifted(before.pieces(), pieces)]
        case Paint(_, squares):
            told["squares"] = [name_of(square) for square in squares]
    return told


# -- Pentwall's placements ----------------------------------------------------------------------


@cache
def placement_texts() -> list[str]:
    """Every way to paint a pentomino on the empty sheet, in the order of the rules."""
    return [str(paint) for letter in LETTERS for _, paint in placements_of(letter)]


@cache
def placement_numbers() -> dict[str, int]:
    """Where each stands in that order."""
    return {text: at for at, text in enumerate(placement_texts())}


def fitting(legal: Sequence[str]) -> tuple[str, list[str]]:
    """Which placements are legal, as a bit each, and the letters that fit somewhere."""
    numbers = placement_numbers()
    bits = bytearray((len(numbers) + 7) // 8)
    for text in legal:
        at = numbers[text]
        bits[at // 8] |= 1 << at % 8
    letters = {text[0] for text in legal}
    return b64encode(bytes(bits)).decode(), [letter for letter in LETTERS if letter in letters]
