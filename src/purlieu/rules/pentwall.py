"""Pentwall, by Kanare Kato.

Solid and Striped paint the twelve pentominoes, one common pool, onto a 10×10 sheet. What stays
unpainted is territory, and goes to whoever has more squares touching it.

Order of `legal_moves`: by the pentomino's letter, then by its squares, compared from the first,
each from a1 row by row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from .board import Grid, Square, connected_regions, grid
from .endings import Ending, reason
from .errors import BadNotation, Refusal, Rule
from .ledger import Ledger, Territory
from .messages import Message, listed
from .moves import Move, Paint, Pass, Swap, by_row, is_well_formed, shown_move
from .notation import A_PAINT, LETTERS, no_move, parse_paint, parse_rows, picture_rows, require_square_board, rows_text
from .pieces import Painted, Piece
from .position import Outcome, Position
from .seats import Colour, Seat

SIZE = 10
SIZES = range(10, 11)

SHAPES: dict[str, tuple[str, ...]] = {
    "F": (".##", "##.", ".#."),
    "I": ("#####",),
    "L": ("#.", "#.", "#.", "##"),
    "N": (".#", "##", "#.", "#."),
    "P": ("##", "##", "#."),
    "T": ("###", ".#.", ".#."),
    "U": ("#.#", "###"),
    "V": ("#..", "#..", "###"),
    "W": ("#..", "##.", ".##"),
    "X": (".#.", "###", ".#."),
    "Y": (".#", "##", ".#", ".#"),
    "Z": ("##.", ".#.", ".##"),
}
"""The twelve pentominoes as they are usually drawn."""

Shape = frozenset[tuple[int, int]]
"""Five (column, row) pairs, the lowest column and the lowest row being 0."""

_TOKEN = re.compile(f"[{LETTERS}{LETTERS.lower()}]")
_EXPECTED = Message(
    "expected.pentwall", "a pentomino's letter (capital for Solid, small for Striped) or a number of unpainted squares"
)


@dataclass(frozen=True, slots=True, repr=False)
class PentwallPosition(Position):
    """A Pentwall position: what each colour has painted. Whose turn it is follows from how much is painted."""

    solid: tuple[Paint, ...]
    """What Solid has painted, in the order of the letters."""
    striped: tuple[Paint, ...]

    game: ClassVar[str] = "pentwall"
    colours: ClassVar[tuple[Colour, Colour]] = (Colour.SOLID, Colour.STRIPED)

    # -- whose turn ---------------------------------------------------------------------------

    @property
    def size(self) -> int:
        return SIZE

    @property
    def ply(self) -> int:
        return len(self.solid) + len(self.striped)

    @property
    def pool(self) -> str:
        """The letters of the unused pentominoes."""
        used = {paint.letter for paint in (*self.solid, *self.striped)}
        return "".join(letter for letter in LETTERS if letter not in used)

    @property
    def painted(self) -> dict[Square, tuple[Colour, str]]:
        """The colour and the letter of every painted square."""
        return {
            square: (colour, paint.letter)
            for colour, paints in zip(self.colours, (self.solid, self.striped), strict=True)
            for paint in paints
            for square in paint.squares
        }

    def pieces(self) -> tuple[Piece, ...]:
        painted = self.painted
        return tuple(Painted(square, *painted[square]) for square in sorted(painted, key=by_row))

    # -- play ---------------------------------------------------------------------------------

    def legal_moves(self) -> Sequence[Move]:
        return list(self.placements())

    def placements(self) -> Iterator[Paint]:
        """Every unused pentomino, turned and flipped, wherever its five squares are unpainted."""
        taken = self._taken()
        for letter in self.pool:
            yield from (paint for mask, paint in placements_of(letter) if not mask & taken)

    def explain(self, move: Move | str) -> Refusal | None:
        move = self.read_move(move)
        if self.is_over:
            why = (
                Message("over.nothing_fits", "the game is over: no unused pentomino fits anywhere")
                if self.pool
                else Message("over.all_used", "the game is over: all pentominoes are used")
            )
            return Refusal(Rule.GAME_OVER, why)
        match move:
            case Pass():
                why = Message("pass.pentwall", "Pentwall has no pass: with no play left, the game is over")
                return Refusal(Rule.PASS, why)
            case Swap():
                return Refusal(Rule.SWAP, Message("swap.pentwall", "Pentwall has no pie rule, so nobody swaps"))
            case Paint(letter, squares):
                return self._refuse_paint(letter, squares)
        raise AssertionError(move)

    def _refuse_paint(self, letter: str, squares: tuple[Square, ...]) -> Refusal | None:
        outside = tuple(square for square in squares if not BOARD.holds(square))
        if outside:
            message = Message.many(
                "off_sheet",
                "{squares} is off the board, which ends at j10",
                "{squares} are off the board, which ends at j10",
                count=len(outside),
                squares=listed(outside),
            )
            return Refusal(Rule.OFF_BOARD, message, outside)
        shape = shape_of(squares)
        if shape not in orientations(letter):
            name = LETTER_OF.get(shape)
            message = (
                Message(
                    "not_the_shape.other",
                    "these squares do not make the pentomino {letter}: they make the pentomino {made}",
                    letter=letter,
                    made=name,
                )
                if name
                else Message(
                    "not_the_shape.apart",
                    "these squares do not make the pentomino {letter}: they are not connected by their edges",
                    letter=letter,
                )
            )
            return Refusal(Rule.NOT_THE_SHAPE, message, squares)
        painted = self.painted
        if letter not in self.pool:
            there = tuple(square for square, (_, used) in painted.items() if used == letter)
            message = Message(
                "used_pentomino", "{letter} is used already: it lies on {squares}", letter=letter, squares=listed(there)
            )
            return Refusal(Rule.USED_PENTOMINO, message, there)
        overlap = tuple(square for square in squares if square in painted)
        if overlap:
            message = Message.many(
                "overlap",
                "{squares} is painted already",
                "{squares} are painted already",
                count=len(overlap),
                squares=listed(overlap),
            )
            return Refusal(Rule.OVERLAP, message, overlap)
        return None

    def after(self, move: Move) -> PentwallPosition:
        assert isinstance(move, Paint)
        if self.to_move is Seat.FIRST:
            return PentwallPosition(_by_letter(*self.solid, move), self.striped)
        return PentwallPosition(self.solid, _by_letter(*self.striped, move))

    # -- the end ------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return next(self.placements(), None) is None

    def ledger(self) -> Ledger:
        painted = self.painted
        unpainted = bytearray(len(BOARD.squares))
        for at in BOARD.inside:
            unpainted[at] = BOARD.squares[at] not in painted
        regions = connected_regions(bytes(unpainted), True, BOARD.inside, BOARD.orthogonal)
        return Ledger(tuple(_territory(region, painted) for region in regions), self.colours)

    @property
    def outcome(self) -> Outcome | None:
        if not self.is_over:
            return None
        ledger = self.ledger()
        score = ledger.totals
        by_seat = {Seat.FIRST: score[Colour.SOLID], Seat.SECOND: score[Colour.STRIPED]}
        sizes = [
            sorted((entry.points for entry in ledger.entries if entry.owner is colour), reverse=True)
            for colour in self.colours
        ]
        winner, ending, why = decide(*sizes)
        return Outcome(winner, why, by_seat, score, ending)

    # -- text ---------------------------------------------------------------------------------

    @classmethod
    def read_move(cls, move: Move | str) -> Move:
        match move:
            case str():
                return parse_paint(move)
            case Paint() if is_well_formed(move) and len(set(move.squares)) == 5 and move.letter in SHAPES:
                return move
            case Pass() | Swap():
                return move
        raise no_move(shown_move(move), A_PAINT)

    def text(self) -> str:
        painted = self.painted
        rows = [
            [_token(painted.get(Square(column, row))) for column in range(1, SIZE + 1)] for row in range(SIZE, 0, -1)
        ]
        return f"{self.game} {rows_text(rows)}"

    def _taken(self) -> int:
        taken = 0
        for paint in (*self.solid, *self.striped):
            taken |= mask_of(paint.squares)
        return taken


# -- the count ----------------------------------------------------------------------------------

BOARD: Grid = grid(SIZE)


def _territory(region: list[int], painted: dict[Square, tuple[Colour, str]]) -> Territory:
    """A territory goes to the colour with more squares touching it by an edge, each counted once."""
    around = {BOARD.squares[at + step] for at in region for step in BOARD.orthogonal}
    touching = {
        colour: tuple(sorted((s for s in around if s in painted and painted[s][0] is colour), key=by_row))
        for colour in PentwallPosition.colours
    }
    solid, striped = len(touching[Colour.SOLID]), len(touching[Colour.STRIPED])
    owner = None if solid == striped else Colour.SOLID if solid > striped else Colour.STRIPED
    squares = tuple(BOARD.squares[at] for at in region)
    return Territory(squares, touching, owner, len(squares) if owner else 0)


def decide(solid: list[int], striped: list[int]) -> tuple[Seat | None, Ending, Message]:
    """The larger total wins; on equal totals the first difference of the sizes, from the largest down."""
    if sum(solid) != sum(striped):
        winner, colour = _BY_SEAT[sum(solid) < sum(striped)]
        return winner, Ending.SCORE, reason("end.territory", colour=colour.title)
    for place, (one, two) in enumerate(zip(solid, striped, strict=False), start=1):
        if one != two:
            winner, colour = _BY_SEAT[one < two]
            code = {1: "end.largest", 2: "end.second", 3: "end.third"}.get(place, "end.nth")
            why = reason(code, colour=colour.title, larger=max(one, two), smaller=min(one, two), place=place)
            return winner, Ending.TIE_RULE, why
    return None, Ending.DRAW, reason("end.same_territories")


_BY_SEAT = ((Seat.FIRST, Colour.SOLID), (Seat.SECOND, Colour.STRIPED))


# -- pentominoes --------------------------------------------------------------------------------


@cache
def orientations(letter: str) -> tuple[Shape, ...]:
    """The pentomino turned and flipped in every way, as drawn first; 63 over all twelve."""
    rows = SHAPES[letter]
    shape = normal((column, -row) for row, line in enumerate(rows) for column, at in enumerate(line) if at == "#")
    found: list[Shape] = []
    for side in (shape, flipped(shape)):
        for _ in range(4):
            if side not in found:
                found.append(side)
            side = turned(side)
    return tuple(found)


def turned(shape: Shape) -> Shape:
    """A quarter turn to the right."""
    return normal((row, -column) for column, row in shape)


def flipped(shape: Shape) -> Shape:
    """The mirror image, left for right."""
    return normal((-column, row) for column, row in shape)


def normal(squares: Iterator[tuple[int, int]] | Sequence[tuple[int, int]]) -> Shape:
    """The squares moved so that the lowest column and the lowest row are 0."""
    squares = list(squares)
    left = min(column for column, _ in squares)
    bottom = min(row for _, row in squares)
    return frozenset((column - left, row - bottom) for column, row in squares)


def shape_of(squares: Sequence[Square]) -> Shape:
    """The shape that the squares make, wherever they lie."""
    return normal([(square.column, square.row) for square in squares])


LETTER_OF: dict[Shape, str] = {shape: letter for letter in LETTERS for shape in orientations(letter)}


@cache
def placements_of(letter: str) -> tuple[tuple[int, Paint], ...]:
    """Every way to paint the pentomino on the empty board, in order, with a bit for each square."""
    found = []
    for shape in orientations(letter):
        for column in range(1, SIZE + 1):
            for row in range(1, SIZE + 1):
                squares = [Square(column + across, row + up) for across, up in shape]
                if all(map(BOARD.holds, squares)):
                    found.append(Paint(letter, tuple(squares)))
    found.sort(key=lambda paint: [by_row(square) for square in paint.squares])
    return tuple((mask_of(paint.squares), paint) for paint in found)


def mask_of(squares: Sequence[Square]) -> int:
    """A bit for each square, so that an overlap is one AND."""
    mask = 0
    for square in squares:
        mask |= 1 << BOARD.index(square)
    return mask


# -- starting, parsing, drawing -----------------------------------------------------------------


def start(size: int = SIZE) -> PentwallPosition:
    """The blank sheet, Solid (the first seat) to move."""
    return PentwallPosition((), ())


def parse(fields: list[str]) -> PentwallPosition:
    """A position from the fields of its text after the game's name."""
    board, *rest = fields
    if rest:
        message = Message(
            "text.pentwall_tail",
            "after the board nothing follows in a Pentwall position, but here {text} does",
            text=repr(rest[0][:20]),
        )
        raise BadNotation(message)
    return _position(parse_rows(board, _TOKEN, _EXPECTED))


def draw(picture: str) -> PentwallPosition:
    """A position from a drawn sheet: ``.``, capitals for Solid's squares, small letters for Striped's."""
    return _position(picture_rows(picture, _TOKEN, _EXPECTED))


def _position(rows: list[list[str | None]]) -> PentwallPosition:
    if require_square_board(rows, Message("the_sheet", "the sheet")) != SIZE:
        raise BadNotation(
            "text.pentwall_sheet_rows",
            "a Pentwall sheet has {size} rows, and this has {count}",
            size=SIZE,
            count=len(rows),
        )
    squares: dict[str, list[Square]] = {}
    for row, tokens in zip(range(SIZE, 0, -1), rows, strict=True):
        for column, token in enumerate(tokens, start=1):
            if token:
                squares.setdefault(token, []).append(Square(column, row))
    for token, painted in squares.items():
        letter = token.upper()
        if token.swapcase() in squares:
            raise BadNotation(
                "text.painted_both_colours",
                "{letter} is painted in both colours; each pentomino is used once",
                letter=letter,
            )
        if len(painted) != 5 or shape_of(painted) not in orientations(letter):
            painted.sort(key=by_row)
            raise BadNotation(
                "text.squares_marked_one",
                "the squares marked {token}, {painted}, are not one pentomino {letter}",
                token=token,
                painted=listed(painted),
                letter=letter,
            )
    paints = {token: Paint(token.upper(), tuple(painted)) for token, painted in squares.items()}
    return PentwallPosition(
        _by_letter(*(paint for token, paint in paints.items() if token.isupper())),
        _by_letter(*(paint for token, paint in paints.items() if token.islower())),
    )


def _by_letter(*paints: Paint) -> tuple[Paint, ...]:
    return tuple(sorted(paints, key=lambda paint: paint.letter))


def _token(painted: tuple[Colour, str] | None) -> str | None:
    if painted is None:
        return None
    colour, letter = painted
    return letter if colour is Colour.SOLID else letter.lower()
