"""A file that would take more memory than any net of ours is refused before it is run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from purlieu.nets import Net, shipped
from purlieu.nets.check import MOST_NUMBERS
from purlieu.rules import PurlieuError

RUNS = Path(__file__).parent.parent.parent / "runs"


def node(model: ModelProto, kind: str, inputs: list[str], output: str, **how: Any) -> str:
    model.graph.node.append(helper.make_node(kind, inputs, [output], **how))
    return output


def weight(model: ModelProto, name: str, value: np.ndarray) -> str:
    model.graph.initializer.append(numpy_helper.from_array(value, name))
    return name


def joined(model: ModelProto) -> None:
    """The board joined to itself, 24 times over: 16 million times as large."""
    grown = "planes"
    for at in range(24):
        grown = node(model, "Concat", [grown, grown], f"grown {at}", axis=1)


def joined_until_counts_overflow(model: ModelProto) -> None:
    grown = "planes"
    for at in range(80):
        grown = node(model, "Concat", [grown, grown], f"grown {at}", axis=1)


def joined_in_one_go(model: ModelProto) -> None:
    node(model, "Concat", ["planes"] * 100_000, "grown", axis=1)


def many_middling_ones(model: ModelProto) -> None:
    """None is large, but all can be alive at a time."""
    large = node(model, "Concat", ["planes"] * 100, "large", axis=1)
    for at in range(200):
        node(model, "Relu", [large], f"again {at}")


def row_meets_column(model: ModelProto) -> None:
    row = weight(model, "row", np.zeros((1, 20_000), np.float32))
    column = weight(model, "column", np.zeros((20_000, 1), np.float32))
    node(model, "Add", [row, column], "square")


def product_of_column_and_row(model: ModelProto) -> None:
    row = weight(model, "row", np.zeros((1, 20_000), np.float32))
    column = weight(model, "column", np.zeros((20_000, 1), np.float32))
    node(model, "Gemm", [column, row], "square")


def shape_that_only_running_tells(model: ModelProto) -> None:
    """The axes are not known before."""
    axes = node(model, "Add", [weight(model, "one", np.array([1], np.int64))] * 2, "axes")
    node(model, "Unsqueeze", ["planes", axes], "unknown")


LARGE = [joined, joined_in_one_go, many_middling_ones, row_meets_column, product_of_column_and_row]
UNFIT = [joined_until_counts_overflow, shape_that_only_running_tells]


def refusal(path: Path) -> str:
    with pytest.raises(PurlieuError) as caught:
        Net(path)
    return str(caught.value)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(shipped.FOLDER / "petrify.onnx", tmp_path / "mine.onnx"))


@pytest.mark.parametrize(
    ("grow", "why"),
    [(grow, "it works on more than 50 million numbers") for grow in LARGE]
    + [(grow, "its tensors do not fit its operators") for grow in UNFIT],
)
def test_a_net_that_grows_without_bounds_or_as_nobody_can_tell_before_is_not_run(
    copy: Path, grow: Callable[[ModelProto], None], why: str
) -> None:
    model = onnx.load(copy)
    grow(model)
    onnx.save(model, copy)
    assert refusal(copy) == f"mine.onnx is no net of ours: {why}"


def test_what_a_file_itself_says_about_its_shapes_is_not_believed(copy: Path) -> None:
    model = onnx.load(copy)
    joined(model)
    small = [helper.make_tensor_value_info(f"grown {at}", TensorProto.FLOAT, [1, 1, 1, 1]) for at in range(24)]
    model.graph.value_info.extend(small)
    onnx.save(model, copy)
    assert refusal(copy) == "mine.onnx is no net of ours: it works on more than 50 million numbers"


@pytest.mark.parametrize(
    "how",
    [
        {"kernel_shape": [3, 3], "pads": [50_000] * 4},
        {"kernel_shape": [3, 3], "pads": [2**62] * 4},
        {"kernel_shape": [3, 3], "pads": [1] * 4, "dilations": [2, 2]},
        {"pads": [1] * 4},
        {},
    ],
)
def test_a_convolution_that_does_not_keep_the_board_as_large_as_it_is_is_not_run(
    copy: Path, how: dict[str, list[int]]
) -> None:
    model = onnx.load(copy)
    node(model, "Conv", ["planes", weight(model, "kernel", np.zeros((1, 27, 3, 3), np.float32))], "grown", **how)
    onnx.save(model, copy)
    assert refusal(copy) == "mine.onnx is no net of ours: it has another kind of Conv"


def test_numbers_are_not_made_texts(copy: Path) -> None:
    model = onnx.load(copy)
    node(model, "Cast", ["planes"], "texts", to=TensorProto.STRING)
    onnx.save(model, copy)
    assert refusal(copy) == "mine.onnx is no net of ours: it has another kind of Cast"


def test_weights_are_all_in_the_file_number_by_number(copy: Path) -> None:
    model = onnx.load(copy)
    values = helper.make_tensor("few", TensorProto.FLOAT, [1], [1.0])
    places = helper.make_tensor("places", TensorProto.INT64, [1], [0])
    model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, places, [2**40]))
    onnx.save(model, copy)
    assert refusal(copy) == "mine.onnx is no net of ours: it has sparse weights"

    model = onnx.load(shipped.FOLDER / "petrify.onnx")
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    copy.write_bytes(model.SerializeToString())
    assert refusal(copy) == "mine.onnx is no net of ours: its weights lie in another file"
    tensor.external_data.add(key="location", value="elsewhere.bin")
    copy.write_bytes(model.SerializeToString())
    assert refusal(copy) == "mine.onnx is no net of ours: its weights lie in another file"


def test_a_net_takes_planes_and_nothing_else(copy: Path) -> None:
    model = onnx.load(copy)
    model.graph.input.append(helper.make_tensor_value_info("more", TensorProto.FLOAT, [1]))
    onnx.save(model, copy)
    assert refusal(copy) == "mine.onnx is no net of ours: it takes something else than planes"


@pytest.mark.parametrize(
    "file",
    [*sorted(shipped.FOLDER.glob("*.onnx")), *sorted(RUNS.glob("*/net.onnx"))],
    ids=lambda file: file.parent.name + "-" + file.name,
)
def test_our_own_nets_are_far_below_the_bound(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("purlieu.nets.check.MOST_NUMBERS", MOST_NUMBERS // 10)
    Net(file)
