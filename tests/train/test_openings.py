"""What nets know of first moves: games after each of them, kept as they come."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from purlieu.core import core
from purlieu.core.symmetry import first_cells, name_of
from purlieu.nets.shape import Shape
from purlieu.nets.shipped import FOLDER
from purlieu.rules import PurlieuError
from purlieu.train import openings as playing_openings
from purlieu.train.data.game_records import records_in
from purlieu.train.network.evaluation import Lane, NullLanes
from purlieu.train.network.net import Net
from purlieu.train.network.weights import read_onnx_net
from purlieu.train.openings import PARTS, Tally, main, play_size, trained_sizes

RUNS = Path(__file__).parents[2] / "runs"


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    net = [] if "--net" in words else ["--net", str(RUNS / "petrify" / "net.onnx")]
    monkeypatch.setattr(
        sys, "argv", ["openings", "--simulations", "2", "--device", "cpu", "--threads", "1", *words, *net]
    )
    return main()


def test_moves_that_a_symmetry_turns_into_each_other_are_played_once() -> None:
    assert [len(first_cells(size)) for size in (4, 5, 6, 8, 10)] == [3, 6, 6, 10, 15]
    cells = [cell for group in first_cells(5) for cell in group]
    assert len(cells) == len(set(cells)) == 25
    assert ["a1", "a4", "d1", "d4"] in [[name_of(cell) for cell in group] for group in first_cells(4)]


def test_every_place_plays_its_opening_and_then_rests() -> None:
    lane = NullLanes(Shape.of("petrify", 4)).lane(4, 4)
    playing = core().SelfPlay("petrify", 4, 4, full_simulations=2, openings=[["a1"], ["b3", "c1"]], games=2)
    while playing.counts.games < 8:
        playing.step(lane.policy, lane.value, lane.planes)
    assert playing.step(lane.policy, lane.value, lane.planes) == 0, "nobody plays any more"
    lines = [record.line for record in records_in(playing.take())]
    assert sorted(line[:1] if line[0] == 0 else line[:2] for line in lines) == 4 * [(0,)] + 4 * [(17, 2)]


def test_an_opening_that_the_rules_do_not_allow_is_refused() -> None:
    for opening in (["a1", "a1"], ["z9"], ["a1", "swap"]):
        with pytest.raises(ValueError, match=f"an opening has the move {opening[-1]}, which is not legal there"):
            core().SelfPlay("petrify", 4, 2, openings=[opening])


def test_results_are_kept_after_every_size_and_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "found.json"
    assert run(monkeypatch, "petrify", "--out", str(out), "--sizes", "4", "--games", "3") == 0
    first = json.loads(out.read_text())
    assert [tally["wins"] + tally["draws"] + tally["losses"] for tally in first["sizes"]["4"]] == [3, 3, 3]
    assert all(0 < tally["seen"][0] < 1 for tally in first["sizes"]["4"]), (
        "the net's first sight is kept with its games"
    )
    assert run(monkeypatch, "petrify", "--out", str(out), "--sizes", "4,5", "--games", "3") == 0
    second = json.loads(out.read_text())
    assert second["sizes"]["4"] == first["sizes"]["4"]
    assert len(second["sizes"]["5"]) == 6
    assert run(monkeypatch, "petrify", "--out", str(out), "--sizes", "4", "--seed", "7") == 1
    assert "was played with other settings; give another file" in capsys.readouterr().err


def test_sizes_that_are_not_played_again_are_told_with_their_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "found.json"
    words = ("petrify", "--out", str(out), "--sizes", "4")
    assert run(monkeypatch, *words, "--games", "3") == 0
    kept = out.read_text()
    capsys.readouterr()
    there = f"Petrify 4×4 is in {out} already, 3 games for each first move"
    for games, end in (
        ("3", "; it is not played again"),
        ("1000", ", fewer than the 1,000 asked for; another --out, or the file without that size, plays it anew"),
    ):
        assert run(monkeypatch, *words, "--games", games) == 0
        assert capsys.readouterr().err == there + end + "\n"
    assert out.read_text() == kept


def test_two_runs_with_one_file_do_not_lose_each_others_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "found.json"
    words = ("petrify", "--out", str(out), "--games", "1", "--sizes")
    meanwhile: list[int] = []

    def play(game: str, size: int, *others: Any) -> list[Tally]:
        if not meanwhile:
            meanwhile.append(0)
            meanwhile[0] = run(monkeypatch, *words, "5")
        return play_size(game, size, *others)

    monkeypatch.setattr(playing_openings, "play_size", play)
    assert run(monkeypatch, *words, "4") == 0
    busy = f"purlieu: {out} is being written by another run; wait for its end, or give another file\n"
    assert (meanwhile, busy in capsys.readouterr().err) == ([1], True)
    assert run(monkeypatch, *words, "5") == 0
    assert json.loads(out.read_text())["sizes"].keys() == {"4", "5"}
    assert list(tmp_path.iterdir()) == [out], "nothing else is left"


class SlowLanes(NullLanes):
    """Lanes that take their time, all but the first of them; that one does what it is told."""

    def __init__(self, first: Callable[[], object]) -> None:
        super().__init__(Shape.of("petrify", 8))
        self.first, self.runs = first, 0
        self.threads: list[threading.Thread] = []

    def load(self, state: object) -> None:
        """There is nothing to play with."""

    def lane(self, size: int, batch: int) -> Lane:
        lane = super().lane(size, batch)
        self.threads.append(threading.current_thread())

        def take() -> None:
            self.runs += 1
            assert self.runs < 2000, "nobody has ended this"
            self.first() if threading.current_thread() is self.threads[0] else time.sleep(0.005)

        lane.run = take  # type: ignore[method-assign]
        return lane

    def play(self) -> None:
        """From the start, with turns of thousands of evaluations."""
        order = Namespace(games=PARTS, simulations=1000, threads=1, seed=1)
        play_size("petrify", 8, [], self, order, lambda _: None)


def test_a_part_that_fails_ends_the_others_too_and_is_told_at_once() -> None:
    def fail() -> None:
        raise PurlieuError("the device is gone")

    lanes = SlowLanes(fail)
    with pytest.raises(PurlieuError, match="the device is gone"):
        lanes.play()
    assert lanes.runs < 1000, "of some 60,000"


def test_a_second_ctrl_c_leaves_no_thread_in_the_core() -> None:
    main_thread = threading.main_thread().ident
    assert main_thread

    ended: list[bool] = []

    def interrupt() -> None:
        for _ in range(2):
            signal.pthread_kill(main_thread, signal.SIGINT)
            time.sleep(0.3)
        ended.append(True)

    lanes = SlowLanes(interrupt)
    with pytest.raises(KeyboardInterrupt):
        lanes.play()
    assert ended
    assert not any(thread.is_alive() for thread in lanes.threads)


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ([], ["--freely"], "has games after each first move; leave out --freely, or give another file"),
        (["--freely"], [], "has games from the start; add --freely, or give another file"),
    ],
    ids=["first moves, then freely", "freely, then first moves"],
)
def test_games_that_began_freely_and_after_first_moves_are_not_mixed_in_a_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    first: list[str],
    second: list[str],
    sentence: str,
) -> None:
    out = tmp_path / "found.json"
    words = ("petrify", "--out", str(out), "--games", "1", "--sizes")
    assert run(monkeypatch, *words, "4", *first) == 0
    kept = out.read_text()
    capsys.readouterr()
    for sizes in ("4", "5"):
        assert run(monkeypatch, *words, sizes, *second) == 1
        assert capsys.readouterr().err == f"purlieu: {out} {sentence}\n"
    assert out.read_text() == kept


def test_a_net_of_another_game_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    net = str(RUNS / "pilo" / "net.onnx")
    assert run(monkeypatch, "petrify", "--net", net, "--out", str(tmp_path / "o.json")) == 1
    assert "is a net of pilo, not of petrify" in capsys.readouterr().err


def test_a_net_in_bytes_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "petrify", "--net", str(FOLDER / "petrify.onnx"), "--out", str(tmp_path / "o.json")) == 1
    assert "is a net in bytes; expected one in full precision" in capsys.readouterr().err


def test_an_exported_net_comes_back_as_it_was() -> None:
    net = read_onnx_net(RUNS / "petrify" / "net.onnx")
    assert isinstance(net, Net)
    assert net.shape.game == "petrify"
    assert float(net.scales.min()) == float(net.scales.max()) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--sizes", "x"], "--sizes is 'x'; expected sizes such as 6,8"),
        (["--sizes", "4,40"], "Petrify is played on 3×3 to 10×10; 40 is not such a size"),
        (["--games", "0"], "expected a game or more for each first move"),
        (["--threads", "0"], "--threads is 0; expected 1 or more"),
    ],
)
def test_what_cannot_be_played_gets_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    sentence: str,
) -> None:
    assert run(monkeypatch, "petrify", "--out", str(tmp_path / "found.json"), *words) == 1
    assert sentence in capsys.readouterr().err


def test_a_file_of_something_else_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "found.json"
    out.write_text("my notes")
    assert run(monkeypatch, "petrify", "--out", str(out), "--games", "1", "--sizes", "4") == 1
    assert f"{out} holds no results of ours; give another file" in capsys.readouterr().err
    assert out.read_text() == "my notes"


def test_where_no_file_can_be_written_no_game_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "absent" / "found.json"
    assert run(monkeypatch, "petrify", "--out", str(out), "--games", "1", "--sizes", "4") == 1
    told = capsys.readouterr().err
    assert told == f"purlieu: {out}: there is no folder {out.parent}\n"


def test_without_sizes_a_net_plays_on_those_that_it_was_trained_on() -> None:
    assert trained_sizes(RUNS / "petrify" / "net.onnx") == [4, 5, 6, 7, 8, 9, 10]
    assert trained_sizes(RUNS / "pentwall" / "net.onnx") == [10]
