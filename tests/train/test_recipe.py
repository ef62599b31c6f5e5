"""The commands that made a net, from its log."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from purlieu.rules import GAMES, PurlieuError
from purlieu.train.data.run_folder import Line, read_log
from purlieu.train.data.settings import make_settings, parse_override, plain
from purlieu.train.recipe import ONCE, WATCHING, commands, leading_to, main, starts_of

RUNS = Path(__file__).parents[2] / "runs"
MINUTES = {"petrify": 55.0, "pilo": 46.2, "pentwall": 22.8, "pyloff": 22.7}
"""As benchmarks/results/nets_training.md has them."""


@pytest.mark.parametrize("game", GAMES)
def test_the_starts_that_led_to_a_shipped_net_are_told_with_all_their_minutes(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(RUNS / game)]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    typed = [line for line in lines if not line.startswith("rm ")]
    assert head.startswith(f"# {MINUTES[game]} minutes in {len(typed)} starts, ")
    for number, command in enumerate(typed):
        assert command.startswith(f"purlieu train {game} --out run/ {'--resume ' if number else ''}--minutes ")


@pytest.mark.parametrize("game", GAMES)
def test_typed_one_after_the_other_they_set_what_the_starts_had(game: str) -> None:
    starts = starts_of(read_log(RUNS / game / "log.jsonl"))
    chain = leading_to(starts, starts[-1].ended_at)
    given: dict[str, object] = {}
    typed = [line for line in commands(game, chain) if not line.startswith("rm ")]
    for start, command in zip(chain, typed, strict=True):
        words = shlex.split(command)
        given |= dict(parse_override(words[at + 1]) for at, word in enumerate(words) if word == "--set")
        made = plain(make_settings(game, overrides=given).on("cuda", start.threads))
        for name, value in (ONCE | start.settings).items():
            if name not in WATCHING:
                assert made[name] == value, (command, name)


def test_what_a_start_did_not_have_of_the_one_before_it_is_removed_first() -> None:
    starts = starts_of(read_log(RUNS / "petrify/log.jsonl"))
    lines = commands("petrify", leading_to(starts, 176_453))
    removed = [line if line.startswith("rm ") else "start" for line in lines]
    alone, games = "rm -r run/checkpoint-*.pt run/replay", "rm -r run/replay"
    assert removed == ["start"] * 2 + [games, "start"] + [alone, "start"] * 5 + ["start"]


def line(kind: str, seconds: float, **values: object) -> Line:
    return {"kind": kind, "seconds": seconds, **values}


def start_line(seconds: float, resumed_at: int, **values: object) -> Line:
    given = {"device": "NVIDIA H200 with 16 threads", "threads": 16}
    given |= {"settings": plain(make_settings("petrify").on("cuda", 16)), "rows_kept": 9, **values}
    return line("start", seconds, resumed_at=resumed_at, **given)


def test_a_run_that_was_killed_and_began_with_another_net_is_told_too() -> None:
    log = [
        start_line(0.0, 0, begun_from="a run (2)/net.onnx (sha256 12…, 9 games)"),
        line("train", 60.0, steps=100),  # killed: its last checkpoint was after this line …
        start_line(70.0, 120),
        line("train", 130.0, steps=200),
        start_line(115.0, 180),  # … and this one's before it
        line("train", 175.0, steps=300),
    ]
    chain = leading_to(starts_of(log), 290)
    assert [start.began_at for start in chain] == [0, 120, 180]
    first, *others = commands("petrify", chain)
    assert first.startswith("purlieu train petrify --out run/ --from 'a run (2)/net.onnx' --minutes 1.0")
    assert [other.split(" --set")[0] for other in others] == [
        "purlieu train petrify --out run/ --resume --minutes 1.0"
    ] * 2


def test_a_tiny_run_is_told_as_one_with_its_device_and_what_it_had_of_its_own() -> None:
    settings = plain(make_settings("pilo", tiny=True, overrides={"lr": 0.003}).on("cpu", 2))
    begin = start_line(0.0, 0, device="a CPU (x86_64, 2 threads)", threads=2, settings=settings)
    chain = leading_to(starts_of([begin, line("train", 300.0, steps=100)]), 100)
    assert commands("pilo", chain) == ["purlieu train pilo --out run/ --tiny --device cpu --minutes 5.0 --set lr=0.003"]


@pytest.mark.parametrize(("seconds", "minutes"), [(3.0, "0.05"), (3.2, "0.053"), (59.0, "0.98"), (62.0, "1.0")])
def test_a_short_start_is_not_told_as_twice_as_long(seconds: float, minutes: str) -> None:
    chain = leading_to(starts_of([start_line(0.0, 0), line("train", seconds, steps=100)]), 100)
    assert commands("petrify", chain) == [f"purlieu train petrify --out run/ --minutes {minutes}"]


def test_a_folder_without_a_run_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        assert main([str(folder)]) == 1
        expected = f"{folder} holds no run: there is no net.onnx in it; expected one such as runs/petrify"
        assert capsys.readouterr().err == f"purlieu: {expected}\n"


def test_a_log_that_lacks_a_start_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PurlieuError, match="does not say how the net came to its first 17,266 steps"):
        leading_to(starts_of(read_log(RUNS / "petrify/log.jsonl"))[2:], 176_453)
    shutil.copyfile(RUNS / "petrify/net.onnx", tmp_path / "net.onnx")
    (tmp_path / "log.jsonl").write_text('{"kind":"start"}\n')
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"purlieu: {tmp_path} holds no run whose log tells how it went\n"
