"""The script that measures the ladder of levels: its games are kept, and what it cannot play is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def levels(*options: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.strength.levels", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_games_that_are_kept_count_and_are_not_played_again(tmp_path: Path) -> None:
    play = ("pentwall", "--step", "1", "--pairs", "2", "--out", tmp_path / "games")
    first = levels(*play)
    assert first.returncode == 0, first.stderr
    kept = sorted((tmp_path / "games").iterdir())
    assert [path.stem.rsplit("_", 1)[0] for path in kept] == [
        "pentwall_level_1_over_greedy",
        "pentwall_level_1_over_random",
    ]
    for path in kept:
        every_game_won_by_the_first_seat = path.read_text().replace('"0-1"', '"1-0"')
        path.write_text(every_game_won_by_the_first_seat)
    again = levels(*play)
    assert [line.split(" | ")[2].split()[0] for line in again.stdout.splitlines()[-2:]] == ["50", "50"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("go",), "there is no game called 'go'; the games are petrify, pilo, pentwall, pyloff"),
        (("--step", "10"), "argument --step: invalid choice: 10 (choose from 1, 2, 3, 4, 5, 6, 7, 8, 9)"),
        (("--pairs", "0"), "--pairs: '0' will not do; expected a whole number from 1"),
        (("--seconds", "nan"), "--seconds: 'nan' will not do; expected a number above 0"),
        (("--out", "/dev/null/games"), "purlieu: /dev/null/games: Not a directory"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(options: tuple[str, ...], sentence: str) -> None:
    done = levels(*options)
    assert done.returncode in (1, 2)
    assert sentence in done.stderr.splitlines()[-1]
