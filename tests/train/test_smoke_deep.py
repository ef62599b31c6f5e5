"""The whole loop, long enough to matter: a tiny net, trained on a CPU, beats plain search on 4×4."""

from __future__ import annotations

from pathlib import Path

import pytest

from purlieu.train.log import latest, read_log

from ..cli.shell import purlieu


@pytest.mark.deep
def test_five_minutes_of_a_tiny_net_beat_plain_search_of_1000_simulations(tmp_path: Path) -> None:
    words = ["--tiny", "--device", "cpu", "--minutes", "5", "--set", "check_games=200", "--set", "ladder=[1000]"]
    assert purlieu("train", "petrify", "--out", str(tmp_path), *words).code == 0
    last = latest(read_log(tmp_path / "log.jsonl"), "check")[-1]
    assert (last["size"], last["opponent"]) == (4, 1000)
    assert last["low"] > 0.5
