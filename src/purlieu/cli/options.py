"""What several commands share: their options, their examples, and how they find a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from purlieu.kit.files import told_by
from purlieu.kit.streams import printable
from purlieu.kit.suggestions import did_you_mean
from purlieu.languages import say
from purlieu.rules import Message

STANDARD_INPUT = Message("cli.standard_input", "standard input")


def tell(sentence: str) -> None:
    """Print a sentence in the reader's language."""
    typer.echo(printable(say(sentence)))


def warn(sentence: str) -> None:
    """Print a sentence about the work where it does not mix with what the work brings."""
    typer.echo(f"purlieu: {printable(say(sentence))}", err=True)


def failed(error: OSError) -> str:
    """What the system said of a file."""
    why = told_by(error)
    return Message("file.failed", "{file}: {why}", file=error.filename, why=why) if error.filename else why


def whole_number(least: int | None = None, most: int | None = None) -> Callable[[Any], int]:
    """Reads an option's number; what is none, or is out of bounds, is told which ones are taken."""
    bounds = {(True, True): f" from {least} to {most}", (True, False): f", {least} or more"}
    expected = f"expected a whole number{bounds.get((least is not None, most is not None), '')}."

    def read(value: Any) -> int:
        try:
            number = int(str(value))
        except ValueError:
            raise typer.BadParameter(f"{str(value)[:20]!r} is no whole number; {expected}") from None
        if (least is not None and number < least) or (most is not None and number > most):
            raise typer.BadParameter(f"{number} is too {'small' if number < (least or 0) else 'big'}; {expected}")
        return number

    return read


def positive_number(value: Any) -> float:
    """Reads an option's number of seconds, or of what else may have a fraction."""
    try:
        number = float(str(value))
    except ValueError:
        number = 0.0
    if not 0 < number < 1e9:
        raise typer.BadParameter(f"{str(value)[:20]!r} will not do; expected a number above 0.")
    return number


Size = Annotated[
    int | None,
    typer.Option("--size", "-s", metavar="N", parser=whole_number(), help="The board's side.", show_default=False),
]
GameNumber = Annotated[int, typer.Option("--game", metavar="K", parser=whole_number(1), help="Which game of the file.")]
Ply = Annotated[
    int | None,
    typer.Option(
        "--ply",
        metavar="N",
        parser=whole_number(0),
        help="The position after N turns of the record.",
        show_default=False,
    ),
]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII characters.")]


def database_option(words: str) -> Any:
    """The option that names the server's database, with these words in the help."""
    return typer.Option("--database", metavar="URL", envvar="PURLIEU_DATABASE", help=words, show_default=False)


@dataclass(frozen=True)
class Command:
    """A command: its name, the function that typer reads its options from, and the examples below its help."""

    name: str
    run: Callable[..., Any]
    epilog: str


class PlainHelp(TyperCommand):
    """A command whose help names its arguments plainly: ``FILE...``, with no braces and no Python types."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage line after the command's name."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The lists of arguments and options."""
        records: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for param in self.get_params(ctx):
            if record := param.get_help_record(ctx):
                records[param.param_type_name].append((re.sub(r" <.*>$", "", record[0]), record[1]))
        for kind, found in records.items():
            if found:
                with formatter.section(f"{kind.capitalize()}s"):
                    formatter.write_dl(found)


def examples(*lines: str) -> str:
    """Examples for the end of a help text; ``\\b`` keeps typer from joining the lines."""
    return "\b\nExamples:\n" + "".join(f"  {line}\n" for line in lines) + "\n"


def one_of(value: str, choices: Sequence[str], option: str) -> str:
    """The choice, in any case; a near miss is told the right word."""
    if value.lower() in choices:
        return value.lower()
    hint = did_you_mean(value, choices, f"expected one of {', '.join(choices)}.")
    raise typer.BadParameter(f"{value!r} is not known; {hint}", param_hint=option)


def require_ending(name: str, endings: Sequence[str], option: str = "-o") -> str:
    """The ending of an output file's name, if it is one that we write."""
    ending = Path(name).suffix.lower()
    if ending in endings:
        return ending
    raise typer.BadParameter(f"{name!r} must end in {' or '.join(endings)}.", param_hint=option)
