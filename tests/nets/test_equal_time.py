"""The table at equal time says what the games say that are kept beside it; cards say what it says."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from purlieu.arena.agreement import agreed_winner
from purlieu.arena.games import WINS
from purlieu.arena.store import read_games
from purlieu.core import core
from purlieu.nets.shipped import FOLDER
from purlieu.rules import GAMES

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks/results"
AGREE = 0.97
SEATS = {"first": 0, "second": 1, "draw": None}
PAGE = (RESULTS / "nets.md").read_text(encoding="utf-8")
FILES = sorted((RESULTS / "equal_time").glob("*.jsonl"))
UNHURRIED = sorted((RESULTS / "unhurried").glob("*.jsonl"))


def benchmark(name: str, *options: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", f"benchmarks.{name}", *options]
    return subprocess.run(command, capture_output=True, text=True, check=check, cwd=ROOT)


@pytest.mark.parametrize("script", ["strength.equal_time", "studies.unhurried"])
def test_every_row_whose_games_are_kept_stands_in_the_table_as_they_went(script: str) -> None:
    printed = benchmark(script, "--table").stdout
    rows = [line.removesuffix("|") for line in printed.splitlines() if " s | " in line]
    told = PAGE.splitlines()
    assert rows
    for row in rows:
        assert sum(line.startswith(row) for line in told) == 1, f"benchmarks/results/nets.md lacks {row}"


@pytest.mark.parametrize(
    ("script", "options", "sentence"),
    [
        ("strength.equal_time", "--add {}/none", "there is no folder {}/none to take games over from"),
        ("strength.equal_time", "--minutes 0", "--minutes: '0' will not do; expected a number above 0"),
        ("strength.equal_time", "--seconds 1 nan", "--seconds: 'nan' will not do; expected a number above 0"),
        ("strength.equal_time", "--pairs 0", "--pairs: '0' will not do; expected a whole number from 1"),
        ("strength.equal_time", "--workers -1", "--workers: '-1' will not do; expected a whole number from 1"),
        ("strength.equal_time", "--out {}/file/out", "purlieu: {}/file/out: Not a directory"),
        ("studies.unhurried", "--out {}/file/out", "purlieu: {}/file/out: Not a directory"),
        ("studies.unhurried", "--others -1", "--others: '-1' will not do; expected a whole number from 0"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    tmp_path: Path, script: str, options: str, sentence: str
) -> None:
    (tmp_path / "file").touch()
    done = benchmark(script, "--table", *options.format(tmp_path).split(), check=False)
    assert done.returncode in (1, 2)
    assert sentence.format(tmp_path) in done.stderr.splitlines()[-1]


def test_the_page_tells_how_often_a_player_was_wrong_to_be_sure_when_a_game_was_hurried() -> None:
    printed = benchmark("studies.agreement", *FILES).stdout
    told = re.findall(r": (\d+) games hurried; .* first player (\d+) of (\d+), the second (\d+) of (\d+)", printed)
    number, net, sure_net, opponent, sure_opponent = (sum(map(int, each)) for each in zip(*told, strict=True))
    assert len(told) == len(FILES)
    assert number > 0
    page = " ".join(PAGE.split())
    assert (
        f"Of the {number:,} kept games that were hurried {net + opponent} went the other way: "
        f"in {net} of {sure_net:,} the net had been sure, in {opponent} of {sure_opponent} its opponent"
    ) in page


def test_games_that_ended_by_agreement_went_to_whom_perfect_play_gives_them_and_the_page_says_how_many() -> None:
    matches = [path for path in FILES if not path.name.startswith("pyloff")]
    *_, all_told = benchmark("studies.proved_agreements", *matches).stdout.splitlines()
    found = re.match(r"all: ([\d,]+) games ended by agreement, ([\d,]+) of these ends proved; wrong: 0 ", all_told)
    assert found, all_told
    assert f"of {found[1]} games {found[2]} are, and **all of them went" in " ".join(PAGE.split())


def score_in_the_table(game: str, seconds: str, opponent: str, *, kept: bool = False) -> tuple[str, int] | None:
    """A row's score and its games: of the row whose games are kept, or of any other if there is none."""
    begins = f"| {game} | {seconds} s | {opponent} | "
    rows = [line for line in PAGE.splitlines() if line.startswith(begins)]
    ours = [line for line in rows if "before" not in line and "not kept" not in line]
    for line in ours or (() if kept else rows):
        games, score = line.split(" | ")[3:5]
        return score.split(" (")[0], int(games)
    return None


def test_the_page_begins_with_the_scores_and_intervals_of_its_rows() -> None:
    lines = PAGE.splitlines()
    top = next(index for index, line in enumerate(lines) if line.startswith("| against | a move | "))
    *games, aim = lines[top].strip("| ").split(" | ")[2:]
    rows = [line.strip("| ").split(" | ") for line in lines[top + 2 : top + 6]]
    assert aim == "our aim"
    for opponent, seconds, *cells in rows:
        for game, cell in zip(games, cells, strict=False):
            begins = f"| {game} | {seconds} | {'full' if opponent == 'playouts' else 'uct'} | 200 | "
            scores = [line.split(" | ")[4] for line in lines if line.startswith(begins)]
            assert [cell.strip("*").replace(" (", " % (")] == scores, (game, opponent, seconds)


@pytest.mark.parametrize("path", UNHURRIED, ids=lambda path: path.stem)
def test_games_without_hurry_begin_where_those_at_equal_time_began_to_hurry(path: Path) -> None:
    before = read_games(RESULTS / "equal_time" / path.name)
    for key, line in read_games(path).items():
        played = before[key].played
        assert played.hurried is not None
        assert line.opening == before[key].opening + played.hurried
        assert line.played.moves[: line.opening] == played.moves[: line.opening]
        assert line.played.hurried is None


@pytest.mark.parametrize("path", [path for path in FILES if "_full_" in path.name], ids=lambda path: path.stem)
def test_a_nets_card_tells_every_row_against_playouts_whose_games_are_kept(path: Path) -> None:
    name, size, seconds = path.stem.split("_")[:3]
    sized = f" {size}" if len(GAMES[name].sizes) > 1 else ""
    row = score_in_the_table(f"{GAMES[name].title}{sized}", seconds[:-1], "full", kept=True)
    if row is None:
        games_there = read_games(path)
        assert not any(replace(key, exchanged=not key.exchanged) in games_there for key in games_there)
        return
    score, games = row
    card = " ".join((FOLDER / f"{name}.md").read_text(encoding="utf-8").split())
    ours = card.split("against the search by playouts")[1].split("With the nets before it")[0].split("How these")[0]
    quick, slow = ours.split("1 s a move" if "at 1 s a move" in ours else "a second a move")
    told = f"{score} of {games}" + (f" on {size}×{size}" if sized else "")
    assert told in (slow if seconds == "1s" else quick), told


@pytest.mark.parametrize("path", [*FILES, *UNHURRIED], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_kept_games_are_legal_and_their_results_are_those_of_the_rules_or_of_the_players(path: Path) -> None:
    game, size = path.stem.split("_")[:2]
    for played in (line.played for line in read_games(path).values() if not line.played.reason):
        position = core().Position.start(game, int(size))
        for move in played.moves:
            position = position.play(move)
        assert position.is_over != played.agreed
        seat = agreed_winner(played.chances, AGREE) if played.agreed else SEATS[position.winner or ""]
        assert played.result == ("1/2-1/2" if seat is None else WINS[seat])
