"""The whole loop, long enough to matter: a tiny net, trained on a CPU, beats plain search on 4×4."""

from __future__ import annotations

from pathlib import Path

import pytest

from purlieu.train.data.run_folder import latest, read_log

from ..cli.shell import purlieu


@pytest.mark.deep
@pytest.mark.parametrize("game", ["petrify", "pilo", "pyloff"])
def test_five_minutes_of_a_tiny_net_beat_plain_search_of_1000_simulations(tmp_path: Path, game: str) -> None:
    words = ["--tiny", "--device", "cpu", "--minutes", "5", "--set", "check_games=400", "--set", "ladder=[1000]"]
    assert purlieu("train", game, "--out", str(tmp_path), *words).code == 0
    last = latest(read_log(tmp_path / "log.jsonl"), "check")[-1]
    assert (last["size"], last["opponent"]) == (4, 1000)
    assert last["low"] > 0.5
