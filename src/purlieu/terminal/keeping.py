"""The game on a table as a record, and a record as a game on a table."""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from purlieu.rules import PurlieuError, Seat
from purlieu.rules.notation import shown

from .saving import FileTaken, Saver, unknown_kind

if TYPE_CHECKING:
    from purlieu.records import Record

    from .table import Table


def record_of(table: Table) -> Record:
    """The record of the game so far; a resignation is its result, and its Termination tag says so."""
    from purlieu.records import Record, ending_of

    said = {"Date": date.today().isoformat(), **table.tags}
    for seat, tag in ((Seat.FIRST, "First"), (Seat.SECOND, "Second")):
        if table.names.get(seat):
            said[tag] = table.names[seat]
    if table.result:
        said["Result"] = table.result
    if table.ending and table.ending is not ending_of(said.get(_termination(said), "")):
        said[_termination(said)] = table.ending.value
    return Record.of(table.positions[0], table.moves, tags=said)


def table_of(record: Record) -> Table:
    """The game of a record, ready to be played on; who resigned has resigned.

    Only a Termination tag tells that: a result alone may mean the clock, an agreement, or a record cut short.
    """
    from purlieu.records import ending_of

    from .table import Table

    names = {Seat.FIRST: record.first, Seat.SECOND: record.second}
    table = Table(record.start, list(record.moves), names={seat: name for seat, name in names.items() if name != "?"})
    table.tags = {tag: value for tag, value in record.tags.items() if tag not in ("Result", "Score")}
    if not table.position.is_over and record.result != "*":
        table.result, table.ending = record.result, ending_of(record.tags.get(_termination(record.tags), ""))
    return table


def _termination(tags: Mapping[str, str]) -> str:
    """The name of that tag as it is spelt among these."""
    return next((name for name in tags if name.lower() == "termination"), "Termination")


def save_game(table: Table, saver: Saver, path: Path | None = None, *, overwrite: bool = False) -> Path:
    """Writes the game to that file, or to the one it is kept in, and returns its name."""
    path = path or saver.path
    if path is None:
        raise PurlieuError("save.where", "save where? For example: save {game}.pur", game=table.position.game)
    if not str(path).isprintable():
        raise PurlieuError("save.no_name", "{path} is no name for a file", path=shown(str(path)))
    if not path.name or path.is_dir():
        raise PurlieuError(
            "save.folder_needs_file",
            "{path} is a folder; a game needs a file, as in save {game}.pur",
            path=path,
            game=table.position.game,
        )
    if not path.suffix:
        path = path.with_name(f"{path.name}.pur")
    if not overwrite:
        try:
            saver.require_free(path)
        except FileTaken as error:
            raise PurlieuError(
                "save.overwrite", "{error}; to overwrite it, type save! {path}", error=error, path=path
            ) from None
    saver.save(path, records_text([record_of(table)], path).encode(), overwrite=overwrite)
    return path


def records_text(records: list[Record], path: Path) -> str:
    """Games as the text of a file whose kind its name tells."""
    from purlieu.records import write_jsonl, write_records

    text = io.StringIO()
    match path.suffix.lower():
        case ".pur":
            write_records(records, text)
        case ".jsonl":
            write_jsonl(records, text)
        case _:
            raise unknown_kind(path)
    return text.getvalue()


def is_plain(record: Record) -> bool:
    """Whether it holds nothing but a game: then playing on and saving it loses nothing."""
    return not record.comment and not any(
        node.marks or node.before or node.comment or node.variations for node in record.line
    )
