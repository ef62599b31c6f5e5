"""A net in bytes: what it keeps of the net it was made from, and what it promises to whoever runs it."""

from __future__ import annotations

import copy
import json
import signal
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from benchmarks.speed.quantised_net import SEED as BENCHMARK_SEED
from benchmarks.speed.quantised_net import main as compare_on_the_command_line
from purlieu.nets import Net
from purlieu.nets.shape import Shape
from purlieu.rules import GAMES, PurlieuError
from purlieu.train.data.settings import make_settings
from purlieu.train.network.net import Net as TrainedNet
from purlieu.train.network.onnx_writer import export, onnx_session
from purlieu.train.quantisation import quantiser
from purlieu.train.quantisation.comparison import compare_nets, sample_positions
from purlieu.train.quantisation.quantiser import (
    SEEDS,
    Calibration,
    calibrate,
    quantise,
    quantised_model,
    quantised_tensors,
)
from purlieu.train.quantise import main

from .test_export import PLAIN

BLOCKS, CHANNELS = 3, 16
FEW = 60
"""Positions."""
CONVOLUTIONS = 2 * BLOCKS + 1
"""Two in each block and one of the policy."""


def opinionated(shape: Shape) -> TrainedNet:
    """A net that has learned nothing, but says it firmly; every part has a say."""
    torch.manual_seed(1)
    net = TrainedNet(shape, BLOCKS, CHANNELS).requires_grad_(False)
    for name, part in net.named_parameters():
        if name.endswith("bias.weight"):
            part.normal_(std=0.05)
        elif name.split(".")[0] in ("policy_out", "value_out", "score_out", "own_out"):
            part.normal_(std=0.3)
    return net.eval()


def exported(game: str, folder: Path) -> Path:
    sizes = {size: 1.0 for size in GAMES[game].sizes if size <= 5} or {GAMES[game].default_size: 1.0}
    overrides = {"blocks": BLOCKS, "channels": CHANNELS, "sizes": sizes}
    settings = make_settings(game, tiny=True, overrides=overrides)
    path = folder / f"{game}.onnx"
    export(opinionated(Shape.of(game, min(sizes))), settings, {"games": 7.0}, "abc", path)
    return path


@pytest.fixture(scope="module", params=GAMES)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A net of each game, and its quantised self."""
    folder = tmp_path_factory.mktemp("nets")
    path = exported(request.param, folder)
    quantise(path, folder / "bytes.onnx", FEW)
    return path, folder / "bytes.onnx"


def test_bytes_have_room_for_what_makes_them_most_like_the_net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = exported("pilo", tmp_path)
    net = Net(path)
    sizes = json.loads(net.facts["sizes"])
    asked = [each for size in sizes for each in sample_positions(net, size, FEW // len(sizes), seed=SEEDS[1])]
    rooms = quantiser.KEPT

    def divergence(*kept: float) -> float:
        monkeypatch.setattr(quantiser, "KEPT", kept)
        quantise(path, tmp_path / "bytes.onnx", FEW)
        return compare_nets(net, Net(tmp_path / "bytes.onnx"), asked).divergence

    each = [divergence(kept) for kept in rooms]
    assert len(set(each)) > 1
    assert divergence(*rooms) == min(each)


def test_the_benchmark_compares_nets_on_positions_that_none_was_made_or_checked_with() -> None:
    assert len({*SEEDS, BENCHMARK_SEED}) == len(SEEDS) + 1 == 4


def test_the_benchmark_compares_with_what_onnxruntimes_own_quantiser_makes(
    pair: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = tmp_path / "theirs.onnx"
    size = str(max(Net(pair[0]).sizes))
    few = ["--sizes", size, "--positions", "20", "--rounds", "2", "--onnxruntime", "minmax"]
    monkeypatch.setattr(sys, "argv", ["quantised_net", str(pair[0]), str(theirs), *few])
    compare_on_the_command_line()
    assert f"{Net(theirs).game} {size} | " in capsys.readouterr().out
    kinds = [node.op_type for node in onnx.load(theirs).graph.node]
    assert kinds.count("QuantizeLinear") >= CONVOLUTIONS


def test_a_quantised_net_passes_the_checks_and_likes_the_same_moves(pair: tuple[Path, Path]) -> None:
    net, other = Net(pair[0]), Net(pair[1])
    for size in json.loads(net.facts["sizes"]):
        found = compare_nets(net, other, sample_positions(net, size, 60, seed=9))
        assert found.agreement > 0.75
        assert found.policy_lost < 0.03
        assert found.divergence < 0.05
        assert found.win_chance < 0.03


def test_it_is_less_than_two_thirds_as_large_and_tells_all_that_the_net_told(pair: tuple[Path, Path]) -> None:
    assert pair[1].stat().st_size < 2 / 3 * pair[0].stat().st_size
    before, after = (Net(path).facts for path in pair)
    assert before.items() <= after.items()
    assert set(after) - set(before) == {"quantised", "quantised_from"}


def test_it_holds_operators_of_onnx_itself_only(pair: tuple[Path, Path]) -> None:
    nodes = onnx.load(pair[1]).graph.node
    assert {node.op_type for node in nodes} == PLAIN | {"QuantizeLinear", "DequantizeLinear"}
    assert {node.domain for node in nodes} == {""}


def test_onnxruntime_runs_its_convolutions_and_residual_sums_on_bytes(pair: tuple[Path, Path], tmp_path: Path) -> None:
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "as_run.onnx")
    options.log_severity_level = 4
    onnxruntime.InferenceSession(pair[1].read_bytes(), options, providers=["CPUExecutionProvider"])
    kinds = Counter(node.op_type for node in onnx.load(tmp_path / "as_run.onnx").graph.node)
    assert kinds["QLinearConv"] == CONVOLUTIONS
    assert kinds["QLinearAdd"] == BLOCKS


def test_no_bytes_are_spent_on_what_the_next_relu_makes_zero_anyhow() -> None:
    ends = {"sum": np.array([[0.0, 2.0]]), "branch": np.array([[-50.0, 3.0]]), "other": np.array([[-50.0, 3.0]])}
    measured = Calibration(ends, {}, addends={"branch": "sum"}, whole=frozenset(ends))
    ranges = measured.ranges(kept=1.0)
    least, greatest = (
        {name: float(found.scale) * (byte - int(found.zero)) for name, found in ranges.items()} for byte in (0, 255)
    )
    assert least == pytest.approx({"sum": 0, "branch": -2, "other": -50}, abs=0.2)
    assert greatest == pytest.approx({"sum": 2, "branch": 3, "other": 3}, abs=0.2)


def test_every_residual_branch_is_known_to_meet_a_relu(pair: tuple[Path, Path]) -> None:
    model = onnx.load(pair[0])
    outputs = quantised_tensors(model.graph)
    asked = [
        each.planes for each in sample_positions(Net(pair[0]), 5 if Net(pair[0]).game != "pentwall" else 10, 2, seed=1)
    ]
    measured = calibrate(model, outputs, asked)
    pooled = 1 + len({BLOCKS // 3, 2 * BLOCKS // 3})
    assert len(measured.addends) == BLOCKS + pooled
    assert set(measured.addends) <= set(outputs.values()) <= measured.whole


def test_what_rounded_weights_add_on_the_mean_is_taken_off_the_biases(pair: tuple[Path, Path]) -> None:
    model, net = onnx.load(pair[0]), Net(pair[0])
    outputs = quantised_tensors(model.graph)
    asked = [each.planes for each in sample_positions(net, 10 if net.game == "pentwall" else 5, 20, seed=1)]
    measured = calibrate(model, outputs, asked)
    output = next(iter(outputs))

    def mean(made: onnx.ModelProto) -> NDArray[np.float64]:
        made.graph.output.append(helper.make_tensor_value_info(output, TensorProto.FLOAT, None))
        session = onnx_session(made.SerializeToString())
        means = [session.run([output], {"planes": each})[0].mean((0, 2, 3)) for each in asked]
        return np.asarray(np.mean(means, axis=0), np.float64)

    none = {name: np.zeros_like(each) for name, each in measured.means.items()}
    uneven, even = (
        np.abs(mean(quantised_model(model, {output}, measured.ranges(1.0), means)) - mean(copy.deepcopy(model))).mean()
        for means in (none, measured.means)
    )
    assert even < uneven / 2


def test_a_channel_without_weights_keeps_its_bias(pair: tuple[Path, Path]) -> None:
    model, net = onnx.load(pair[0]), Net(pair[0])
    outputs = quantised_tensors(model.graph)
    weights = {each.name: each for each in model.graph.initializer}
    node = next(node for node in model.graph.node if node.output[0] in outputs)
    _, weight, bias = node.input
    values, offsets = (numpy_helper.to_array(weights[name]).copy() for name in (weight, bias))
    values[:3], offsets[:3] = 0, (0.8, -0.8, 300)
    for name, value in ((weight, values), (bias, offsets)):
        weights[name].CopyFrom(numpy_helper.from_array(value, name))
    asked = [each.planes for each in sample_positions(net, 10 if net.game == "pentwall" else 5, 2, seed=1)]
    measured = calibrate(model, outputs, asked)
    made = quantised_model(model, set(outputs), measured.ranges(1.0), measured.means)
    found = {each.name: numpy_helper.to_array(each) for each in made.graph.initializer}
    kept = found[bias].astype(np.float64) * found[f"{bias} scale"]
    np.testing.assert_allclose(kept[:3], (0.8, -0.8, 300), rtol=1e-5)


def test_ctrl_c_ends_it_without_a_word_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = exported("petrify", tmp_path)
    monkeypatch.setattr(quantiser, "calibrate", lambda *_: signal.raise_signal(signal.SIGINT))
    assert main([str(path), "-o", str(tmp_path / "out.onnx")]) == 130
    assert capsys.readouterr().err == ""
    assert list(tmp_path.iterdir()) == [path]


def test_two_products_of_a_weight_and_a_byte_fit_into_16_bits(pair: tuple[Path, Path]) -> None:
    weights = [numpy_helper.to_array(each) for each in onnx.load(pair[1]).graph.initializer]
    whole = [each for each in weights if each.dtype == np.int8 and each.ndim == 4]
    assert len(whole) == CONVOLUTIONS
    assert max(2 * 255 * int(np.abs(each.astype(int)).max()) for each in whole) < 2**15


def test_the_first_convolution_and_the_heads_stay_as_they_are(pair: tuple[Path, Path]) -> None:
    before, after = ({each.name: each for each in onnx.load(path).graph.initializer} for path in pair)
    for name in (
        "stem.conv.weight",
        "policy_out.weight",
        "value_conv.conv.weight",
        "value_hidden.weight",
        "own_out.bias",
    ):
        assert before[name] == after[name]


def test_the_same_net_is_quantised_to_the_same_file(pair: tuple[Path, Path], tmp_path: Path) -> None:
    quantise(pair[0], tmp_path / "again.onnx", FEW)
    assert (tmp_path / "again.onnx").read_bytes() == pair[1].read_bytes()


def test_what_cannot_be_quantised_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = exported("petrify", tmp_path)
    out = tmp_path / "out.onnx"
    assert main([str(path), "-o", str(out)]) == 0
    assert "the same best move in" in capsys.readouterr().err
    assert main([str(out), "-o", str(tmp_path / "twice.onnx")]) == 1
    assert "out.onnx is quantised already" in capsys.readouterr().err
    assert main([str(path), "-o", str(out), "--room", "0.97"]) == 0
    assert "room for 97.0%" in Net(out).facts["quantised"]
    capsys.readouterr()
    assert main([str(path), "-o", str(out), "--room", "97"]) == 1
    assert "--room is 97; expected a share from 0.5 to 1" in capsys.readouterr().err
    changes: list[tuple[dict[str, str | None], str]] = [
        ({"blocks": None}, "does not say how large its net is"),
        ({"blocks": "99"}, f"does not hold the weights of a net of 99 blocks of {CHANNELS} channels"),
        ({"sizes": "7"}, "does not say on which sizes it learned"),
        ({"sizes": "[5, 99]"}, "says that it learned on a board that there is not: Petrify is played on 3×3 to 10×10"),
    ]
    for changed, told in changes:
        other = onnx.load(path)
        facts = {**{fact.key: fact.value for fact in other.metadata_props}, **changed}
        helper.set_model_props(other, {name: text for name, text in facts.items() if text is not None})
        onnx.save(other, tmp_path / "other.onnx")
        assert main([str(tmp_path / "other.onnx"), "-o", str(out)]) == 1
        assert f"other.onnx {told}" in capsys.readouterr().err
    assert main([str(tmp_path / "none.onnx"), "-o", str(out)]) == 1
    assert "the net none.onnx cannot be read" in capsys.readouterr().err


def test_a_net_that_bytes_spoil_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = exported("petrify", tmp_path)
    monkeypatch.setattr(quantiser, "MOST_APART", 0.0)
    with pytest.raises(PurlieuError, match="does not say what the net says"):
        quantise(path, tmp_path / "out.onnx", FEW)
    assert list(tmp_path.iterdir()) == [path]
