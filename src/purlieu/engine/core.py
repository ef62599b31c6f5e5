"""The native core: which build of it this processor can run, and what it looks like from Python.

The core is built once for any processor and once more for those with AVX2, which is two to three times as
fast. `PURLIEU_CORE=plain` in the environment asks for the first.
"""

from __future__ import annotations

import functools
import importlib
import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, cast

from purlieu.rules import PurlieuError

if TYPE_CHECKING:
    from . import _core

Proven = Literal["win", "loss", "draw"]
"""What is known for certain, for the side to move."""


class Core(Protocol):
    """The native module: either build of it. Its classes are described in ``_core.pyi``, which the build makes."""

    Position: type[_core.Position]
    Search: type[_core.Search]
    Solver: type[_core.Solver]


@functools.cache
def core() -> Core:
    """The build of the core that suits this processor, loaded when it is first needed."""
    return cast(Core, importlib.import_module(f"purlieu.engine.{core_name()}"))


def core_name() -> str:
    """The name of the module that `core` loads."""
    wanted = os.environ.get("PURLIEU_CORE", "")
    if wanted not in ("", "plain", "avx2"):
        raise PurlieuError(f"PURLIEU_CORE is {wanted!r}; it may be plain or avx2, or be left out")
    suits = find_spec("purlieu.engine._core_avx2") is not None and has_avx2()
    return "_core_avx2" if wanted == "avx2" or (wanted == "" and suits) else "_core"


def has_avx2() -> bool:
    """Whether this processor has what the faster build uses; where the system does not tell, no."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return False
    flags = next((set(line.split()) for line in lines if line.startswith("flags")), set[str]())
    return {"avx2", "bmi1", "bmi2", "fma", "f16c", "movbe"} <= flags
