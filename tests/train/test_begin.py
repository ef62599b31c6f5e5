"""A run that begins with the weights of another net."""

from __future__ import annotations

import contextlib
import io
import json
import math
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from torch.nn.modules.module import register_module_parameter_registration_hook

from purlieu.core import core
from purlieu.nets import load
from purlieu.nets.shape import Shape
from purlieu.nets.shipped import FOLDER
from purlieu.rules import PurlieuError
from purlieu.train import gain, recipe
from purlieu.train.data.run_folder import read_log
from purlieu.train.data.settings import make_settings
from purlieu.train.learning.trainer import Trainer
from purlieu.train.network import checkpoint
from purlieu.train.network.evaluation import win_and_margin
from purlieu.train.network.net import Net, folded
from purlieu.train.network.onnx_writer import export
from purlieu.train.network.weights import (
    measure_norms,
    read_exported_run,
    read_initial_weights,
    read_onnx_net,
    trainable_state,
    unfold,
)
from purlieu.train.openings import trained_sizes

from ..cli.shell import purlieu
from .runs import SETS, train
from .shapes import SMALL, made_up_planes, made_up_rows
from .test_net import lively

SETTINGS = make_settings("petrify", tiny=True)
PLANES = {4: made_up_planes(64, 4), 6: made_up_planes(64, 6, seed=2)}
SHARES = {4: 0.25, 6: 0.75}
RUNS = Path(__file__).parents[2] / "runs"


def unfolded(source: Net) -> Net:
    net = Net(SMALL, 2, 16).requires_grad_(False).eval()
    unfold(net, folded(source.state_dict()))
    return net


def test_a_net_that_begins_anew_says_what_the_exported_one_said() -> None:
    source = lively()
    net = unfolded(source)
    for measured in (False, True):
        if measured:
            measure_norms(net, PLANES, SHARES)
        for planes in PLANES.values():
            for mine, theirs in zip(net(planes), source(planes), strict=True):
                torch.testing.assert_close(mine, theirs, rtol=1e-3, atol=1e-3)


def test_its_norms_know_what_they_meet_so_the_first_step_of_training_changes_nothing() -> None:
    net = unfolded(lively())
    planes = {4: PLANES[4]}
    measure_norms(net, planes, SHARES)
    expected = net(PLANES[4])
    net.train()
    for mine, theirs in zip(net(PLANES[4]), expected, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-2, atol=1e-2)


def test_a_net_of_our_runs_is_the_same_function_on_real_boards() -> None:
    shape = Shape.of("pilo", 8)
    beginning = read_initial_weights(RUNS / "pilo" / "net.onnx", shape)
    assert (beginning.blocks, beginning.channels) == (6, 64)
    net = Net(shape, 6, 64).requires_grad_(False).eval()
    net.load_state_dict(trainable_state(beginning, shape, {6: 0.5, 8: 0.5}))
    position = core().Position.start("pilo", 8).play("c3").play("e5").play("d4")
    planes = position.planes()[None].astype(np.float32)
    policy, win_chance, margin = load(RUNS / "pilo" / "net.onnx").ask(planes)
    outputs = net(torch.from_numpy(planes))
    np.testing.assert_allclose(outputs.policy.flatten().numpy(), policy, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(win_and_margin(outputs, 8)[0].numpy(), [win_chance, margin], rtol=1e-3, atol=1e-3)


def test_a_checkpoint_gives_its_averaged_weights(tmp_path: Path) -> None:
    trainer = Trainer(SETTINGS, SMALL, "cpu")
    for step in range(3):
        trainer.train(made_up_rows(16, 4, seed=step))
    path = checkpoint.save(tmp_path, trainer.state(), SETTINGS, SMALL, {"games": 12.0}, "abc")
    (tmp_path / "other.part").touch()
    for given in (path, tmp_path):
        state = trainable_state(read_initial_weights(given, SMALL), SMALL, {4: 1.0})
        for name, part in trainer.ema.state_dict().items():
            assert torch.equal(state[name], part), name
    assert (tmp_path / "other.part").exists(), "what another run is just writing is left alone"


def test_the_warm_up_of_a_net_without_an_optimizer_outlives_a_kill() -> None:
    first = Trainer(SETTINGS, SMALL, "cpu")
    first.begin(first.net.state_dict(), step=1000)
    again = Trainer(SETTINGS, SMALL, "cpu")
    again.load(first.state())
    again.train(made_up_rows(16, 4))
    assert again.step == 1001
    assert again.lr < SETTINGS.lr / 10


def test_the_average_keeps_what_a_net_knew_from_the_first_step_on_and_after_a_kill_too(tmp_path: Path) -> None:
    first = Trainer(SETTINGS, SMALL, "cpu")
    first.begin(lively().state_dict())
    checkpoint.save(tmp_path, first.state(), SETTINGS, SMALL, {}, "abc")
    again = Trainer(SETTINGS, SMALL, "cpu")
    path = checkpoint.newest(tmp_path)
    assert path
    again.load(checkpoint.load(path, SMALL)[0])
    for trainer in (first, again):
        before = [part.clone() for part in trainer.ema.parameters()]
        trainer.train(made_up_rows(16, 4))
        for old, averaged, new in zip(before, trainer.ema.parameters(), trainer.net.parameters(), strict=True):
            torch.testing.assert_close(averaged, old + (1 - SETTINGS.ema) * (new - old))


def test_what_cannot_be_begun_from_gets_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    export(lively(), make_settings("petrify", tiny=True), {"games": 7.0}, "abc", path)
    cases = {
        path: "belongs to a net with other planes",
        RUNS / "pilo" / "net.onnx": "is a net of 'pilo', not of 'petrify'",
        FOLDER / "petrify.onnx": "is a net in bytes; expected one in full precision",
        FOLDER / "nets.json": "no ONNX file",
        tmp_path / "absent.onnx": "cannot be read",
        tmp_path: "holds no checkpoint to begin from",
    }
    for given, sentence in cases.items():
        with pytest.raises(PurlieuError, match=sentence):
            read_initial_weights(given, Shape.of("petrify", 8))
    broken = tmp_path / "checkpoint-000000001.pt"
    trainer = Trainer(make_settings("petrify", tiny=True), SMALL, "cpu")
    whole = checkpoint.save(tmp_path, trainer.state(), trainer.settings, SMALL, {"games": 1.0}, "abc").read_bytes()
    for data in (b"hello", b"", whole[:5000], whole[:-9]):
        broken.write_bytes(data)
        with pytest.raises(PurlieuError, match="is damaged or no checkpoint; expected a net"):
            read_initial_weights(broken, SMALL)


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("settings", lambda settings: settings | {"channels": 32}),
        ("ema", lambda weights: dict(list(weights.items())[1:])),
        ("ema", lambda weights: weights | {"more": torch.zeros(3)}),
        ("net", lambda weights: list(weights)),
        ("ema", lambda weights: dict.fromkeys(weights, 1.0)),
    ],
    ids=["other shapes", "a name less", "a name more", "no dict", "no tensors"],
)
@pytest.mark.parametrize("how", ["--from", "--resume"])
def test_a_checkpoint_whose_weights_do_not_fit_its_settings_gets_a_sentence_before_the_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str, name: str, spoil: Callable[[Any], object]
) -> None:
    shape = Shape.of("petrify", 4)
    path = checkpoint.save(tmp_path, Trainer(SETTINGS, shape, "cpu").state(), SETTINGS, shape, {"games": 1.0}, "abc")
    content = torch.load(path, weights_only=True)
    torch.save(content | {name: spoil(content[name])}, path)
    words = ["--out", str(tmp_path), how] if how == "--resume" else ["--out", str(tmp_path / "next"), how, str(path)]
    code, _, err = purlieu("train", "petrify", "--device", "cpu", "--games", "1", *SETS, *words)
    assert code == 1
    channels = 32 if name == "settings" else SETTINGS.channels
    what = f"{path} does not hold the weights of a net of 2 blocks of {channels} channels, as its settings say"
    assert f"purlieu: {what}; " in err
    assert not (tmp_path / "next").exists()


def test_an_optimizer_that_is_none_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shape = Shape.of("petrify", 4)
    state = Trainer(SETTINGS, shape, "cpu").state()
    none: list[Any] = [7, [], {"state": 7, "param_groups": [3, 4]}]
    for optimizer in none:
        checkpoint.save(tmp_path, state | {"optimizer": optimizer}, SETTINGS, shape, {"games": 1.0}, "abc")
        code, _, err = purlieu("train", "petrify", "--device", "cpu", *SETS, "--out", str(tmp_path), "--resume")
        assert code == 1
        assert err.splitlines()[-1] == f"purlieu: the checkpoint in {tmp_path} does not fit its settings"


def saying(path: Path, **facts: str) -> Path:
    """A net of our runs that says something else of itself."""
    model = onnx.load(RUNS / "petrify" / "net.onnx")
    told = {fact.key: fact.value for fact in model.metadata_props} | facts
    onnx.helper.set_model_props(model, told)
    onnx.save(model, path)
    return path


@pytest.mark.parametrize(
    ("blocks", "channels"), [("6", "12000"), ("1000000000", "64"), ("7", "64"), ("0", "64"), ("6", "1" + 30 * "0")]
)
def test_a_net_that_says_that_it_is_larger_than_its_weights_is_not_made(
    tmp_path: Path, blocks: str, channels: str
) -> None:
    path = saying(tmp_path / "net.onnx", blocks=blocks, channels=channels)
    made: list[int] = []

    def count(module: object, name: str, parameter: torch.Tensor) -> None:
        if parameter is not None and parameter.device.type != "meta":
            made.append(parameter.numel())

    hook = register_module_parameter_registration_hook(count)
    try:
        for read in (read_onnx_net, lambda path: read_initial_weights(path, Shape.of("petrify", 8))):
            with pytest.raises(PurlieuError) as told:
                read(path)
            assert (
                str(told.value)
                == f"{path} does not hold the weights of a net of {blocks} blocks of {channels} channels"
            )
    finally:
        hook.remove()
    assert not made


COUNTERS = {"seconds": 9.0, "games": 7, "evaluations": 99, "steps": 5}
NO_NUMBERS: list[object] = [math.nan, math.inf, -1, 10**400, 2**53 + 1, "5", None, True, []]


@pytest.mark.parametrize(
    "counters",
    [
        100_000 * "[",
        "[]",
        "{",
        *(json.dumps(COUNTERS | {"steps": steps}) for steps in NO_NUMBERS),
    ],
    ids=lambda text: text[-30:],
)
def test_counters_that_are_no_numbers_get_a_sentence_from_all_who_read_them(
    tmp_path: Path, counters: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saying(tmp_path / "net.onnx", counters=counters)
    with pytest.raises(PurlieuError, match=r"net.onnx does not say what its run had done; expected a net.onnx"):
        read_initial_weights(path, Shape.of("petrify", 8))
    with pytest.raises(PurlieuError, match=r"net.onnx does not say what its run had done; expected a net that"):
        gain.counters(path)
    shutil.copyfile(RUNS / "petrify" / "log.jsonl", tmp_path / "log.jsonl")
    assert recipe.main([str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"purlieu: {tmp_path} holds no run whose log tells how it went\n"


@pytest.mark.parametrize("text", [100_000 * "[", "7", '{"lr":NaN}', "[Infinity]"], ids=lambda text: text[-20:])
def test_settings_and_sizes_that_are_none_get_a_sentence(tmp_path: Path, text: str) -> None:
    path = saying(tmp_path / "net.onnx", settings=text, sizes=text)
    with pytest.raises(PurlieuError, match=r"does not say how its run was set|the setting lr cannot be nan"):
        read_exported_run(path, Shape.of("petrify", 8))
    with pytest.raises(PurlieuError, match="does not say which sizes it was trained on; --sizes names them"):
        trained_sizes(path)


def told_by_recipe(run: Path) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert recipe.main([str(run)]) == 0
    return out.getvalue()


def test_a_run_begins_from_another_run_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first, second = Path("first"), Path("second")
    words = ["--set", "blocks=1", "--set", "channels=8", "--games", "30"]
    assert train(first, *words).code == 0
    code, _, err = purlieu(
        *("train", "petrify", "--tiny", "--device", "cpu", "--out", str(second), *SETS),
        *("--games", "20", "--from", str(first / "net.onnx")),
    )
    assert (code, err) == (0, "")
    start = read_log(second / "log.jsonl")[0]
    assert start["begun_from"].startswith(f"{first}/net.onnx (sha256 ")
    assert shlex.join(["--from", f"{first}/net.onnx"]) in told_by_recipe(second)
    assert (start["settings"]["blocks"], start["settings"]["channels"]) == (1, 8)
    assert json.loads(load(second / "net.onnx").facts["counters"])["games"] >= 20
    assert f"beginning with the weights of {first}/net.onnx (sha256 " in (second / "card.md").read_text()
    code, _, err = train(Path("third"), "--from", str(first), "--set", "channels=32")
    assert (code, err) == (1, f"purlieu: {first} has 8 channels, and 32 were asked for\n")
    code, _, err = train(second, "--from", str(first), "--resume")
    assert (code, err) == (1, "purlieu: --from begins a new run and --resume goes on with one; give one of the two\n")


def test_a_path_from_the_root_is_told_by_its_name_alone_as_it_says_much_of_a_machine(tmp_path: Path) -> None:
    (tmp_path / "mine.onnx").write_bytes((RUNS / "petrify" / "net.onnx").read_bytes())
    source = read_initial_weights(tmp_path / "mine.onnx", Shape.of("petrify", 8)).source
    assert source.startswith("mine.onnx (sha256 ")
