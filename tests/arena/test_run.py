"""The whole command: files beside each other, and Ctrl-C in the middle."""

import importlib
import json
import math
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from purlieu import PurlieuError
from purlieu.arena import run
from purlieu.arena.store import read_games
from purlieu.kit import progress
from purlieu.records import Record, load

ODD = f"{sys.executable} {Path(__file__).parents[1] / 'ugi' / 'odd_engine.py'}"


def test_a_match_leaves_results_records_a_summary_and_a_plot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "match.jsonl"
    players = ["level:1", f"ugi@1:{ODD} illegal 4"]
    assert run(players, size=3, pairs=2, plies=2, workers=2, margin=10, out=out) == 0
    printed = capsys.readouterr().out
    assert "Petrify 3×3, 4 games" in printed
    assert "under 30 pairs" in printed
    assert "illegal move" in printed
    summary = json.loads(out.with_suffix(".json").read_text())
    assert summary["pairings"][0]["wins"] + summary["pairings"][0]["losses"] == 4
    assert sum(summary["pairings"][0]["pentanomial"]) == 2
    ET.fromstring(out.with_suffix(".svg").read_text())
    games = list(load(out.with_suffix(".pur")))
    assert len(games) == 4
    assert {game.first for game in games} == set(players)
    assert any("illegal move" in game.tags.get("Termination", "") for game in games)


def test_after_ctrl_c_a_match_is_resumed_and_ends_as_if_nothing_had_been(tmp_path: Path) -> None:
    """Interrupted as soon as a few games are on disk, then resumed; an uninterrupted run has the same games."""
    out, whole = tmp_path / "cut.jsonl", tmp_path / "whole.jsonl"
    call = f"run(['random', 'uct:300'], size=4, pairs=1000, workers=1, out=Path({str(out)!r}))"
    program = f"import sys; from pathlib import Path; from purlieu.arena import run; sys.exit({call})"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    while not out.exists() or out.read_bytes().count(b"\n") < 4:
        assert process.poll() is None, "it ended before it could be interrupted"
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "go on with --resume" in printed
    assert 3 <= out.read_bytes().count(b"\n") - 1 < 2000
    assert run(["random", "uct:300"], size=4, pairs=10, out=out, resume=True, quiet=True) == 0
    assert run(["random", "uct:300"], size=4, pairs=10, out=whole, quiet=True) == 0
    assert moves_of(out)[:20] == moves_of(whole)


@pytest.mark.parametrize("resume", [False, True], ids=["begun", "resumed"])
@pytest.mark.parametrize("ending", [".pur", ".json", ".svg"])
def test_a_match_writes_over_no_file_that_was_there_before_it(tmp_path: Path, ending: str, resume: bool) -> None:
    mine = tmp_path / f"game{ending}"
    mine.write_text("mine")
    sentence = (
        rf"game\{ending} exists already, and a match in game\.jsonl would write over it; move it away, or give the"
    )
    with pytest.raises(PurlieuError, match=sentence):
        run(["random", "random"], size=3, pairs=1, out=tmp_path / "game.jsonl", resume=resume, quiet=True)
    assert [(path, path.read_text()) for path in tmp_path.iterdir()] == [(mine, "mine")]


def test_a_second_ctrl_c_while_files_are_written_leaves_those_that_were_there_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "match.jsonl"
    run(["random", "random"], size=3, pairs=1, workers=1, out=out, quiet=True)
    module = importlib.import_module("purlieu.arena.run")
    records = module.records

    def interrupted(*arguments: object) -> Iterator[Record]:
        yield next(records(*arguments))
        raise KeyboardInterrupt

    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr(module, "records", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(["random", "random"], size=3, pairs=1, out=out, resume=True, quiet=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_game_keeps_the_day_it_was_played_when_its_match_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    days = {date.today().isoformat()}
    run(["random", "random"], size=3, pairs=1, workers=1, out=out, quiet=True)
    days.add(date.today().isoformat())  # it may be midnight
    assert {game.played.date for game in read_games(out).values()} <= days
    assert {record.date for record in load(out.with_suffix(".pur"))} <= days
    match, there, back = map(json.loads, out.read_text().splitlines())
    del back["date"]  # as files of earlier versions have it
    out.write_text("".join(json.dumps(line) + "\n" for line in (match, {**there, "date": "2001-02-03"}, back)))
    run(["random", "random"], size=3, pairs=1, out=out, resume=True, quiet=True)
    assert [record.date for record in load(out.with_suffix(".pur"))] == ["2001-02-03", "?"]
    out.write_text("".join(json.dumps(line) + "\n" for line in (match, {**there, "date": "yesterday"})))
    with pytest.raises(PurlieuError, match="line 2 is no line of a match: Invalid isoformat string: 'yesterday'"):
        read_games(out)


def test_away_from_a_terminal_a_match_tells_in_lines_how_far_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    run(["random", "random"], size=3, pairs=2, workers=1, out=tmp_path / "told.jsonl")
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(",")[0] for line in lines] == [f"{number} of 4 games" for number in (1, 2, 3, 4)]
    assert re.fullmatch(r"4 of 4 games, [\d.]+ %, [\d,]+ s", lines[-1])
    run(["random", "random"], size=3, pairs=2, workers=1, out=tmp_path / "quiet.jsonl", quiet=True)
    assert capsys.readouterr() == ("", "")


def test_a_log_gets_one_line_of_progress_in_ten_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with progress.counting(2000, 0, "games") as tell:
        for played in range(1, 2000):
            now += 0.5
            tell(played, "50.0 %")
    told = capsys.readouterr().err.splitlines()
    assert told[:2] == ["20 of 2,000 games, 50.0 %, 10 s", "40 of 2,000 games, 50.0 %, 20 s"]
    assert told[-1] == "1,980 of 2,000 games, 50.0 %, 990 s"
    assert len(told) == 99


def moves_of(out: Path) -> list[tuple[str, ...]]:
    return [tuple(map(str, game.moves)) for game in load(out.with_suffix(".pur"))]


@pytest.mark.parametrize(
    ("players", "options", "sentence"),
    [
        (["random"], {}, "two players at least"),
        (["random", "ugi:no-such-engine"], {}, "no-such-engine: No such file"),
        (["random", 'ugi:foo "bar'], {}, "is no command: a quotation mark is not closed; write it as for a shell"),
        (["random", "ugi:foo\\"], {}, "is no command: nothing follows its last backslash; write it as for a shell"),
        (["random", f"ugi:{ODD} refuse"], {}, "refuses the game"),
        (["random", "full:10,memory_mb=1048576"], {}, "there are no 1,048,576 MB of memory to be had for a search"),
        (["random", "full:100,no_such_setting=1"], {}, "the search refuses these settings"),
        (["random", "random"], {"game": "petrif"}, "did you mean petrify"),
        (["random", "random"], {"size": 77}, "not such a size"),
        (["random", "random"], {"sprt": (5, 5)}, "first bound below its second"),
        (
            ["random", "random"],
            {"sprt": (0, 9000)},
            "bounds lie between -1000 and 1000 Elo, and 0 to 9000 goes further",
        ),
        (["random", "random"], {"sprt": (-1e6, 0)}, "bounds lie between -1000 and 1000 Elo"),
        (["random", "random"], {"sprt": (0, math.inf)}, "bounds lie between -1000 and 1000 Elo"),
        (["random", "random"], {"sprt": (math.nan, 0)}, "first bound below its second"),
        (["random", "random"], {"margin": math.nan}, "the margin and the patience are seconds"),
        (["random", "random"], {"patience": math.inf}, "seconds, not negative and at most 1,000,000"),
        (["random", "random"], {"pairs": 0}, "one pair of games at least"),
        (["random", "random"], {"out": Path("results.txt")}, "kept in a .jsonl file"),
    ],
)
def test_a_match_that_cannot_be_is_refused_before_anything_is_written(
    tmp_path: Path, players: list[str], options: dict[str, object], sentence: str
) -> None:
    with pytest.raises(PurlieuError, match=sentence):
        run(players, **{"out": tmp_path / "match.jsonl", "size": 3, "quiet": True, **options})  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
