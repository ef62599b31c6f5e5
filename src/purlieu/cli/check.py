"""``purlieu check``: are these records sound?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from purlieu.kit.files import told_by
from purlieu.kit.streams import printable
from purlieu.rules import Message

from .options import STANDARD_INPUT, Command, examples, tell, warn
from .targets import records_in

if TYPE_CHECKING:
    from purlieu.records import RecordError


def run(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Files of records; - reads standard input.")],
) -> None:
    """Check records: name the first wrong move, and the rule.

    Every game of every file is replayed by the rules.

    Exits with 0 if all games are legal, 1 if one is not, 2 if a file cannot be read.
    """
    codes = [check_file(name) for name in files]
    raise typer.Exit(max(codes))


def check_file(name: str) -> int:
    """Prints what there is to say about one file and returns its exit code."""
    errors: list[RecordError] = []
    shown = STANDARD_INPUT if name == "-" else printable(name)
    count = 0

    def report(error: RecordError) -> None:
        told = {"file": shown, "number": count + len(errors) + 1, "error": error}
        sentence = Message("check.wrong", "{file}: game {number}, {error}", **told)
        if error.rule:
            sentence = Message("check.rule", "{file}: game {number}, {error} [{rule}]", **told, rule=error.rule.title)
        tell(sentence)
        errors.append(error)

    try:
        for _ in records_in(name, report):
            count += 1
    except OSError as error:
        warn(Message("file.failed", "{file}: {why}", file=shown, why=told_by(error)))
        return 2
    if errors:
        told = {"file": shown, "count": count + len(errors), "wrong": len(errors)}
        tell(
            Message.many(
                "check.some_wrong",
                "{file}: {count} game, {wrong} wrong",
                "{file}: {count} games, {wrong} wrong",
                **told,
            )
        )
        return 1
    if not count:
        tell(Message("check.no_games", "{file}: no games", file=shown))
        return 1
    tell(
        Message.many(
            "check.all_legal",
            "{file}: {count} game, all legal",
            "{file}: {count} games, all legal",
            file=shown,
            count=count,
        )
    )
    return 0


COMMAND = Command(
    "check", run, examples("purlieu check game.pur", "purlieu check *.pur games.jsonl", "purlieu check - < game.pur")
)
