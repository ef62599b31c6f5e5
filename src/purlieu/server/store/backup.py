"""Copies of a database that is in use: SQLite's own backup, or ``pg_dump``."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from sqlalchemy import make_url

from purlieu.rules import PurlieuError


def backup(url: str, target: Path) -> None:
    """Copy the database into a file that was not there before; a half-made copy is never left behind."""
    if target.exists():
        raise PurlieuError(f"{target} is there already; a backup never writes over a file")
    part = target.with_name(target.name + ".part")
    try:
        if url.startswith("sqlite:"):
            source = Path(make_url(url).database or "")
            if not source.is_file():
                raise PurlieuError(f"there is no database at {source}")
            copy_sqlite(source, part)
        else:
            dump_postgres(url, part)
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)


def copy_sqlite(source: Path, target: Path) -> None:
    """A sound copy, even while games are played: copying the file alone would miss what is in its log."""
    try:
        with (
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as reading,
            closing(sqlite3.connect(target)) as writing,
        ):
            reading.backup(writing)
            (answer,) = writing.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.Error as error:
        raise PurlieuError(f"{source} cannot be copied: {error}") from error
    if answer != "ok":
        raise PurlieuError(f"the copy of {source} is not sound: {answer}")


def dump_postgres(url: str, target: Path) -> None:
    """What ``pg_dump`` writes; ``pg_restore`` brings it back."""
    program = shutil.which("pg_dump")
    if program is None:
        raise PurlieuError("a backup of PostgreSQL needs pg_dump, which comes with PostgreSQL's client programs")
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    done = subprocess.run(
        [program, "--format=custom", f"--file={target}", "--dbname", plain], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise PurlieuError(
            f"pg_dump failed: {done.stderr.strip().splitlines()[-1] if done.stderr else done.returncode}"
        )
