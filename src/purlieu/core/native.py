"""The native core: which build of it this processor can run, and what it looks like from Python.

The core is built once for any processor and once more for those with AVX2, which is two to three times as
fast. `PURLIEU_CORE=plain` in the environment asks for the first.
"""

from __future__ import annotations

import errno
import functools
import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, Protocol, cast

from purlieu.rules import Position, PurlieuError, parse
from purlieu.rules.pyloff import PyloffPosition

if TYPE_CHECKING:
    from purlieu.core import _core

Proven = Literal["win", "loss", "draw"]
"""What is known for certain, for the side to move."""


class Core(Protocol):
    """The native module: either build of it. Its classes are described in ``_core.pyi``, which the build makes."""

    Position: type[_core.Position]
    Search: type[_core.Search]
    Solver: type[_core.Solver]
    SelfPlay: type[_core.SelfPlay]
    Replay: type[_core.Replay]
    BatchEnv: type[_core.BatchEnv]

    def net_shape(self, game: str, size: int) -> _core.NetShape:
        """What goes into a net of a game and what comes out."""


@functools.cache
def core() -> Core:
    """The build of the core that suits this processor, loaded when it is first needed."""
    return cast(Core, importlib.import_module(f"purlieu.core.{core_name()}"))


def rules_position(position: _core.Position) -> Position:
    """The same position as the rules hold it. No rule is asked: what the core played stays played."""
    if position.game != PyloffPosition.game:
        return parse(position.text())
    boards, passes = position.pyloff_boards()
    return PyloffPosition(tuple(boards), position.ply + 1 - len(boards), passes)


@contextmanager
def within_means() -> Iterator[None]:
    """What this machine has no memory or no threads for ends in a sentence."""
    try:
        yield
    except MemoryError:
        raise PurlieuError(
            "core.no_memory", "this machine has not enough memory for that; ask for less at a time"
        ) from None
    except RuntimeError as error:  # as the core's threads tell it
        if str(error) != os.strerror(errno.EAGAIN):
            raise
        raise PurlieuError("core.no_threads", "this machine allows no more threads; ask for fewer") from None


def core_name() -> str:
    """The name of the module that `core` loads."""
    wanted = os.environ.get("PURLIEU_CORE", "")
    if wanted not in ("", "plain", "avx2"):
        raise PurlieuError(
            "core.unknown_variant",
            "PURLIEU_CORE is {wanted}; it may be plain or avx2, or be left out",
            wanted=repr(wanted),
        )
    if wanted:
        return "_core_avx2" if wanted == "avx2" else "_core"
    from purlieu.core import _core

    # Where the processor is of another kind, there is no second build.
    suits = _core.runs_avx2() and find_spec("purlieu.core._core_avx2") is not None
    return "_core_avx2" if suits else "_core"
