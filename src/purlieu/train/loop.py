"""A run: self-play and training side by side, and everything kept on the way.

Self-play goes on in threads of its own (`selfplay.py`). This thread takes in the games, trains as often as they allow,
and now and then writes a line, a checkpoint, or plays games against fixed opponents. What a kill can cost is the time
since the last checkpoint.
"""

from __future__ import annotations

import dataclasses
import os
import platform
import queue
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from purlieu.nets.shape import Shape
from purlieu.rules import GAMES, PurlieuError
from purlieu.rules.registry import game as find_game

from . import checkpoint
from .batches import Batches
from .begin import Beginning, learning_state, read_beginning, read_run
from .card import card
from .checks import ENOUGH, Check, check_slots, gain_slots, play_check, play_gain
from .evaluate import Lane, evaluator
from .export import export
from .files import sweep, write_text
from .folder import NET, Folder
from .gate import check_rules
from .interrupts import Interrupts
from .log import Log, latest, read_log
from .order import Order, Tell
from .plots import curves, run_title
from .replay import Memory
from .schedule import window_rows
from .selfplay import Ring, Spent
from .settings import Settings, make_settings, plain, read_file, settings_of
from .strength import in_words
from .trainer import Trainer

PUBLISH_SECONDS = 3.0
"""How often self-play gets the newest weights."""
SEED_STEP = 1_000_003
"""Each start of a run plays other games."""


@dataclass(slots=True)
class Counters:
    """What a run has done in all its starts."""

    seconds: float = 0.0
    games: float = 0
    rows: float = 0
    evaluations: float = 0
    samples: float = 0
    steps: float = 0
    starts: float = 0
    rung: float = 0
    """Which opponent of the ladder it meets."""
    due: float = 0
    """Rows that may be trained on now: each new one a few times. What the last part of a start saw counts nothing."""

    @classmethod
    def of(cls, counts: Mapping[str, float]) -> Counters:
        """Counters that were kept."""
        return cls(**{name: counts.get(name, 0.0) for name in cls.__dataclass_fields__})


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


def train(order: Order, tell: Tell) -> bool:
    """Do as ordered. False if it was interrupted before it was done; everything is kept either way."""
    game = find_game(order.game).name
    device = find_device(order.device)
    if order.resume and not (checkpoint.newest(order.out) or (order.out / NET).exists()):
        raise PurlieuError(f"{order.out} holds no run to go on with; without --resume one begins there")
    folder = Folder(order.out)
    try:
        sweep(order.out)
        found = checkpoint.newest(order.out)
        if (found or folder.net.exists()) and not order.resume:
            raise PurlieuError(f"{order.out} holds a run already; go on with it (--resume), or give another folder")
        if order.resume and order.begin_from:
            raise PurlieuError("--from begins a new run and --resume goes on with one; give one of the two")
        settings = make_settings(game, tiny=order.tiny, file=order.settings, overrides=order.overrides)
        shape = Shape.of(game, settings.check_size)
        state, counters = None, Counters()
        beginning = read_beginning(order.begin_from, shape) if order.begin_from else None
        if beginning:
            settings = fitted(settings, beginning, order)
        if found:
            state, kept, counts = checkpoint.load(found, shape)
            settings = changed(kept, order)
            counters = Counters.of(counts)
        elif order.resume and folder.net.exists():
            beginning, kept = read_run(folder.net, shape)
            settings = changed(kept, order)
            counters = Counters.of(beginning.counters | {"due": 0.0})  # the rows are gone
        if order.games is not None and counters.games >= order.games and came_to_its_end(folder):
            played = f"{counters.games:,.0f} games already, and --games counts all of them"
            raise PurlieuError(f"the run in {order.out} has {played}; more would be right")
        with Interrupts() as interrupts:
            run = Run(order, settings, shape, folder, counters, device, tell, interrupts)
            return run.go(state, beginning)
    finally:
        folder.close()


def came_to_its_end(folder: Folder) -> bool:
    """Whether the last start of a run did all that it was to do."""
    lines = read_log(folder.log)
    return bool(lines) and lines[-1].get("kind") == "end" and not lines[-1].get("interrupted")


def find_device(wanted: str | None) -> str:
    """The device asked for, if it is there; a GPU where there is one, if none was."""
    if wanted not in (None, "cpu", "cuda"):
        raise PurlieuError(f"the device {wanted!r} is not known; expected cpu or cuda")
    if wanted == "cuda" and not torch.cuda.is_available():
        raise PurlieuError("PyTorch finds no GPU here; --device cpu trains without one")
    return wanted or ("cuda" if torch.cuda.is_available() else "cpu")


def changed(kept: Settings, order: Order) -> Settings:
    """A checkpoint's settings with those that are given anew; the net must stay as it is."""
    values: dict[str, Any] = (read_file(order.settings) if order.settings else {}) | order.overrides
    settings = settings_of(plain(kept) | values | {"game": kept.game})
    for name in ("blocks", "channels"):
        if getattr(settings, name) != getattr(kept, name):
            raise PurlieuError(f"the run in {order.out} has {getattr(kept, name)} {name}, which cannot change")
    return settings


def fitted(settings: Settings, beginning: Beginning, order: Order) -> Settings:
    """Settings for a net as large as the one that a run begins with; another size must not have been asked for."""
    asked = (read_file(order.settings) if order.settings else {}) | order.overrides
    for name in ("blocks", "channels"):
        if name in asked and getattr(settings, name) != getattr(beginning, name):
            there = getattr(beginning, name)
            raise PurlieuError(f"{order.begin_from} has {there} {name}, and {getattr(settings, name)} were asked for")
    return dataclasses.replace(settings, blocks=beginning.blocks, channels=beginning.channels)


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
        interrupts: Interrupts,
    ) -> None:
        self.order, self.kept_settings, self.shape, self.folder = order, settings, shape, folder
        self.counters, self.device, self.tell, self.interrupts = counters, device, tell, interrupts
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.settings = settings.on(device, cores)
        self.commit = checkpoint.commit()
        self.begun = time.monotonic()
        self.seconds_before = counters.seconds
        self.seed = settings.seed + SEED_STEP * int(counters.starts)
        self.parts: dict[str, float] = {}
        self.logged = Spent()
        self.logged_at = self.begun
        self.logged_training = 0.0

    def go(self, state: dict[str, Any] | None, beginning: Beginning | None = None) -> bool:
        """From the rules gate to the card."""
        self.prepare(state, beginning)
        try:
            self.play_and_train()
            self.ring.pause()
            self.take_in()
            self.save()
            if not self.interrupts.wanted:
                self.finish_training()
        finally:
            self.batches.stop() if self.batches else None
        self.log_line()
        self.save()
        if not self.interrupts.wanted:
            self.check()
        self.show_results()
        self.log.add("end", seconds=self.elapsed(), interrupted=self.interrupts.wanted)
        self.log.close()
        return not self.interrupts.wanted

    # -- the beginning ----------------------------------------------------------------------------------------------

    def prepare(self, state: dict[str, Any] | None, beginning: Beginning | None) -> None:
        """Everything that a run needs, and what an earlier start has left."""
        settings = self.settings
        title = GAMES[settings.game].title
        self.tell(f"{title}: comparing the core with the rules")
        compared = check_rules(settings)
        if self.device == "cpu":
            torch.set_num_threads(1)  # the groups of games are the threads
        else:
            torch.backends.cudnn.benchmark = True
            torch.set_float32_matmul_precision("high")
            sys.setswitchinterval(0.0005)
        self.trainer = Trainer(settings, self.shape, self.device)
        if state:
            try:
                self.trainer.load(state)
            except (RuntimeError, KeyError, ValueError):
                raise PurlieuError(f"the checkpoint in {self.folder.path} does not fit its settings") from None
        if beginning:
            self.trainer.begin(learning_state(beginning, self.shape, settings.sizes), int(self.counters.steps))
        self.first_step = self.trainer.step
        self.memory = Memory(self.folder.replay, settings.game, settings.threads)
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
            device=self.device_name(),
            threads=settings.threads,
            commit=self.commit,
            turns_in_step=compared,
            settings=plain(settings),
            resumed_at=self.trainer.step,
            rows_kept=self.memory.rows,
            **({"begun_from" if self.order.begin_from else "went_on_from": beginning.source} if beginning else {}),
        )
        self.save()

    def device_name(self) -> str:
        """What it runs on, in words."""
        threads = f"{self.settings.threads} threads"
        if self.device == "cpu":
            return f"a CPU ({platform.machine()}, {threads})"
        return f"{torch.cuda.get_device_name()} with {threads}"

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
        if seconds is not None and time.monotonic() - self.begun >= seconds * (1 - self.settings.final_share):
            return True
        return games is not None and self.counters.games >= games

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
            if self.memory.rows < (1 if always else settings.first_rows):
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
        if share == 0 or not self.memory.rows:
            return
        begun = time.monotonic()
        seconds = None if self.order.seconds is None else max(0.0, self.order.seconds - (begun - self.begun))
        most = max(10.0, 2 * self.memory.rows / settings.batch)  # twice through all of it is enough
        if seconds is None:
            most = max(10.0, min(most, share / (1 - share) * self.trainer.step))
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
        """The rows that count now."""
        return window_rows(self.settings, self.counters.rows)

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
        self.tell(self.status(new.evaluations / wall, new.games / wall, new.device / wall))

    def status(self, evaluations: float, games: float, device: float) -> str:
        """Where the run is, in one line."""
        told = [
            f"{self.elapsed() / 60:.1f} min",
            f"{int(self.counters.games):,} games ({games:.1f}/s)",
            f"{evaluations / 1000:.1f}k evals/s",
            f"{'GPU' if self.device != 'cpu' else 'net'} {100 * min(1, device):.0f} %",
        ]
        if self.parts:
            named = " ".join(f"{name} {self.parts[key]:.3f}" for name, key in SHOWN.items())
            told.append(f"step {self.trainer.step:,}, loss {self.parts['loss']:.3f} ({named})")
        checks = latest(self.log.lines, "check")
        if checks:
            told.append(in_words(self.settings.game, checks[-1]))
        gains = [line for line in latest(self.log.lines, "gain") if line["against_steps"] == self.first_step]
        if gains:
            told.append(f"{100 * gains[-1]['score']:.0f} % against itself {since(gains[-1]):,} steps before")
        return "; ".join(told)

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
        text = card(settings, self.trainer.ema, counters, self.log.lines, commit=self.commit, device=self.device_name())
        write_text(self.folder.card, text)


def since(gain: dict[str, Any]) -> int:
    """The steps of training that a line of gain is about."""
    return int(gain["steps"] - gain["against_steps"])


SHOWN = {"policy": "policy_gap", "value": "value", "own": "own"}
