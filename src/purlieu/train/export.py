"""A net as a file that plays: ONNX, one file, held to the net it was made from."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import numpy as np
import torch

from purlieu import __version__
from purlieu.rules import GAMES, PurlieuError

from .evaluate import onnx_session
from .files import write_whole
from .net import Net, folded
from .onnx_graph import onnx_model
from .settings import Settings, plain

FORMAT = 1
MOST_APART = 1e-3


def export(net: Net, settings: Settings, counters: dict[str, float], commit: str, path: Path) -> float:
    """Write the net's ONNX file; returns how far its answers are from the net's own, at most."""
    metadata = {
        "format": str(FORMAT),
        "game": settings.game,
        "rules_version": str(GAMES[settings.game].rules_version),
        "planes": net.shape.fingerprint,
        "blocks": str(settings.blocks),
        "channels": str(settings.channels),
        "sizes": json.dumps(sorted(settings.sizes)),
        "purlieu": __version__,
        "commit": commit,
        "settings": json.dumps(plain(settings)),
        "counters": json.dumps(counters),
    }
    still = copy.deepcopy(net).float().cpu().eval()
    weights = {name: part.numpy() for name, part in folded(still.state_dict()).items()}
    data = onnx_model(net.shape, settings.blocks, weights, metadata).SerializeToString()
    sizes = sorted({min(settings.sizes), max(settings.sizes), max(settings.sizes) + 1})
    apart = max(_apart(data, still, size) for size in sizes)
    if not apart < MOST_APART:
        raise PurlieuError(f"the ONNX file does not say what the net says: {apart:g} apart, {MOST_APART:g} allowed")
    write_whole(path, lambda file: file.write(data))
    return apart


def _apart(data: bytes, net: Net, size: int) -> float:
    """The greatest difference between the net's answers and the file's, on made-up planes."""
    session = onnx_session(data)
    generator = torch.Generator().manual_seed(size)
    likely = torch.rand((3, net.shape.inputs, size, size), generator=generator)
    # Whole numbers that are about 0 to 1 once scaled, as the core's are.
    planes = (likely / net.scales.clamp(min=1 / 255)).round()
    with torch.inference_mode():
        expected = net(planes)
    found = session.run(list(expected._fields), {"planes": planes.numpy()})
    return max(float(np.abs(mine.numpy() - theirs).max()) for mine, theirs in zip(expected, found, strict=True))
