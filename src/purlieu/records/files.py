"""Records in files: which reader a file needs, and how it is opened."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TextIO

from .games import BYTE_ORDER_MARK, pieces
from .jsonl import read_jsonl
from .model import Record
from .reader import OnError, read_records

JSONL_ENDINGS = (".jsonl", ".ndjson", ".json")
TEXT_ENDINGS = (".pur", ".pgn", ".txt")

_PEEK = 4096
_JSON_OBJECT = re.compile(rf"[\s{BYTE_ORDER_MARK}]*+\{{\s*\"")


def load(path: str | os.PathLike[str]) -> list[Record]:
    """All records of a file."""
    return list(read_file(path))


def read_file(path: str | os.PathLike[str], errors: OnError | None = None) -> Iterator[Record]:
    """The records of a file, as a stream: JSON Lines or text, by its ending, else by how it begins.

    `errors` is as for `read_records`. A file that cannot be opened raises OSError as usual.
    """
    # A byte that is not UTF-8 becomes half a character, which the readers refuse, naming its offset.
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as stream:
        ending = Path(path).suffix.lower()
        if ending in JSONL_ENDINGS:
            yield from read_jsonl(stream, errors)
        elif ending in TEXT_ENDINGS:
            yield from read_records(stream, errors)
        else:
            yield from _read_by_its_beginning(stream, errors)


def _read_by_its_beginning(stream: TextIO, errors: OnError | None) -> Iterator[Record]:
    beginning = stream.read(_PEEK)
    return reader_of(beginning)(chain([beginning], pieces(stream)), errors)


def reader_of(beginning: str) -> Callable[[Iterable[str], OnError | None], Iterator[Record]]:
    """What reads records that begin so: JSON Lines or text."""
    return read_jsonl if _JSON_OBJECT.match(beginning) else read_records
