"""The two drawings that take some thought: a pentomino's outline, and where Pyloff's levels go."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from purlieu.rules.pentwall import SHAPES
from purlieu.sheets.page import MARGIN, PAPERS, Box
from purlieu.sheets.pentwall import outline
from purlieu.sheets.pyloff import MOST_LEVELS, SPACE, arrange


@pytest.mark.parametrize("letter", SHAPES)
def test_a_pentominos_outline_is_closed_and_holds_five_squares(letter: str) -> None:
    rows = SHAPES[letter]
    walk = outline({(c, r) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"})
    steps = list(pairwise([*walk, walk[0]]))
    assert all(abs(x1 - x2) + abs(y1 - y2) == 1 for (x1, y1), (x2, y2) in steps)
    assert sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in steps) == 2 * 5
    assert len(set(walk)) == len(walk) == (10 if letter == "P" else 12)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", range(3, MOST_LEVELS + 1))
def test_pyloffs_levels_keep_apart_inside_their_room_and_can_be_drawn_in(size: int, paper: str) -> None:
    width, height = PAPERS[paper]
    room = Box(MARGIN, 40, width - 2 * MARGIN, height - 130)
    diagrams = arrange(size, room)
    assert [(d.level, d.side) for d in diagrams] == [(level, size - level + 1) for level in range(1, size + 1)]
    for diagram in diagrams:
        assert room.left <= diagram.whole.left
        assert diagram.whole.right <= room.right
        assert room.top <= diagram.whole.top
        assert diagram.whole.bottom <= room.bottom
        assert diagram.pitch >= 4.5, "a pen needs this many millimetres between points"
    for one, other in combinations(diagrams, 2):
        a, b = one.whole.inset(-SPACE / 2 + 0.01), other.whole.inset(-SPACE / 2 + 0.01)
        assert a.right <= b.left or b.right <= a.left or a.bottom <= b.top or b.bottom <= a.top
