"""Batches of rows, drawn on a thread of their own so that they are there when the device wants them."""

from __future__ import annotations

import queue
import random
import threading

import torch
from torch import Tensor

from purlieu.kit.interrupts import Worker
from purlieu.nets.shape import Shape

from ..data.settings import TrainingSettings
from .losses import Targets
from .replay import ReplayBuffer

AHEAD = 3
"""So many batches are ready, or being used."""


class Batch:
    """Memory for a batch of one size. A copy out of it may run until `copied`."""

    def __init__(self, shape: Shape, size: int, rows: int, *, pinned: bool) -> None:
        def make(*dims: int, dtype: torch.dtype = torch.float32) -> Tensor:
            return torch.zeros((rows, *dims), dtype=dtype, pin_memory=pinned)

        self.size = size
        self.planes = make(shape.inputs, size, size, dtype=torch.uint8)
        self.targets = Targets(
            policy=make(shape.policy * size * size),
            value=make(3),
            margin=make(),
            owners=make(shape.maps, size, size, dtype=torch.uint8),
            weight=make(),
        )
        self.copied: torch.cuda.Event | None = None


class BatchLoader:
    """Draws batches from the replay until it is stopped. Each is to be given back after use."""

    def __init__(
        self, replay: ReplayBuffer, settings: TrainingSettings, shape: Shape, *, pinned: bool, seed: int
    ) -> None:
        self._replay, self._settings, self._shape, self._pinned = replay, settings, shape, pinned
        self._random = random.Random(f"batches {seed}")
        self._ready: queue.Queue[Batch] = queue.Queue()
        self._free = threading.Semaphore(AHEAD)
        self._used: dict[int, list[Batch]] = {size: [] for size in settings.sizes}
        self._stop = False
        self._failure: BaseException | None = None
        self._thread = Worker(self._work)
        self._thread.start()

    def get(self, seconds: float) -> Batch | None:
        """The next batch, or nothing if there is none after so long."""
        if self._failure is not None:
            raise self._failure
        try:
            return self._ready.get(timeout=seconds)
        except queue.Empty:
            return None

    def give_back(self, rows: Batch) -> None:
        """Its replay may be used again."""
        self._used[rows.size].append(rows)
        self._free.release()

    def stop(self) -> None:
        """No more batches."""
        self._stop = True
        self._free.release()
        try:
            self._thread.join()
        finally:  # it is in the core, so a second Ctrl-C waits for it too
            self._thread.join()

    def _work(self) -> None:
        try:
            while True:
                self._free.acquire()
                if self._stop:
                    return
                self._ready.put(self._draw())
        except BaseException as error:
            self._failure = error

    def _draw(self) -> Batch:
        settings = self._settings
        while True:
            sizes = [size for size in self._replay.sizes() if size in settings.sizes]
            size = self._random.choices(sizes, [settings.sizes[each] for each in sizes])[0]
            rows = self._used[size].pop() if self._used[size] else None
            rows = rows or Batch(self._shape, size, settings.batch, pinned=self._pinned)
            if rows.copied is not None:
                rows.copied.synchronize()
            with self._replay.lock:
                if self._replay.store.sizes.get(size):
                    self._replay.store.sample(
                        size,
                        rows.planes.numpy(),
                        *(part.numpy() for part in rows.targets),
                        seed=self._random.getrandbits(63),
                        value_mix=settings.value_mix,
                    )
                    return rows
            self._used[size].append(rows)  # its last games have been forgotten since it was chosen
