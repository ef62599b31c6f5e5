"""The start of a run: a new one, one that goes on, or one with another net's weights."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch

from purlieu.core.in_step import OutOfStep, compare
from purlieu.nets.check import LARGEST_FILE
from purlieu.nets.shape import Shape
from purlieu.rules import GAMES, PurlieuError
from purlieu.rules.registry import game as find_game

from ..data.metadata import Counters
from ..data.run_folder import NET, RunFolder, read_log
from ..data.settings import TrainingSettings, make_settings, plain, read_file, settings_of
from ..network import checkpoint
from ..network.evaluation import find_device
from ..network.net import Net
from ..network.weights import InitialWeights, read_exported_run, read_initial_weights
from .loop import Run
from .options import RunOptions, Show, until_output_is_lost


def advice(options: RunOptions) -> str | None:
    """What to tell somebody who is about to train a full net without a GPU."""
    small = options.tiny or options.settings or options.begin_from or {"blocks", "channels"} & set(options.overrides)
    if options.resume or small or find_device(options.device) != "cpu":
        return None
    return "without a GPU a net of this size learns slowly; --tiny trains a small one in minutes"


def train(options: RunOptions, show: Show) -> bool:
    """Begin a run, or go on with one. False if it was interrupted before it was done; everything is kept either way."""
    game = find_game(options.game).name
    device = find_device(options.device)
    if options.resume and options.begin_from:
        raise PurlieuError("--from begins a new run and --resume goes on with one; give one of the two")
    settings = make_settings(game, tiny=options.tiny, file=options.settings, overrides=options.overrides)
    shape = Shape.of(game, settings.check_size)
    state, counters = None, Counters()
    initial = read_initial_weights(options.begin_from, shape) if options.begin_from else None
    if initial:
        settings = fitted(settings, initial, options)
    require_readable(settings, shape)
    require_run_or_none(options)  # before anything is written there
    folder = RunFolder(options.out)
    try:
        require_run_or_none(options)  # another run may have been there until now
        found = checkpoint.newest(options.out)
        if found:
            state, kept, counts = checkpoint.load(found, shape)
            require_tiny_if_said(kept, settings, options)
            settings = changed(kept, options)
            counters = Counters.of(counts)
        elif options.resume:
            initial, kept = read_exported_run(folder.net, shape)
            require_tiny_if_said(kept, settings, options)
            settings = changed(kept, options)
            counters = Counters.of(initial.counters | {"due": 0.0})  # the rows are gone
        if options.games is not None and counters.games >= options.games and came_to_its_end(folder):
            played = f"{counters.games:,.0f} games already, and --games counts all of them"
            raise PurlieuError(f"the run in {options.out} has {played}; more would be right")
        if options.resume:
            folder.sweep()
        show = until_output_is_lost(show)
        run = Run(options, settings, shape, folder, counters, device)
        # Ctrl-C ends the comparison at once, as there is nothing to put away yet.
        return run.go(state, initial, compare_with_rules(run.settings, show), show)
    finally:
        folder.close()


def require_readable(settings: TrainingSettings, shape: Shape) -> None:
    """A net that no purlieu would read is not worth training."""
    with torch.device("meta"):
        net = Net(shape, settings.blocks, settings.channels)
    most = 0.95 * LARGEST_FILE / 4  # in full precision, with room for the graph
    if (weights := sum(part.numel() for part in net.parameters())) > most:
        asked = f"{settings.blocks} blocks of {settings.channels} channels have {weights:,} weights"
        raise PurlieuError(f"{asked}, and purlieu reads nets of up to {most:,.0f}; expected fewer of either")


def require_run_or_none(options: RunOptions) -> None:
    """A run that goes on needs one in its folder, and a new one a folder without."""
    there = checkpoint.newest(options.out) or (options.out / NET).exists()
    if options.resume and not there:
        raise PurlieuError(f"{options.out} holds no run to go on with; without --resume one begins there")
    if there and not options.resume:
        raise PurlieuError(f"{options.out} holds a run already; go on with it (--resume), or give another folder")


def came_to_its_end(folder: RunFolder) -> bool:
    """Whether the last start of a run did all that it was to do."""
    lines = read_log(folder.log)
    return bool(lines) and lines[-1].get("kind") == "end" and not lines[-1].get("interrupted")


def require_tiny_if_said(kept: TrainingSettings, asked: TrainingSettings, options: RunOptions) -> None:
    """Whoever goes on with a larger net by --tiny has another run in mind."""
    if options.tiny and (kept.blocks > asked.blocks or kept.channels > asked.channels):
        net = f"{kept.blocks} blocks of {kept.channels} channels"
        raise PurlieuError(f"the run in {options.out} has {net}, which is not tiny; it goes on without --tiny")


def changed(kept: TrainingSettings, options: RunOptions) -> TrainingSettings:
    """A checkpoint's settings with those that are given anew; the net must stay as it is."""
    values: dict[str, Any] = (read_file(options.settings) if options.settings else {}) | options.overrides
    settings = settings_of(plain(kept) | values | {"game": kept.game})
    for name in ("blocks", "channels"):
        if getattr(settings, name) != getattr(kept, name):
            raise PurlieuError(f"the run in {options.out} has {getattr(kept, name)} {name}, which cannot change")
    return settings


def fitted(settings: TrainingSettings, initial: InitialWeights, options: RunOptions) -> TrainingSettings:
    """Settings for a net as large as the one that a run begins with; another size must not have been asked for."""
    asked = (read_file(options.settings) if options.settings else {}) | options.overrides
    for name in ("blocks", "channels"):
        if name in asked and getattr(settings, name) != getattr(initial, name):
            there = getattr(initial, name)
            raise PurlieuError(f"{options.begin_from} has {there} {name}, and {getattr(settings, name)} were asked for")
    return dataclasses.replace(settings, blocks=initial.blocks, channels=initial.channels)


def compare_with_rules(settings: TrainingSettings, show: Show) -> int:
    """Play random games with the core and the rules side by side; returns how many turns were compared.

    No run begins before the two have been in step on this very machine: on every size, for a game at least.
    """
    turns = 0
    title, whole = GAMES[settings.game].title, sum(settings.sizes.values())
    for number, (size, share) in enumerate(settings.sizes.items(), 1):
        show(f"{title}: comparing the core with the rules on {size}×{size}, size {number} of {len(settings.sizes)}")
        plies = round(settings.gate_plies * share / whole)
        try:
            turns += compare(plies, seed=settings.seed, game=settings.game, size=size).plies
        except OutOfStep as error:
            raise PurlieuError(
                f"nothing is trained on this machine, where the core breaks the rules: {error}"
            ) from None
    return turns
