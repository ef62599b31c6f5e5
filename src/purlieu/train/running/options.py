"""What a run is asked for, and what all programs of training share. Needs no PyTorch."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from purlieu.kit.packages import is_there
from purlieu.rules import PurlieuError

Show = Callable[[str], None]
"""Shows a line that says where the run is."""
NEEDED = {"torch": "PyTorch", "numpy": "NumPy", "onnx": "onnx", "onnxruntime": "onnxruntime"}


def until_output_is_lost(show: Show) -> Show:
    """The same, until it fails: a lost terminal or a broken pipe ends no run."""
    lost = False

    def guarded(text: str) -> None:
        nonlocal lost
        if not lost:
            try:
                show(text)
            except OSError:
                lost = True

    return guarded


@dataclass(frozen=True, slots=True)
class RunOptions:
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


def exit_code(work: Callable[[], object]) -> int:
    """Do the work of a program; whatever goes wrong ends in one sentence and an exit code."""
    try:
        work()
    except PurlieuError as error:
        sentence = str(error)
    except OSError as error:
        sentence = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    except KeyboardInterrupt:
        return 130
    else:
        return 0
    sys.stderr.write(f"purlieu: {sentence}\n")
    return 1
