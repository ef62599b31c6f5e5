"""Whole runs of a tiny net: what they leave, and that they go on whatever happened."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest import mock
from xml.etree import ElementTree

import numpy as np
import onnx
import pytest
import torch
from numpy.typing import NDArray

from purlieu.core import core
from purlieu.kit.interrupts import Interrupts
from purlieu.nets.shape import Shape
from purlieu.train import read_games
from purlieu.train.data.metadata import Counters
from purlieu.train.data.run_folder import Log, RunFolder, latest, read_log
from purlieu.train.data.settings import TrainingSettings, make_settings
from purlieu.train.learning.trainer import Trainer
from purlieu.train.network import checkpoint
from purlieu.train.network.evaluation import Lane
from purlieu.train.network.onnx_writer import onnx_session
from purlieu.train.report.strength import MatchResult
from purlieu.train.report.summary import progress
from purlieu.train.running import loop, stages
from purlieu.train.running.loop import Run
from purlieu.train.running.options import RunOptions, until_output_is_lost
from purlieu.train.running.stages import Learner
from purlieu.train.running.start import compare_with_rules
from purlieu.train.selfplay.matches import play_gain

from ..cli.shell import Terminal
from .runs import RUNS, SETS, go_on, train
from .shapes import SMALL


class Timed:
    """A mark on a GPU's stream, a tenth of a second before the next one."""

    def elapsed_time(self, _: object) -> float:
        return 100.0


def test_while_no_step_has_been_timed_the_last_part_of_a_run_takes_its_whole_share_of_the_time(tmp_path: Path) -> None:
    # On a GPU steps are timed when a line of the log asks for it: until then there are steps, and no seconds.
    settings = make_settings("petrify", tiny=True, overrides={"final_share": 0.1, "batch": 32})
    options = RunOptions("petrify", tmp_path, seconds=100)
    run = Run(options, settings, SMALL, RunFolder(tmp_path), Counters(), "cpu")
    trainer = Trainer(settings, SMALL, "cpu")
    run.learner = Learner(settings, trainer, mock.Mock(sizes=lambda: {4: 160}), Counters(), seed=1)
    trainer.step = 50
    for left, over in ((10.5, False), (9.5, True)):
        run.begun = time.monotonic() - 100 + left
        assert run.is_over() is over
    mark: Any = Timed()
    trainer._marks, trainer._steps = [(mark, mark)] * 50, 50
    trainer.parts()
    trainer.step = 1000  # of which 50 have been timed; twice through all rows are ten
    for left, over in ((9.5, False), (1.1, False), (0.9, True)):
        run.begun = time.monotonic() - 100 + left
        assert run.is_over() is over
    run.folder.close()


def test_a_short_run_leaves_a_net_a_log_curves_and_a_card(tmp_path: Path) -> None:
    out = tmp_path / "run"
    code, text, _ = train(out, "--games", "60")
    assert code == 0
    assert text.startswith(f"{out}: net.onnx, card.md, curves.svg and log.jsonl tell what came of it: ")
    assert "against plain search of 10" in text
    lines = read_log(out / "log.jsonl")
    assert [lines[0]["kind"], lines[-1]["kind"]] == ["start", "end"]
    assert lines[0]["turns_in_step"] >= 40
    last = latest(lines, "train")[-1]
    assert last["games"] > 0
    assert last["steps"] > 0
    assert last["loss"] > 0
    assert last["lr"] < 1e-3, "it falls at the end"
    (check,) = latest(lines, "check")
    assert check["wins"] + check["draws"] + check["losses"] >= 8
    assert not latest(lines, "gain"), "there is no earlier net to meet"
    assert len(list(out.glob("checkpoint-*.pt"))) == 2
    assert list((out / "replay").glob("*.games"))
    told = {each.key: each.value for each in onnx.load(out / "net.onnx").metadata_props}
    assert json.loads(told["counters"])["games"] == last["games"]
    assert ElementTree.parse(out / "curves.svg").getroot().tag.endswith("svg")
    assert f"{last['games']:,} games" in (out / "card.md").read_text()
    assert not list(out.rglob("*.part"))


def test_every_key_of_a_log_is_in_the_table_of_the_page_and_the_line_on_the_way_has_the_logs_names(
    tmp_path: Path,
) -> None:
    assert train(tmp_path / "before", "--games", "20").code == 0
    assert train(tmp_path / "run", "--games", "60", "--from", str(tmp_path / "before" / "net.onnx")).code == 0
    lines = read_log(tmp_path / "run" / "log.jsonl")
    found: dict[str, set[str]] = {}
    for line in [*lines, *(each for log in RUNS.glob("*/log.jsonl") for each in read_log(log))]:
        found.setdefault(line["kind"], set()).update(line)
    table: dict[str, set[str]] = {}
    kind = ""
    page = (RUNS.parent / "docs" / "training.md").read_text(encoding="utf-8").split("| kind | key |")[1]
    for row in page.split("\n\n")[0].splitlines()[2:]:
        kind = row.split("|")[1].strip(" `") or kind
        table.setdefault(kind, set()).update(re.findall(r"`(\w+)`", row.split("|")[2]))
    shared = table.pop("all")
    assert table.keys() == found.keys()
    table["gain"] = table["gain"] - {"check", "opponent"} | table["check"] - {"opponent", "elo", "elo_low", "elo_high"}
    table["check"] |= {"played_again"}  # one of our own runs was measured later
    assert {kind: keys | shared for kind, keys in table.items()} == found
    told = progress("petrify", "cpu", [line for line in lines if line["kind"] == "train"], 0)
    assert re.search(r"loss [\d.-]+ \(policy_gap [\d.-]+ value [\d.-]+ own [\d.-]+\)", told)


def test_a_starts_last_check_counts_for_the_next_one_with_its_time_and_the_opponent_that_it_led_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "PROMOTION_SCORE", 0.0)
    assert train(tmp_path, "--games", "30", "--set", "ladder=[1, 2]").code == 0
    (check,) = latest(read_log(tmp_path / "log.jsonl"), "check")
    newest = checkpoint.newest(tmp_path)
    assert newest
    kept = torch.load(newest, weights_only=True)["counters"]
    told = json.loads({each.key: each.value for each in onnx.load(tmp_path / "net.onnx").metadata_props}["counters"])
    for counters in (kept, told):
        assert counters["rung"] == 1
        assert counters["seconds"] > check["seconds"] - check["took"] / 2


def test_a_run_of_so_many_minutes_ends_by_itself_and_leaves_a_net_however_little_it_had_time_for(
    tmp_path: Path,
) -> None:
    assert train(tmp_path, "--minutes", "0.02").code == 0
    assert onnx.load(tmp_path / "net.onnx").graph.node
    assert read_log(tmp_path / "log.jsonl")[-1]["kind"] == "end"


def test_a_run_that_goes_on_counts_on_and_keeps_its_settings(tmp_path: Path) -> None:
    assert train(tmp_path, "--games", "30").code == 0
    before = latest(read_log(tmp_path / "log.jsonl"), "train")[-1]
    again = go_on(tmp_path, before["games"] + 50)
    assert again.code == 0
    lines = read_log(tmp_path / "log.jsonl")
    first, second = (line for line in lines if line["kind"] == "start")
    assert second["settings"] == first["settings"]
    assert second["resumed_at"] == before["steps"]
    assert second["rows_kept"] > 0
    after = latest(lines, "train")[-1]
    assert after["games"] >= before["games"] + 50
    for name in ("games", "rows", "evals", "steps", "samples", "seconds"):
        assert after[name] > before[name], name
    (gain,) = latest(lines, "gain")
    assert gain["wins"] + gain["draws"] + gain["losses"] == 8
    assert (gain["against_steps"], gain["steps"]) == (before["steps"], after["steps"])
    card = (tmp_path / "card.md").read_text()
    assert f"of 8 games against itself after {before['steps']:,}, with 4 simulations each" in card
    assert f"{after['steps']:,} steps" in again.out
    assert f"{100 * gain['score']:.0f} % (" in again.out
    assert f"against itself {after['steps'] - before['steps']:,} steps before" in again.out


@pytest.mark.parametrize("how", ["--resume", "--from"])
def test_what_a_start_gains_is_told_by_games_against_the_net_that_it_began_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    out = tmp_path / "run"
    assert train(out, "--games", "30").code == 0
    before = tmp_path / "before.onnx"
    shutil.copyfile(out / "net.onnx", before)
    planes = np.random.default_rng(1).integers(0, 2, (8, Shape.of("petrify", 4).inputs, 4, 4), np.uint8)
    said: list[NDArray[np.float32]] = []

    def listen(settings: TrainingSettings, *lanes: Lane, **named: Any) -> tuple[MatchResult, float]:
        for lane in lanes:
            lane.planes[:] = planes
            lane.run()
            said.append(lane.policy.copy())
        return play_gain(settings, *lanes, **named)

    monkeypatch.setattr(stages, "play_gain", listen)
    if how == "--resume":
        assert go_on(out, 120).code == 0
    else:
        out = tmp_path / "next"
        assert train(out, "--games", "60", "--from", str(before)).code == 0
        assert "of 8 games against the net that it began with, with 4 simulations each" in (out / "card.md").read_text()
    now, then = (
        onnx_session(path.read_bytes()).run(["policy"], {"planes": planes.astype(np.float32)})[0].reshape(8, -1)
        for path in (out / "net.onnx", before)
    )
    np.testing.assert_allclose(said[0], now, atol=1e-3)
    np.testing.assert_allclose(said[1], then, atol=1e-3)
    assert np.abs(now - then).max() > 0.01, "it has learned"


def test_a_run_whose_checkpoints_are_gone_goes_on_from_its_net_and_counts_on(tmp_path: Path) -> None:
    assert train(tmp_path, "--games", "30", "--set", "channels=8").code == 0
    before = latest(read_log(tmp_path / "log.jsonl"), "train")[-1]
    for path in (*tmp_path.glob("checkpoint-*.pt"), *(tmp_path / "replay").glob("*")):
        path.unlink()
    again = go_on(tmp_path, before["games"] + 50)
    assert again.code == 0
    assert "purlieu:" not in again.err
    lines = read_log(tmp_path / "log.jsonl")
    first, second = (line for line in lines if line["kind"] == "start")
    assert second["settings"] == first["settings"]
    assert second["resumed_at"] == before["steps"]
    assert second["went_on_from"].startswith("net.onnx (sha256 ")
    after = latest(lines, "train")[-1]
    for name in ("games", "rows", "evals", "steps", "samples", "seconds"):
        assert after[name] > before[name], name
    assert "from nothing but the rules" in (tmp_path / "card.md").read_text()


def test_a_run_that_goes_on_trains_at_once_however_long_its_last_part_was(tmp_path: Path) -> None:
    # Games enough that training's slow first step is not all of the run.
    seldom = ["--set", "reuse=0.1", "--set", "final_share=0.9"]
    assert train(tmp_path, "--games", "4000", *seldom).code == 0
    before = latest(read_log(tmp_path / "log.jsonl"), "train")[-1]
    assert before["samples"] > 0.2 * before["rows"], "the last part went through the rows again"
    more = str(before["games"] + 50)
    assert train(tmp_path, "--resume", "--games", more, *seldom, "--set", "final_share=0").code == 0
    after = latest(read_log(tmp_path / "log.jsonl"), "train")[-1]
    assert after["steps"] > before["steps"]


def launch(out: Path, *words: str, stderr: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    """A run in a process of its own."""
    command = [sys.executable, "-m", "purlieu.train", "petrify", "--tiny", "--device", "cpu"]
    return subprocess.Popen([*command, "--out", str(out), *SETS, *words], stderr=stderr, text=True)


def start(out: Path, *words: str, stderr: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    """A run of its own, once it has trained and written a checkpoint of that."""
    process = launch(out, *words, stderr=stderr)
    deadline = time.monotonic() + 120
    while not any(int(path.stem.split("-")[1]) for path in out.glob("checkpoint-*.pt")):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process


def test_a_killed_run_goes_on_from_its_checkpoint_with_all_the_rows_that_it_counts(tmp_path: Path) -> None:
    everything = ["--set", "window_base=1000000"]
    process = start(tmp_path, *everything)
    while len(list((tmp_path / "replay").glob("*.games"))) < 3:
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.wait()
    killed = latest(read_log(tmp_path / "log.jsonl"), "train")[-1]
    newest = checkpoint.newest(tmp_path)
    assert newest
    left = torch.load(newest, weights_only=True)
    replay = core().Replay("petrify")
    games = sum(replay.add(path.read_bytes()) for path in (tmp_path / "replay").glob("*.games"))
    assert train(tmp_path, "--resume", "--games", str(killed["games"] + 10), *everything).code == 0
    lines = read_log(tmp_path / "log.jsonl")
    first, start_line = (line for line in lines if line["kind"] == "start")
    assert start_line["settings"] == first["settings"]
    assert start_line["resumed_at"] == left["step"] == left["counters"]["steps"] > 0
    assert start_line["seconds"] == pytest.approx(left["counters"]["seconds"], rel=1e-4)
    assert start_line["rows_kept"] == replay.rows >= left["counters"]["rows"] > 0
    assert games >= left["counters"]["games"] > 0
    after = [line for line in lines[lines.index(start_line) :] if line["kind"] == "train"]
    for name, count in (("games", "games"), ("rows", "rows"), ("evals", "evaluations"), ("samples", "samples")):
        assert after[0][name] >= left["counters"][count], name
    assert after[-1]["games"] >= killed["games"] + 10


def test_ctrl_c_ends_a_run_with_everything_kept(tmp_path: Path) -> None:
    process = start(tmp_path)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    lines = read_log(tmp_path / "log.jsonl")
    assert lines[-1]["kind"] == "end"
    assert lines[-1]["interrupted"]
    assert {path.name for path in tmp_path.iterdir()} >= {"net.onnx", "card.md", "curves.svg"}
    newest = checkpoint.newest(tmp_path)
    assert newest
    replay = core().Replay("petrify")
    kept = sum(replay.add(path.read_bytes()) for path in (tmp_path / "replay").glob("*.games"))
    counted = torch.load(newest, weights_only=True)["counters"]
    assert kept == counted["games"] == latest(lines, "train")[-1]["games"] > 0


def test_a_lost_terminal_ends_a_run_as_ctrl_c_does_unless_nohup_asks_for_another() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with Interrupts() as interrupts:
            signal.raise_signal(signal.SIGHUP)
            assert interrupts.wanted
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # which nohup leaves
        with Interrupts() as interrupts:
            signal.raise_signal(signal.SIGHUP)
            assert not interrupts.wanted
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_run_goes_on_when_nobody_hears_what_it_tells() -> None:
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        if len(told) == 2:
            raise BrokenPipeError

    safe = until_output_is_lost(tell)
    for text in ("one", "two", "three"):
        safe(text)
    assert told == ["one", "two"]


def test_memory_always_has_room_for_the_rows_that_training_waits_for(tmp_path: Path) -> None:
    narrow = ["window_slope=0", "window_base=100", "first_rows=3000", "final_share=0", "checkpoint_seconds=0.1"]
    assert train(tmp_path, "--games", "400", *(word for each in narrow for word in ("--set", each))).code == 0
    assert latest(read_log(tmp_path / "log.jsonl"), "train")[-1]["steps"] > 0


def test_a_run_that_fails_while_it_plays_ends_in_a_sentence(tmp_path: Path) -> None:
    out = tmp_path / "run"
    # Self-play that never waits for training, on several threads: the failure finds them in the core.
    always = ["--set", "reuse=0.1", "--set", "threads=4"]
    with start(out, *always, stderr=subprocess.PIPE) as process:
        out.rename(tmp_path / "elsewhere")
        _, told = process.communicate(timeout=60)
    assert process.returncode == 2
    assert told.splitlines()[-1].startswith(f"purlieu: {out}")


def test_ctrl_c_ends_the_comparison_with_the_rules_at_once(tmp_path: Path) -> None:
    words = ["petrify", "--tiny", "--device", "cpu", "--out", str(tmp_path), *SETS, "--set", "gate_plies=10000000"]
    with Terminal("train", *words) as terminal:
        terminal.until("Petrify: comparing the core with the rules on 4×4, size 1 of 1", 60)
        terminal.press(b"\x03")
        assert terminal.code(60) == 130


def test_the_comparison_with_the_rules_shares_its_turns_out_and_plays_a_whole_game_on_every_size() -> None:
    told: list[str] = []
    sizes = {"4": 0.9, "5": 0.05, "6": 0.05}
    turns = compare_with_rules(make_settings("petrify", overrides={"gate_plies": 200, "sizes": sizes}), told.append)
    assert 180 + 20 + 20 <= turns < 400
    assert told == [
        f"Petrify: comparing the core with the rules on {size}×{size}, size {number} of 3"
        for number, size in enumerate((4, 5, 6), 1)
    ]


def test_a_run_that_goes_on_with_another_size_waits_for_rows_of_that_one(tmp_path: Path) -> None:
    assert train(tmp_path, "--games", "60").code == 0
    before = latest(read_log(tmp_path / "log.jsonl"), "train")[-1]
    other = ["--set", 'sizes={"5": 1}', "--set", "reuse=0.5", "--games", str(before["games"] + 60)]
    assert train(tmp_path, "--resume", *other).code == 0
    after = latest(read_log(tmp_path / "log.jsonl"), "train")[-1]
    assert after["steps"] > before["steps"]
    assert 5 in {game.size for game in read_games(tmp_path / "replay")}


def test_a_run_that_goes_on_with_another_size_and_has_no_row_of_it_ends_all_the_same(tmp_path: Path) -> None:
    assert train(tmp_path, "--games", "60").code == 0
    before = latest(read_log(tmp_path / "log.jsonl"), "train")[-1]
    assert train(tmp_path, "--resume", "--set", 'sizes={"5": 1}', "--minutes", "0.0001").code == 0
    assert latest(read_log(tmp_path / "log.jsonl"), "train")[-1]["steps"] == before["steps"]


def test_with_keep_replay_every_game_of_a_run_can_be_read_afterwards(tmp_path: Path) -> None:
    small = ["--set", "window_base=100", "--set", "window_slope=0", "--set", "checkpoint_seconds=0.1"]
    small += ["--set", "reuse=0.1", "--set", "final_share=0"]
    assert train(tmp_path, "--games", "200", *small, "--set", "keep_replay=true").code == 0
    last = latest(read_log(tmp_path / "log.jsonl"), "train")[-1]
    assert len(list(read_games(tmp_path / "replay"))) == last["games"] >= 200
    assert train(tmp_path, "--resume", *small, "--minutes", "0.0001", "--set", "keep_replay=false").code == 0
    assert len(list(read_games(tmp_path / "replay"))) < 200


def test_files_of_others_stay_where_they_are(tmp_path: Path) -> None:
    names = ["movie.mkv.part", "checkpoint-best.pt", "checkpoint-best.pt.part", "replay/my.games.part"]
    theirs = [tmp_path / name for name in names]
    (tmp_path / "replay").mkdir()
    for path in theirs:
        path.write_text("mine")
    assert train(tmp_path, "--settings", "absent.toml").code == 2
    assert all(path.read_text() == "mine" for path in theirs)
    assert not (tmp_path / "lock").exists(), "it has not begun"
    assert train(tmp_path, "--games", "20").code == 0
    older = ["net.onnx.part", "checkpoint-000000009.pt.part", "replay/000009.games.part"]
    ours = [tmp_path / name for name in (*older, ".net.onnx.x1.part", "replay/.000009.games.x2.part")]
    for path in ours:
        path.write_text("half")
    assert train(tmp_path, "--resume", "--minutes", "0.0001").code == 0
    games = next((tmp_path / "replay").glob("*.games")).read_bytes()
    copies = [tmp_path / "replay" / name for name in ("20240101.games", "best.games")]
    for path in copies:
        path.write_bytes(games)
    assert train(tmp_path, "--resume", "--minutes", "0.0001", "--set", "window_base=100").code == 0
    assert all(path.read_bytes() == games for path in copies)
    assert all(path.read_text() == "mine" for path in theirs)
    assert not any(path.exists() for path in ours), "what a killed run has left half written goes"


def test_a_run_that_has_its_games_says_so(tmp_path: Path) -> None:
    assert train(tmp_path, "--games", "20").code == 0
    code, _, err = train(tmp_path, "--resume", "--games", "20")
    assert code == 1
    assert "games already, and --games counts all of them; more would be right" in err


def test_a_run_that_was_stopped_after_its_games_does_what_is_left(tmp_path: Path) -> None:
    assert train(tmp_path, "--games", "20").code == 0
    log = tmp_path / "log.jsonl"
    log.write_text("".join(line for line in log.read_text().splitlines(keepends=True) if '"end"' not in line))
    (tmp_path / "net.onnx").unlink()
    assert train(tmp_path, "--resume", "--games", "20").code == 0
    assert read_log(log)[-1]["kind"] == "end"
    assert (tmp_path / "net.onnx").exists()


def test_a_log_survives_a_line_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"kind":"train","seconds":1}\n{"kind":"train","seconds":2}\n{"kind":"tra')
    log = Log(path)
    log.add("start", seconds=1.2, resumed_at=0)
    log.add("train", seconds=1.5)
    log.close()
    assert [line["seconds"] for line in read_log(path)] == [1, 2, 1.2, 1.5]
    assert [line["seconds"] for line in latest(read_log(path), "train")] == [1, 1.5], "2 was undone by the kill"
