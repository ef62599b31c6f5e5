"""The games that a run learns from: in memory to draw from, and on disk to go on with.

The newest rows count, as many as the window says. On disk they are chunks, ``replay/000001.games`` and so on, each
written whole; a chunk that lies wholly outside the window is deleted, unless all are to be kept. docs/selfplay.md says
what is in them.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from purlieu.core import core
from purlieu.kit.files import sweep, write_whole
from purlieu.rules import PurlieuError

if TYPE_CHECKING:
    from purlieu.core._core import Replay

LARGEST_CHUNK = 8 << 20
"""Bytes that are kept back before they are written."""
CHUNK = f"{6 * '[0-9]'}.games"
"""What chunks are called. Files of other names are somebody else's."""


class ReplayBuffer:
    """The games in memory and on disk. One thread adds and trims; another one may draw."""

    def __init__(self, folder: Path, game: str, threads: int, *, keep: bool = False) -> None:
        self.folder, self.game = folder, game
        self.keep = keep
        """Whether chunks outside the window stay on disk."""
        self.lock = threading.Lock()
        """Held while the core's store is busy: it has a lock of its own, but whoever waits for that holds up Python."""
        self.store: Replay = core().Replay(game, threads=threads)
        self.rows = 0
        """In memory."""
        self._chunks: list[tuple[Path, int]] = []
        self._pending: list[bytes] = []
        self._pending_rows = 0
        self._last = 0
        folder.mkdir(parents=True, exist_ok=True)

    def load(self, window: int) -> int:
        """Take up what an earlier run has left, the newest games, up to a window. Returns the rows."""
        sweep(self.folder, CHUNK)
        for path in sorted(self.folder.glob(CHUNK)):
            self._last = int(path.stem)
            try:
                self._chunks.append((path, self._add(path.read_bytes())[1]))
            except ValueError as error:
                raise PurlieuError(f"{path} is damaged: {error}; delete it to go on without its games") from None
            self._forget_chunks(window)
            self._trim(sum(rows for _, rows in self._chunks))
        return self.rows

    def add(self, data: bytes) -> tuple[int, int]:
        """Take in games as the core wrote them; returns how many they are, and their rows."""
        games, rows = self._add(data)
        self._pending.append(data)
        self._pending_rows += rows
        if sum(map(len, self._pending)) >= LARGEST_CHUNK:
            self.flush()
        return games, rows

    def flush(self) -> None:
        """Put on disk what is not there yet."""
        if not self._pending:
            return
        self._last += 1
        path = self.folder / f"{self._last:06}.games"
        write_whole(path, lambda file: file.writelines(self._pending))
        self._chunks.append((path, self._pending_rows))
        self._pending, self._pending_rows = [], 0

    def trim(self, window: int) -> None:
        """Forget what lies outside a window, in memory and on disk."""
        self._trim(window)
        self._forget_chunks(window)

    def sizes(self) -> dict[int, int]:
        """The rows in memory by size, where there are any."""
        with self.lock:
            return {size: rows for size, rows in self.store.sizes.items() if rows}

    def _trim(self, rows: int) -> None:
        with self.lock:
            self.store.trim(rows)
            self.rows = self.store.rows

    def _forget_chunks(self, window: int) -> None:
        """Chunks are forgotten while the newer ones alone fill the window."""
        while self._chunks and sum(rows for _, rows in self._chunks[1:]) >= window:
            path, _ = self._chunks.pop(0)
            if not self.keep:
                path.unlink(missing_ok=True)

    def _add(self, data: bytes) -> tuple[int, int]:
        before = self.rows
        games = self.store.add(data)
        with self.lock:
            self.rows = self.store.rows
        return games, self.rows - before
