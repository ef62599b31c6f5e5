"""The native core: which build of it this processor can run, and what it looks like from Python.

The core is built once for any processor and once more for those with AVX2, which is two to three times as
fast. `PURLIEU_CORE=plain` in the environment asks for the first.
"""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Protocol, cast

from purlieu.rules import PurlieuError

Proven = Literal["win", "loss", "draw"]
"""What is known for certain, for the side to move."""


class MoveReport(Protocol):
    """What a search found about one move of its root."""

    @property
    def move(self) -> str: ...
    @property
    def visits(self) -> int: ...
    @property
    def share(self) -> float: ...
    @property
    def win_chance(self) -> float: ...
    @property
    def expected_score(self) -> float: ...
    @property
    def proven(self) -> Proven | None: ...


class PlayoutTotals(Protocol):
    """What came of a number of random games."""

    @property
    def games(self) -> int: ...
    @property
    def plies(self) -> int: ...
    @property
    def first_wins(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def seconds(self) -> float: ...


class Report(Protocol):
    """What a search has found so far, for the side to move."""

    @property
    def simulations(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def best_move(self) -> str: ...
    @property
    def win_chance(self) -> float: ...
    @property
    def expected_score(self) -> float: ...
    @property
    def proven(self) -> Proven | None: ...
    @property
    def line(self) -> Sequence[str]: ...
    @property
    def moves(self) -> Sequence[MoveReport]: ...


class CorePosition(Protocol):
    """A position as the core holds it; immutable, and its moves are texts."""

    @property
    def game(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def ply(self) -> int: ...
    @property
    def to_move(self) -> str: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def winner(self) -> str | None: ...
    def legal_moves(self) -> list[str]: ...
    def play(self, move: str) -> CorePosition: ...
    def score(self) -> tuple[int, int]: ...
    def text(self) -> str: ...
    def hash(self) -> int: ...
    def check(self) -> bool: ...
    def perft(self, depth: int) -> int: ...
    def playouts(self, *, games: int | None = None, seconds: float | None = None, seed: int = 1) -> PlayoutTotals: ...


class Search(Protocol):
    """A search of one position, which `stop` may end from any thread."""

    @property
    def position(self) -> CorePosition: ...
    def run(
        self,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        callback: Callable[[Report], object] | None = None,
        interval: float = 0.25,
    ) -> Report: ...
    def stop(self) -> None: ...
    def report(self) -> Report: ...
    def advance(self, move: str) -> None: ...


class PositionMaker(Protocol):
    """The core's class of positions."""

    def parse(self, text: str) -> CorePosition: ...
    def start(self, game: str, size: int) -> CorePosition: ...


class SearchMaker(Protocol):
    """The core's class of searches."""

    def __call__(
        self, position: CorePosition, *, threads: int, seed: int, memory_mb: int, preset: str, **settings: Any
    ) -> Search: ...


class Core(Protocol):
    """The native module."""

    Position: PositionMaker
    Search: SearchMaker


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
