"""One run of ``purlieu solve``: prints what it proves, keeps it, and says how to go on if it was stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import typer

from purlieu.kit.progress import StatusLine
from purlieu.kit.streams import ignore_interrupts
from purlieu.languages import say
from purlieu.rules import Message, Position
from purlieu.rules.messages import listed
from purlieu.solver.prover import Progress, Prover
from purlieu.solver.solve import Solution
from purlieu.terminal.screen import Screen

from .options import tell, warn
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
        self._say(Message("solve.pie_rule_off", "{board}, with the pie rule off:", board=title(start)))
        found: dict[str, Solution] = {}

        def told(move: str, solution: Solution) -> None:
            sentence = Message(
                "solve.opening",
                "{move}: {verdict} ({work})",
                move=move,
                verdict=verdict(openings[move], solution),
                work=work(solution.nodes, solution.seconds),
            )
            self._say(f"  {say(sentence)}")
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
            told = {
                "board": title(position),
                "colour": position.colour_to_move.title,
                "seat": position.to_move.word,
                "verdict": verdict(position, solution),
                "work": work(solution.nodes, solution.seconds),
            }
            if position.is_over:
                self._say(Message("solve.over", "{board}, the game is over: {verdict} ({work})", **told))
            else:
                self._say(
                    Message("solve.position", "{board}, {colour} ({seat} seat) to move: {verdict} ({work})", **told)
                )
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
            self._say(f"  {move:{width}}  {say(move_value(**values[move]))}")

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
            self._stopped(Message("solve.interrupted", "interrupted"), positions, found)
            return INTERRUPTED
        self.status.clear()
        if len(found) == len(positions):
            return 0
        within = limits(self.prover.most_seconds, self.prover.most_nodes)
        self._stopped(Message("solve.not_within", "not solved within {limits}", limits=within), positions, found)
        return UNSOLVED

    def _stopped(self, why: str, positions: dict[str, Position], found: dict[str, Solution]) -> None:
        self.prover.save()
        self.status.clear()
        missing = [name for name in positions if name not in found]
        notebook = self.prover.notebook
        told = {
            "why": why,
            "missing": listed(missing) if missing else Message("solve.all_proved", "all is proved"),
            "work": work(self.prover.nodes, self.prover.seconds),
        }
        if not notebook:
            warn(
                Message(
                    "solve.stopped",
                    "{why}: {missing} ({work}); with --out FILE.jsonl it could go on from here another time",
                    **told,
                )
            )
            return
        warn(
            Message(
                "solve.stopped_kept",
                "{why}: {missing} ({work}); what was found is in {path} and {proofs}, and the same command goes on "
                "from there",
                **told,
                path=notebook.path,
                proofs=notebook.proofs,
            )
        )

    def _show(self, progress: Progress) -> None:
        rate = progress.nodes / max(progress.seconds, 0.001)
        told = {
            "name": progress.name,
            "nodes": f"{progress.nodes:,}",
            "rate": f"{rate:,.0f}",
            "seconds": f"{progress.seconds:.0f}",
        }
        self.status.show(say(Message("solve.progress", "{name}: {nodes} nodes, {rate} a second, {seconds} s", **told)))

    def _say(self, line: str) -> None:
        if line and not self.as_json:
            tell(line)

    def _say_json(self, data: dict[str, Any]) -> None:
        if self.as_json:
            typer.echo(json.dumps(data))


def _for_mover(after: Solution) -> dict[str, Any]:
    """What a move is worth to the one who makes it, from what the position after it is worth to the other."""
    value = {"win": "loss", "draw": "draw", "loss": "win"}[after.value]
    return {"value": value, "margin": None if after.margin is None else -after.margin}
