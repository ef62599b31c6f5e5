"""Games of self-play, as anybody may read them."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

import purlieu
from purlieu.core import core
from purlieu.rules import GAMES, PurlieuError
from purlieu.train import read_games
from purlieu.train.data.game_records import HEADER, MOVE, TURN, WHOLE, records_in

from .played import settings_for, some_games

PAGE = (Path(__file__).parents[2] / "docs" / "selfplay.md").read_text(encoding="utf-8")


SWAP = 65534


def starts_of(data: bytes) -> list[int]:
    """Where each game begins."""
    found = [0]
    while (end := found[-1] + 4 + HEADER.unpack_from(data, found[-1])[0]) < len(data):
        found.append(end)
    return found


def chunk(folder: Path, game: str, size: int, games: int = 5, **overrides: object) -> Path:
    path = folder / "000001.games"
    path.write_bytes(some_games(settings_for(game, **overrides), size, games))
    return path


@pytest.mark.parametrize(
    ("game", "size"), [("petrify", 5), ("petrify", 9), ("pilo", 6), ("pilo", 10), ("pentwall", 10), ("pyloff", 5)]
)
def test_games_of_self_play_are_read_as_the_rules_know_them(tmp_path: Path, game: str, size: int) -> None:
    games = list(read_games(chunk(tmp_path, game, size)))
    assert len(games) >= 5
    captures = 0
    for played in games:
        assert (played.game, played.size) == (game, size)
        position = purlieu.start(game, size)
        for turn in played.turns:
            legal = {str(move) for move in position.legal_moves()}
            assert turn.move in legal
            assert (turn.search == "none") == (turn.value is None)
            assert (turn.search == "full") == bool(turn.policy)
            if turn.search == "full":
                assert turn.value is not None
                assert 0 <= turn.value <= 1
                assert turn.policy.keys() <= legal
                assert sum(turn.policy.values()) == pytest.approx(1, abs=1e-3)
                captures += any("x" in move for move in turn.policy)
            position = position.play(turn.move)
        assert position.outcome is not None
        first, second = position.colours
        winner = position.outcome.winner
        assert played.result == (0 if winner is None else 1 if winner.value == "first" else -1)
        assert played.margin == position.score()[first] - position.score()[second]
    assert bool(captures) == (game in ("petrify", "pilo")), "so that their direction has been tried"


def test_a_small_search_has_a_value_and_no_policy(tmp_path: Path) -> None:
    games = read_games(chunk(tmp_path, "petrify", 4, full_share=0.5))
    turns = [turn for game in games for turn in game.turns if turn.search == "small"]
    assert turns
    assert all(turn.value is not None and not turn.policy for turn in turns)


def test_all_files_of_a_folder_are_read_in_their_order(tmp_path: Path) -> None:
    for number, game in enumerate(GAMES, 1):
        chunk(tmp_path, game, settings_for(game).check_size, 1).rename(tmp_path / f"{number + 7:06}.games")
    (tmp_path / "000099.games.part").write_bytes(b"half")
    assert list(dict.fromkeys(game.game for game in read_games(tmp_path))) == list(GAMES)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda data: data[:-3], "game 24 is cut off or no game"),
        (lambda data: bytes([data[0] ^ 1]) + data[1:], "game 1 is not as long as it says"),
        (lambda data: data + b"abc", "game 25 is cut off or no game"),
        (lambda data: b"my notes about games", "game 1 has format 111; expected 1"),
        (lambda data: data[:5] + b"\x09" + data[6:], "game 1 is cut off or no game"),
        (lambda data: data[:12] + b"\x07\x00" + data[14:], "7 is the code of no move there"),
        (lambda data: data[:14] + b"\x09" + data[15:], "game 1 has a turn of no kind that is known"),
    ],
)
def test_a_file_that_holds_something_else_gets_a_sentence(tmp_path: Path, damage: object, sentence: str) -> None:
    path = chunk(tmp_path, "petrify", 4, 24)
    assert callable(damage)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(PurlieuError) as told:
        list(read_games(path))
    assert str(told.value) == f"{path} is damaged, or no file of self-play: {sentence}"


@pytest.mark.parametrize(
    ("place", "kind", "wrong"),
    [(7, "b", lambda result: -result), (7, "b", lambda _: 77), (8, "h", lambda _: -999)],
    ids=["the other side won", "no result at all", "margin"],
)
def test_a_game_that_tells_another_end_than_its_moves_have_is_damaged(
    tmp_path: Path, place: int, kind: str, wrong: Callable[[int], int]
) -> None:
    path = chunk(tmp_path, "petrify", 4)
    played = next(read_games(path))
    data = bytearray(path.read_bytes())
    told = wrong(*struct.unpack_from(f"<{kind}", data, place))
    struct.pack_into(f"<{kind}", data, place, told)
    path.write_bytes(data)
    result, margin = (told, played.margin) if place == 7 else (played.result, told)
    with pytest.raises(PurlieuError) as refused:
        list(read_games(path))
    sentence = (
        f"a game has result {result} and margin {margin}; by its moves they are {played.result} and {played.margin}"
    )
    assert str(refused.value) == f"{path} is damaged, or no file of self-play: {sentence}"
    with pytest.raises(ValueError, match="game 1"):
        core().Replay("petrify").add(bytes(data))


def test_a_policy_of_illegal_moves_is_damaged(tmp_path: Path) -> None:
    path = chunk(tmp_path, "petrify", 4)
    data = bytearray(path.read_bytes())
    at = HEADER.size
    while not (moves := TURN.unpack_from(data, at)[2]):
        at += TURN.size
    legal = {code for code, _ in MOVE.iter_unpack(data[at + TURN.size : at + TURN.size + moves * MOVE.size])}
    taken = next(each.code for each in next(records_in(bytes(data))).turns if each.code not in legal)
    struct.pack_into("<H", data, at + TURN.size, taken)
    path.write_bytes(data)
    with pytest.raises(PurlieuError, match=r"is damaged.*: the policy of a turn has .*, which is not legal there"):
        list(read_games(path))


@pytest.mark.parametrize(("byte", "value"), [(2, 1), (2, 2), (3, 1)], ids=["small search", "full search", "policy"])
def test_a_pass_that_is_said_to_come_from_a_search_is_damaged(tmp_path: Path, byte: int, value: int) -> None:
    path = chunk(tmp_path, "petrify", 4)
    data = path.read_bytes()
    record = next(game for game in records_in(data) if WHOLE in game.line)
    at = data.index(TURN.pack(WHOLE, 0, 0, next(turn.value for turn in record.turns if turn.code == WHOLE)))
    changed = bytearray(data)
    changed[at + byte] = value
    if byte == 3:
        game = next(game for game in starts_of(data) if game < at < game + 4 + HEADER.unpack_from(data, game)[0])
        changed[at + TURN.size : at + TURN.size] = MOVE.pack(WHOLE, WHOLE)
        struct.pack_into("<I", changed, game, HEADER.unpack_from(data, game)[0] + MOVE.size)
    path.write_bytes(changed)
    with pytest.raises(PurlieuError, match="is damaged, or no file of self-play: a pass comes from a search"):
        list(read_games(path))
    with pytest.raises(ValueError, match="cannot be used: a p"):
        core().Replay("petrify").add(bytes(changed))


def test_a_game_with_a_swap_is_damaged(tmp_path: Path) -> None:
    path = chunk(tmp_path, "petrify", 4, 1)
    data = bytearray(path.read_bytes())
    length, *told, turns = HEADER.unpack_from(data)
    data = data[: 4 + length]
    end = HEADER.size + TURN.size  # of the first turn, which is drawn at random
    data[end:end] = TURN.pack(SWAP, 0, 0, 0)
    HEADER.pack_into(data, 0, length + TURN.size, *told, turns + 1)
    path.write_bytes(data)
    with pytest.raises(PurlieuError, match=f"{SWAP} is the code of no move there"):
        list(read_games(path))
    with pytest.raises(ValueError, match="cannot be used: a swap, which self-play does not know"):
        core().Replay("petrify").add(bytes(data))


def test_a_folder_without_games_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(PurlieuError, match="holds no games; expected a run's replay folder"):
        list(read_games(tmp_path))


def test_the_python_on_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run" / "replay").mkdir(parents=True)
    chunk(tmp_path / "run" / "replay", "petrify", 4)
    (code,) = [block.removeprefix("python\n") for block in PAGE.split("```")[1::2] if block.startswith("python\n")]
    with contextlib.chdir(tmp_path):
        exec(compile(code, "docs/selfplay.md", "exec"), {})
    assert "petrify 4 won, drawn or lost by who began: " in capsys.readouterr().out
