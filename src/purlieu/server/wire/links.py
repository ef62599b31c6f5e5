"""Pyloff's overlay: which marbles are joined, where a link is cut, and who has freedom."""

from __future__ import annotations

from purlieu.rules import Position
from purlieu.rules.board import EMPTY
from purlieu.rules.pyloff import PyloffPosition, connected, is_buried, is_cut, is_valid, marbles

from .plain import TypedDict, as_sent

BIGGEST = 10
"""On bigger boards nobody could read the overlay."""


@as_sent
class Links(TypedDict):
    """The links between marbles, by their points."""

    live: list[list[str]]
    """Pairs of marbles that are connected."""
    cut: list[list[str]]
    """Pairs that would be, but for the two enemies above them."""
    freedoms: dict[str, list[str]]
    """For each unburied marble that has any: its free points."""


def links_of(position: Position) -> Links | None:
    """The overlay of a Pyloff board that is not too big for one."""
    if not isinstance(position, PyloffPosition) or position.size > BIGGEST:
        return None
    shape, board, names = position.pyramid, position.board, [str(point) for point in position.pyramid.points]
    live: list[list[str]] = []
    cut: list[list[str]] = []
    freedoms: dict[str, list[str]] = {}
    for at in marbles(board):
        if is_buried(shape, board, at):
            continue
        live += [[names[at], names[other]] for other in connected(shape, board, at) if at < other]
        for beside, overpass in shape.beside[at]:
            if at < beside and board[beside] == board[at] and is_cut(board, board[at], overpass):
                cut.append([names[at], names[beside]])
        free = [names[b] for b, _ in shape.beside[at] if board[b] == EMPTY and is_valid(shape, board, b)]
        if free:
            freedoms[names[at]] = free
    return {"live": live, "cut": cut, "freedoms": freedoms}
