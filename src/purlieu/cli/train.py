"""``purlieu train``: a net that learns a game by playing with itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from purlieu.kit.progress import StatusLine

from .options import Command, examples, one_of, positive_number, whole_number


def run(
    game: Annotated[str, typer.Argument(metavar="GAME", help="What it learns.", show_default=False)],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="RUN", help="The folder that keeps the run.", show_default=False)
    ],
    hours: Annotated[
        float | None, typer.Option(metavar="H", parser=positive_number, help="How long.", show_default=False)
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(metavar="M", parser=positive_number, help="The same.", show_default=False)
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole_number(1), help="Until so many are played.", show_default=False),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in that folder.")] = False,
    tiny: Annotated[bool, typer.Option("--tiny", help="A small net on a small board, for a laptop.")] = False,
    settings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Settings in a TOML or JSON file.", show_default=False),
    ] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="One setting; may be repeated.", show_default=False),
    ] = None,
    device: Annotated[
        str | None, typer.Option(metavar="cpu|cuda", help="[a GPU if there is one]", show_default=False)
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole_number(0), help="Another one, another run.", show_default=False),
    ] = None,
    begin_from: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="NET", help="Begin with a net.onnx's weights, or a checkpoint's.", show_default=False
        ),
    ] = None,
) -> None:
    """Train a net from nothing but the rules: it plays with itself, and learns from that.

    RUN keeps all of it: checkpoints, the games, log.jsonl, curves.svg, card.md and the net itself as net.onnx. A run
    may be stopped at any time, even killed; --resume goes on from the last checkpoint, for as long as is asked then.
    Without --hours, --minutes or --games it goes on until Ctrl-C.

    In the last tenth of the time no more games are played, and the learning rate falls to a hundredth.
    """
    from purlieu.train.data.settings import parse_override
    from purlieu.train.running.options import RunOptions, require_packages

    if hours is not None and minutes is not None:
        raise typer.BadParameter("one of --hours and --minutes is enough.", param_hint="--hours")
    overrides = dict(parse_override(text) for text in sets or [])
    options = RunOptions(
        game,
        out,
        seconds=3600 * hours if hours is not None else 60 * minutes if minutes is not None else None,
        games=games,
        resume=resume,
        tiny=tiny,
        settings=settings,
        overrides=overrides if seed is None else overrides | {"seed": seed},
        device=one_of(device, ("cpu", "cuda"), "--device") if device else None,
        begin_from=begin_from,
    )
    require_packages()
    from purlieu.train.running.start import advice, train

    if word := advice(options):
        typer.echo(f"purlieu: {word}", err=True)

    line = StatusLine()
    told = ""

    def show(text: str) -> None:
        nonlocal told
        told = text
        line.show(text)

    try:
        done = train(options, show)
    finally:
        line.clear()
    if not done:
        typer.echo(f"purlieu: stopped early; --resume goes on with the run in {out}", err=True)
        raise typer.Exit(130)
    typer.echo(f"{out}: net.onnx, card.md, curves.svg and log.jsonl tell what came of it: {told}")


COMMAND = Command(
    "train",
    run,
    examples(
        "purlieu train petrify --out run/ --tiny --minutes 5",
        "purlieu train pilo --out run/ --hours 8",
        "purlieu train pilo --out run/ --hours 8 --resume",
        "purlieu train pilo --out next/ --hours 8 --from run/net.onnx",
    ),
)
