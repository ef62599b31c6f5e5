"""The table at equal time says what the games say that are kept beside it, and those are games."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from purlieu.arena.agreement import agreed_winner
from purlieu.arena.games import WINS
from purlieu.arena.store import read_games
from purlieu.engine.core import core

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
AGREE = 0.97
SEATS = {"first": 0, "second": 1, "draw": None}
FILES = sorted((BENCHMARKS / "equal_time").glob("*.jsonl"))


def test_every_row_whose_games_are_kept_stands_in_the_table_as_they_went() -> None:
    command = [sys.executable, str(BENCHMARKS / "equal_time.py"), "--table"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.removesuffix("|") for line in printed.splitlines() if " s | " in line]
    told = (BENCHMARKS / "nets.md").read_text(encoding="utf-8").splitlines()
    assert rows
    for row in rows:
        assert sum(line.startswith(row) for line in told) == 1, f"benchmarks/nets.md lacks {row}"


def test_the_page_tells_how_often_a_player_was_wrong_to_be_sure_when_a_game_was_hurried() -> None:
    command = [sys.executable, str(BENCHMARKS / "agreement.py"), *map(str, FILES)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    told = re.findall(r": (\d+) games hurried; .* first player (\d+), the second (\d+)", printed)
    number, net, opponent = (sum(map(int, each)) for each in zip(*told, strict=True))
    assert len(told) == len(FILES)
    assert number > 0
    page = " ".join((BENCHMARKS / "nets.md").read_text(encoding="utf-8").split())
    assert (
        f"Of the {number:,} games of the table that were hurried {net + opponent} went the other way: "
        f"in {net} the net had been sure, in {opponent} its opponent"
    ) in page


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_kept_games_are_legal_and_their_results_are_those_of_the_rules_or_of_the_players(path: Path) -> None:
    game, size = path.stem.split("_")[:2]
    for played in (line.played for line in read_games(path).values() if not line.played.reason):
        position = core().Position.start(game, int(size))
        for move in played.moves:
            position = position.play(move)
        assert position.is_over != played.agreed
        seat = agreed_winner(played.chances, AGREE) if played.agreed else SEATS[position.winner or ""]
        assert played.result == ("1/2-1/2" if seat is None else WINS[seat])
