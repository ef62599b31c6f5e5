"""The exported file is the net."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

from purlieu.rules import PurlieuError
from purlieu.train.data.settings import make_settings
from purlieu.train.network import onnx_writer
from purlieu.train.network.onnx_writer import export

from .shapes import SMALL, made_up_planes
from .test_net import lively

PLAIN = {
    *("Conv", "Relu", "Add", "Mul", "Concat", "Gemm", "Flatten"),
    *("GlobalAveragePool", "GlobalMaxPool", "Unsqueeze", "Shape", "Cast"),
}
SETTINGS = make_settings("petrify", tiny=True, overrides={"blocks": 2, "channels": 16})


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("net") / "net.onnx"
    export(lively(), SETTINGS, {"games": 7.0}, "abc", path)
    return path


@pytest.mark.parametrize(("rows", "size"), [(1, 3), (4, 8), (2, 19)])
def test_the_file_says_what_the_net_says_on_any_board_and_batch(file: Path, rows: int, size: int) -> None:
    session = onnxruntime.InferenceSession(file)
    planes = made_up_planes(rows, size)
    expected = lively()(planes)
    found = session.run(list(expected._fields), {"planes": planes.numpy()})
    for mine, theirs in zip(expected, found, strict=True):
        np.testing.assert_allclose(mine.detach().numpy(), theirs, rtol=1e-3, atol=1e-3)


def test_the_file_holds_plain_operators_only(file: Path) -> None:
    assert {node.op_type for node in onnx.load(file).graph.node} == PLAIN


def test_the_file_tells_what_it_is(file: Path) -> None:
    told = {each.key: each.value for each in onnx.load(file).metadata_props}
    assert told["game"] == "petrify"
    assert told["planes"] == SMALL.fingerprint
    assert json.loads(told["settings"])["channels"] == 16
    assert json.loads(told["counters"]) == {"games": 7}


def test_a_file_that_differs_from_its_net_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_writer, "MOST_APART", 0.0)
    with pytest.raises(PurlieuError, match="does not say what the net says"):
        export(lively(), SETTINGS, {}, "", tmp_path / "net.onnx")
    assert not list(tmp_path.iterdir())
