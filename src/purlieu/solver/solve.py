"""Solved positions: what one is worth when both sides play perfectly, proved. Values are those of the side to move."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from purlieu.core import Proven, core, within_means
from purlieu.rules import Position, PurlieuError, parse

if TYPE_CHECKING:
    from purlieu.core._core import Position as CorePosition
    from purlieu.core._core import Solved, Solver


@dataclass(frozen=True, slots=True)
class Solution:
    """What is proved of a position, for the side to move."""

    position: str
    value: Proven
    margin: int | None
    """Of the final score with perfect play, if that was asked for."""
    best_moves: tuple[str, ...]
    """Moves that are proved to reach the value; all of them, if ``all_best``."""
    all_best: bool
    line: tuple[str, ...]
    nodes: int
    seconds: float

    def to_json(self) -> str:
        """One line of a file of solutions."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Solution:
        """The inverse of `to_json`."""
        fields = json.loads(line)
        return cls(**{**fields, "best_moves": tuple(fields["best_moves"]), "line": tuple(fields["line"])})


def new_solver(memory_mb: float = 1024) -> Solver:
    """A solver that keeps what it proves from one position of a game and size to the next."""
    try:
        return core().Solver(memory_mb=memory_mb)
    except MemoryError:
        raise PurlieuError(
            "solver.no_memory",
            "there are no {memory_mb} MB of memory to be had; ask for less",
            memory_mb=f"{memory_mb:,.0f}",
        ) from None


def solve_position(
    position: Position | str,
    *,
    score: bool = False,
    every_move: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int = 1,
    solver: Solver | None = None,
) -> Solution | None:
    """Prove what a position is worth; None if a limit came first.

    With *score* the margin is proved as well; with *every_move* all moves that reach it are found.

    >>> solution = solve_position("petrify 3/1b1/3 ply=2 blue=second")
    >>> solution.value
    'loss'
    """
    text = (parse(position) if isinstance(position, str) else position).text()
    solver = solver or new_solver(64)
    deadline = None if seconds is None else time.monotonic() + seconds
    start = core().Position.parse(text)

    def prove(at: CorePosition) -> Solved | None:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            with within_means():
                return solver.solve(at, seconds=left, nodes=nodes, score=score, threads=threads)
        except ValueError as error:
            raise PurlieuError(str(error)) from None

    found = prove(start)
    if found is None:
        return None
    best = tuple(found.line[:1])
    total, spent = found.nodes, found.seconds
    if every_move and not start.is_over:
        best = ()
        for move in start.legal_moves():
            answer = prove(start.play(move))
            if answer is None:
                return None
            total, spent = total + answer.nodes, spent + answer.seconds
            if tuple(-x for x in _worth(answer)) == _worth(found):
                best += (move,)
    return Solution(
        start.text(), found.value, found.margin, best, every_move, tuple(found.line), total, round(spent, 3)
    )


def _worth(found: Solved) -> tuple[int, int]:
    return {"win": 1, "draw": 0, "loss": -1}[found.value], found.margin or 0


def read_solutions(path: Path) -> Iterator[Solution]:
    """The solutions in a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield Solution.from_json(line)
