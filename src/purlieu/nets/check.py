"""Whether a file is a net of ours, asked before anything in it is run.

A net is a graph of a few plain operators on small tensors. A file that is too large, damaged, of another game, or
that asks for anything else is refused with a sentence.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from purlieu.kit.files import told_by
from purlieu.rules import GAMES, PurlieuError

from .wire import beside_weights

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto

LARGEST_FILE = 64_000_000
"""Bytes; the nets that we ship have less than one million, and 4 million is the most that they may."""
MOST_BESIDE = 1_000_000
"""Bytes of a file that are not numbers of weights; ours have 20,000. What they list takes far more room in memory."""
MOST_NODES = 2_000
OPERATORS = frozenset(
    {"Add", "Mul", "Relu", "Conv", "Gemm", "Concat", "Flatten", "Unsqueeze", "Shape", "Cast"}
    | {"GlobalAveragePool", "GlobalMaxPool", "ReduceMean", "ReduceSum"}
    | {"QuantizeLinear", "DequantizeLinear"}
)
"""Those that `purlieu train` writes or wrote, and its `quantise`."""
OUTPUTS = ("policy", "value", "score", "own")
BYTES = {"FLOAT": 4, "INT8": 1, "INT32": 4, "INT64": 8, "UINT8": 1}
"""Of a number, by its type in ONNX; weights are of no other."""
MOST_BYTES = 200_000_000
"""Of all the tensors of a net on the largest board, weights among them; those that we ship have 6 million."""
LARGEST_SIDE = max(game.sizes[-1] for game in GAMES.values())


def read_checked(path: Path, sha256: str | None = None) -> tuple[bytes, dict[str, str]]:
    """The bytes of a net and what it says about itself; raises PurlieuError if it is none.

    With a hash the file must be that very one.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise PurlieuError(
            "nets.unreadable",
            "the net {name} cannot be read: {why}",
            name=path.name,
            why=told_by(error),
        ) from error
    if len(data) > LARGEST_FILE:
        raise PurlieuError(
            "nets.too_big",
            "{name} is no net of ours: it has more than {most} MB",
            name=path.name,
            most=LARGEST_FILE // 1_000_000,
        )
    if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
        raise PurlieuError(
            "nets.not_as_shipped", "the net {name} is damaged: it is not the file that was shipped", name=path.name
        )
    return data, _facts(path, data)


def _facts(path: Path, data: bytes) -> dict[str, str]:
    import onnx

    try:
        if beside_weights(data, MOST_BESIDE) > MOST_BESIDE:
            most = f"{MOST_BESIDE // 1_000_000} MB"
            raise PurlieuError(
                "nets.too_much_beside_weights",
                "{name} is no net of ours: it has more than {most} beside its weights",
                name=path.name,
                most=most,
            )
        model = onnx.load_model_from_string(data)
        _require_whole(path, model)
        onnx.checker.check_model(model)
    except PurlieuError:
        raise
    except Exception as error:  # whatever the parser makes of a damaged file
        raise PurlieuError("nets.no_onnx", "{name} is no ONNX file, or it is damaged", name=path.name) from error
    _require_plain(path, model)
    _require_small(path, model)
    return {entry.key: entry.value for entry in model.metadata_props}


def _require_whole(path: Path, model: ModelProto) -> None:
    """All weights lie in this file, number by number; asked first, as onnx would look for another file.

    A text, which may be of any length, is no number.
    """
    if any(tensor.data_location or tensor.external_data for tensor in model.graph.initializer):
        raise PurlieuError(
            "nets.weights_elsewhere", "{name} is no net of ours: its weights lie in another file", name=path.name
        )
    if model.graph.sparse_initializer:
        raise PurlieuError("nets.sparse_weights", "{name} is no net of ours: it has sparse weights", name=path.name)
    if any(_type_name(tensor.data_type) not in BYTES for tensor in model.graph.initializer):
        raise PurlieuError(
            "nets.odd_weights",
            "{name} is no net of ours: it has weights of another type than {what}",
            name=path.name,
            what=", ".join(BYTES),
        )


def _require_plain(path: Path, model: ModelProto) -> None:
    graph = model.graph
    strange = {node.op_type for node in graph.node} - OPERATORS
    if strange:
        raise PurlieuError(
            "nets.strange_operators",
            "{name} is no net of ours: it uses {what}",
            name=path.name,
            what=", ".join(sorted(strange)),
        )
    if any(node.domain not in ("", "ai.onnx") for node in graph.node) or model.functions:
        raise PurlieuError(
            "nets.own_operators",
            "{name} is no net of ours: it uses operators of its own",
            name=path.name,
        )
    if len(graph.node) > MOST_NODES:
        raise PurlieuError(
            "nets.too_many_nodes",
            "{name} is no net of ours: it has {count} nodes, more than {most}",
            name=path.name,
            count=len(graph.node),
            most=MOST_NODES,
        )
    odd = {node.op_type for node in graph.node if not _is_as_written(node)}
    if odd:
        raise PurlieuError(
            "nets.odd_inputs",
            "{name} is no net of ours: it has another kind of {what}",
            name=path.name,
            what=", ".join(sorted(odd)),
        )


def _is_as_written(node: NodeProto) -> bool:
    """Whether an operator that grows in more ways than by shape is used as in `purlieu.train.network.onnx_writer`."""
    from onnx import TensorProto, helper

    how = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    if node.op_type == "Conv":  # unpacks as many copies of its input as its kernel has cells
        return how in [{"kernel_shape": [side] * 2, "pads": [side // 2] * 4} for side in (1, 3)]
    return node.op_type != "Cast" or how == {"to": TensorProto.FLOAT}  # a text takes more room than a number


def _require_small(path: Path, model: ModelProto) -> None:
    """Add up what all tensors hold on the largest board, by their shapes alone.

    A small file can ask for any amount of memory: tensors double where one is joined to itself (Concat), and multiply
    where a row meets a column (Add, Mul, Gemm). A sum over all of them bounds it whatever the operators do, and holds
    for smaller boards too. Where a shape cannot be told without running the net, the file is none of ours. What the
    file itself says of shapes, its outputs' among them, is thrown away first, as onnx would believe it.
    """
    from onnx import ModelProto, shape_inference

    sized = ModelProto()
    sized.CopyFrom(model)
    graph = sized.graph
    planes = [dim for given in graph.input for dim in given.type.tensor_type.shape.dim]
    if [given.name for given in graph.input] != ["planes"] or len(planes) != 4:
        raise PurlieuError(
            "nets.takes_no_planes",
            "{name} is no net of ours: it takes something else than planes",
            name=path.name,
        )
    if [given.name for given in graph.output] != [*OUTPUTS]:
        raise PurlieuError(
            "nets.odd_outputs",
            "{name} is no net of ours: it gives out something else than {what}",
            name=path.name,
            what=", ".join(OUTPUTS),
        )
    for at, length in ((0, 1), (2, LARGEST_SIDE), (3, LARGEST_SIDE)):
        planes[at].dim_value = length
    del graph.value_info[:]
    for given in graph.output:
        given.type.tensor_type.ClearField("shape")
    try:
        room = _room(shape_inference.infer_shapes(sized, check_type=True, strict_mode=True).graph)
    except Exception as error:  # onnx raises classes of its own
        raise PurlieuError(
            "nets.tensors_do_not_fit",
            "{name} is no net of ours: its tensors do not fit its operators",
            name=path.name,
        ) from error
    if room > MOST_BYTES:
        raise PurlieuError(
            "nets.too_big_at_work",
            "{name} is no net of ours: it works on more than {most} MB",
            name=path.name,
            most=MOST_BYTES // 1_000_000,
        )


def _room(graph: GraphProto) -> int:
    """The bytes of the weights and of what the nodes make; raises KeyError or ValueError where nobody can say."""
    tensors = {known.name: known.type.tensor_type for known in (*graph.value_info, *graph.output)}
    told = {name: tensor for name, tensor in tensors.items() if tensor.HasField("shape")}
    made = (told[name] for node in graph.node for name in node.output if name)
    return sum(_bytes(tensor.data_type, tensor.dims) for tensor in graph.initializer) + sum(
        _bytes(tensor.elem_type, (dim.dim_value if dim.HasField("dim_value") else -1 for dim in tensor.shape.dim))
        for tensor in made
    )


def _bytes(kind: int, lengths: Iterable[int]) -> int:
    lengths = tuple(lengths)
    if any(length < 0 for length in lengths):
        raise ValueError("an unknown length")
    return BYTES[_type_name(kind)] * math.prod(lengths)


def _type_name(kind: int) -> str:
    from onnx import TensorProto

    return TensorProto.DataType.Name(kind) if kind in TensorProto.DataType.values() else "UNKNOWN"
