"""Long work on several positions: easy ones first, within limits, and nothing that was proved is proved again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from purlieu.core import core
from purlieu.rules import Position

from .notebook import Notebook
from .solve import Solution, new_solver

if TYPE_CHECKING:
    from purlieu.core._core import Solved

FIRST_NODES = 100_000
"""What each of several positions gets at first; four times as much in each further round."""
MOST_LOST = 0.2
"""The part of the work on the last position that may not be in the notebook yet when the process is killed."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Which position is being searched, and the work done for all of them so far."""

    name: str
    nodes: int
    seconds: float


class Prover:
    """Proves positions of one game and size. The limits hold for all of them together."""

    def __init__(
        self,
        notebook: Notebook | None = None,
        *,
        memory_mb: float = 1024,
        threads: int = 1,
        score: bool = False,
        seconds: float | None = None,
        nodes: int | None = None,
        on_progress: Callable[[Progress], object] | None = None,
    ) -> None:
        self.notebook = notebook
        self.solver = new_solver(memory_mb)
        self.loaded = notebook.load(self.solver) if notebook else 0
        self.threads = threads
        self.score = score
        self.most_seconds = seconds
        self.most_nodes = nodes
        self.on_progress = on_progress
        self._began = time.monotonic()

    @property
    def nodes(self) -> int:
        """How many positions were searched so far."""
        return self.solver.nodes

    @property
    def seconds(self) -> float:
        """How long it has been at work."""
        return time.monotonic() - self._began

    def prove(self, positions: Mapping[str, Position]) -> Iterator[tuple[str, Solution]]:
        """Each position's name with what it is worth, as it is found. Ends early where a limit comes first.

        All get a small budget of nodes, then those that are left a larger one; the last one left gets all. Where
        there is a notebook it gets all in slices, and after each the notebook is saved.
        """
        todo = {name: position.text() for name, position in positions.items()}
        spent = dict.fromkeys(todo, (0, 0.0))
        for name, text in list(todo.items()):
            if self.notebook and (known := self.notebook.find(text, score=self.score)):
                del todo[name]
                yield name, known
        budget = FIRST_NODES
        while todo:
            for name, text in list(todo.items()):
                left = None if self.most_nodes is None else max(0, self.most_nodes - self.nodes)
                is_last = len(todo) == 1
                most = _slice(spent[name][0]) if is_last else budget
                nothing_more = (is_last and self.notebook is None) or (left is not None and left <= most)
                nodes, began = self.nodes, time.monotonic()
                found = self._solve(name, text, left if nothing_more else most)
                spent[name] = spent[name][0] + self.nodes - nodes, spent[name][1] + time.monotonic() - began
                if found:
                    del todo[name]
                    yield name, self._keep(text, found, *spent[name])
                elif nothing_more or self._seconds_left() == 0:
                    return
            budget *= 4
            if todo:
                self.save()

    def save(self) -> None:
        """Keep what the solver remembers, where there is a notebook, so that a later run need not find it anew."""
        if self.notebook:
            self.notebook.save(self.solver)

    def _seconds_left(self) -> float | None:
        return None if self.most_seconds is None else max(0.0, self.most_seconds - self.seconds)

    def _solve(self, name: str, text: str, nodes: int | None) -> Solved | None:
        return self.solver.solve(
            core().Position.parse(text),
            seconds=self._seconds_left(),
            nodes=nodes,
            score=self.score,
            threads=self.threads,
            callback=lambda _nodes, _seconds: self._tell(name),
            interval=0.2,
        )

    def _tell(self, name: str) -> None:
        if self.on_progress:
            self.on_progress(Progress(name, self.nodes, self.seconds))

    def _keep(self, text: str, found: Solved, nodes: int, seconds: float) -> Solution:
        best, line = tuple(found.line[:1]), tuple(found.line)
        solution = Solution(text, found.value, found.margin, best, False, line, nodes, round(seconds, 3))
        if self.notebook:
            self.notebook.add(solution)
        return solution


def _slice(spent: int) -> int:
    """The nodes until the next save. They are counted, not timed, so that a proof takes as many on every machine."""
    return max(FIRST_NODES, round(spent * MOST_LOST / (1 - MOST_LOST)))
