"""What several commands share: their options, their examples, and how they find a game."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

Size = Annotated[int | None, typer.Option("--size", "-s", metavar="N", help="The board's side.", show_default=False)]
GameNumber = Annotated[int, typer.Option("--game", metavar="K", min=1, help="Which game of the file.")]
Ply = Annotated[
    int | None,
    typer.Option("--ply", metavar="N", min=0, help="The position after N turns of the record.", show_default=False),
]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII characters.")]


@dataclass(frozen=True)
class Command:
    """A command: its name, the function that typer reads its options from, and the examples below its help."""

    name: str
    run: Callable[..., Any]
    epilog: str


def examples(*lines: str) -> str:
    """Examples for the end of a help text; ``\\b`` keeps typer from joining the lines."""
    return "\b\nExamples:\n" + "".join(f"  {line}\n" for line in lines) + "\n"


def one_of(value: str, choices: Sequence[str], option: str) -> str:
    """The choice, in any case; a near miss is told the right word."""
    if value.lower() in choices:
        return value.lower()
    near = difflib.get_close_matches(value.lower(), choices, n=1)
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(choices)}."
    raise typer.BadParameter(f"{value!r} is not known; {hint}", param_hint=option)


def require_ending(name: str, endings: Sequence[str], option: str = "-o") -> str:
    """The ending of an output file's name, if it is one that we write."""
    from pathlib import Path

    ending = Path(name).suffix.lower()
    if ending in endings:
        return ending
    near = difflib.get_close_matches(ending, endings, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"it must end in {' or '.join(endings)}."
    raise typer.BadParameter(f"{name!r} has the wrong ending; {hint}", param_hint=option)
