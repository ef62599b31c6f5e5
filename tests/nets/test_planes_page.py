"""docs/planes.md tells every plane that the core has."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import numpy as np
import pytest

from purlieu.nets import Shape
from purlieu.rules import GAMES

PAGE = Path(__file__).parents[2] / "docs" / "planes.md"
ROW = re.compile(r"^\| (\d+) \| `([^`]+)` \| (\d+)(?:/(\d+))? \| [^|]+ \| [^|]+ \|$")


@pytest.mark.parametrize("game", GAMES)
def test_a_games_table_has_the_cores_planes_and_scales_in_their_order(game: str) -> None:
    section = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (table,) = [part.splitlines() for part in section if part.splitlines()[0].lower() == game]
    told = []
    for row in [line for line in table if line.startswith("|")][2:]:
        found = ROW.match(row)
        assert found, row
        number, name, above, below = found.groups()
        told.append((int(number), name, float(np.float32(above) / np.float32(below or 1))))
    shape = Shape.of(game)
    assert told == list(zip(range(shape.inputs), shape.names, shape.scales, strict=True))


def test_the_pages_python_does_what_it_shows() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted >= 5
    assert results.failed == 0
