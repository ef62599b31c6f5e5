"""A file that would take more memory than any net of ours is refused before it is run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from purlieu.nets import Net, shipped
from purlieu.nets.check import MOST_BESIDE, MOST_BYTES

from .conftest import refusal

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


@pytest.mark.parametrize(
    ("grow", "why"),
    [(grow, "it works on more than 200 MB") for grow in LARGE]
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
    assert refusal(copy) == "mine.onnx is no net of ours: it works on more than 200 MB"


def test_what_a_file_says_about_the_shapes_of_its_outputs_is_not_believed(copy: Path) -> None:
    model = onnx.load(copy)
    (score,) = (each for each in model.graph.node if each.output[0] == "score")
    score.output[0] = "score before"
    axis = node(model, "Shape", ["planes"], "axis", start=0, end=1)
    node(model, "ReduceSum", [weight(model, "row", np.zeros((1, 1, 20_000), np.float32)), axis], "score")
    model.graph.output[2].CopyFrom(helper.make_tensor_value_info("score", TensorProto.FLOAT, [1, 1, 1]))
    onnx.save(model, copy)
    assert refusal(copy) == "mine.onnx is no net of ours: its tensors do not fit its operators"


def test_a_net_gives_out_its_four_answers_and_nothing_else(copy: Path) -> None:
    refused = "mine.onnx is no net of ours: it gives out something else than policy, value, score, own"
    model = onnx.load(copy)
    shape_that_only_running_tells(model)
    model.graph.output.append(helper.make_tensor_value_info("unknown", TensorProto.FLOAT, [1]))
    onnx.save(model, copy)
    assert refusal(copy) == refused
    model = onnx.load(shipped.FOLDER / "petrify.onnx")
    del model.graph.output[3]
    onnx.save(model, copy)
    assert refusal(copy) == refused


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


@pytest.mark.parametrize(
    "tensor",
    [
        TensorProto(name="more", dims=[1], data_type=TensorProto.STRING, string_data=[b"x" * 500_000]),
        helper.make_tensor("more", TensorProto.BFLOAT16, [1], [1.0]),
        TensorProto(name="more", dims=[1], data_type=99, raw_data=b"1234"),
    ],
    ids=["a text", "short floats", "a type that nobody knows"],
)
def test_weights_are_of_the_types_of_ours(copy: Path, tensor: TensorProto) -> None:
    model = onnx.load(copy)
    model.graph.initializer.append(tensor)
    copy.write_bytes(model.SerializeToString())
    told = "it has weights of another type than FLOAT, INT8, INT32, INT64, UINT8"
    assert refusal(copy) == f"mine.onnx is no net of ours: {told}"


def repeated(field: int, part: bytes, times: int) -> bytes:
    """The bytes of that many equal parts of a message."""
    return (bytes([field << 3 | 2, len(part)]) + part) * times


def in_graph(parts: bytes) -> bytes:
    length = len(parts)
    return (
        b"\x3a" + bytes([length & 127 | 128, length >> 7 & 127 | 128, length >> 14 & 127 | 128, length >> 21]) + parts
    )


@pytest.mark.parametrize(
    "listed",
    [in_graph(repeated(field, b"", 2_000_000)) for field in (1, 5, 11, 12, 13)]
    + [repeated(14, b"", 2_000_000), in_graph(repeated(1, repeated(1, b"", 30), 40_000))],
    ids=["nodes", "weights", "inputs", "outputs", "shapes", "facts", "inputs of nodes"],
)
def test_a_file_that_lists_millions_of_anything_is_not_parsed(
    copy: Path, listed: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parse(data: bytes) -> ModelProto:
        raise MemoryError(f"{len(data)} bytes are parsed")

    monkeypatch.setattr(onnx, "load_model_from_string", parse)
    copy.write_bytes(copy.read_bytes() + listed)
    assert refusal(copy) == "mine.onnx is no net of ours: it has more than 1 MB beside its weights"


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
def test_our_own_nets_are_far_below_the_bounds(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("purlieu.nets.check.MOST_BYTES", MOST_BYTES // 10)
    monkeypatch.setattr("purlieu.nets.check.MOST_BESIDE", MOST_BESIDE // 10)
    Net(file)
