"""Saving a game so that nothing is ever lost or overwritten by surprise."""

from __future__ import annotations

from pathlib import Path

from purlieu.kit.files import write_whole
from purlieu.rules import Message, PurlieuError


class FileTaken(PurlieuError):
    """The file exists and is not this session's own."""


KINDS = (".pur", ".jsonl")


def unknown_kind(path: Path) -> PurlieuError:
    """What is said to a file's name that ends otherwise."""
    return PurlieuError("save.kind", "a game is saved as .pur or .jsonl, and {name} is neither", name=path.name)


class Saver:
    """Writes one game's record, whole or not at all, and remembers which files are this session's own."""

    def __init__(self, path: Path | None = None, *, own: Path | None = None) -> None:
        self.path = path
        """Where the game is kept after every turn, if anywhere."""
        self._own = {own.resolve()} if own else set()
        if path:
            self.require_free(path)

    def require_free(self, path: Path) -> None:
        """Refuses a file that holds something else, or whose kind we do not write."""
        if path.suffix.lower() not in KINDS:
            raise unknown_kind(path)
        if path.is_dir():
            raise PurlieuError("save.folder", "{path} is a folder", path=path)
        if path.exists() and path.resolve() not in self._own:
            raise FileTaken(Message("save.exists", "{path} exists already, and nothing was written", path=path))

    def save(self, path: Path, data: bytes, *, overwrite: bool = False) -> None:
        """Writes the file; from now on it is this session's own, and keeps the game unless another file does."""
        if not overwrite:
            self.require_free(path)
        write_whole(path, data)
        self._own.add(path.resolve())
        self.path = self.path or path
