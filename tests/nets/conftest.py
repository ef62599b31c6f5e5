"""A net that may be spoilt, and why a file is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from purlieu.nets import Net, shipped
from purlieu.rules import PurlieuError


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A net of our own that may be spoilt."""
    return Path(shutil.copy(shipped.FOLDER / "petrify.onnx", tmp_path / "mine.onnx"))


def refusal(path: Path) -> str:
    with pytest.raises(PurlieuError) as caught:
        Net(path)
    return str(caught.value)
