"""One run of ``purlieu solve``: prints what it proves, keeps it, and says how to go on if it was stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import typer

from purlieu.kit.progress import StatusLine
from purlieu.kit.streams import ignore_interrupts
from purlieu.rules import Position
from purlieu.rules.messages import listed
from purlieu.solver.prover import Progress, Prover
from purlieu.solver.solve import Solution
from purlieu.terminal.screen import Screen

from .solve_targets import find_openings
from .solve_words import as_data, limits, move_value, pie_rule, title, verdict, work

UNSOLVED, INTERRUPTED = 1, 130


class Run:
    """Proves what it is told to. Its methods give the exit code."""

    def __init__(self, prover: Prover, *, as_json: bool) -> None:
        self.prover = prover
        self.as_json = as_json
        self.status = StatusLine()
        prover.on_progress = self._show

    def openings(self, start: Position, openings: dict[str, Position]) -> int:
        """Every opening, each as soon as it is proved, then what they mean for the pie rule."""
        self._say(f"{title(start)}, with the pie rule off:")
        found: dict[str, Solution] = {}

        def told(move: str, solution: Solution) -> None:
            self._say(f"  {move}: {verdict(openings[move], solution)} ({work(solution.nodes, solution.seconds)})")
            self._say(f"      {' '.join(solution.line)}")

        code = self._prove(openings, found, told)
        in_order = {move: found[move] for move in openings if move in found}
        summary = pie_rule(openings, in_order, all_of_them=len(in_order) == len(find_openings(start)))
        if summary and not self.as_json:
            Screen().say(summary)
        data = [{"opening": move, **as_data(openings[move], solution)} for move, solution in in_order.items()]
        self._say_json(
            {
                "game": start.game,
                "size": start.size,
                "solved": code == 0,
                "openings": data,
                "summary": summary,
                "nodes": self.prover.nodes,
            }
        )
        return code

    def position(self, position: Position, *, every_move: bool) -> int:
        """One position, and what each of its moves is worth if that is wanted."""
        found: dict[str, Solution] = {}
        moves: dict[str, Solution] = {}

        def told(_: str, solution: Solution) -> None:
            mover = position.colour_to_move.title
            turn = "the game is over" if position.is_over else f"{mover} ({position.to_move.value} seat) to move"
            cost = work(solution.nodes, solution.seconds)
            self._say(f"{title(position)}, {turn}: {verdict(position, solution)} ({cost})")
            if solution.line:
                self._say(f"  {' '.join(solution.line)}")

        code = self._prove({title(position): position}, found, told)
        if code == 0 and every_move:
            after = {str(move): position.after(move) for move in position.legal_moves()}
            code = self._prove(after, moves)
            self._say_moves(moves)
        solution = next(iter(found.values()), None)
        data: dict[str, Any] = as_data(position, solution) if solution else {"position": position.text()}
        if every_move:
            data["moves"] = {move: _for_mover(solution) for move, solution in moves.items()}
        self._say_json({**data, "solved": code == 0})
        return code

    def _say_moves(self, moves: dict[str, Solution]) -> None:
        values = {move: _for_mover(solution) for move, solution in moves.items()}
        order = ("win", "draw", "loss")
        width = max(map(len, moves), default=0)
        for move in sorted(values, key=lambda m: (order.index(values[m]["value"]), -(values[m]["margin"] or 0))):
            self._say(f"  {move:{width}}  {move_value(**values[move])}")

    def _prove(
        self,
        positions: dict[str, Position],
        found: dict[str, Solution],
        told: Callable[[str, Solution], object] = lambda _name, _solution: None,
    ) -> int:
        """Fills *found*; says so if not all of it could be proved."""
        try:
            for name, solution in self.prover.prove(positions):
                self.status.clear()
                found[name] = solution
                told(name, solution)
        except KeyboardInterrupt:
            ignore_interrupts()
            self._stopped("interrupted", positions, found)
            return INTERRUPTED
        self.status.clear()
        if len(found) == len(positions):
            return 0
        self._stopped(f"not solved within {limits(self.prover.most_seconds, self.prover.most_nodes)}", positions, found)
        return UNSOLVED

    def _stopped(self, why: str, positions: dict[str, Position], found: dict[str, Solution]) -> None:
        self.prover.save()
        self.status.clear()
        missing = [name for name in positions if name not in found]
        notebook = self.prover.notebook
        further = (
            f"what was found is in {notebook.path} and {notebook.proofs}, and the same command goes on from there"
            if notebook
            else "with --out FILE.jsonl it could go on from here another time"
        )
        spent = work(self.prover.nodes, self.prover.seconds)
        typer.echo(f"purlieu: {why}: {listed(missing) if missing else 'all is proved'} ({spent}); {further}", err=True)

    def _show(self, progress: Progress) -> None:
        rate = progress.nodes / max(progress.seconds, 0.001)
        self.status.show(f"{progress.name}: {progress.nodes:,} nodes, {rate:,.0f} a second, {progress.seconds:.0f} s")

    def _say(self, line: str) -> None:
        if line and not self.as_json:
            typer.echo(line)

    def _say_json(self, data: dict[str, Any]) -> None:
        if self.as_json:
            typer.echo(json.dumps(data))


def _for_mover(after: Solution) -> dict[str, Any]:
    """What a move is worth to the one who makes it, from what the position after it is worth to the other."""
    value = {"win": "loss", "draw": "draw", "loss": "win"}[after.value]
    return {"value": value, "margin": None if after.margin is None else -after.margin}
