"""The command line. Each command is a file here; what it needs is imported when it runs, so that help is quick."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from purlieu.kit.streams import BROKEN_PIPE, ignore_interrupts, never_fail_to_print, silence_output
from purlieu.languages import speak, wanted
from purlieu.rules import BadSize, Message, PurlieuError, UnknownGame

from . import (
    arena,
    backup,
    bench,
    check,
    check_db,
    convert,
    copy_db,
    draw,
    engine,
    in_step,
    perft,
    play,
    rules,
    serve,
    sheet,
    show,
    solve,
    train,
)
from .options import PlainHelp, examples, failed, warn

WRONG, USAGE, FAULT, INTERRUPTED = 1, 2, 70, 130

EXIT_CODES = """\
\b
Exit codes:
  0    all is well
  1    what you gave is wrong: an illegal move, a bad record, a failed check
  2    the command line is wrong, or a file cannot be read or written
  70   a fault in purlieu itself
  130  interrupted with Ctrl-C
  141  the reader of the output went away, as in: purlieu show game.pur | head
"""

app = typer.Typer(
    name="purlieu",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)


def _version(wanted: bool) -> None:
    if wanted:
        from purlieu import __version__

        typer.echo(f"purlieu {__version__}")
        raise typer.Exit


@app.callback(
    epilog=examples("purlieu play", "purlieu play pilo --size 6 --level 2", "purlieu rules pyloff") + EXIT_CODES
)
def purlieu(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Petrify, Pilo, Pentwall and Pyloff: play them, learn their rules, keep and check games, draw boards."""


COMMANDS = [
    module.COMMAND
    for module in (
        *(play, serve, show, check, convert, perft, rules, sheet, draw, solve),
        *(engine, arena, train, bench, in_step, backup, check_db, copy_db),
    )
]
for command in COMMANDS:
    app.command(command.name, cls=PlainHelp, epilog=command.epilog)(command.run)


def main(arguments: list[str] | None = None) -> None:
    """What ``purlieu`` runs, with the command line's arguments unless others are given.

    Whatever goes wrong ends in one sentence and an exit code, never in a traceback.
    """
    never_fail_to_print()
    speak(wanted(os.environ))
    streams = sys.stdout, sys.stderr
    try:
        _run(arguments)
    except (BrokenPipeError, SystemExit) as left:
        # Typer catches a broken pipe first: it leaves with 1, and with streams of its own.
        if isinstance(left, SystemExit) and not isinstance(left.__context__, BrokenPipeError):
            raise
        sys.stdout, sys.stderr = streams
        silence_output()
        sys.exit(BROKEN_PIPE)


def _run(arguments: list[str] | None) -> None:
    try:
        app(arguments, prog_name="purlieu")
    except (UnknownGame, BadSize) as error:
        _leave(error.sentence, USAGE)
    except PurlieuError as error:
        _leave(error.sentence, WRONG)
    except BrokenPipeError:
        raise
    except OSError as error:
        silence_output()
        _leave(failed(error), USAGE)
    except KeyboardInterrupt:
        ignore_interrupts()
        sys.exit(INTERRUPTED)
    except Exception as error:
        if os.environ.get("PURLIEU_DEBUG"):
            raise
        told = f"{type(error).__name__}: {error}"
        fault = Message(
            "cli.fault",
            "this is a fault in purlieu, please report it ({error}); PURLIEU_DEBUG=1 shows more",
            error=told,
        )
        _leave(fault, FAULT)


def _leave(sentence: str, code: int) -> None:
    warn(sentence)
    sys.exit(code)
