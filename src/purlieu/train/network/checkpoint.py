"""A run on disk: weights, optimizer and counters in one file of a few MiB, the last two of them kept.

A checkpoint is written beside, brought to the disk and then named, so a kill at any moment leaves the one before.
"""

from __future__ import annotations

import io
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from purlieu import __version__
from purlieu.kit.files import write_whole
from purlieu.nets.shape import Shape
from purlieu.rules import GAMES, PurlieuError

from ..data.metadata import counts_of
from ..data.run_folder import CHECKPOINTS
from ..data.settings import TrainingSettings, plain, settings_of
from .net import Net

FORMAT = 1
KEPT = 2


def save(
    folder: Path,
    state: dict[str, Any],
    settings: TrainingSettings,
    shape: Shape,
    counters: dict[str, float],
    commit: str,
) -> Path:
    """Write a checkpoint, and delete all but the last two."""
    content = {
        "format": FORMAT,
        "game": settings.game,
        "planes": shape.fingerprint,
        "settings": plain(settings),
        "seed": settings.seed,
        "counters": counters,
        "commit": commit,
        "version": __version__,
        "rules_version": GAMES[settings.game].rules_version,
        **state,
    }
    path = folder / f"checkpoint-{int(state['step']):09}.pt"
    write_whole(path, lambda file: torch.save(content, file))
    for old in sorted(folder.glob(CHECKPOINTS))[:-KEPT]:
        old.unlink()
    return path


def newest(folder: Path) -> Path | None:
    """The last checkpoint of a run, if there is one."""
    found = sorted(folder.glob(CHECKPOINTS))
    return found[-1] if found else None


def load(
    path: Path, shape: Shape, *, advice: str = "delete it to go on from the one before"
) -> tuple[dict[str, Any], TrainingSettings, dict[str, float]]:
    """A checkpoint's state, settings and counters, if it is one that can be gone on from; with advice if not."""
    try:
        data = io.BytesIO(path.read_bytes())
    except OSError as error:
        raise PurlieuError(f"the checkpoint {path} cannot be read: {error.strerror or error}") from None
    try:
        content: dict[str, Any] = torch.load(data, map_location="cpu", weights_only=True)
        kind, game = content["format"], content["game"]
    except Exception:
        raise PurlieuError(f"{path} is damaged or no checkpoint; {advice}") from None
    if kind != FORMAT:
        raise PurlieuError(f"{path} is a checkpoint of format {kind}, and this purlieu reads format {FORMAT}")
    title = GAMES[shape.game].title
    if game != shape.game:
        raise PurlieuError(f"{path} is a checkpoint of {game!r}, not of {shape.game!r}")
    if content.get("rules_version") != GAMES[game].rules_version:
        raise PurlieuError(f"{path} learned other rules of {title} than this purlieu plays")
    if content.get("planes") != shape.fingerprint:
        raise PurlieuError(f"{path} belongs to a net with other planes than this purlieu's core writes")
    try:
        state = {name: content[name] for name in ("net", "ema", "optimizer", "step")}
        state |= {"first_step": content.get("first_step", 0), "taught": content.get("taught", False)}
        settings, counters = settings_of(content["settings"]), counts_of(content["counters"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise PurlieuError(f"{path} lacks parts of a checkpoint; {advice}") from None
    if not all(_fit(state[name], shape, settings) for name in ("net", "ema")):
        size = f"{settings.blocks} blocks of {settings.channels} channels"
        raise PurlieuError(f"{path} does not hold the weights of a net of {size}, as its settings say; {advice}")
    return state, settings, counters


def _fit(weights: object, shape: Shape, settings: TrainingSettings) -> bool:
    """Whether weights are those of a net that learns, as large as the settings say."""
    with torch.device("meta"):  # where tensors have shapes and take no room
        own = Net(shape, settings.blocks, settings.channels).state_dict()
    return isinstance(weights, dict) and _shapes(weights) == _shapes(own)


def _shapes(weights: Mapping[Any, object]) -> dict[object, object]:
    return {name: part.shape if isinstance(part, torch.Tensor) else None for name, part in weights.items()}


def commit() -> str:
    """The commit of the source that runs, where it comes from a repository and there is a git to ask.

    A package that is installed in an environment inside somebody's repository does not come from that.
    """
    source = Path(__file__)
    try:
        _git(source.parent, "ls-files", "--error-unmatch", source.name)
        return _git(source.parent, "describe", "--always", "--dirty", "--abbrev=40")
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, timeout=10, check=True
    ).stdout.strip()
