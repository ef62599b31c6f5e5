"""Two nets that are there already, against each other; and the result in a run's log."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import onnx
import pytest

from purlieu.rules import PurlieuError
from purlieu.train.data.run_folder import RunFolder, latest, read_log
from purlieu.train.gain import counters, main, put

RUNS = Path(__file__).parents[2] / "runs"
NET = str(RUNS / "petrify/net.onnx")
QUICK = ["--size", "4", "--games", "4", "--simulations", "4", "--device", "cpu", "--threads", "1"]


def test_a_net_has_gained_nothing_on_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([NET, NET, *QUICK]) == 0
    assert capsys.readouterr().out == "2 won, 0 drawn, 2 lost: 50.0 % (0.0 to 100.0)\n"


def test_the_result_is_put_into_the_log_of_the_run(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    shutil.copyfile(RUNS / "petrify/log.jsonl", log)
    before = read_log(log)
    assert main([NET, NET, *QUICK, "--log", str(log)]) == 0
    lines = read_log(log)
    at = next(at for at, line in enumerate(lines) if line not in before)
    assert lines[:at] + lines[at + 1 :] == before
    assert lines[at + 1]["kind"] == "end", "a start that came to its end still has"
    line = lines[at]
    assert (line["kind"], line["wins"], line["losses"]) == ("gain", 2, 2)
    assert line["steps"] == line["against_steps"] == counters(Path(NET))["steps"]


def test_a_net_of_another_run_does_not_get_into_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, other = tmp_path / "log.jsonl", tmp_path / "other.onnx"
    shutil.copyfile(RUNS / "petrify/log.jsonl", log)
    before = log.read_bytes()
    model = onnx.load(NET)
    facts = {fact.key: fact.value for fact in model.metadata_props}
    onnx.helper.set_model_props(model, facts | {"counters": json.dumps(json.loads(facts["counters"]) | {"games": 7})})
    onnx.save(model, other)
    assert main([NET, str(other), *QUICK, "--log", str(log)]) == 1
    steps = json.loads(facts["counters"])["steps"]
    assert f"has no line of {steps:,} steps and 7 games" in capsys.readouterr().err
    assert log.read_bytes() == before


def a_line(steps: int, against: int) -> dict[str, Any]:
    return {"kind": "gain", "seconds": float(steps), "steps": steps, "against_steps": against}


def test_a_result_of_an_earlier_start_stands_before_the_next_one(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    lines: list[dict[str, Any]] = [
        {"kind": "start", "seconds": 0.0, "resumed_at": 0},
        {"kind": "check", "seconds": 90.0, "steps": 80},
        {"kind": "start", "seconds": 85.0, "resumed_at": 80},
        {"kind": "check", "seconds": 190.0, "steps": 180},
        a_line(180, 80),
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    put(log, a_line(80, 0))
    found = read_log(log)
    assert found == [*lines[:2], a_line(80, 0), *lines[2:]]
    assert [line["steps"] for line in latest(found, "gain")] == [80, 180], "both count"


def test_a_result_that_is_put_in_hides_none_that_the_run_told_itself(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    lines: list[dict[str, Any]] = [
        {"kind": "start", "seconds": 0.0, "resumed_at": 0},
        a_line(80, 0),
        {"kind": "start", "seconds": 90.0, "resumed_at": 80},
        a_line(180, 80) | {"seconds": 205.0},  # its check took some time
        {"kind": "end", "seconds": 206.0},
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    put(log, a_line(180, 0) | {"seconds": 190.0})
    found = latest(read_log(log), "gain")
    assert [(line["steps"], line["against_steps"]) for line in found] == [(80, 0), (180, 80), (180, 0)]


def test_the_log_of_a_run_at_work_is_left_alone(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(a_line(80, 0)) + "\n")
    before = log.read_bytes()
    with closing(RunFolder(tmp_path)), pytest.raises(PurlieuError, match="in use by another run"):
        put(log, a_line(80, 0))
    assert log.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([NET, "absent.onnx"], "the net absent.onnx cannot be read: No such file or directory"),
        ([NET, str(RUNS / "pilo/net.onnx")], "is a net of petrify and"),
        ([NET, NET, "--games", "3"], "--games is 3; expected an even number, as each opening is played twice"),
        ([NET, NET, "--threads", "0"], "--threads is 0; expected 1 or more"),
        ([NET, NET, "--seed", "-1"], "--seed is -1; expected a number from 0 to 2**53"),
        ([NET, NET, "--simulations", "0"], "the setting check_simulations is 0; the least is 2"),
        ([NET, NET, "--size", "99"], "Petrify is played on 3×3 to 10×10; 99 is not such a size"),
        ([NET, NET, "--size", "0"], "Petrify is played on 3×3 to 10×10; 0 is not such a size"),
        ([NET, NET, *QUICK, "--log", str(RUNS / "pilo/log.jsonl")], "expected the log of the run that made both nets"),
    ],
)
def test_what_cannot_be_played_gets_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 1
    told = capsys.readouterr().err
    assert told.startswith("purlieu: ")
    assert sentence in told
    assert told.count("\n") == 1
