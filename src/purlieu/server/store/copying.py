"""From one database into another, SQLite or PostgreSQL: every row, and every row compared afterwards.

It may be stopped and started again: what is there already is compared instead of copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Table, func, insert, select, tuple_

from purlieu.rules import PurlieuError

from .database import Database, reading
from .tables import metadata

AT_ONCE = 500


def copy_database(source: Database, target: Database) -> Iterator[tuple[str, int]]:
    """Copy table after table; each table's name and how many rows it has."""
    for table in metadata.sorted_tables:
        for rows in batches(source, table):
            copy_rows(target, table, rows)
        have, wanted = count(target, table), count(source, table)
        if have != wanted:
            raise PurlieuError(
                f"the target has {have} rows in {table.name} where the source has {wanted}; "
                "copy into a new database, and while no server runs on either"
            )
        yield table.name, wanted


def batches(source: Database, table: Table) -> Iterator[list[dict[str, Any]]]:
    """All rows of a table, some at a time."""
    with reading(source) as connection:
        found = connection.execute(select(table).order_by(*table.primary_key))
        for rows in found.mappings().partitions(AT_ONCE):
            yield [dict(row) for row in rows]


def copy_rows(target: Database, table: Table, rows: list[dict[str, Any]]) -> None:
    """Add the rows that are not there, in one transaction; those that are must be the same."""
    key = [column.name for column in table.primary_key]
    wanted = {tuple(row[name] for name in key): row for row in rows}
    there = select(table).where(tuple_(*table.primary_key).in_(list(wanted)))
    with target.writer.begin() as connection:
        found = {tuple(row[name] for name in key) for row in connection.execute(there).mappings()}
        if missing := [row for name, row in wanted.items() if name not in found]:
            connection.execute(insert(table), missing)
        for row in connection.execute(there).mappings():
            name = tuple(row[part] for part in key)
            if dict(row) != wanted[name]:
                raise PurlieuError(f"the target has another row {', '.join(map(str, name))} in {table.name}")


def count(database: Database, table: Table) -> int:
    """How many rows a table has."""
    with reading(database) as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()
