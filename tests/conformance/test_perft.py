"""The committed perft tables, in tiers by how many positions must be opened to count them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import purlieu
from purlieu import GAMES
from purlieu.core.perft import divide, perft

TABLES = Path(__file__).parent.parent / "data" / "perft"
LINE = re.compile(r"(?P<game>\w+) (?P<size>\d+)(?:, moves (?P<moves>[^:]+))?: perft (?P<depth>\d+) (?P<count>\d+)")
QUICK, DEEP = 300, 60_000
"""Positions to open: in CI, and with `make test-deep`. Tables go deeper than that, for faster programs."""


@dataclass(frozen=True)
class Line:
    """One line of a table, and the count one ply before it: the positions that must be opened."""

    game: str
    size: int
    moves: tuple[str, ...]
    depth: int
    count: int
    opened: int

    def __str__(self) -> str:
        return f"{self.game}-{self.size}-after-{len(self.moves)}-perft-{self.depth}"


def read_tables() -> Iterator[Line]:
    for game in GAMES:
        counts: dict[tuple[int, tuple[str, ...], int], int] = {}
        for text in (TABLES / f"{game}.perft").read_text().splitlines():
            if text.startswith("#"):
                continue
            match = LINE.fullmatch(text)
            assert match, f"{game}.perft: {text!r} is no line of a table"
            assert match["game"] == game
            size, moves = int(match["size"]), tuple((match["moves"] or "").split())
            depth, count = int(match["depth"]), int(match["count"])
            counts[size, moves, depth] = count
            yield Line(game, size, moves, depth, count, counts.get((size, moves, depth - 1), 1))


LINES = list(read_tables())


@pytest.mark.parametrize("line", [line for line in LINES if line.opened <= QUICK], ids=str)
def test_the_rules_count_what_the_tables_say(line: Line) -> None:
    agrees(line)


@pytest.mark.deep
@pytest.mark.parametrize("line", [line for line in LINES if QUICK < line.opened <= DEEP], ids=str)
def test_the_rules_count_what_the_deeper_tables_say(line: Line) -> None:
    agrees(line)


def agrees(line: Line) -> None:
    position = purlieu.start(line.game, line.size)
    for move in line.moves:
        position = position.play(move)
    found = perft(position, line.depth)
    assert found == line.count, "\n".join(f"{move} {count}" for move, count in divide(position, line.depth))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_tables_from_its_smallest_to_its_largest_size(game: str) -> None:
    sizes = {line.size for line in LINES if line.game == game and not line.moves}
    assert {GAMES[game].sizes[0], GAMES[game].default_size, GAMES[game].sizes[-1]} <= sizes


@pytest.mark.parametrize(
    ("game", "size", "counts"), [("petrify", 3, [9, 81]), ("pentwall", 10, [4096]), ("pyloff", 6, [36, 1260])]
)
def test_the_first_counts_are_what_one_finds_by_hand(game: str, size: int, counts: list[int]) -> None:
    assert [perft(purlieu.start(game, size), depth + 1) for depth in range(len(counts))] == counts
