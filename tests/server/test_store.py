"""The database: its schema, its lock, its copies, and the check that finds what is wrong with it."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from purlieu.cli import main
from purlieu.rules import PurlieuError
from purlieu.rules.endings import REASONS, reason_of
from purlieu.server.settings import database_url
from purlieu.server.store.audit import check_games
from purlieu.server.store.backup import backup
from purlieu.server.store.database import Database, open_database
from purlieu.server.store.tables import metadata

from .postgres import Cluster
from .site import running, settings_for


def open_in(folder: Path) -> Database:
    return open_database(database_url(str(folder / "games.db")))


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_the_migrations_make_the_tables_that_the_code_uses(
    kind: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    given = str(folder / "games.db") if kind == "sqlite" else request.getfixturevalue("postgres").database()
    database = open_database(database_url(given))
    with database.writer.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()
    open_database(database_url(given)).close()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_database_that_stored_ends_as_sentences_opens_with_the_same_ends(
    kind: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    url = str(folder / "games.db") if kind == "sqlite" else request.getfixturevalue("postgres").database()
    with running(settings_for(folder, database=url)) as site:
        ana = site.person()
        game = ana.make("petrify", "me", "me")["id"]
        ana.act(game, "resign", ana.state(game)["v"])
        ended = ana.state(game)["result"]
    database = open_database(database_url(url))
    with database.writer.begin() as connection:
        data = '{"winner":"second","reason":"the first seat resigned"}'
        connection.execute(text("UPDATE event SET data = :data WHERE kind = 'resign'"), {"data": data})
        connection.execute(text("UPDATE game SET ending = 'the first seat resigned'"))
        connection.execute(text("ALTER TABLE game RENAME COLUMN ending TO end_reason"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0002'"))
    database.close()
    database = open_database(database_url(url))
    assert [wrong for _, wrong in check_games(database)] == [None]
    database.close()
    with running(settings_for(folder, database=url)) as site:
        assert site.person().state(game)["result"] == ended


def test_every_sentence_that_was_stored_for_an_end_is_known_by_its_code() -> None:
    migration = importlib.import_module("purlieu.server.store.migrations.versions.0003_endings")
    values = {"colour": "blue", "seat": "second", "larger": 9, "smaller": 7, "plies": 56, "text": "odd"}
    for code in REASONS:
        named = values | {"place": {"end.largest": 1, "end.second": 2, "end.third": 3}.get(code, 4)}
        sentence = reason_of(code, named)
        assert migration.ending_of(sentence)["code"] == code
        assert reason_of(code, migration.ending_of(sentence)["values"]) == sentence


def test_a_database_of_a_newer_purlieu_is_refused_with_both_numbers(folder: Path) -> None:
    database = open_in(folder)
    with database.writer.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(PurlieuError, match="its schema is 9999, this one knows 0003"):
        open_in(folder)


def test_a_file_is_held_by_one_server_at_a_time(folder: Path) -> None:
    database = open_in(folder)
    with pytest.raises(PurlieuError, match="in use by another purlieu"):
        open_in(folder)
    database.close()
    open_in(folder).close()


def other_name(folder: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Another name of the folder's database."""
    file, other = folder / "games.db", folder / "elsewhere" / "other.db"
    other.parent.mkdir()
    match how:
        case "symlink":
            other.symlink_to(file)
        case "symlink to its folder":
            (folder / "linked").symlink_to(folder)
            return str(folder / "linked" / "games.db")
        case "symlink to a symlink":
            (folder / "between").symlink_to("games.db")
            other.symlink_to("../between")
        case "hard link":
            other.hardlink_to(file)
        case "relative path":
            monkeypatch.chdir(other.parent)
            return "../elsewhere/../games.db"
    return str(other)


@pytest.mark.parametrize(
    "how", ["symlink", "symlink to its folder", "symlink to a symlink", "hard link", "relative path"]
)
def test_a_file_is_held_by_whatever_name_another_server_opens_it(
    folder: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_in(folder)
    name = other_name(folder, how, monkeypatch)
    locks = locks_of_sqlite(folder / "games.db")
    assert locks
    with pytest.raises(PurlieuError, match=rf"in use by another purlieu \(process {os.getpid()}\)"):
        open_database(database_url(name))
    assert locks_of_sqlite(folder / "games.db") == locks, "the refused one took SQLite's locks away"
    words = [sys.executable, "-m", "purlieu", "check-db", "--database", name]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert f"is in use by another purlieu (process {os.getpid()}); stop that one first" in done.stderr
    words = [sys.executable, "-m", "purlieu", "backup", str(folder / "copy.db"), "--database", str(folder / "games.db")]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert locks_of_sqlite(folder / "games.db") == locks
    database.close()
    open_database(database_url(name)).close()
    open_database(database_url(str(folder / "copy.db"))).close()


def locks_of_sqlite(file: Path) -> list[str]:
    """The locks on a file that SQLite has in this process, as Linux lists them."""
    lines = Path("/proc/locks").read_text().splitlines()
    found = [line.partition(": ")[2] for line in lines if f":{file.stat().st_ino} " in line]
    return sorted(line for line in found if line.startswith("POSIX") and f" {os.getpid()} " in line)


@pytest.mark.parametrize("given", ["sqlite:///:memory:", "sqlite:///file:games.db?uri=true"])
def test_a_database_that_no_lock_could_hold_is_refused(given: str) -> None:
    with pytest.raises(PurlieuError, match="is no file; expected the path of one"):
        open_database(database_url(given))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("oracle://x", "names no database we know"),
        ("sqlite://", "names no database we know"),
        ("/tmp", "is a folder"),
        ("postgresql://nobody@/nothing?host=/nowhere", "cannot be opened"),
    ],
)
def test_a_database_that_is_none_is_told_so(given: str, said: str) -> None:
    with pytest.raises(PurlieuError, match=said):
        open_database(database_url(given))


def test_a_file_that_is_no_database_is_told_so(folder: Path) -> None:
    (folder / "games.db").write_bytes(b"not a database, " * 100)
    with pytest.raises(PurlieuError, match="file is not a database"):
        open_in(folder)


def test_a_password_is_not_shown_when_the_database_cannot_be_opened() -> None:
    with pytest.raises(PurlieuError) as error:
        open_database(database_url("postgresql://ana:s3cret@/nothing?host=/nowhere"))
    assert "s3cret" not in str(error.value)


def test_a_backup_under_play_is_sound_and_whole(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        game = ana.make("pilo")["id"]
        ana.move(game, 1, "c3")
        ana.move(game, 2, "d4")
        backup(database_url(str(folder / "games.db")), folder / "copy.db")
        with pytest.raises(PurlieuError, match="never writes over"):
            backup(database_url(str(folder / "games.db")), folder / "copy.db")
    copy = open_database(database_url(str(folder / "copy.db")))
    assert list(check_games(copy)) == [(game, None)]
    copy.close()


DAMAGES = {
    'UPDATE event SET data = \'{"move":"c3"}\' WHERE v = 2': "turn 2, c3, is illegal",
    "DELETE FROM event WHERE v = 2": "event 2 is missing",
    "UPDATE game SET ply = 7": "its row says ply 7, its log says 3",
    "UPDATE game SET hash = 'x'": "its row says hash 'x'",
    "UPDATE event SET seat = 'first' WHERE v = 2": "turn 2 was made by the wrong seat",
    "UPDATE event SET data = '{}' WHERE v = 3": "it cannot be replayed",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_check_finds_a_damaged_game(folder: Path, damage: str) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        game = ana.make("pilo")["id"]
        for ply, move in enumerate(["c3", "d4", "e5"], start=1):
            ana.move(game, ply, move)
    database = open_in(folder)
    assert list(check_games(database)) == [(game, None)]
    with database.writer.begin() as connection:
        connection.execute(text(damage))
    [(found, fault)] = list(check_games(database))
    database.close()
    assert found == game
    assert fault is not None
    assert DAMAGES[damage] in fault


def test_the_commands_copy_and_check_a_database(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    open_in(folder).close()
    file, copy = str(folder / "games.db"), str(folder / "copy.db")
    assert command(capsys, "backup", copy, "--database", file)[0] == 0
    assert command(capsys, "check-db", "--database", copy) == (0, "0 games, all sound\n")
    code, said = command(capsys, "backup", copy, "--database", file)
    assert (code, "never writes over" in said) == (1, True)
    held = open_in(folder)
    code, said = command(capsys, "serve", "--database", file, "--port", "1")
    held.close()
    assert code == 1
    assert said.count("\n") == 1


def test_postgres_is_copied_with_its_own_program(postgres: Cluster, folder: Path) -> None:
    url = postgres.database()
    open_database(database_url(url)).close()
    backup(database_url(url), folder / "games.dump")
    assert (folder / "games.dump").read_bytes()[:5] == b"PGDMP"


def command(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    out, err = capsys.readouterr()
    return cast(int, left.value.code or 0), out + err


def test_a_database_is_copied_to_postgres_and_back_row_by_row(
    postgres: Cluster, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        made = [ana.make("pilo", size=5, second="link" if n % 2 else "me")["id"] for n in range(6)]
        for ply, square in enumerate(["a1", "b2", "c3"], start=1):
            ana.move(made[0], ply, square)
    url, again = postgres.database(), str(folder / "again.db")
    first = str(folder / "games.db")
    for source, target in ((first, url), (first, url), (url, again)):
        code, said = command(capsys, "copy-db", source, target)
        assert code == 0
        assert "event: 3 rows" in said
    assert every_row(first) == every_row(again)


def every_row(file: str) -> list[list[str]]:
    """All that is in a database, which must be sound."""
    database = open_database(database_url(file))
    assert [fault for _, fault in check_games(database) if fault] == []
    with database.writer.connect() as connection:
        found = [sorted(map(str, connection.execute(table.select()))) for table in metadata.sorted_tables]
    database.close()
    return found


def test_a_copy_into_a_database_with_other_games_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        (folder / name).mkdir()
        with running(settings_for(folder / name)) as site:
            site.person().make()
    code, said = command(capsys, "copy-db", str(folder / "one" / "games.db"), str(folder / "two" / "games.db"))
    assert (code, "the target has" in said) == (1, True)
