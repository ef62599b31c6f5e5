"""Games are saved whole or not at all, and nothing is overwritten by surprise."""

from pathlib import Path

import pytest

import purlieu
from purlieu import PurlieuError, Seat
from purlieu.kit.files import require_folder, write_whole
from purlieu.records import Record, load
from purlieu.terminal.keeping import is_plain, record_of, table_of
from purlieu.terminal.saving import Saver
from purlieu.terminal.session import Session
from purlieu.terminal.table import Table

from .desk import Paper


def session_in(saver: Saver | None = None) -> tuple[Session, Paper]:
    paper = Paper()
    session = Session(Table(purlieu.start("petrify", 6)), paper, saver)
    session.begin()
    return session, paper


@pytest.mark.parametrize("name", ["game.pur", "game.jsonl"])
def test_a_saved_game_is_the_game(tmp_path: Path, name: str) -> None:
    session, _ = session_in()
    for line in ("c3", "swap", "d4", f"save {tmp_path / name}"):
        session.enter(line)
    (record,) = load(tmp_path / name)
    assert [str(move) for move in record.moves] == ["c3", "swap", "d4"]


def test_an_existing_file_is_overwritten_only_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "dear.pur"
    path.write_text("my diary")
    session, paper = session_in()
    session.enter("c3")
    session.enter(f"save {path}")
    assert path.read_text() == "my diary"
    assert "exists already, and nothing was written; to overwrite it, type save!" in " ".join(paper.text.split())
    session.enter(f"save! {path}")
    assert len(load(path)) == 1


def test_a_game_kept_in_a_file_is_there_after_every_turn(tmp_path: Path) -> None:
    path = tmp_path / "kept.pur"
    session, _ = session_in(Saver(path))
    assert not path.exists()
    for count, line in enumerate(("c3", "d4", "e5"), start=1):
        session.enter(line)
        assert len(load(path)[0].moves) == count
    session.enter("undo")
    assert len(load(path)[0].moves) == 2
    session.enter("resign")
    assert load(path)[0].result == ("0-1" if session.table.resigned is Seat.FIRST else "1-0")
    assert load(path)[0].tags["Termination"] == "resignation"
    session.enter("undo")
    assert load(path)[0].result == "*"
    assert "Termination" not in load(path)[0].tags


def test_saving_a_copy_does_not_stop_the_first_file_from_being_kept(tmp_path: Path) -> None:
    session, _ = session_in(Saver(tmp_path / "kept.pur"))
    session.enter("c3")
    session.enter(f"save {tmp_path / 'copy.pur'}")
    session.enter("d4")
    assert len(load(tmp_path / "kept.pur")[0].moves) == 2
    assert len(load(tmp_path / "copy.pur")[0].moves) == 1


def test_a_keeper_refuses_a_file_that_is_not_its_own(tmp_path: Path) -> None:
    path = tmp_path / "other.pur"
    path.write_text("something else")
    with pytest.raises(PurlieuError, match="exists already"):
        Saver(path)
    Saver(path, own=path)


@pytest.mark.parametrize(
    "name", ["", "/", ".", "..", "~nobody-here/x", "\0", "a\0.pur", "x" * 300, "no/such", "é\ud800"]
)
def test_no_name_to_save_under_makes_the_table_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    session, _ = session_in()
    session.enter(f"save {name}")
    session.enter(f"save! {name}")
    assert session.refused == 2
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", ["game.txt", "game.pdf"])
def test_only_records_endings_are_taken(name: str) -> None:
    with pytest.raises(PurlieuError, match=r"saved as \.pur or \.jsonl"):
        Saver(Path(name))


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "game.pur"
    path.write_text("old")
    with pytest.raises(TypeError):
        write_whole(path, "not bytes")  # type: ignore[arg-type]
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.pur"]


def test_a_missing_folder_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        write_whole(tmp_path / "no" / "game.pur", b"")


def test_looking_whether_a_folder_takes_files_leaves_nothing_in_it(tmp_path: Path) -> None:
    require_folder(tmp_path / "game.pur")
    assert [*tmp_path.iterdir()] == []
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        require_folder(tmp_path / "no" / "game.pur")


def test_play_goes_on_when_the_game_cannot_be_kept_and_leaving_names_the_file_that_holds_it(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    session, paper = session_in(Saver(folder / "kept.pur"))
    folder.rmdir()
    session.enter("c3")
    assert "Not saved!" in paper.text
    assert session.table.position.ply == 1
    session.farewell()
    assert f"  purlieu play '{session.table.position.text()}'\n" in paper.text
    session.enter(f"save {tmp_path / 'my copy.pur'}")
    session.farewell()
    copy = f"'{tmp_path / 'my copy.pur'}'"
    assert paper.text.endswith(f"  purlieu play --load {copy} --save {copy}\n")


def test_a_loaded_game_keeps_its_names_its_tags_and_its_resignation() -> None:
    tags = {"Event": "Tea", "Termination": "Ana resigned"}
    record = Record.of(purlieu.start("pilo", 6), ["c3"], first="Ana", result="0-1", tags=tags)
    table = table_of(record)
    assert table.resigned is Seat.FIRST
    assert is_plain(record)
    assert record_of(table).header | {"Date": "?"} == record.header


@pytest.mark.parametrize(("result", "winner"), [("1-0", Seat.FIRST), ("0-1", Seat.SECOND), ("1/2-1/2", None)])
def test_a_result_is_called_a_resignation_only_if_the_record_says_so(result: str, winner: Seat | None) -> None:
    record = Record.of(purlieu.start("pilo", 6), ["c3"], result=result, tags={"Termination": "time"})
    table, paper = table_of(record), Paper()
    assert table.is_finished
    assert table.resigned is None
    assert table.winner is winner
    assert record_of(table).header | {"Date": "?"} == record.header
    session = Session(table, paper)
    session.begin()
    session.enter("d4")
    assert f"The record says {result}." in paper.text
    assert "resign" not in paper.text
    assert session.refused == 1
    session.enter("undo")
    session.enter("d4")
    assert session.refused == 1
    assert record_of(table).result == "*"
    assert "Termination" not in record_of(table).tags
