"""The geometry of a Pyloff pyramid: which points touch which. It knows no rule of play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from .board import Point


@dataclass(frozen=True, eq=False)  # there is one of each size
class Pyramid:
    """The points of a board of side `size` and everything piled on it, and how they touch.

    A point is an index into `points`, level by level from the lowest, each row by row from the
    bottom. Level 1 is the board; level k has side size-k+1.
    """

    size: int
    points: tuple[Point, ...]
    index_of: dict[Point, int]
    supports: tuple[tuple[int, ...], ...]
    """The four points that each point rests on: ``c3`` of level k+1 rests on c3, d3, c4, d4 of level k."""
    resting: tuple[tuple[int, ...], ...]
    """The points that rest on each point."""
    resting_or_rested_on: tuple[tuple[int, ...], ...]
    straight_above: tuple[int | None, ...]
    """The point on the same vertical line, two levels up: ``b2`` of level k+2 for ``c3`` of level k."""
    beside: tuple[tuple[tuple[int, tuple[int, int] | None], ...], ...]
    """The squarely adjacent points of each point's level, each with its overpass: the two points of the
    next level that rest on both. Along the edge of a level there is no such pair, hence None."""

    def first_of_level(self, level: int) -> int:
        """The index of a level's first point; beyond the top, the number of points."""
        return self.index_of.get(Point(1, 1, level), len(self.points))


@cache
def pyramid(size: int) -> Pyramid:
    """The pyramid of that size, made once."""
    points = tuple(
        Point(column, row, level)
        for level in range(1, size + 1)
        for row in range(1, size - level + 2)
        for column in range(1, size - level + 2)
    )
    index_of = {point: at for at, point in enumerate(points)}

    def indices(*wanted: Point) -> tuple[int, ...]:
        return tuple(index_of[point] for point in wanted if point in index_of)

    supports = tuple(
        indices(*(Point(c + across, r + up, level - 1) for up in (0, 1) for across in (0, 1))) for c, r, level in points
    )
    resting = tuple(
        indices(*(Point(c - across, r - up, level + 1) for up in (1, 0) for across in (1, 0))) for c, r, level in points
    )

    def with_overpass(at: int) -> tuple[tuple[int, tuple[int, int] | None], ...]:
        column, row, level = points[at]
        beside = indices(
            *(Point(column + across, row + up, level) for across, up in ((0, 1), (1, 0), (0, -1), (-1, 0)))
        )
        pairs = [tuple(sorted(set(resting[at]) & set(resting[other]))) for other in beside]
        return tuple(
            (other, (pair[0], pair[1]) if len(pair) == 2 else None) for other, pair in zip(beside, pairs, strict=True)
        )

    return Pyramid(
        size=size,
        points=points,
        index_of=index_of,
        supports=supports,
        resting=resting,
        resting_or_rested_on=tuple(below + above for below, above in zip(supports, resting, strict=True)),
        straight_above=tuple(index_of.get(Point(c - 1, r - 1, level + 2)) for c, r, level in points),
        beside=tuple(map(with_overpass, range(len(points)))),
    )
