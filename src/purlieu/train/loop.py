"""A run: self-play and training side by side, and everything kept on the way.

Self-play goes on in threads of its own (`selfplay.py`). This thread takes in the games, trains as often as they allow,
and now and then writes a line, a checkpoint, or plays games against fixed opponents. What a kill can cost is the time
since the last checkpoint.
"""

from __future__ import annotations

import dataclasses
import queue
import time
from typing import Any

from purlieu.nets.shape import Shape
from purlieu.rules import PurlieuError

from . import checkpoint
from .batches import Batches
from .begin import Beginning, learning_state
from .card import card
from .checks import check_slots, gain_slots, play_check, play_gain
from .counters import Counters
from .device import device_name, set_up, usable_cores
from .evaluate import Lane, evaluator
from .export import export
from .files import write_text
from .folder import Folder
from .gate import check_rules
from .interrupts import Interrupts
from .log import Log
from .order import Order, Tell, until_nobody_hears
from .plots import curves, run_title
from .progress import ending, progress
from .replay import Memory
from .schedule import final_seconds, final_steps, window_rows
from .scores import ENOUGH, Check
from .selfplay import Ring, Spent
from .settings import Settings, plain
from .timer import Timer
from .trainer import Trainer

PUBLISH_SECONDS = 3.0
"""How often self-play gets the newest weights."""
SEED_STEP = 1_000_003
"""Each start of a run plays other games."""


class Run:
    """One start of a run."""

    def __init__(
        self,
        order: Order,
        settings: Settings,
        shape: Shape,
        folder: Folder,
        counters: Counters,
        device: str,
        tell: Tell,
    ) -> None:
        self.order, self.kept_settings, self.shape, self.folder = order, settings, shape, folder
        self.counters, self.device, self.tell = counters, device, until_nobody_hears(tell)
        self.interrupts = Interrupts()
        self.settings = settings.on(device, usable_cores())
        self.device_name = device_name(device, self.settings.threads)
        self.commit = checkpoint.commit()
        self.begun = time.monotonic()
        self.seconds_before = counters.seconds
        self.seed = settings.seed + SEED_STEP * int(counters.starts)
        self.parts: dict[str, float] = {}
        self.logged = Spent()
        self.logged_at = self.begun
        self.logged_training = 0.0

    def go(self, state: dict[str, Any] | None, beginning: Beginning | None = None) -> bool:
        """From the rules gate to the card. Ctrl-C ends the gate at once, as there is nothing to put away yet."""
        compared = check_rules(self.settings, self.tell)
        with self.interrupts:
            return self.learn(state, beginning, compared)

    def learn(self, state: dict[str, Any] | None, beginning: Beginning | None, compared: int) -> bool:
        """All that comes after the gate; False if it was interrupted."""
        self.prepare(state, beginning, compared)
        try:
            self.play_and_train()
            self.ring.pause()
            self.take_in()
            self.save()
            if not self.interrupts.wanted:
                self.finish_training()
        finally:
            try:
                self.ring.end()  # no thread may be left in the core when an error ends the process
            finally:
                self.batches.stop() if self.batches else None
        self.log_line()
        self.save()
        if not self.interrupts.wanted:
            self.check()
            self.save()  # the time that it took, and the opponent that it has led to
        self.show_results()
        if not self.interrupts.wanted:
            self.tell(ending(self.settings.game, self.log.lines, self.first_step))
        self.log.add("end", seconds=self.elapsed(), interrupted=self.interrupts.wanted)
        self.log.close()
        return not self.interrupts.wanted

    # -- the beginning ----------------------------------------------------------------------------------------------

    def prepare(self, state: dict[str, Any] | None, beginning: Beginning | None, compared: int) -> None:
        """Everything that a run needs, and what an earlier start has left."""
        settings = self.settings
        set_up(self.device)
        self.trainer = Trainer(settings, self.shape, self.device)
        if state:
            try:
                self.trainer.load(state)
            except (RuntimeError, KeyError, ValueError, TypeError, AttributeError):
                raise PurlieuError(f"the checkpoint in {self.folder.path} does not fit its settings") from None
        if beginning:
            self.trainer.begin(learning_state(beginning, self.shape, settings.sizes), int(self.counters.steps))
        self.first_step = self.trainer.step
        self.memory = Memory(self.folder.replay, settings.game, settings.threads, keep=settings.keep_replay)
        self.memory.load(self.window())
        self.evaluator = evaluator(self.trainer.ema, self.device)
        self.finished: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.ring = Ring(settings, self.evaluator, device=self.device, seed=self.seed, collect=self.finished.put)
        self.check_lane = self.evaluator.lane(settings.check_size, check_slots(settings))
        self.gain_lanes: tuple[Lane, Lane] | None = None
        if beginning or (state and self.first_step > 0):
            then = evaluator(self.trainer.ema, self.device)
            now_and_then = (each.lane(settings.check_size, gain_slots(settings)) for each in (self.evaluator, then))
            self.gain_lanes = (next(now_and_then), next(now_and_then))
        self.batches: Batches | None = None
        self.log = Log(self.folder.log)
        self.counters.starts += 1
        self.log.add(
            "start",
            seconds=self.counters.seconds,
            game=settings.game,
            device=self.device_name,
            threads=settings.threads,
            commit=self.commit,
            turns_in_step=compared,
            settings=plain(settings),
            resumed_at=self.trainer.step,
            rows_kept=self.memory.rows,
            **({"begun_from" if self.order.begin_from else "went_on_from": beginning.source} if beginning else {}),
        )
        self.save()

    # -- the main part ----------------------------------------------------------------------------------------------

    def play_and_train(self) -> None:
        """Self-play with training beside it, until time or games are up."""
        settings = self.settings
        publish, log = Timer(PUBLISH_SECONDS), Timer(settings.log_seconds)
        save, check = Timer(settings.checkpoint_seconds), Timer(settings.check_seconds)
        self.ring.start()
        while not self.interrupts.wanted and not self.enough():
            self.take_in()
            self.balance()
            if not self.train_once():
                time.sleep(0.002)
            if publish.due():
                self.evaluator.load(self.trainer.ema.state_dict())
                self.memory.trim(self.window())
            if log.due():
                self.log_line()
            if save.due():
                self.save()
            if check.due():
                self.check()
                self.show_results()
                check.restart()

    def enough(self) -> bool:
        """Whether the main part is over."""
        seconds, games = self.order.seconds, self.order.games
        if games is not None and self.counters.games >= games:
            return True
        if seconds is None:
            return False
        left = seconds - (time.monotonic() - self.begun)
        if left > seconds * self.settings.final_share:
            return False
        return left <= final_seconds(self.settings, seconds, self.wanted_rows(), self.trainer.step_seconds)

    def take_in(self) -> None:
        """Games that have ended go into the replay."""
        self.ring.raise_failure()
        while not self.finished.empty():
            games, rows = self.memory.add(self.finished.get())
            self.counters.games += games
            self.counters.rows += rows
            self.counters.due += self.settings.reuse * rows

    def balance(self) -> None:
        """Where training is the slower part, self-play waits for it."""
        most = 2 * max(self.settings.reuse * self.settings.first_rows, self.settings.batch)
        if self.ring.playing and self.counters.due > most and self.batches:
            self.ring.pause()
        elif not self.ring.playing and self.counters.due < most / 2:
            self.ring.start()

    def train_once(self, fall: float = 0.0, *, always: bool = False) -> bool:
        """One step of training, if rows are due and a batch is there."""
        settings = self.settings
        if self.batches is None:
            if self.wanted_rows() < (1 if always else settings.first_rows):
                return False
            pinned = self.device != "cpu"
            self.batches = Batches(self.memory, settings, self.shape, pinned=pinned, seed=self.seed)
        if not always and self.counters.due < settings.batch:
            return False
        rows = self.batches.get(0.05)
        if rows is None:
            return False
        self.trainer.train(rows, fall)
        self.batches.give_back(rows)
        self.counters.samples += settings.batch
        self.counters.due -= 0 if always else settings.batch
        self.counters.steps = self.trainer.step
        return True

    # -- the last part ----------------------------------------------------------------------------------------------

    def finish_training(self) -> None:
        """No more games: the learning rate falls to a hundredth, over the time that is left."""
        settings = self.settings
        share = settings.final_share
        rows = self.wanted_rows()
        if share == 0 or not rows:
            return
        begun = time.monotonic()
        seconds = None if self.order.seconds is None else max(0.0, self.order.seconds - (begun - self.begun))
        most = final_steps(settings, rows)
        if seconds is None:
            most = max(10.0, min(most, share / (1 - share) * (self.trainer.step - self.first_step)))
        log, save = Timer(settings.log_seconds), Timer(settings.checkpoint_seconds)
        done, left = 0, 0.0
        while left < 1 and not self.interrupts.wanted:
            done += self.train_once(left, always=True)
            left = done / most
            if seconds is not None:
                left = max(left, (time.monotonic() - begun) / max(seconds, 1e-3))
            if log.due():
                self.log_line()
            if save.due():
                self.save()
        self.evaluator.load(self.trainer.ema.state_dict())

    # -- what is kept and shown -------------------------------------------------------------------------------------

    def elapsed(self) -> float:
        """Seconds of all starts together."""
        return self.seconds_before + time.monotonic() - self.begun

    def window(self) -> int:
        """The rows that count now; never fewer than training waits for."""
        return max(window_rows(self.settings, self.counters.rows), self.settings.first_rows)

    def wanted_rows(self) -> int:
        """The rows that can be trained on: a run that goes on with other sizes still has those of the old ones."""
        return sum(rows for size, rows in self.memory.sizes().items() if size in self.settings.sizes)

    def save(self) -> None:
        """Games first, then the checkpoint that counts them."""
        self.counters.seconds = self.elapsed()
        self.memory.flush()
        self.memory.trim(self.window())
        counters = dataclasses.asdict(self.counters)
        checkpoint.save(self.folder.path, self.trainer.state(), self.kept_settings, self.shape, counters, self.commit)

    def log_line(self) -> None:
        """A line of the log and one for whoever watches."""
        now = time.monotonic()
        spent, wall = self.ring.spent(), max(1e-6, now - self.logged_at)
        new = spent.plus(self.logged, -1)
        self.logged, self.logged_at = spent, now
        self.counters.evaluations += new.evaluations
        self.parts = self.trainer.parts() or self.parts
        training, self.logged_training = self.trainer.seconds - self.logged_training, self.trainer.seconds
        groups = len(self.ring.groups)
        self.log.add(
            "train",
            seconds=self.elapsed(),
            games=int(self.counters.games),
            rows=int(self.counters.rows),
            evals=int(self.counters.evaluations),
            steps=self.trainer.step,
            samples=int(self.counters.samples),
            window=self.memory.rows,
            evals_per_s=new.evaluations / wall,
            games_per_s=new.games / wall,
            device_share=new.device / wall,
            host_share=new.stepping / wall,
            queueing_share=new.queueing / wall / groups,
            waiting_share=new.waiting / wall / groups,
            training_share=training / wall,
            lr=self.trainer.lr,
            **self.parts,
        )
        self.tell(progress(self.settings.game, self.device, self.log.lines, self.first_step))

    def check(self) -> None:
        """Games against an opponent of the ladder, with self-play resting."""
        settings = self.settings
        playing = self.ring.playing
        if playing:
            self.ring.pause()
        rung = min(int(self.counters.rung), len(settings.ladder) - 1)
        self.evaluator.load(self.trainer.ema.state_dict())
        check, seconds = play_check(
            settings,
            self.check_lane,
            settings.ladder[rung],
            seed=self.seed + self.trainer.step,
            stop=lambda: self.interrupts.wanted,
        )
        if not self.interrupts.wanted:
            self.keep_check(check, seconds)
        if self.gain_lanes and self.trainer.step > self.first_step and not self.interrupts.wanted:
            gain, more = play_gain(
                settings,
                *self.gain_lanes,
                seed=self.seed + self.trainer.step,
                stop=lambda: self.interrupts.wanted,
            )
            if not self.interrupts.wanted:
                self.keep_gain(gain, more)
            seconds += more
        self.logged_at += seconds  # self-play rested
        if playing:
            self.ring.start()

    def keep_check(self, check: Check, seconds: float) -> None:
        """Into the log; a good score leads to the next opponent."""
        low, high = check.interval
        elo = {"elo": check.elo(check.score), "elo_low": check.elo(low), "elo_high": check.elo(high)}
        self.log.add("check", **self.outcome(check), opponent=check.opponent, **elo, took=seconds)
        if check.score >= ENOUGH and self.counters.rung < len(self.settings.ladder) - 1:
            self.counters.rung += 1

    def keep_gain(self, gain: Check, seconds: float) -> None:
        """What this start has gained so far, into the log."""
        self.log.add("gain", **self.outcome(gain), against_steps=self.first_step, took=seconds)

    def outcome(self, check: Check) -> dict[str, Any]:
        """When games were played, and how they went."""
        return {
            "seconds": self.elapsed(),
            "games": int(self.counters.games),
            "evals": int(self.counters.evaluations),
            "steps": self.trainer.step,
            "simulations": self.settings.check_simulations,
            **check.outcome,
        }

    def show_results(self) -> None:
        """The averaged net as ONNX, the curves and the card."""
        settings, counters = self.kept_settings, dataclasses.asdict(self.counters)
        export(self.trainer.ema, settings, counters, self.commit, self.folder.net)
        write_text(self.folder.curves, curves(run_title(plain(settings)), self.log.lines))
        text = card(settings, self.trainer.ema, counters, self.log.lines, commit=self.commit, device=self.device_name)
        write_text(self.folder.card, text)
