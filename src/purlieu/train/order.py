"""What somebody asks for who starts a run. Needs no PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from purlieu.kit.packages import is_there
from purlieu.rules import PurlieuError

Tell = Callable[[str], None]
"""Takes a line that says where the run is."""


def until_nobody_hears(tell: Tell) -> Tell:
    """The same, but for as long as there is somebody to tell: a lost terminal or a broken pipe ends no run."""
    heard = True

    def told(text: str) -> None:
        nonlocal heard
        if heard:
            try:
                tell(text)
            except OSError:
                heard = False

    return told


NEEDED = {"torch": "PyTorch", "numpy": "NumPy", "onnx": "onnx", "onnxruntime": "onnxruntime"}


@dataclass(frozen=True, slots=True)
class Order:
    """A run: of which game, where, for how long, and how it differs from the usual."""

    game: str
    out: Path
    seconds: float | None = None
    """For this start of it, the last part of training and the checks before it included."""
    games: int | None = None
    """In all, those of earlier starts included."""
    resume: bool = False
    tiny: bool = False
    settings: Path | None = None
    overrides: dict[str, Any] = field(default_factory=dict)
    device: str | None = None
    begin_from: Path | None = None
    """The net.onnx or checkpoint whose weights a new run begins with."""


def require_packages() -> None:
    """What training needs beyond purlieu itself, or a sentence that names it."""
    missing = [shown for name, shown in NEEDED.items() if not is_there(name)]
    if missing:
        raise PurlieuError(f"purlieu train needs {' and '.join(missing)}: pip install 'purlieu[train]'")


def end_without_packages() -> None:
    """For what is run by ``python -m``, before it imports what may be missing: the same sentence, and the end."""
    try:
        require_packages()
    except PurlieuError as error:
        raise SystemExit(f"purlieu: {error}") from None
