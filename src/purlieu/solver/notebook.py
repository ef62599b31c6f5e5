"""Where proofs are kept: a file of solutions, and beside it what the solver had proved on the way to the next one."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

from purlieu.kit.files import put_in_place
from purlieu.kit.locks import hold
from purlieu.rules import GAMES, Message, PurlieuError, parse

from .solve import Solution

if TYPE_CHECKING:
    from purlieu.core._core import Solver

LEAST_WORK = 5
"""Proofs of 2^4 nodes and more are kept. With 2^9, a run cut off at three quarters had half its work to do again."""


class Notebook:
    """A file of solutions of one game and size, ours alone until it is closed.

    It only grows; a line that was cut off by a crash is dropped.
    """

    def __init__(self, path: Path, game: str, size: int) -> None:
        self.path = path
        self.proofs = path.with_suffix(".proofs")
        self.known: dict[str, Solution] = {}
        self._board = game, size
        self._title = f"{GAMES[game].title} {size}×{size}"
        self._file: IO[bytes] = path.open("a+b")  # Made here: a folder that is not there is found out at once.
        try:
            hold(
                self._file,
                Message(
                    "solver.in_use",
                    "{path} is in use by another run; wait for its end, or give another --out",
                    path=path,
                ),
            )
            self._read()
            self._check_proofs()
        except BaseException:
            self._file.close()
            raise

    def _read(self) -> None:
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        for number, line in enumerate(text[:whole].decode(errors="replace").splitlines(), start=1):
            try:
                solution = Solution.from_json(line)
                position = parse(solution.position)
            except (ValueError, KeyError, TypeError) as error:
                raise PurlieuError(
                    "solver.bad_line",
                    "{path}, line {number} is no proof that purlieu wrote: {error}",
                    path=self.path,
                    number=number,
                    error=error,
                ) from error
            if (position.game, position.size) != self._board:
                other = f"{GAMES[position.game].title} {position.size}×{position.size}"
                raise PurlieuError(
                    "solver.proofs_of_another_game",
                    "{path} holds proofs of {other}; give another file for {title}",
                    path=self.path,
                    other=other,
                    title=self._title,
                )
            self.known[solution.position] = solution
        if whole < len(text):
            self._require_cut_off(text)
            self._file.truncate(whole)

    def _require_cut_off(self, text: bytes) -> None:
        """A file without a whole line is ours only if it begins as `to_json` does, and does not end so: else it is
        somebody's, and stays."""
        begin = f'{{"position": "{self._board[0]} '.encode()
        if not self.known and (not begin.startswith(text[: len(begin)]) or text.rstrip().endswith(b"}")):
            raise PurlieuError(
                "solver.foreign_first_line",
                "{path}, line 1 was not left half written by a run for {title}; give another --out",
                path=self.path,
                title=self._title,
            )

    def close(self) -> None:
        """Let others use it."""
        self._file.close()

    def _check_proofs(self) -> None:
        """The core takes any file of proofs, and forgets those of another game: that is for us to see."""
        if not self.proofs.exists():
            return
        with self.proofs.open("rb") as file:
            words = file.readline(100).decode(errors="replace").split()
        if len(words) != 2 or words[0] != "purlieu-proofs-1":
            raise PurlieuError(
                "solver.no_proofs_file",
                "{proofs} is no file of proofs; move it away, or give another --out",
                proofs=self.proofs,
            )
        if words[1].removeprefix("tiny") not in ("none", "{}{}".format(*self._board)):
            raise PurlieuError(
                "solver.proofs_file_of_another_game",
                "{proofs} belongs to another game or size; give another --out for {title}",
                proofs=self.proofs,
                title=self._title,
            )

    def find(self, position: str, *, score: bool) -> Solution | None:
        """What the file says about a position; with *score*, only if it knows the margin."""
        solution = self.known.get(position)
        return solution if solution and (solution.margin is not None or not score) else None

    def add(self, solution: Solution) -> None:
        """Write a solution down at once."""
        self.known[solution.position] = solution
        self._file.write(solution.to_json().encode() + b"\n")
        self._file.flush()

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
        put_in_place(part, self.proofs)
        return number
