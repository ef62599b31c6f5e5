"""Random games of a program that was written from the rules text alone, agreed with at every ply.

A line of `tests/data/second_opinion/GAME_SIZE.txt` is the moves, then at every ply the number of legal
moves and the score of either colour, then the winner's seat (0 in a draw).
"""

from __future__ import annotations

from pathlib import Path

import pytest

import purlieu
from purlieu import Seat

FILES = sorted((Path(__file__).parent.parent / "data" / "second_opinion").glob("*.txt"))
LONG = "pyloff_13"


def agrees_at_every_ply(file: Path) -> None:
    game, size = file.stem.split("_")
    for line in file.read_text().splitlines():
        moves, counts, winner = line.split(" | ")
        position = purlieu.start(game, int(size))
        found = [summary(position)]
        for move in moves.split():
            position = position.play(move)
            found.append(summary(position))
        assert found == counts.split()
        assert position.outcome is not None
        assert position.outcome.winner is {"1": Seat.FIRST, "2": Seat.SECOND, "0": None}[winner]


def summary(position: purlieu.Position) -> str:
    first, second = position.score().values()
    return f"{len(position.legal_moves())}:{first}:{second}"


@pytest.mark.parametrize("file", [file for file in FILES if file.stem != LONG], ids=lambda file: file.stem)
def test_the_rules_agree_with_the_second_opinion_at_every_ply(file: Path) -> None:
    agrees_at_every_ply(file)


@pytest.mark.deep
@pytest.mark.parametrize("file", [file for file in FILES if file.stem == LONG], ids=lambda file: file.stem)
def test_the_rules_agree_with_the_second_opinion_in_long_games(file: Path) -> None:
    agrees_at_every_ply(file)


def test_every_game_has_a_second_opinion() -> None:
    assert {file.stem.split("_")[0] for file in FILES} == set(purlieu.GAMES)
