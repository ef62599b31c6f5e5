"""What a run keeps on disk, and what becomes of it when something goes wrong."""

from __future__ import annotations

import copy
import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from purlieu.rules import PurlieuError
from purlieu.train.data.settings import TrainingSettings, make_settings
from purlieu.train.learning.trainer import Trainer
from purlieu.train.network import checkpoint

from .shapes import SMALL, made_up_rows

SETTINGS = make_settings("petrify", tiny=True)


def trained(steps: int) -> Trainer:
    trainer = Trainer(SETTINGS, SMALL, "cpu")
    for step in range(steps):
        trainer.train(made_up_rows(16, 4, seed=step))
    return trainer


def saved(folder: Path, trainer: Trainer, settings: TrainingSettings = SETTINGS) -> Path:
    return checkpoint.save(folder, trainer.state(), settings, SMALL, {"games": 12.0}, "abc")


def test_training_goes_on_from_a_checkpoint_as_if_nothing_had_happened(tmp_path: Path) -> None:
    first = trained(3)
    saved(tmp_path, first)
    found = checkpoint.newest(tmp_path)
    assert found
    state, settings, counters = checkpoint.load(found, SMALL)
    assert (settings, counters) == (SETTINGS, {"games": 12.0})
    second = Trainer(settings, SMALL, "cpu")
    second.load(state)
    for trainer in (first, second):
        trainer.train(made_up_rows(16, 4, seed=9))
    assert second.step == 4
    for mine, theirs in zip(second.ema.parameters(), first.ema.parameters(), strict=True):
        assert torch.equal(mine, theirs)


def test_a_weight_decay_that_is_given_to_a_run_that_goes_on_counts_from_its_next_step() -> None:
    kept, given = trained(3), Trainer(dataclasses.replace(SETTINGS, weight_decay=100.0), SMALL, "cpu")
    given.load(copy.deepcopy(kept.state()))  # or both would share the optimizer's means
    before = [part.clone() for part in kept.net.parameters()]
    for trainer in (kept, given):
        trainer.train(made_up_rows(16, 4, seed=9))
    decayed = given.lr * (100.0 - SETTINGS.weight_decay)
    for mine, theirs, old in zip(given.net.parameters(), kept.net.parameters(), before, strict=True):
        torch.testing.assert_close(mine, theirs - (decayed * old if old.ndim > 1 else 0))


def test_weights_that_are_no_numbers_never_take_the_place_of_a_checkpoint(tmp_path: Path) -> None:
    trainer = trained(3)
    saved(tmp_path, trainer)
    kept = checkpoint.newest(tmp_path)
    next(trainer.net.parameters()).data.fill_(float("nan"))
    with pytest.raises(PurlieuError, match="the loss is no number any more"):
        saved(tmp_path, trainer)
    assert checkpoint.newest(tmp_path) == kept


def test_the_last_two_checkpoints_are_kept(tmp_path: Path) -> None:
    trainer = trained(0)
    for step in (5, 10, 1_000_000):
        trainer.step = step
        saved(tmp_path, trainer)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint-000000010.pt", "checkpoint-001000000.pt"]


def test_a_kill_at_any_moment_leaves_a_checkpoint_that_loads(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.train.kill_saver", str(tmp_path)], capture_output=True, text=True, timeout=120
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert int(ran.stdout) > 3, "so often it got to its end"


def refusal(path: Path) -> str:
    with pytest.raises(PurlieuError) as told:
        checkpoint.load(path, SMALL)
    return str(told.value)


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text"])
def test_a_damaged_checkpoint_gets_a_sentence(tmp_path: Path, damage: str) -> None:
    path = saved(tmp_path, trained(1))
    data = path.read_bytes()
    damaged: dict[str, bytes] = {
        "cut": data[: len(data) // 2],
        "flipped": data[:30] + bytes(370) + data[400:],
        "empty": b"",
        "text": b"hello\n",
    }
    path.write_bytes(damaged[damage])
    assert refusal(path) == f"{path} is damaged or no checkpoint; delete it to go on from the one before"


def test_a_checkpoint_of_another_game_or_other_planes_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, trained(0))
    with pytest.raises(PurlieuError, match="is a checkpoint of 'petrify', not of 'pilo'"):
        checkpoint.load(path, dataclasses.replace(SMALL, game="pilo"))
    with pytest.raises(PurlieuError, match="other planes"):
        checkpoint.load(path, dataclasses.replace(SMALL, names=("a", "b", "c", "d", "e")))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("format", 99, "is a checkpoint of format 99"),
        ("rules_version", 0, "learned other rules of Petrify"),
        ("settings", {"game": "petrify", "channels": "many"}, "lacks parts of a checkpoint"),
        ("counters", None, "lacks parts of a checkpoint"),
    ],
)
def test_a_checkpoint_from_elsewhere_is_told_what_is_wrong(
    tmp_path: Path, name: str, value: object, sentence: str
) -> None:
    path = saved(tmp_path, trained(0))
    content = torch.load(path, weights_only=True)
    torch.save(content | {name: value}, path)
    assert sentence in refusal(path)


def test_a_checkpoint_runs_no_code(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint-000000001.pt"
    torch.save({"format": 1, "game": "petrify", "net": Path("/")}, path)
    assert "is damaged or no checkpoint" in refusal(path)


def test_the_commit_is_purlieus_own_and_not_that_of_a_repository_it_is_installed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):  # a hook that runs this test names its own
        monkeypatch.delenv(name, raising=False)
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "theirs"]):
        who = ["-c", "user.name=they", "-c", "user.email=they@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True)
    installed = tmp_path / "checkpoint.py"
    installed.touch()
    monkeypatch.setattr(checkpoint, "__file__", str(installed))
    assert checkpoint.commit() == "unknown"
    subprocess.run(["git", "add", "checkpoint.py"], cwd=tmp_path, check=True)
    assert len(checkpoint.commit().removesuffix("-dirty")) == 40


def test_a_checkpoint_of_a_full_net_is_a_few_mebibytes(tmp_path: Path) -> None:
    settings = make_settings("petrify")
    trainer = Trainer(settings, SMALL, "cpu")
    trainer.train(made_up_rows(2, 4))
    assert saved(tmp_path, trainer, settings).stat().st_size < 10 << 20
