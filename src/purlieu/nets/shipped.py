"""The nets that come with the package, and where each of them is the best player there is."""

from __future__ import annotations

import functools
import json
import logging
from dataclasses import dataclass
from pathlib import Path

from purlieu.kit.packages import is_there
from purlieu.rules import PurlieuError

from .net import Net, opened

FOLDER = Path(__file__).parent / "shipped"
MANIFEST = FOLDER / "nets.json"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Shipped:
    """A net of the manifest."""

    file: str
    sha256: str
    sizes: tuple[int, ...]
    """Those on which it, or a net that it has beaten since, won its match against the search by playouts."""


@functools.cache
def manifest() -> dict[str, Shipped]:
    """The shipped nets by game; none, and a word in the log, where their list is damaged."""
    try:
        entries = json.loads(MANIFEST.read_text(encoding="utf-8"))
        return {game: Shipped(entry["file"], entry["sha256"], tuple(entry["sizes"])) for game, entry in entries.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("the list of nets %s cannot be read (%r); the search by playouts plays instead", MANIFEST, error)
        return {}


def can_run() -> bool:
    """Whether what runs nets is installed."""
    return not missing()


def missing() -> list[str]:
    """The packages that nets need and that are not installed."""
    return [name for name in ("numpy", "onnx", "onnxruntime") if not is_there(name)]


@functools.cache
def net_for(game: str) -> Net | None:
    """The net that is shipped for a game; None, and a word in the log, where it cannot be had."""
    entry = manifest().get(game)
    if entry is None:
        return None
    if lacking := missing():  # not a warning: who installs purlieu alone may well mean it
        log.info(
            "without %s the search by playouts plays %s; pip install 'purlieu[net]' brings nets",
            " and ".join(lacking),
            game,
        )
        return None
    try:
        return opened(FOLDER / entry.file, sha256=entry.sha256)
    except PurlieuError as error:
        log.warning("%s; the search by playouts plays instead", error)
        return None


def serves(game: str, size: int) -> bool:
    """Whether the shipped net plays this game on boards of that side better than the search by playouts."""
    entry = manifest().get(game)
    return entry is not None and size in entry.sizes
