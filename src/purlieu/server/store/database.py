"""Opening a database: SQLite in WAL mode with full syncs, or PostgreSQL; migrated to the schema of this version."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from purlieu.rules import PurlieuError

from .backup import copy_sqlite
from .file_lock import FileLock

MIGRATIONS = Path(__file__).parent / "migrations"
MIGRATION_LOCK = 7_215_046
"""The number under which PostgreSQL lets one process migrate at a time."""


class Database:
    """An open database: one engine for the writer, one for readers, and on SQLite a lock on the file."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_sqlite = url.startswith("sqlite:")
        self.path = sqlite_path(url) if self.is_sqlite else None
        self._lock: FileLock | None = None
        if self.path:
            self._lock = FileLock(self.path)
            self.writer = sqlite_engine(self.path, readonly=False)
            self.reader = sqlite_engine(self.path, readonly=True)
        else:
            self.writer = create_engine(url, pool_size=1, max_overflow=0, pool_pre_ping=True)
            self.reader = create_engine(url, pool_size=4, pool_pre_ping=True, isolation_level="REPEATABLE READ")
        try:
            migrate(self)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of every connection and of the lock."""
        self.reader.dispose()
        if self.is_sqlite:
            with contextlib.suppress(SQLAlchemyError), self.writer.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        self.writer.dispose()
        if self._lock:
            self._lock.close()  # last: see FileLock


def open_database(url: str) -> Database:
    """The database, or one sentence why not."""
    if not url.startswith("sqlite:") and find_spec("psycopg") is None:
        raise PurlieuError("PostgreSQL needs psycopg: pip install 'purlieu[postgres]'")
    try:
        return Database(url)
    except (SQLAlchemyError, sqlite3.Error) as error:
        name = make_url(url).render_as_string(hide_password=True)
        raise PurlieuError(f"the database {name} cannot be opened: {reason_of(error)}") from error


def reason_of(error: Exception) -> str:
    """What the database says about an error, in one line."""
    said = str(getattr(error, "orig", None) or error).strip()
    return said.partition("\n")[0] or type(error).__name__


def wait_for_database(url: str, seconds: float = 30.0) -> Database:
    """The database; a PostgreSQL server that is just starting is waited for."""
    until = time.monotonic() + seconds
    while True:
        try:
            return open_database(url)
        except PurlieuError as error:
            passing = isinstance(error.__cause__, OperationalError) and not url.startswith("sqlite:")
            if not passing or time.monotonic() > until:
                raise
            time.sleep(1)


# -- SQLite -------------------------------------------------------------------------------------


def sqlite_path(url: str) -> Path:
    """The file itself, by whatever link or relative path it was named."""
    name = make_url(url).database or ""
    if name.startswith((":", "file:")):
        raise PurlieuError(f"{name} is no file; expected the path of one for the database")
    return Path(name).resolve()


def sqlite_engine(path: Path, *, readonly: bool) -> Engine:
    """An engine whose transactions begin when we say so: a writer's takes the lock at once."""
    url = URL.create("sqlite", database=str(path))
    engine = create_engine(url, pool_size=1 if not readonly else 8, max_overflow=0 if not readonly else 8)

    @event.listens_for(engine, "connect")
    def connect(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None
        settings = ["journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON"]
        settings += ["trusted_schema=OFF", "journal_size_limit=16777216"]
        for setting in settings + (["query_only=ON"] if readonly else []):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN" if readonly else "BEGIN IMMEDIATE")

    return engine


# -- migrations ---------------------------------------------------------------------------------


def migrate(database: Database) -> None:
    """Bring the schema up to this version; an SQLite file that will change is copied first."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    known = {script.revision for script in scripts.walk_revisions()}
    with database.writer.begin() as connection:
        if not database.is_sqlite:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
        found = MigrationContext.configure(connection).get_current_revision()
        head = scripts.get_current_head()
        if found == head:
            return
        if found is not None and found not in known:
            raise PurlieuError(f"the database is of a newer purlieu: its schema is {found}, this one knows {head}")
        if found is not None and database.path:
            copy_sqlite(database.path, database.path.with_name(f"{database.path.name}.before-{head}"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextlib.contextmanager
def reading(database: Database) -> Iterator[Connection]:
    """A moment of the database, for questions that belong together."""
    with database.reader.connect() as connection, connection.begin():
        yield connection
