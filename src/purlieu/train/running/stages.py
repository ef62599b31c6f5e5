"""The stages of a run, one class each: it learns from its games, judges its net, and reports what came of both.

Between them goes plain data: games as bytes, `Counters`, `MatchResult`, and the lines of a log.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

from purlieu.kit.files import write_whole

from ..data.metadata import Counters
from ..data.run_folder import Log, RunFolder
from ..data.settings import TrainingSettings, plain, window_rows
from ..learning.batches import BatchLoader
from ..learning.replay import ReplayBuffer
from ..learning.trainer import Trainer
from ..network.evaluation import Evaluator
from ..network.onnx_writer import export
from ..report.curves import curves, run_title
from ..report.strength import MatchResult
from ..report.summary import card, ending, progress
from ..selfplay.matches import check_slots, gain_slots, play_check, play_gain
from ..selfplay.pool import SelfPlayStats
from .options import Show

Played = tuple[MatchResult, float]
"""How the games of a match went, and how many seconds they took."""


class Timer:
    """Is due every so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last = time.monotonic()

    def due(self) -> bool:
        """Whether so long has passed since it was last due."""
        if time.monotonic() - self._last < self._seconds:
            return False
        self.restart()
        return True

    def restart(self) -> None:
        """Count from now."""
        self._last = time.monotonic()


class Learner:
    """Keeps the games of self-play in the replay buffer, and trains on rows drawn from it."""

    def __init__(
        self, settings: TrainingSettings, trainer: Trainer, replay: ReplayBuffer, counters: Counters, *, seed: int
    ) -> None:
        self.settings, self.trainer, self.replay, self.counters = settings, trainer, replay, counters
        self._seed = seed
        self._batches: BatchLoader | None = None

    def keep(self, data: bytes) -> None:
        """Games that have ended go into the replay buffer; each of their rows may be trained on a few times."""
        games, rows = self.replay.add(data)
        self.counters.games += games
        self.counters.rows += rows
        self.counters.due += self.settings.reuse * rows

    def step(self, fall: float = 0.0, *, always: bool = False) -> bool:
        """One step of training, if rows are due and a batch is there."""
        settings = self.settings
        if self._batches is None:
            if self.rows() < (1 if always else settings.first_rows):
                return False
            trainer = self.trainer
            pinned = trainer.device.type != "cpu"
            self._batches = BatchLoader(self.replay, settings, trainer.net.shape, pinned=pinned, seed=self._seed)
        if not always and self.counters.due < settings.batch:
            return False
        batch = self._batches.get(0.05)
        if batch is None:
            return False
        self.trainer.train(batch, fall)
        self._batches.give_back(batch)
        self.counters.samples += settings.batch
        self.counters.due -= 0 if always else settings.batch
        self.counters.steps = self.trainer.step
        return True

    @property
    def backlog(self) -> float:
        """How far training lags behind self-play: from 1 on self-play should wait; 0 until training has begun."""
        if self._batches is None:
            return 0.0
        return self.counters.due / (2 * max(self.settings.reuse * self.settings.first_rows, self.settings.batch))

    def window(self) -> int:
        """The rows that count now; never fewer than training waits for."""
        return max(window_rows(self.settings, self.counters.rows), self.settings.first_rows)

    def rows(self) -> int:
        """The rows that can be trained on: a run that goes on with other sizes still has those of the old ones."""
        return sum(rows for size, rows in self.replay.sizes().items() if size in self.settings.sizes)

    def stop(self) -> None:
        """Draw no more rows."""
        if self._batches:
            self._batches.stop()


class Judge:
    """Plays matches of the averaged net: with the plain searches of the ladder, and with the net of the beginning."""

    def __init__(
        self, settings: TrainingSettings, now: Evaluator, then: Evaluator | None, stop: Callable[[], bool]
    ) -> None:
        self._settings, self._stop = settings, stop
        size = settings.check_size
        self._lane = now.lane(size, check_slots(settings))
        self._lanes = (now.lane(size, gain_slots(settings)), then.lane(size, gain_slots(settings))) if then else None

    def check(self, opponent: int, seed: int) -> Played | None:
        """Games with a plain search of so many simulations; None if they were interrupted."""
        played = play_check(self._settings, self._lane, opponent, seed=seed, stop=self._stop)
        return None if self._stop() else played

    def gain(self, seed: int) -> Played | None:
        """Games with the net that this start began with, if there is one; None if they were interrupted."""
        if self._lanes is None:
            return None
        played = play_gain(self._settings, *self._lanes, seed=seed, stop=self._stop)
        return None if self._stop() else played


class Reporter:
    """Writes what a run has come to: its log, a line for whoever watches, and the net with its curves and its card."""

    def __init__(
        self, folder: RunFolder, settings: TrainingSettings, device: str, device_name: str, commit: str, show: Show
    ) -> None:
        self._folder, self._settings, self._show = folder, settings, show
        self._device, self._device_name, self._commit = device, device_name, commit
        self._log = Log(folder.log)
        self._first_step = 0
        self._stats, self._at, self._trained, self._losses = SelfPlayStats(), time.monotonic(), 0.0, dict[str, float]()

    def start(self, counters: Counters, settings: TrainingSettings, step: int, **facts: Any) -> None:
        """The first line of a start."""
        self._first_step = step
        self._log.add(
            "start",
            seconds=counters.seconds,
            game=settings.game,
            device=self._device_name,
            threads=settings.threads,
            commit=self._commit,
            settings=plain(settings),
            resumed_at=step,
            **facts,
        )

    def training(self, seconds: float, counters: Counters, learner: Learner, stats: SelfPlayStats, groups: int) -> None:
        """A line about self-play and training since the line before, in the log and for whoever watches."""
        now = time.monotonic()
        wall = max(1e-6, now - self._at)
        new = stats.plus(self._stats, -1)
        self._stats, self._at = stats, now
        counters.evaluations += new.evaluations
        trainer = learner.trainer
        self._losses = trainer.parts() or self._losses
        trained, self._trained = trainer.seconds - self._trained, trainer.seconds
        self._log.add(
            "train",
            **_counts(seconds, counters, trainer.step),
            rows=int(counters.rows),
            samples=int(counters.samples),
            window=learner.replay.rows,
            evals_per_s=new.evaluations / wall,
            games_per_s=new.games / wall,
            device_share=new.device / wall,
            host_share=new.stepping / wall,
            queueing_share=new.queueing / wall / groups,
            waiting_share=new.waiting / wall / groups,
            training_share=trained / wall,
            lr=trainer.lr,
            **self._losses,
        )
        self._show(progress(self._settings.game, self._device, self._log.lines, self._first_step))

    def check(self, seconds: float, counters: Counters, step: int, played: Played) -> None:
        """A line about games with a plain search."""
        check, _ = played
        low, high = check.interval
        elo = {"elo": check.elo(check.score), "elo_low": check.elo(low), "elo_high": check.elo(high)}
        self._match("check", seconds, counters, step, played, opponent=check.opponent, **elo)

    def gain(self, seconds: float, counters: Counters, step: int, played: Played) -> None:
        """A line about what this start has gained so far."""
        self._match("gain", seconds, counters, step, played, against_steps=self._first_step)

    def _match(
        self, kind: str, seconds: float, counters: Counters, step: int, played: Played, **more: int | float | None
    ) -> None:
        result, took = played
        simulations = self._settings.check_simulations
        counts = _counts(seconds, counters, step)
        self._log.add(kind, **counts, simulations=simulations, **result.outcome, **more, took=took)

    def rested(self, seconds: float) -> None:
        """Self-play and training did nothing for so long, which does not count as their time."""
        self._at += seconds

    def publish(self, trainer: Trainer, counters: Counters) -> None:
        """The averaged net as ONNX, the curves and the card."""
        settings, done, lines = self._settings, dataclasses.asdict(counters), self._log.lines
        export(trainer.ema, settings, done, self._commit, self._folder.net)
        write_whole(self._folder.curves, curves(run_title(plain(settings)), lines).encode())
        weights = sum(each.numel() for each in trainer.ema.parameters())
        named = {"commit": self._commit, "device": self._device_name}
        text = card(settings, trainer.net.shape, weights, done, lines, **named)
        write_whole(self._folder.card, text.encode())

    def end(self, seconds: float, *, interrupted: bool) -> None:
        """The last line of a start."""
        if not interrupted:
            self._show(ending(self._settings.game, self._log.lines, self._first_step))
        self._log.add("end", seconds=seconds, interrupted=interrupted)
        self._log.close()


def _counts(seconds: float, counters: Counters, step: int) -> dict[str, Any]:
    """When a line was written: by the clock, in games, in evaluations and in steps."""
    return {
        "seconds": seconds,
        "games": int(counters.games),
        "evals": int(counters.evaluations),
        "steps": step,
    }
