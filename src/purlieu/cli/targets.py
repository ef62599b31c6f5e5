"""What a command is about: a file of records, the text of a position, or a game by its name."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from purlieu.kit.streams import set_stdin_for_files
from purlieu.kit.suggestions import nearest
from purlieu.rules import GAMES, Message, Move, Position, PurlieuError, game, parse, start
from purlieu.rules.notation import shown

if TYPE_CHECKING:
    from purlieu.records import Record, RecordError


def records_in(name: str, errors: Callable[[RecordError], None] | None = None) -> Iterator[Record]:
    """The games of a file, or of standard input if it is called ``-``."""
    from purlieu.records.files import read_file, reader_of

    if name != "-":
        if not os.path.lexists(name):
            raise _no_such_file(name)
        return read_file(name, errors)
    set_stdin_for_files()
    first = next((line for line in sys.stdin if line.strip()), "")
    return reader_of(first)(chain([first], sys.stdin), errors)


def record_in(name: str, number: int = 1) -> Record:
    """One game of a file, counted from 1."""
    records = records_in(name)
    found = next(islice(records, number - 1, None), None)
    if found is None:
        if number == 1:
            raise PurlieuError("cli.holds_no_game", "{name} holds no game", name=name)
        raise PurlieuError("cli.has_no_game", "{name} has no game {number}", name=name, number=number)
    return found


def find_record(target: str, number: int = 1, size: int | None = None) -> Record:
    """The game that a target names: one of a file; or one that begins, and stands, at a position."""
    from purlieu.records import Record

    if target == "-" or is_a_file(target):
        if size is not None:
            raise typer.BadParameter("a record brings its own size.", param_hint="--size")
        return record_in(target, number)
    return Record.of(find_position(target, size))


def moment_of(record: Record, ply: int | None = None) -> tuple[Position | None, Move | None, Position]:
    """The position after that many turns of the game, or at its end, with the move that led to it."""
    at = len(record.moves) if ply is None else moves_until(record, ply)
    positions = list(record.positions())
    return (positions[at - 1], record.moves[at - 1], positions[at]) if at else (None, None, positions[0])


def moves_until(record: Record, ply: int) -> int:
    """How many moves of the record lead to the position after that many turns; refused if it has no such position."""
    first, last = record.start.ply, record.start.ply + len(record.moves)
    if not first <= ply <= last:
        raise PurlieuError(
            "cli.no_such_turn",
            "this game has the positions after turns {first} to {last}, and {ply} is not among them",
            first=first,
            last=last,
            ply=ply,
        )
    return ply - first


def find_position(target: str, size: int | None = None) -> Position:
    """A position by its text, or the start of a game by its name."""
    words = target.split()
    if len(words) > 1 and words[0].lower() in GAMES:
        position = parse(target)
        if size not in (None, position.size):
            raise PurlieuError(
                "cli.other_size",
                "--size says {size}, but this position's board has side {side}",
                size=size,
                side=position.size,
            )
        return position
    if is_a_file(target):
        kind = "folder" if os.path.isdir(target) else "file"
        sentence = f"{shown(target)} is a {kind}; expected a game's name, or a position in quotes."
        raise typer.BadParameter(sentence, param_hint="GAME")
    if looks_like_a_file(target):
        raise _no_such_file(target)
    return start(game(target).name, size)


def is_a_file(target: str) -> bool:
    """Whether something is called so, and no game is."""
    return target.lower() not in GAMES and os.path.exists(target)


def looks_like_a_file(target: str) -> bool:
    """Whether a name that is no game was probably meant as a file's."""
    return "/" in target or os.sep in target or "." in target


def _no_such_file(target: str) -> FileNotFoundError:
    """Names the nearest file that there is."""
    folder = Path(target).parent
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except OSError:
        names = []
    why = Message("cli.no_file", "there is no such file")
    if near := nearest(Path(target).name, names):
        name = shown(str(folder / near))
        why = Message("cli.near_file", "there is no such file; did you mean {name}?", name=name)
    return FileNotFoundError(errno.ENOENT, why, target)
