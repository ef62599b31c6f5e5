"""``purlieu arena``: matches between players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Command, Size, examples, whole_number


def run(
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER PLAYER…", help="Two or more players, written as above.")
    ],
    game: Annotated[str, typer.Option("--game", "-g", metavar="GAME", help="What they play.")] = "petrify",
    size: Size = None,
    pairs: Annotated[
        int, typer.Option("--pairs", "-n", metavar="N", parser=whole_number(1), help="Openings, each played twice.")
    ] = 100,
    plies: Annotated[
        int | None,
        typer.Option(
            "--plies", metavar="N", parser=whole_number(0, 100), help="Turns in an opening.", show_default=False
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Another seed, other openings and games.")] = 1,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            "-w",
            metavar="N",
            parser=whole_number(1),
            help="Games at a time [all cores].",
            show_default=False,
        ),
    ] = None,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option("--sprt", metavar="ELO0 ELO1", help="Stop when it is clear which holds.", show_default=False),
    ] = None,
    margin: Annotated[float, typer.Option("--margin", metavar="S", help="Seconds an answer may be late.")] = 0.2,
    patience: Annotated[
        float, typer.Option("--patience", metavar="S", help="Seconds of silence that lose a game.")
    ] = 120.0,
    agree: Annotated[
        float | None,
        typer.Option(
            "--agree",
            metavar="P",
            help="End a game when both give a side this chance, such as 0.97.",
            show_default=False,
        ),
    ] = None,
    hurry: Annotated[
        float | None,
        typer.Option(
            "--hurry",
            metavar="P",
            help="A tenth of the time once one gives a side this chance, such as 0.95.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.jsonl", help="Where the results are kept.")] = Path(
        "arena.jsonl"
    ),
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the match in that file.")] = False,
) -> None:
    """Let players play many games, and say how strong they are.

    \b
    A player is one of:
      random, greedy         any legal move; the best lead right after it
      level:4                a level; level@0.5s:9 gives the ninth its time
      full:1000, full:0.1s   the search, by simulations or seconds a move;
                             full:10+0.1s by a clock, full:1000,rave_k=0 with
                             other settings
      net:800, net:0.1s      the search with the game's net; net@FILE:0.1s with
                             the net in that file
      uct:1000               the plain tree search to compare with
      ugi:COMMAND            any UGI engine, a second a move; ugi@0.2s:COMMAND

    Every opening is played twice, with the seats exchanged. With --agree a game ends when each player has said
    twice in a row that the same side wins. With --hurry both play on with a tenth of their seconds or simulations a
    move once one has said so three times in a row: games long won take less time, and are still played. Beside the
    results are left the games (.pur), a summary (.json) and a plot (.svg).
    """
    from purlieu.arena.run import run as run_match

    code = run_match(
        players,
        game=game,
        size=size,
        pairs=pairs,
        plies=plies,
        seed=seed,
        workers=workers,
        sprt=sprt,
        margin=margin,
        patience=patience,
        agree=agree,
        hurry=hurry,
        out=out,
        resume=resume,
    )
    raise typer.Exit(code)


COMMAND = Command(
    "arena",
    run,
    examples(
        "purlieu arena level:2 level:1 --size 4 --pairs 5",
        "purlieu arena level:2 level:1 --size 4 --pairs 8 --resume",
        "purlieu arena full:50 uct:50 -g pentwall -n 2 --sprt 0 30 -o test.jsonl",
    ),
)
