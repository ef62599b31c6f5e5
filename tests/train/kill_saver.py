"""Kills a process that writes checkpoints, again and again, and loads what it left: `kill_saver.py FOLDER`."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

import torch

from purlieu.train.data.settings import make_settings
from purlieu.train.learning.trainer import Trainer
from purlieu.train.network import checkpoint
from tests.train.shapes import SMALL

KILLS = 20


def main(folder: Path) -> None:
    """Forks are cheap: PyTorch is loaded once."""
    torch.set_num_threads(1)
    settings = make_settings("petrify", tiny=True)
    trainer = Trainer(settings, SMALL, "cpu")
    begun = time.monotonic()
    checkpoint.save(folder, trainer.state(), settings, SMALL, {"games": 0.0}, "")
    usual = time.monotonic() - begun
    chance = random.Random(5)
    last = 0
    for _ in range(KILLS):
        child = os.fork()
        if child == 0:
            while True:
                trainer.step += 1
                checkpoint.save(folder, trainer.state(), settings, SMALL, {"games": 10.0 * trainer.step}, "")
        time.sleep(chance.uniform(0, 5 * usual))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found = checkpoint.newest(folder)
        assert found is not None
        state, kept, counters = checkpoint.load(found, SMALL)
        assert state["step"] >= last
        assert counters["games"] == 10 * state["step"]
        assert kept == settings
        last = trainer.step = state["step"]
        trainer.load(state)
    sys.stdout.write(f"{last}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
