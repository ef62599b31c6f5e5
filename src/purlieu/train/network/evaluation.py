"""What a net says of many positions at once: on a GPU as one recorded graph a batch, on a CPU plainly.

A lane is one batch of one size with memory of its own. The core writes planes into it and reads policy and value from
it; lanes of different threads may run at the same time.
"""

from __future__ import annotations

import os
import platform
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from purlieu.nets.shape import Shape
from purlieu.rules import PurlieuError

from .net import Net, Outputs, channels_last, folded, playing
from .onnx_writer import onnx_model, onnx_session

Interval = tuple[float, float]
"""When something began and when it ended, in seconds of one clock."""


class Lane(Protocol):
    """A batch of one size, and what a net says of it."""

    size: int
    planes: NDArray[np.uint8]
    policy: NDArray[np.float32]
    value: NDArray[np.float32]
    """[b, 2]: win chance (a draw counts half) and expected margin in points, for the side to move."""
    ran: Interval
    """When the device began the last evaluation and when it was done, on one clock for all lanes of a net."""

    def run(self) -> None:
        """Evaluate the planes; policy and value are there when it returns. Others may run meanwhile."""


class Lanes(Protocol):
    """Something that evaluates."""

    def lane(self, size: int, batch: int) -> Lane:
        """A new lane."""


def win_and_margin(outputs: Outputs, size: int) -> Tensor:
    """The two numbers that a search wants."""
    win, _, draw = torch.softmax(outputs.value.float(), 1).unbind(1)
    return torch.stack([win + draw / 2, outputs.score[:, 0].float() * size**2], 1)


class Evaluator(Lanes, Protocol):
    """A net that plays."""

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Play with these weights from now on; lanes may run meanwhile."""


def evaluator(net: Net, device: str) -> Evaluator:
    """The net as it plays best on a device."""
    return CpuEvaluator(net) if device == "cpu" else CudaEvaluator(net, device)


class CpuEvaluator:
    """A net on the threads that ask it. onnxruntime is twice as fast as PyTorch with nets and batches so small."""

    def __init__(self, net: Net) -> None:
        self.shape = net.shape
        self._blocks = len(net.blocks)
        self.load(net.state_dict())

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Play with these weights from now on."""
        weights = {name: part.float().cpu().numpy() for name, part in folded(state).items()}
        model = onnx_model(self.shape, self._blocks, weights, {}).SerializeToString()
        self.session = onnx_session(model)  # a lane that runs keeps the one it began with

    def lane(self, size: int, batch: int) -> Lane:
        """A new lane."""
        return CpuLane(self, size, batch)


class CpuLane:
    """A lane on the thread that runs it."""

    def __init__(self, evaluator: CpuEvaluator, size: int, batch: int) -> None:
        self.size, self.ran = size, (0.0, 0.0)
        self._evaluator = evaluator
        buffers = _buffers(evaluator.shape, size, batch, pinned=False)
        self.planes, self.policy, self.value = (buffer.numpy() for buffer in buffers)

    def run(self) -> None:
        """Evaluate the planes."""
        begun = time.perf_counter()
        asked = {"planes": self.planes.astype(np.float32)}
        outputs = Outputs(*map(torch.from_numpy, self._evaluator.session.run(Outputs._fields, asked)))
        self.policy[:] = outputs.policy.flatten(1).numpy()
        self.value[:] = win_and_margin(outputs, self.size).numpy()
        self.ran = begun, time.perf_counter()
        _require_numbers(self.value)


class CudaEvaluator:
    """A net in half precision on a GPU."""

    def __init__(self, net: Net, device: str) -> None:
        self.shape = net.shape
        self.device = torch.device(device)
        self.net = playing(net).to(self.device).half()
        channels_last(self.net)
        self.lock = threading.Lock()
        self.clock = CudaClock()
        self.load(net.state_dict())

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Play with these weights from now on. Recorded graphs read these very tensors: none may run meanwhile."""
        with self.lock:
            torch.cuda.synchronize(self.device)
            self.net.load_state_dict(folded(state))
            torch.cuda.synchronize(self.device)
            self.clock = CudaClock(self.clock)

    def lane(self, size: int, batch: int) -> Lane:
        """A new lane."""
        return CudaLane(self, size, batch)


class CudaClock:
    """When events of a GPU happened, on whichever streams: in seconds since the first clock of a chain.

    CUDA tells the time between two events as a float of milliseconds, which is too coarse after hours. So a new clock
    takes over from the one before now and then, and is told what that one says.
    """

    def __init__(self, before: CudaClock | None = None) -> None:
        self._event = timing_event()
        self._event.record()
        self._event.synchronize()
        self._seconds = before.seconds(self._event) if before else 0.0

    def seconds(self, event: torch.cuda.Event) -> float:
        """When an event happened that is over, and was recorded after this clock was made."""
        milliseconds: float = self._event.elapsed_time(event)
        return self._seconds + milliseconds / 1000


class CudaLane:
    """A lane on a stream of its own: copying in, the net and copying out are one recorded graph."""

    def __init__(self, evaluator: CudaEvaluator, size: int, batch: int) -> None:
        self.size, self.ran = size, (0.0, 0.0)
        self._evaluator = evaluator
        self._planes, self._policy, self._value = _buffers(evaluator.shape, size, batch, pinned=True)
        self.planes, self.policy, self.value = self._planes.numpy(), self._policy.numpy(), self._value.numpy()
        self._inside = torch.zeros(self._planes.shape, dtype=torch.uint8, device=evaluator.device)
        self._stream = torch.cuda.Stream(evaluator.device)  # type: ignore[no-untyped-call]
        self._begun, self._done = timing_event(), timing_event()
        with evaluator.lock:
            self._graph = self._record()

    def run(self) -> None:
        """Evaluate the planes."""
        with self._evaluator.lock, torch.cuda.stream(self._stream):
            clock = self._evaluator.clock
            self._begun.record()
            self._graph.replay()
            self._done.record()
        self._done.synchronize()
        self.ran = clock.seconds(self._begun), clock.seconds(self._done)
        _require_numbers(self.value)

    def _record(self) -> torch.cuda.CUDAGraph:
        self._stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self._stream):
            for _ in range(3):  # libraries choose their kernels and take their memory
                self._forward()
        self._stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self._stream, capture_error_mode="thread_local"):
            self._forward()
        torch.cuda.synchronize()
        return graph

    @torch.inference_mode()
    def _forward(self) -> None:
        self._inside.copy_(self._planes, non_blocking=True)
        outputs = self._evaluator.net(self._inside.to(torch.half, memory_format=torch.channels_last))
        policy = outputs.policy.to(torch.float, memory_format=torch.contiguous_format)
        self._policy.copy_(policy.flatten(1), non_blocking=True)
        self._value.copy_(win_and_margin(outputs, self.size), non_blocking=True)


class NullLanes:
    """Evaluates nothing, at once: what is left is the host's own work."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def lane(self, size: int, batch: int) -> Lane:
        """A new lane."""
        return _NullLane(self.shape, size, batch)


class _NullLane:
    ran = (0.0, 0.0)

    def __init__(self, shape: Shape, size: int, batch: int) -> None:
        self.size = size
        buffers: Any = _buffers(shape, size, batch, pinned=False)
        self.planes, self.policy, self.value = (buffer.numpy() for buffer in buffers)
        self.value[:, 0] = 0.5

    def run(self) -> None:
        """Nothing."""


def timing_event() -> torch.cuda.Event:
    """A mark on a stream, whose time can be told, and which can be waited for without keeping a core busy."""
    return torch.cuda.Event(enable_timing=True, blocking=True)  # type: ignore[no-untyped-call]


def _require_numbers(value: np.ndarray[Any, Any]) -> None:
    if not np.isfinite(value).all():
        raise PurlieuError("the net's answers are no numbers any more; a lower learning rate (lr) may help")


def _buffers(shape: Shape, size: int, batch: int, *, pinned: bool) -> tuple[Tensor, Tensor, Tensor]:
    planes = torch.zeros((batch, shape.inputs, size, size), dtype=torch.uint8, pin_memory=pinned)
    policy = torch.zeros((batch, shape.policy * size * size), dtype=torch.float32, pin_memory=pinned)
    value = torch.zeros((batch, 2), dtype=torch.float32, pin_memory=pinned)
    return planes, policy, value


def find_device(wanted: str | None) -> str:
    """The device asked for, if it is there; a GPU where there is one, if none was."""
    if wanted not in (None, "cpu", "cuda"):
        raise PurlieuError(f"the device {wanted!r} is not known; expected cpu or cuda")
    if wanted == "cuda" and not torch.cuda.is_available():
        raise PurlieuError("PyTorch finds no GPU here; --device cpu trains without one")
    return wanted or ("cuda" if torch.cuda.is_available() else "cpu")


def usable_cores() -> int:
    """The processor's cores that this process may use, as far as the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def device_name(device: str, threads: int) -> str:
    """What a run with so many threads of games is on."""
    if device == "cpu":
        return f"a CPU ({platform.machine()}, {threads} threads)"
    return f"{torch.cuda.get_device_name()} with {threads} threads"


def set_up_device(device: str) -> None:
    """What PyTorch and Python need to be fast there, beside threads that play."""
    if device == "cpu":
        torch.set_num_threads(1)  # the groups of games are the threads
    else:
        torch.backends.cudnn.benchmark = True
        torch.set_float32_matmul_precision("high")
        sys.setswitchinterval(0.0005)
