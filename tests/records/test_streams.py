import io
from collections.abc import Iterator
from pathlib import Path

import pytest

import purlieu
from purlieu.records import (
    LONGEST_GAME,
    Node,
    Record,
    RecordError,
    dump_json,
    dumps,
    games,
    load,
    read_file,
    read_jsonl,
    read_records,
)

from .made import only, whole_game

GAME = '[Game "Petrify"]\n[Size "4"]\n[First "{}"]\n\n1. c3 swap {{so\nfar}} *\n\n'


def names(text: str) -> tuple[list[str], list[str]]:
    """Who had the first seat in the games that can be read, and the errors of the others."""
    errors: list[RecordError] = []
    firsts = [record.first for record in read_records([text], errors.append)]
    return firsts, list(map(str, errors))


def test_a_stream_is_read_no_further_than_the_next_game_s_first_line() -> None:
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        for number in range(1000):
            for line in GAME.format(number).splitlines(keepends=True):
                taken += 1
                yield line

    records = read_records(lines())
    a_game = GAME.count("\n")
    for number in range(5):
        assert next(records).first == str(number)
        assert taken == a_game * (number + 1) + 1


def test_json_lines_are_read_one_at_a_time() -> None:
    line = dump_json(whole_game("petrify", 3)) + "\n"
    source = iter([line] * 10)
    next(read_jsonl(source))
    assert len(list(source)) == 9


@pytest.mark.parametrize("length", [1, 2, 3, 7, 1000])
def test_a_text_may_come_in_pieces_of_any_length(length: int) -> None:
    text = ("\ufeff" + GAME.format("Ana") + GAME.format("Ben")).replace("\n", "\r\n")
    pieces = [text[at : at + length] for at in range(0, len(text), length)]
    assert [record.first for record in read_records(pieces)] == ["Ana", "Ben"]
    broken = text.replace("swap", "c3", 1)
    pieces = [broken[at : at + length] for at in range(0, len(broken), length)]
    with pytest.raises(RecordError, match=r"^line 5, column 7, ply 2: c3"):
        list(read_records(pieces))


@pytest.mark.parametrize(
    "broken",
    [
        GAME.format("Bad").replace("swap", "c3"),
        GAME.format("Bad").replace("}", ""),
        GAME.format("Bad").replace("swap", "swap ("),
        GAME.format('Bad"'),
        GAME.format("Bad").replace('[Size "4"]', '[Size "4"'),
        GAME.format("Bad").replace("Petrify", "Chess"),
        GAME.format("Bad").replace("*", "* and so on"),
        GAME.format("B\udce9d"),
        GAME.format("Bad").replace("swap", "swap " + "{long}" * (LONGEST_GAME // 6)),
    ],
)
def test_one_broken_game_costs_one_error_and_no_other_game(broken: str) -> None:
    firsts, errors = names(GAME.format("Ana") + broken + GAME.format("Cleo"))
    assert firsts == ["Ana", "Cleo"]
    assert len(errors) == 1
    assert errors[0].startswith("line ")


def test_without_a_handler_the_first_error_is_raised_after_the_games_before_it() -> None:
    records = read_records([GAME.format("Ana") + GAME.format("Ben").replace("swap", "c3")])
    assert next(records).first == "Ana"
    with pytest.raises(RecordError, match=r"^line 12, column 7, ply 2: c3"):
        next(records)


def test_games_without_moves_are_told_apart_by_an_empty_line_and_a_game_tag() -> None:
    assert names('[Game "Pilo"]\n[First "Ana"]\n\n[Game "Petrify"]\n\n[First "Ben"]\n') == (["Ana", "Ben"], [])


def test_a_game_and_a_line_have_a_longest_length() -> None:
    wide = GAME.format("x" * LONGEST_GAME)
    _, errors = names(GAME.format("Ana") + wide)
    assert errors == [
        f"line 8, column 1: this game is longer than {LONGEST_GAME} characters, the most that one may have"
    ]
    kept: list[RecordError] = []
    line = dump_json(only(GAME.format("Ana")))
    assert len(list(read_jsonl([line + "\n" + '"' * (LONGEST_GAME + 1) + "\n" + line], kept.append))) == 2
    assert [error.line for error in kept] == [2]


def test_blank_lines_between_games_do_not_make_a_game_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "LONGEST_GAME", 100)
    assert names(GAME.format("Ana") + "\n" * 1000 + GAME.format("Ben"))[0] == ["Ana", "Ben"]


def test_nothing_is_written_that_could_not_be_read_back() -> None:
    start = purlieu.start("petrify", 4)
    record = Record(start, (Node(start.read_move("c3"), comment="long " * (LONGEST_GAME // 5)),))
    with pytest.raises(RecordError, match="no reader takes more"):
        dumps(record)
    with pytest.raises(RecordError, match="no reader takes more"):
        dump_json(record)


# -- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["game.pur", "game.PUR", "game.txt", "game"])
def test_a_file_of_text_is_read_by_its_ending_or_its_beginning(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(("\ufeff" + GAME.format("Ana") * 200).replace("\n", "\r\n").encode())
    assert [record.first for record in load(path)] == ["Ana"] * 200


@pytest.mark.parametrize("name", ["game.jsonl", "game.json", "game"])
def test_a_file_of_json_lines_is_read_by_its_ending_or_its_beginning(tmp_path: Path, name: str) -> None:
    record = only(GAME.format("Ana"))
    path = tmp_path / name
    path.write_text("\n\n" + f"{dump_json(record)}\n" * 50, encoding="utf-8")
    assert load(path) == [record] * 50


def test_an_empty_file_holds_no_records(tmp_path: Path) -> None:
    for name in ("empty.pur", "empty.jsonl", "empty"):
        (tmp_path / name).touch()
        assert load(tmp_path / name) == []


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_byte_that_is_not_utf_8_is_named_by_its_offset_and_spoils_only_its_game(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "latin.pur"
    good = mark + GAME.format("Zoë")
    path.write_bytes(good.encode() + GAME.format("Zoë").encode("latin-1") + GAME.format("Ana").encode())
    errors: list[RecordError] = []
    assert [record.first for record in read_file(path, errors.append)] == ["Zoë", "Ana"]
    offset = path.read_bytes().index(b"\xeb", len(good.encode()))
    assert str(errors[0]) == (f"line 10, column 11: the byte at offset {offset} is not UTF-8; save the file as UTF-8")
    with pytest.raises(RecordError, match="not UTF-8"):
        load(path)


def test_a_json_file_that_is_not_utf_8_is_refused_line_by_line(tmp_path: Path) -> None:
    line = dump_json(only(GAME.format("Zoë"))) + "\n"
    path = tmp_path / "latin.jsonl"
    path.write_bytes(line.encode() + line.encode("latin-1") + line.encode())
    errors: list[RecordError] = []
    assert len(list(read_file(path, errors.append))) == 2
    offset = path.read_bytes().index(b"\xeb", len(line.encode()))
    assert str(errors[0]).startswith(f"line 2: the byte at offset {offset} is not UTF-8")


def test_a_stream_that_someone_else_opened_and_that_is_not_utf_8_is_our_error_too() -> None:
    for reader in (read_records, read_jsonl):
        with pytest.raises(RecordError, match="not UTF-8"):
            list(reader(io.TextIOWrapper(io.BytesIO(b"\xff\xfe[\x00"), encoding="utf-8")))
        errors: list[RecordError] = []
        assert list(reader(io.TextIOWrapper(io.BytesIO(b"\xff\xfe[\x00"), encoding="utf-8"), errors.append)) == []
        assert len(errors) == 1
