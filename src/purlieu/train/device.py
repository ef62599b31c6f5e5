"""Where a net is trained and asked: a GPU, or the CPU."""

from __future__ import annotations

import os
import platform
import sys

import torch

from purlieu.rules import PurlieuError


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


def set_up(device: str) -> None:
    """What PyTorch and Python need to be fast there, beside threads that play."""
    if device == "cpu":
        torch.set_num_threads(1)  # the groups of games are the threads
    else:
        torch.backends.cudnn.benchmark = True
        torch.set_float32_matmul_precision("high")
        sys.setswitchinterval(0.0005)
