"""Where proofs are kept: a file of solutions, and beside it what the solver had proved on the way to the next one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from purlieu.rules import GAMES, PurlieuError, parse

from .solve import Solution

if TYPE_CHECKING:
    from ._core import Solver

LEAST_WORK = 5
"""Proofs of 2^4 nodes and more are kept. With 2^9, a run cut off at three quarters had half its work to do again."""


class Notebook:
    """A file of solutions of one game and size. It only grows; a line that was cut off by a crash is dropped."""

    def __init__(self, path: Path, game: str, size: int) -> None:
        self.path = path
        self.proofs = path.with_suffix(".proofs")
        self.known: dict[str, Solution] = {}
        self._board = game, size
        self._title = f"{GAMES[game].title} {size}×{size}"
        self._read()
        self._check_proofs()

    def _read(self) -> None:
        with self.path.open("a+b") as file:  # Made here, so that a folder that is not there is found out at once.
            file.seek(0)
            text = file.read()
            whole = text.rfind(b"\n") + 1
            file.truncate(whole)
        for number, line in enumerate(text[:whole].decode(errors="replace").splitlines(), start=1):
            try:
                solution = Solution.from_json(line)
                position = parse(solution.position)
            except (ValueError, KeyError, TypeError) as error:
                raise PurlieuError(f"{self.path}, line {number} is no proof that purlieu wrote: {error}") from error
            if (position.game, position.size) != self._board:
                other = f"{GAMES[position.game].title} {position.size}×{position.size}"
                raise PurlieuError(f"{self.path} holds proofs of {other}; give another file for {self._title}")
            self.known[solution.position] = solution

    def _check_proofs(self) -> None:
        """The core takes any file of proofs, and forgets those of another game: that is for us to see."""
        if not self.proofs.exists():
            return
        with self.proofs.open("rb") as file:
            words = file.readline(100).decode(errors="replace").split()
        if len(words) != 2 or words[0] != "purlieu-proofs-1":
            raise PurlieuError(f"{self.proofs} is no file of proofs; move it away, or give another --out")
        if words[1].removeprefix("tiny") not in ("none", "{}{}".format(*self._board)):
            raise PurlieuError(f"{self.proofs} belongs to another game or size; give another --out for {self._title}")

    def find(self, position: str, *, score: bool) -> Solution | None:
        """What the file says about a position; with *score*, only if it knows the margin."""
        solution = self.known.get(position)
        return solution if solution and (solution.margin is not None or not score) else None

    def add(self, solution: Solution) -> None:
        """Write a solution down at once."""
        self.known[solution.position] = solution
        with self.path.open("a", encoding="utf-8") as file:
            file.write(solution.to_json() + "\n")

    def load(self, solver: Solver) -> int:
        """Give a solver what an earlier one had proved; the number of positions."""
        try:
            return solver.load(str(self.proofs)) if self.proofs.exists() else 0
        except RuntimeError as error:
            raise PurlieuError(str(error)) from error

    def save(self, solver: Solver) -> int:
        """Keep what was costly to prove; the number of positions. The old file stays until the new one is whole."""
        part = self.proofs.with_suffix(".proofs.part")
        try:
            number = solver.save(str(part), least_work=LEAST_WORK)
        except RuntimeError as error:
            raise PurlieuError(str(error)) from error
        os.replace(part, self.proofs)
        return number
