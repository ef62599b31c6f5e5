"""Steps of training, and the average of the weights over them, which is what plays."""

from __future__ import annotations

import contextlib
import copy
import time
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from purlieu.nets.shape import Shape
from purlieu.rules import PurlieuError

from ..data.settings import TrainingSettings, averaging, learning_rate
from ..network.evaluation import timing_event
from ..network.net import Net, channels_last
from .batches import Batch
from .losses import PARTS, Targets, losses

LOST = "the loss is no number any more; go on from the checkpoint with a lower lr"
WARM_UP = 3
"""Steps that are taken one kernel at a time first, so that libraries choose their kernels and take their memory."""
Learn = Callable[[Tensor, Targets], None]


class Trainer:
    """A net, its averaged copy and its optimizer."""

    def __init__(self, settings: TrainingSettings, shape: Shape, device: str) -> None:
        self.settings = settings
        self.device = torch.device(device)
        torch.manual_seed(settings.seed)
        self.net = Net(shape, settings.blocks, settings.channels).to(self.device)
        if self.device.type == "cuda":
            channels_last(self.net)
        self.ema = copy.deepcopy(self.net).requires_grad_(False).eval()
        weights = [each for each in self.net.parameters() if each.ndim > 1]
        biases = [each for each in self.net.parameters() if each.ndim <= 1]
        groups: list[dict[str, Any]] = [{"params": weights}, {"params": biases, "weight_decay": 0.0}]
        on_gpu = self.device.type == "cuda"
        self._rate = torch.tensor(settings.lr, device=self.device)
        """The learning rate, where a recorded step can read it."""
        self.optimizer = torch.optim.AdamW(
            groups,
            lr=self._rate if on_gpu else settings.lr,
            weight_decay=settings.weight_decay,
            fused=True,
            capturable=on_gpu,
        )
        self._recorded: dict[int, CudaGraphStep] = {}
        self.step = 0
        self._first_step = 0
        """Of the optimizer, which a net that was exported comes without."""
        self._taught = False
        """Whether the first weights came from a net."""
        self.lr = 0.0
        self.seconds = 0.0
        """That the device has trained, as of the last `parts`."""
        self._timed = 0
        """The steps in those seconds."""
        self._marks: list[tuple[torch.cuda.Event, torch.cuda.Event]] = []
        self._sums = torch.zeros(len(PARTS), device=self.device)
        self._steps = 0

    def train(self, rows: Batch, fall: float = 0.0) -> None:
        """One step."""
        begun = time.perf_counter()
        on_gpu = self.device.type == "cuda"
        marks = (timing_event(), timing_event()) if on_gpu else None
        if marks:
            marks[0].record()
        self.lr = learning_rate(self.settings, self.step - self._first_step, fall)
        if self.device.type == "cuda":
            self._rate.fill_(self.lr)
            if rows.size not in self._recorded:
                self._recorded[rows.size] = CudaGraphStep(rows, self.device)
            self._recorded[rows.size].run(rows, self._learn)
        else:
            for group in self.optimizer.param_groups:
                group["lr"] = self.lr
            self._learn(rows.planes, rows.targets)
        self._average()
        self._steps += 1
        self.step += 1
        if marks:
            marks[1].record()
            self._marks.append(marks)
        else:
            self.seconds += time.perf_counter() - begun
            self._timed += 1

    @property
    def step_seconds(self) -> float | None:
        """What a step takes, as of the last `parts`; None while none has been timed, as on a GPU before the first."""
        return self.seconds / self._timed if self._timed else None

    def _learn(self, planes: Tensor, targets: Targets) -> None:
        """Forward, backward, and a step of the optimizer. Nothing in it waits for the device."""
        on_gpu = self.device.type == "cuda"
        mixed = torch.autocast("cuda", torch.bfloat16, cache_enabled=False) if on_gpu else contextlib.nullcontext()
        layout = torch.channels_last if on_gpu else torch.contiguous_format
        self.optimizer.zero_grad(set_to_none=True)
        with mixed:
            outputs = self.net(planes.float().contiguous(memory_format=layout))
        loss, parts = losses(outputs, targets)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.settings.clip)
        self.optimizer.step()
        self._sums += parts

    def parts(self) -> dict[str, float]:
        """The means of the loss and its parts since this was last asked; nothing if there was no step."""
        if not self._steps:
            return {}
        means = (self._sums / self._steps).tolist()
        self.seconds += sum(first.elapsed_time(last) for first, last in self._marks) / 1000
        self._timed += len(self._marks)
        self._marks.clear()
        self._sums.zero_()
        self._steps = 0
        found = dict(zip(PARTS, means, strict=True))
        if not all(abs(mean) < float("inf") for mean in means):
            raise PurlieuError(LOST)
        return found

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps. Weights that are no numbers must not take the place of those before them."""
        if not all(bool(part.isfinite().all()) for net in (self.net, self.ema) for part in _numbers(net)):
            raise PurlieuError(LOST)
        return {
            "net": self.net.state_dict(),
            "ema": self.ema.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "first_step": self._first_step,
            "taught": self._taught,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.net.load_state_dict(state["net"])
        self.ema.load_state_dict(state["ema"])
        self.optimizer.load_state_dict(state["optimizer"])
        on_gpu = self.device.type == "cuda"
        decays = self.settings.weight_decay, 0.0
        # The run may have begun on another device, and with other settings: the optimizer's state keeps its own.
        for group, decay in zip(self.optimizer.param_groups, decays, strict=True):
            group["lr"] = self._rate if on_gpu else self.settings.lr
            group["weight_decay"] = decay
            group["capturable"] = on_gpu
        self._recorded.clear()
        self.step = int(state["step"])
        self._first_step = int(state.get("first_step", 0))
        self._taught = bool(state.get("taught", False))

    def begin(self, state: Mapping[str, Tensor], step: int = 0) -> None:
        """Begin with these weights, the averaged ones too, which so many steps have made."""
        self.net.load_state_dict(state)
        self.ema.load_state_dict(state)
        self.step = self._first_step = step
        self._taught = True

    def _average(self) -> None:
        kept = averaging(self.settings, self.step, taught=self._taught)
        torch._foreach_lerp_(_numbers(self.ema), _numbers(self.net), 1 - kept)


def _numbers(net: Net) -> list[Tensor]:
    """Weights and running statistics."""
    return [each.detach() for each in (*net.parameters(), *net.buffers())]


class CudaGraphStep:
    """A step of training as one recorded graph of the GPU: its hundreds of small kernels start as one.

    It takes the steps of one size, each of which reads its rows from the same place on the device. Launched one by one
    from Python, beside the threads of self-play, the kernels took about three times as long.
    """

    def __init__(self, rows: Batch, device: torch.device) -> None:
        self._planes = torch.empty_like(rows.planes, device=device)
        self._targets = Targets(*(torch.empty_like(part, device=device) for part in rows.targets))
        self._graph: torch.cuda.CUDAGraph | None = None
        self._taken = 0
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]

    def run(self, rows: Batch, learn: Learn) -> None:
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
