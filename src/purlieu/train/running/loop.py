"""One start of a run: self-play and training side by side, and everything kept on the way.

Self-play goes on in threads of its own (`selfplay/pool.py`); this thread takes the other stages (`stages.py`) in turn::

    SelfPlayPool ──games──▶ Learner.keep ──rows──▶ Learner.step ──weights──▶ SelfPlayPool
                                                        └──▶ Judge ──results──▶ Reporter: log, net, curves, card

What a kill can cost is the time since the last checkpoint.
"""

from __future__ import annotations

import dataclasses
import queue
import time
from typing import Any

from purlieu.kit.interrupts import Interrupts
from purlieu.nets.shape import Shape
from purlieu.rules import PurlieuError

from ..data.metadata import Counters
from ..data.run_folder import RunFolder
from ..data.settings import TrainingSettings, final_seconds, final_steps
from ..learning.replay import ReplayBuffer
from ..learning.trainer import Trainer
from ..network import checkpoint
from ..network.evaluation import device_name, evaluator, set_up_device, usable_cores
from ..network.weights import InitialWeights, trainable_state
from ..report.strength import PROMOTION_SCORE
from ..selfplay.pool import SelfPlayPool
from .options import RunOptions, Show
from .stages import Judge, Learner, Reporter, Timer

PUBLISH_SECONDS = 3.0
"""How often self-play gets the newest weights."""
SEED_STEP = 1_000_003
"""Each start of a run plays other games."""


class Run:
    """One start of a run."""

    def __init__(
        self,
        options: RunOptions,
        settings: TrainingSettings,
        shape: Shape,
        folder: RunFolder,
        counters: Counters,
        device: str,
    ) -> None:
        self.options, self.kept_settings, self.shape, self.folder = options, settings, shape, folder
        self.counters, self.device = counters, device
        self.interrupts = Interrupts()
        self.settings = settings.on(device, usable_cores())
        self.commit = checkpoint.commit()
        self.begun = time.monotonic()
        self.seconds_before = counters.seconds
        self.seed = settings.seed + SEED_STEP * int(counters.starts)

    def go(self, state: dict[str, Any] | None, initial: InitialWeights | None, compared: int, show: Show) -> bool:
        """From the first weights to the card; False if it was interrupted. `compared` turns were in step before."""
        with self.interrupts:
            self.prepare(state, initial, compared, show)
            try:
                self.play_and_learn()
                self.pool.pause()
                self.keep_games()
                self.save()
                if not self.interrupts.wanted:
                    self.finish_learning()
            finally:
                try:
                    self.pool.end()  # no thread may be left in the core when an error ends the process
                finally:
                    self.learner.stop()
            self.report_training()
            self.save()
            if not self.interrupts.wanted:
                self.judge_net()
                self.save()  # the time that it took, and the opponent that it has led to
            self.reporter.publish(self.trainer, self.counters)
            self.reporter.end(self.elapsed(), interrupted=self.interrupts.wanted)
            return not self.interrupts.wanted

    def prepare(self, state: dict[str, Any] | None, initial: InitialWeights | None, compared: int, show: Show) -> None:
        """Everything that a run needs, and what an earlier start has left."""
        settings, counters = self.settings, self.counters
        set_up_device(self.device)
        self.trainer = Trainer(settings, self.shape, self.device)
        if state:
            try:
                self.trainer.load(state)
            except (RuntimeError, KeyError, ValueError, TypeError, AttributeError):
                raise PurlieuError(f"the checkpoint in {self.folder.path} does not fit its settings") from None
        if initial:
            self.trainer.begin(trainable_state(initial, self.shape, settings.sizes), int(counters.steps))
        self.first_step = self.trainer.step
        replay = ReplayBuffer(self.folder.replay, settings.game, settings.threads, keep=settings.keep_replay)
        self.learner = Learner(settings, self.trainer, replay, counters, seed=self.seed)
        replay.load(self.learner.window())
        self.evaluator = evaluator(self.trainer.ema, self.device)
        self.finished: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        collect = self.finished.put
        self.pool = SelfPlayPool(settings, self.evaluator, device=self.device, seed=self.seed, collect=collect)
        earlier = evaluator(self.trainer.ema, self.device) if initial or (state and self.first_step > 0) else None
        self.judge = Judge(settings, self.evaluator, earlier, lambda: self.interrupts.wanted)
        named = device_name(self.device, settings.threads)
        self.reporter = Reporter(self.folder, self.kept_settings, self.device, named, self.commit, show)
        counters.starts += 1
        facts: dict[str, Any] = {"turns_in_step": compared, "rows_kept": replay.rows}
        if initial:
            facts["begun_from" if self.options.begin_from else "went_on_from"] = initial.source
        self.reporter.start(counters, settings, self.first_step, **facts)
        self.save()

    def play_and_learn(self) -> None:
        """The main part: self-play with training beside it, until time or games are up."""
        settings = self.settings
        weights, report = Timer(PUBLISH_SECONDS), Timer(settings.log_seconds)
        save, judge = Timer(settings.checkpoint_seconds), Timer(settings.check_seconds)
        self.pool.start()
        while not self.interrupts.wanted and not self.is_over():
            self.keep_games()
            self.balance()
            if not self.learner.step():
                time.sleep(0.002)
            if weights.due():
                self.evaluator.load(self.trainer.ema.state_dict())
                self.learner.replay.trim(self.learner.window())
            if report.due():
                self.report_training()
            if save.due():
                self.save()
            if judge.due():
                self.judge_net()
                self.reporter.publish(self.trainer, self.counters)
                judge.restart()

    def is_over(self) -> bool:
        """Whether the main part is over."""
        seconds, games = self.options.seconds, self.options.games
        if games is not None and self.counters.games >= games:
            return True
        if seconds is None:
            return False
        left = seconds - (time.monotonic() - self.begun)
        if left > seconds * self.settings.final_share:
            return False
        return left <= final_seconds(self.settings, seconds, self.learner.rows(), self.learner.trainer.step_seconds)

    def keep_games(self) -> None:
        """Games that have ended go into the replay buffer."""
        self.pool.raise_failure()
        while not self.finished.empty():
            self.learner.keep(self.finished.get())

    def balance(self) -> None:
        """Where training is the slower part, self-play waits for it."""
        if self.pool.playing and self.learner.backlog > 1:
            self.pool.pause()
        elif not self.pool.playing and self.learner.backlog < 0.5:
            self.pool.start()

    def finish_learning(self) -> None:
        """The last part, without games: the learning rate falls to a hundredth, over the time that is left."""
        settings = self.settings
        share = settings.final_share
        rows = self.learner.rows()
        if share == 0 or not rows:
            return
        begun = time.monotonic()
        seconds = None if self.options.seconds is None else max(0.0, self.options.seconds - (begun - self.begun))
        most = final_steps(settings, rows)
        if seconds is None:
            most = max(10.0, min(most, share / (1 - share) * (self.trainer.step - self.first_step)))
        report, save = Timer(settings.log_seconds), Timer(settings.checkpoint_seconds)
        done, fall = 0, 0.0
        while fall < 1 and not self.interrupts.wanted:
            done += self.learner.step(fall, always=True)
            fall = done / most
            if seconds is not None:
                fall = max(fall, (time.monotonic() - begun) / max(seconds, 1e-3))
            if report.due():
                self.report_training()
            if save.due():
                self.save()
        self.evaluator.load(self.trainer.ema.state_dict())

    def judge_net(self) -> None:
        """Matches of the newest net, with self-play resting; a good score leads to the next opponent of the ladder."""
        settings, counters, step = self.settings, self.counters, self.trainer.step
        playing, begun = self.pool.playing, time.monotonic()
        if playing:
            self.pool.pause()
        self.evaluator.load(self.trainer.ema.state_dict())
        rung = min(int(counters.rung), len(settings.ladder) - 1)
        if checked := self.judge.check(settings.ladder[rung], self.seed + step):
            self.reporter.check(self.elapsed(), counters, step, checked)
            if checked[0].score >= PROMOTION_SCORE and counters.rung < len(settings.ladder) - 1:
                counters.rung += 1
            if step > self.first_step and (gained := self.judge.gain(self.seed + step)):
                self.reporter.gain(self.elapsed(), counters, step, gained)
        self.reporter.rested(time.monotonic() - begun)
        if playing:
            self.pool.start()

    def elapsed(self) -> float:
        """Seconds of all starts together."""
        return self.seconds_before + time.monotonic() - self.begun

    def report_training(self) -> None:
        """A line about self-play and training."""
        groups = len(self.pool.groups)
        self.reporter.training(self.elapsed(), self.counters, self.learner, self.pool.stats(), groups)

    def save(self) -> None:
        """Games first, then the checkpoint that counts them."""
        self.counters.seconds = self.elapsed()
        self.learner.replay.flush()
        self.learner.replay.trim(self.learner.window())
        counters = dataclasses.asdict(self.counters)
        checkpoint.save(self.folder.path, self.trainer.state(), self.kept_settings, self.shape, counters, self.commit)
