"""``purlieu solve``: what a small board or a position is worth with perfect play, proved."""

from __future__ import annotations

from contextlib import closing, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from purlieu.rules import GAMES, Message

from .options import Command, GameNumber, Ply, Size, examples, positive_number, require_ending, warn, whole_number


def run(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME", help="A game's name, a position in quotes, or a file of records.", show_default=False
        ),
    ] = None,
    size: Size = None,
    position: Annotated[
        str | None,
        typer.Option("--position", "-p", metavar="TEXT", help="Solve this position.", show_default=False),
    ] = None,
    game_number: GameNumber = 1,
    ply: Ply = None,
    opening: Annotated[
        list[str] | None,
        typer.Option("--opening", metavar="MOVE", help="Only this first move; may be repeated.", show_default=False),
    ] = None,
    every_move: Annotated[bool, typer.Option("--every-move", help="Also the value of each legal move.")] = False,
    score: Annotated[bool, typer.Option("--score", help="Prove the margin too, not only who wins.")] = False,
    threads: Annotated[
        int, typer.Option("--threads", "-t", metavar="N", parser=whole_number(1, 1024), help="Searching at a time.")
    ] = 1,
    memory: Annotated[
        int, typer.Option("--memory", "-m", metavar="MB", parser=whole_number(1, 1 << 20), help="To remember proofs.")
    ] = 256,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="S", parser=positive_number, help="Stop after so long.", show_default=False),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", metavar="N", parser=whole_number(1), help="Stop after so many.", show_default=False),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE.jsonl",
            help="Keep the proofs; what it holds is not proved again.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object at the end.")] = False,
) -> None:
    """Prove who wins with perfect play: every opening of a small board, or one position.

    A proof is a finished search; a limit that comes first proves nothing, and the command exits with 1. With --out a
    run that was stopped goes on where it was: beside FILE.jsonl stands what was found on the way, as FILE.proofs.

    Petrify and Pilo are solved on 3×3 and 4×4, and Pyloff's 3×3 as far as ko allows; on larger boards, and in
    Pentwall, ends of games can be (docs/solved.md).
    """
    from purlieu.solver.notebook import Notebook
    from purlieu.solver.prover import Prover

    from .solve_pyloff import run_pyloff
    from .solve_run import Run
    from .solve_targets import find_openings, find_target
    from .solve_words import out_of_reach

    target, is_game = find_target(game, position, size, game_number, ply)
    if target.game == "pyloff":
        if every_move or out or opening:
            raise typer.BadParameter("Pyloff takes no --every-move, --opening or --out: its proof is one short search.")
        raise typer.Exit(run_pyloff(target, is_game, seconds=seconds, nodes=nodes, as_json=as_json))
    if out:
        require_ending(out, (".jsonl",), "--out")
    by_openings = is_game and GAMES[target.game].has_pie_rule
    if by_openings and every_move:
        raise typer.BadParameter("every opening is listed anyway; it is for one position.", param_hint="--every-move")
    if opening and not by_openings:
        raise typer.BadParameter("it is for a whole game with the pie rule.", param_hint="--opening")
    openings = find_openings(target, opening or []) if by_openings else {}
    with closing(Notebook(Path(out), target.game, target.size)) if out else nullcontext() as notebook:
        prover = Prover(notebook, memory_mb=memory, threads=threads, score=score, seconds=seconds, nodes=nodes)
        if warning := out_of_reach(target):
            warn(warning)
        if prover.loaded:
            count = f"{prover.loaded:,}"
            warn(Message("solve.going_on", "going on with {count} proved positions of an earlier run", count=count))
        work = Run(prover, as_json=as_json)
        raise typer.Exit(work.openings(target, openings) if openings else work.position(target, every_move=every_move))


COMMAND = Command(
    "solve",
    run,
    examples(
        "purlieu solve petrify --size 3 --score",
        "purlieu solve pilo --size 3 --out pilo3.jsonl",
        'purlieu solve "petrify 3/1b1/3 ply=2 blue=second" --every-move',
    ),
)
