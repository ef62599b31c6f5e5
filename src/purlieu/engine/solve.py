"""Solved positions: what they are worth when both sides play perfectly, proved and written down.

`solve_position` proves one position. `solve_openings` proves every opening of a small board, one sub-problem at a
time; each proof is a line of a file as soon as it is found, and what a file holds already is not proved again::

    python -m purlieu.engine.solve pilo 4 --threads 16 --memory-gb 60 --seconds 570 --out pilo4.jsonl

Values are those of the side to move.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import purlieu
from purlieu.rules import Position, PurlieuError

from .core import Proven, core

if TYPE_CHECKING:
    from ._core import Position as CorePosition
    from ._core import Solved, Solver


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
    return core().Solver(memory_mb=memory_mb)


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
    text = position if isinstance(position, str) else position.text()
    solver = solver or new_solver(64)
    deadline = None if seconds is None else time.monotonic() + seconds
    start = core().Position.parse(text)

    def prove(at: CorePosition) -> Solved | None:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        return solver.solve(at, seconds=left, nodes=nodes, score=score, threads=threads)

    found = prove(start)
    if found is None:
        return None
    best = [] if found.best_move is None else [found.best_move]
    total, spent = found.nodes, found.seconds
    if every_move and not start.is_over:
        best = []
        worth = _worth(found)
        for move in start.legal_moves():
            after = start.play(move)
            answer = prove(after)
            if answer is None:
                return None
            total, spent = total + answer.nodes, spent + answer.seconds
            if tuple(-x for x in _worth(answer)) == worth:
                best.append(move)
    return Solution(
        start.text(), found.value, found.margin, tuple(best), every_move, tuple(found.line), total, round(spent, 3)
    )


def _worth(found: Solved) -> tuple[int, int]:
    return {"win": 1, "draw": 0, "loss": -1}[found.value], found.margin or 0


# --- openings of small boards


@dataclass(frozen=True, slots=True)
class Progress:
    """Where `solve_openings` is."""

    text: str
    nodes: int
    seconds: float


def distinct_openings(game: str, size: int) -> list[tuple[str, Position]]:
    """The first moves of Petrify or Pilo that differ by more than a turn or a mirror, with the pie rule off.

    "Off" is the position after the swap: the same board, the same colours and colour to move.

    >>> [move for move, _ in distinct_openings("petrify", 4)]
    ['a1', 'b1', 'b2']
    """
    start = purlieu.start(game, size)
    half = (size + 1) // 2
    return [
        (name, start.play(name).play("swap"))
        for row in range(half)
        for column in range(row, half)
        for name in [f"{chr(ord('a') + column)}{row + 1}"]
    ]


def solve_openings(
    game: str,
    size: int,
    out: Path,
    *,
    memory_mb: float = 1024,
    threads: int = 1,
    seconds: float | None = None,
    score: bool = False,
    split: int = 1,
    openings: Sequence[str] = (),
    report: Callable[[Progress], object] = lambda _: None,
) -> dict[str, Solution]:
    """Prove what each opening is worth, and write each proof to *out* at once. Resumes from what *out* holds.

    The first *split* plies are searched here, most promising sub-problem first: all get a small budget of nodes, then
    a larger one. Beside *out*, a file ``.proofs`` keeps the costly part of the solver's memory for the next run.
    """
    begun = time.monotonic()
    known = {s.position: s for s in read_solutions(out)}
    solver = new_solver(memory_mb)
    proofs = out.with_suffix(".proofs")
    if proofs.exists():
        report(Progress(f"{solver.load(str(proofs)):,} proved positions from {proofs.name}", 0, 0.0))

    def left() -> float | None:
        return None if seconds is None else seconds - (time.monotonic() - begun)

    def write(solution: Solution, name: str) -> None:
        known[solution.position] = solution
        with out.open("a") as file:
            file.write(solution.to_json() + "\n")
        report(
            Progress(f"{name}: {solution.value} for the side to move", solver.nodes, time.monotonic() - begun),
        )

    def prove(at: CorePosition, name: str, depth: int, budget: int) -> Solution | None:
        text = at.text()
        if text in known and (known[text].margin is not None or not score):
            return known[text]
        remaining = left()
        if remaining is not None and remaining <= 0:
            return None
        if depth == 0 or score:
            found = solver.solve(
                at,
                seconds=remaining,
                nodes=None if score else budget,
                score=score,
                threads=threads,
                callback=lambda n, s: report(Progress(f"{name}: {n:,} nodes", solver.nodes, time.monotonic() - begun)),
                interval=10,
            )
            if found is None:
                return None
            best = () if found.best_move is None else (found.best_move,)
            seconds_spent = round(found.seconds, 3)
            solution = Solution(
                text, found.value, found.margin, best, False, tuple(found.line), found.nodes, seconds_spent
            )
            write(solution, name)
            return solution
        nodes_before, time_before = solver.nodes, time.monotonic()
        children = [(move, at.play(move)) for move in at.legal_moves()]
        children.sort(key=lambda child: len(child[1].legal_moves()))
        answers = []
        for move, after in children:
            answer = prove(after, f"{name} {move}", depth - 1, budget)
            answers.append((move, answer))
            if answer is not None and answer.value == "loss":
                break
        best_first = sorted(
            ((m, a) for m, a in answers if a is not None), key=lambda x: ("loss", "draw", "win").index(x[1].value)
        )
        wins = bool(best_first) and best_first[0][1].value == "loss"
        if not wins and any(a is None for _, a in answers):
            return None
        move, answer = best_first[0]
        value: Proven = {"loss": "win", "draw": "draw", "win": "loss"}[answer.value]  # type: ignore[assignment]
        solution = Solution(
            text,
            value,
            None,
            (move,),
            False,
            (move, *answer.line),
            solver.nodes - nodes_before,
            round(time.monotonic() - time_before, 3),
        )
        write(solution, name)
        return solution

    found: dict[str, Solution] = {}
    todo = [(m, p) for m, p in distinct_openings(game, size) if not openings or m in openings]
    budget = 1_000_000
    try:
        while todo:
            for move, position in list(todo):
                solution = prove(core().Position.parse(position.text()), move, split, budget)
                if solution is not None:
                    found[move] = solution
                    todo.remove((move, position))
            if (remaining := left()) is not None and remaining <= 0:
                break
            budget *= 4
    finally:
        if todo:
            number = solver.save(str(proofs), least_work=10)
            report(Progress(f"kept {number:,} proved positions in {proofs.name}", solver.nodes, 0.0))
    return found


def read_solutions(path: Path) -> Iterator[Solution]:
    """The solutions in a file; none if there is no file."""
    if path.exists():
        for line in path.read_text().splitlines():
            if line.strip():
                yield Solution.from_json(line)


def main(arguments: Sequence[str] | None = None) -> int:
    """Solve the openings of a small board from the command line."""
    parser = argparse.ArgumentParser(prog="python -m purlieu.engine.solve", description=main.__doc__)
    parser.add_argument("game", choices=("petrify", "pilo"))
    parser.add_argument("size", type=int)
    parser.add_argument("--out", type=Path, help="file of proofs; what it holds is not proved again")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--memory-gb", type=float, default=1)
    parser.add_argument("--seconds", type=float, help="stop after so long; run again to go on")
    parser.add_argument("--score", action="store_true", help="prove the margin, too")
    parser.add_argument("--split", type=int, default=1, help="plies after the opening that are separate problems")
    parser.add_argument("--opening", action="append", default=[], help="only this one; may be repeated")
    options = parser.parse_args(arguments)
    out = options.out or Path(f"{options.game}{options.size}.jsonl")

    def report(progress: Progress) -> None:
        sys.stdout.write(f"{progress.seconds:8.1f} s {progress.nodes:15,} nodes  {progress.text}\n")
        sys.stdout.flush()

    try:
        found = solve_openings(
            options.game,
            options.size,
            out,
            memory_mb=options.memory_gb * 1024,
            threads=options.threads,
            seconds=options.seconds,
            score=options.score,
            split=options.split,
            openings=options.opening,
            report=report,
        )
    except PurlieuError as error:
        parser.error(str(error))
    colours = {"win": "Orange wins", "loss": "Blue wins", "draw": "a draw"}
    for move, solution in found.items():
        sys.stdout.write(f"{options.game} {options.size}: after {move}, {colours[solution.value]}")
        sys.stdout.write("\n" if solution.margin is None else f" by {abs(solution.margin)}\n")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
