"""A step of training as one recorded graph of the GPU: its hundreds of small kernels start as one.

Launched one by one from Python, beside the threads of self-play, they took about three times as long.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .batches import Rows
from .evaluate import timing_event
from .losses import Targets

WARM_UP = 3
"""Steps that are taken one kernel at a time first, so that libraries choose their kernels and take their memory."""

Learn = Callable[[Tensor, Targets], None]


class RecordedStep:
    """The steps of one size. Each reads its rows from the same place on the device."""

    def __init__(self, rows: Rows, device: torch.device) -> None:
        self._planes = torch.empty_like(rows.planes, device=device)
        self._targets = Targets(*(torch.empty_like(part, device=device) for part in rows.targets))
        self._graph: torch.cuda.CUDAGraph | None = None
        self._taken = 0
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]

    def run(self, rows: Rows, learn: Learn) -> None:
        """Take a step. It may go on on the device after this returns."""
        current = torch.cuda.current_stream()
        self._stream.wait_stream(current)
        with torch.cuda.stream(self._stream):
            self._planes.copy_(rows.planes, non_blocking=True)
            for ours, theirs in zip(self._targets, rows.targets, strict=True):
                ours.copy_(theirs, non_blocking=True)
            rows.copied = timing_event()
            rows.copied.record()
            if self._graph is not None:
                self._graph.replay()
            elif self._taken < WARM_UP:
                learn(self._planes, self._targets)
            else:
                self._graph = self._record(learn)
                self._graph.replay()
        self._taken += 1
        current.wait_stream(self._stream)

    def _record(self, learn: Learn) -> torch.cuda.CUDAGraph:
        self._stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self._stream, capture_error_mode="thread_local"):
            learn(self._planes, self._targets)
        return graph
