"""What benchmarks/ tells of nets is told of those that ship: a new net means new numbers, or a word of it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from purlieu.rules import GAMES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("page", ["nets.md", "levels.md"])
def test_a_page_of_results_names_the_nets_that_ship(page: str, game: str) -> None:
    shipped = hashlib.sha256((ROOT / f"src/purlieu/nets/shipped/{game}.onnx").read_bytes()).hexdigest()
    assert f"{game} {shipped[:8]}" in (ROOT / "benchmarks/results" / page).read_text(encoding="utf-8")
