"""What `purlieu train` refuses to begin, and that it says why in a sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from purlieu.core.in_step import OutOfStep
from purlieu.train.data.run_folder import RunFolder
from purlieu.train.running import start

from ..cli.shell import PLAIN, Ran, purlieu
from .runs import RUNS, train


def test_who_begins_a_full_net_without_a_gpu_is_told_of_a_smaller_one(tmp_path: Path) -> None:
    words = ("train", "petrify", "--device", "cpu", "--out", str(tmp_path / "run"), "--set", "seed=-1")
    assert "--tiny trains a small one in minutes" in purlieu(*words).err
    assert "--tiny" not in purlieu(*words, "--tiny").err
    assert "--tiny" not in purlieu(*words, "--set", "channels=16").err


def test_who_goes_on_with_a_full_net_as_if_it_were_tiny_is_told_what_is_there(tmp_path: Path) -> None:
    shutil.copy(RUNS / "petrify" / "net.onnx", tmp_path)
    code, _, err = train(tmp_path, "--resume", "--minutes", "1")
    what = "6 blocks of 64 channels, which is not tiny; it goes on without --tiny"
    assert (code, err) == (1, f"purlieu: the run in {tmp_path} has {what}\n")
    assert not (tmp_path / "log.jsonl").exists(), "it has not begun"


def test_a_run_that_cannot_begin_makes_no_folder(tmp_path: Path) -> None:
    out = tmp_path / "run"
    for words in (["--settings", "absent.toml"], ["--set", "chanels=3"], ["--from", "absent.onnx"]):
        assert train(out, *words).code != 0
        assert not out.exists()


@pytest.mark.parametrize("left", ["checkpoint-000000001.pt", "net.onnx"])
def test_a_folder_with_a_run_is_not_written_over(tmp_path: Path, left: str) -> None:
    (tmp_path / left).touch()
    code, _, err = train(tmp_path)
    assert code == 1
    assert err == f"purlieu: {tmp_path} holds a run already; go on with it (--resume), or give another folder\n"


def test_where_there_is_no_run_to_go_on_with_none_is_begun(tmp_path: Path) -> None:
    out = tmp_path / "mistyped"
    code, _, err = train(out, "--resume")
    assert (code, err) == (1, f"purlieu: {out} holds no run to go on with; without --resume one begins there\n")
    assert not out.exists()


@pytest.mark.parametrize("words", [["--help"], ["petrify", "--off"], ["petrify", "-o", "run", "--games", "0.5"]])
def test_python_m_purlieu_train_is_the_command(words: list[str]) -> None:
    module = [sys.executable, "-m", "purlieu.train", *words]
    done = subprocess.run(module, capture_output=True, text=True, check=False, env={**os.environ, **PLAIN})
    assert Ran(done.returncode, done.stdout, done.stderr) == purlieu("train", *words)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    code, _, err = train(tmp_path)
    folder.close()
    assert (code, err) == (1, f"purlieu: {tmp_path} is in use by another run\n")


def test_nothing_is_trained_where_the_core_breaks_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def differ(*_: object, **__: object) -> None:
        raise OutOfStep("score: the rules say 1, the core 2")

    monkeypatch.setattr(start, "compare", differ)
    code, _, err = train(tmp_path)
    assert code == 1
    assert "nothing is trained on this machine, where the core breaks the rules: score: the rules say 1" in err


def test_without_pytorch_the_command_says_what_to_install(tmp_path: Path) -> None:
    with mock.patch.dict(sys.modules, {"torch": None}):
        code, _, err = train(tmp_path)
    assert (code, err) == (1, "purlieu: purlieu train needs PyTorch: pip install 'purlieu[train]'\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--set", "chanels=3"], "there is no setting 'chanels'; did you mean channels?"),
        (["--settings", "absent.toml"], "absent.toml"),
        (["--device", "tpu"], "'tpu' is not known"),
        (["--hours", "1", "--minutes", "1"], "one of --hours and --minutes is enough"),
        (["--minutes", "-1"], "expected a number above 0"),
        (["--set", "channels=1024", "--set", "blocks=20"], "purlieu reads nets of up to 15,200,000"),
    ],
)
def test_a_wrong_option_gets_a_sentence(tmp_path: Path, words: list[str], sentence: str) -> None:
    code, _, err = train(tmp_path, *words)
    assert code in (1, 2)
    assert sentence in " ".join(err.split())


@pytest.mark.parametrize(("tool", "needs"), [("gain", True), ("openings", True), ("quantise", True), ("recipe", False)])
def test_a_tool_that_lacks_pytorch_says_so_and_one_that_reads_logs_does_without(tool: str, needs: bool) -> None:
    run = f"sys.modules['torch'] = None; runpy.run_module('purlieu.train.{tool}', run_name='__main__')"
    told = [sys.executable, "-c", f"import runpy, sys; sys.argv = ['{tool}', '--help']; {run}"]
    done = subprocess.run(told, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.startswith("purlieu: purlieu train needs PyTorch: pip install")) == (
        needs,
        needs,
    )
