"""The commands that made a net, from its log."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from purlieu.rules import GAMES, PurlieuError
from purlieu.train.log import read_log
from purlieu.train.recipe import ONCE, WATCHING, commands, leading_to, main, starts_of
from purlieu.train.settings import make_settings, parse_override, plain

RUNS = Path(__file__).parents[2] / "runs"
MINUTES = {"petrify": 55.0, "pilo": 46.2, "pentwall": 22.8, "pyloff": 22.7}
"""As benchmarks/nets.md has them."""


@pytest.mark.parametrize("game", GAMES)
def test_the_starts_that_led_to_a_shipped_net_are_told_with_all_their_minutes(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(RUNS / game)]) == 0
    head, *typed = capsys.readouterr().out.splitlines()
    assert head.startswith(f"# {MINUTES[game]} minutes in {len(typed)} starts, ")
    for number, command in enumerate(typed):
        assert command.startswith(f"purlieu train {game} --out run/ {'--resume ' if number else ''}--minutes ")


@pytest.mark.parametrize("game", GAMES)
def test_typed_one_after_the_other_they_set_what_the_starts_had(game: str) -> None:
    starts = starts_of(read_log(RUNS / game / "log.jsonl"))
    chain = leading_to(starts, starts[-1].ended_at)
    given: dict[str, object] = {}
    for start, command in zip(chain, commands(game, chain), strict=True):
        words = shlex.split(command)
        given |= dict(parse_override(words[at + 1]) for at, word in enumerate(words) if word == "--set")
        made = plain(make_settings(game, overrides=given).on("cuda", start.threads))
        for name, value in (ONCE | start.settings).items():
            if name not in WATCHING:
                assert made[name] == value, (command, name)


def test_a_log_that_lacks_a_start_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PurlieuError, match="does not say how the net came to its first 17,266 steps"):
        leading_to(starts_of(read_log(RUNS / "petrify/log.jsonl"))[2:], 176_453)
    shutil.copyfile(RUNS / "petrify/net.onnx", tmp_path / "net.onnx")
    (tmp_path / "log.jsonl").write_text('{"kind":"start"}\n')
    for folder in (tmp_path, tmp_path / "nowhere"):
        assert main([str(folder)]) == 1
        assert capsys.readouterr().err.startswith("purlieu: ")
