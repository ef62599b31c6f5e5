"""Runs of a tiny net that take seconds."""

from __future__ import annotations

import json
from pathlib import Path

from ..cli.shell import Ran, purlieu

RUNS = Path(__file__).parents[2] / "runs"
QUICK = {
    **{"slots": 48, "threads": 1, "batch": 32, "full_simulations": 4, "considered": 4, "first_rows": 60},
    **{"gate_plies": 40, "check_games": 8, "check_simulations": 4, "ladder": [10], "log_seconds": 0.3},
    **{"checkpoint_seconds": 0.5, "window_base": 1000, "gain_games": 8},
}
SETS = [word for name, value in QUICK.items() for word in ("--set", f"{name}={json.dumps(value)}")]


def train(out: Path, *words: str) -> Ran:
    return purlieu("train", "petrify", "--tiny", "--device", "cpu", "--out", str(out), *SETS, *words)


def go_on(out: Path, games: int) -> Ran:
    return purlieu("train", "petrify", "--out", str(out), "--device", "cpu", "--resume", "--games", str(games))
