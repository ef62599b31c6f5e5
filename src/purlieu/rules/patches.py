"""The count of Petrify and Pilo: patches, groups, striking out pairs, owners, and the tie.

Both games are read here as squares that are empty, blue, orange or a block; heights play no part.
"""

from __future__ import annotations

from collections.abc import Sequence

from .board import BLOCK, FIRST_COLOUR, SECOND_COLOUR, Grid, Square, connected_regions
from .endings import Ending, reason
from .ledger import Group, Ledger, Patch
from .position import Outcome
from .seats import Colour, Seat
from .turns import Turn

COLOURS = (Colour.BLUE, Colour.ORANGE)
_NO_BLOCK = bytes(0 if kind == BLOCK else 1 for kind in range(256))


def count(grid: Grid, kinds: bytes) -> Ledger:
    """The ledger of a board: every patch, in the order of its lowest square."""
    groups = [*groups_of(grid, kinds, Colour.BLUE), *groups_of(grid, kinds, Colour.ORANGE)]
    home = {group.squares[0]: group for group in groups}
    return Ledger(
        tuple(
            count_patch(squares, [group for s in squares if (group := home.get(s))]) for squares in patches(grid, kinds)
        ),
        COLOURS,
    )


def patches(grid: Grid, kinds: bytes) -> list[tuple[Square, ...]]:
    """A patch is an orthogonally connected region of squares that hold no block."""
    open_squares = kinds.translate(_NO_BLOCK)
    return [
        tuple([grid.squares[at] for at in region])
        for region in connected_regions(open_squares, 1, grid.inside, grid.orthogonal)
    ]


def groups_of(grid: Grid, kinds: bytes, colour: Colour) -> list[Group]:
    """A group is an orthogonally connected set of like-coloured disks or stacks."""
    kind = FIRST_COLOUR if colour is Colour.BLUE else SECOND_COLOUR
    return [
        Group(colour, tuple([grid.squares[at] for at in region]))
        for region in connected_regions(kinds, kind, grid.inside, grid.orthogonal)
    ]


def count_patch(squares: tuple[Square, ...], groups: Sequence[Group]) -> Patch:
    """The colour of the biggest group left over owns the patch and scores its size."""
    biggest_first = sorted(groups, key=lambda group: -group.size)
    struck_out, left = strike_out_pairs(biggest_first)
    owner = left[0].colour if left else None
    return Patch(
        squares=squares,
        groups=tuple(biggest_first),
        struck_out=struck_out,
        left=left,
        owner=owner,
        points=len(squares) if owner else 0,
    )


def strike_out_pairs(groups: Sequence[Group]) -> tuple[tuple[tuple[Group, Group], ...], tuple[Group, ...]]:
    """Strike out pairs of one blue and one orange group of equal size until no such pair is left.

    What is left of each size is of one colour, so the biggest group left has no rival of its size.
    """
    pairs: list[tuple[Group, Group]] = []
    for size in sorted({group.size for group in groups}, reverse=True):
        blue = [group for group in groups if group.size == size and group.colour is Colour.BLUE]
        orange = [group for group in groups if group.size == size and group.colour is Colour.ORANGE]
        pairs.extend(zip(blue, orange, strict=False))
    struck = {id(group) for pair in pairs for group in pair}
    return tuple(pairs), tuple(group for group in groups if id(group) not in struck)


def decide(turn: Turn, score: dict[Colour, int]) -> Outcome:
    """The higher total wins; on equal totals the side that made the last board play loses."""
    seats = {Seat.FIRST: Colour.BLUE, Seat.SECOND: Colour.ORANGE}
    if turn.blue is Seat.SECOND:
        seats = {Seat.FIRST: Colour.ORANGE, Seat.SECOND: Colour.BLUE}
    by_seat = {seat: score[colour] for seat, colour in seats.items()}
    if by_seat[Seat.FIRST] != by_seat[Seat.SECOND]:
        winner = max(by_seat, key=by_seat.__getitem__)
        ending, why = Ending.SCORE, reason("end.points", colour=seats[winner].title)
    else:
        loser = turn.last_board_play
        assert loser is not None, "a game cannot end on the empty board"
        winner = loser.other
        ending, why = Ending.TIE_RULE, reason("end.last_play", colour=seats[loser].title)
    return Outcome(winner, why, by_seat, dict(score), ending)
