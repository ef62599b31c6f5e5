"""Whether a file is a net of ours, asked before anything in it is run.

A net is a graph of a few plain operators on small tensors. A file that is too large, damaged, of another game, or
that asks for anything else is refused with a sentence.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from purlieu.rules import PurlieuError

if TYPE_CHECKING:
    from onnx import ModelProto

LARGEST_FILE = 8_000_000
"""Bytes; the nets that we ship have at most half of that."""
MOST_NODES = 2_000
OPERATORS = frozenset(
    {"Add", "Mul", "Relu", "Conv", "Gemm", "Concat", "Flatten", "Unsqueeze", "Shape", "Cast"}
    | {"GlobalAveragePool", "GlobalMaxPool", "ReduceMean", "ReduceSum"}
    | {"QuantizeLinear", "DequantizeLinear"}
)
"""Those that `purlieu train` writes or wrote, and its `quantise`."""


def read_checked(path: Path, sha256: str | None = None) -> tuple[bytes, dict[str, str]]:
    """The bytes of a net and what it says about itself; raises PurlieuError if it is none.

    With a hash the file must be that very one.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise PurlieuError(f"the net {path.name} cannot be read: {error.strerror or error}") from error
    if len(data) > LARGEST_FILE:
        raise PurlieuError(f"{path.name} is no net of ours: it has more than {LARGEST_FILE // 1_000_000} MB")
    if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
        raise PurlieuError(f"the net {path.name} is damaged: it is not the file that was shipped")
    return data, _facts(path, data)


def _facts(path: Path, data: bytes) -> dict[str, str]:
    import onnx

    try:
        model = onnx.load_model_from_string(data)
        onnx.checker.check_model(model)
    except Exception as error:  # whatever the parser makes of a damaged file
        raise PurlieuError(f"{path.name} is no ONNX file, or it is damaged") from error
    _require_plain(path, model)
    return {entry.key: entry.value for entry in model.metadata_props}


def _require_plain(path: Path, model: ModelProto) -> None:
    graph = model.graph
    strange = {node.op_type for node in graph.node} - OPERATORS
    if strange:
        raise PurlieuError(f"{path.name} is no net of ours: it uses {', '.join(sorted(strange))}")
    if any(node.domain not in ("", "ai.onnx") for node in graph.node) or model.functions:
        raise PurlieuError(f"{path.name} is no net of ours: it uses operators of its own")
    if len(graph.node) > MOST_NODES:
        raise PurlieuError(f"{path.name} is no net of ours: it has {len(graph.node)} nodes, more than {MOST_NODES}")
    if any(tensor.external_data for tensor in graph.initializer):
        raise PurlieuError(f"{path.name} is no net of ours: its weights lie in another file")
