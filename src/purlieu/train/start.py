"""The start of a run: a new one, one that goes on, or one with another net's weights."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch

from purlieu.nets.check import LARGEST_FILE
from purlieu.nets.shape import Shape
from purlieu.rules import PurlieuError
from purlieu.rules.registry import game as find_game

from . import checkpoint
from .begin import Beginning, read_beginning, read_run
from .counters import Counters
from .device import find_device
from .folder import NET, Folder
from .log import read_log
from .loop import Run
from .net import Net
from .order import Order, Tell
from .settings import Settings, make_settings, plain, read_file, settings_of


def advice(order: Order) -> str | None:
    """What to tell somebody who is about to train a full net without a GPU."""
    small = order.tiny or order.settings or order.begin_from or {"blocks", "channels"} & set(order.overrides)
    if order.resume or small or find_device(order.device) != "cpu":
        return None
    return "without a GPU a net of this size learns slowly; --tiny trains a small one in minutes"


def train(order: Order, tell: Tell) -> bool:
    """Do as ordered. False if it was interrupted before it was done; everything is kept either way."""
    game = find_game(order.game).name
    device = find_device(order.device)
    if order.resume and order.begin_from:
        raise PurlieuError("--from begins a new run and --resume goes on with one; give one of the two")
    settings = make_settings(game, tiny=order.tiny, file=order.settings, overrides=order.overrides)
    shape = Shape.of(game, settings.check_size)
    state, counters = None, Counters()
    beginning = read_beginning(order.begin_from, shape) if order.begin_from else None
    if beginning:
        settings = fitted(settings, beginning, order)
    require_readable(settings, shape)
    require_run_or_none(order)  # before anything is written there
    folder = Folder(order.out)
    try:
        require_run_or_none(order)  # another run may have been there until now
        found = checkpoint.newest(order.out)
        if found:
            state, kept, counts = checkpoint.load(found, shape)
            require_tiny_if_said(kept, settings, order)
            settings = changed(kept, order)
            counters = Counters.of(counts)
        elif order.resume:
            beginning, kept = read_run(folder.net, shape)
            require_tiny_if_said(kept, settings, order)
            settings = changed(kept, order)
            counters = Counters.of(beginning.counters | {"due": 0.0})  # the rows are gone
        if order.games is not None and counters.games >= order.games and came_to_its_end(folder):
            played = f"{counters.games:,.0f} games already, and --games counts all of them"
            raise PurlieuError(f"the run in {order.out} has {played}; more would be right")
        if order.resume:
            folder.sweep()
        return Run(order, settings, shape, folder, counters, device, tell).go(state, beginning)
    finally:
        folder.close()


def require_readable(settings: Settings, shape: Shape) -> None:
    """A net that no purlieu would read is not worth training."""
    with torch.device("meta"):
        net = Net(shape, settings.blocks, settings.channels)
    most = 0.95 * LARGEST_FILE / 4  # in full precision, with room for the graph
    if (weights := sum(part.numel() for part in net.parameters())) > most:
        asked = f"{settings.blocks} blocks of {settings.channels} channels have {weights:,} weights"
        raise PurlieuError(f"{asked}, and purlieu reads nets of up to {most:,.0f}; expected fewer of either")


def require_run_or_none(order: Order) -> None:
    """A run that goes on needs one in its folder, and a new one a folder without."""
    there = checkpoint.newest(order.out) or (order.out / NET).exists()
    if order.resume and not there:
        raise PurlieuError(f"{order.out} holds no run to go on with; without --resume one begins there")
    if there and not order.resume:
        raise PurlieuError(f"{order.out} holds a run already; go on with it (--resume), or give another folder")


def came_to_its_end(folder: Folder) -> bool:
    """Whether the last start of a run did all that it was to do."""
    lines = read_log(folder.log)
    return bool(lines) and lines[-1].get("kind") == "end" and not lines[-1].get("interrupted")


def require_tiny_if_said(kept: Settings, asked: Settings, order: Order) -> None:
    """Whoever goes on with a larger net by --tiny has another run in mind."""
    if order.tiny and (kept.blocks > asked.blocks or kept.channels > asked.channels):
        net = f"{kept.blocks} blocks of {kept.channels} channels"
        raise PurlieuError(f"the run in {order.out} has {net}, which is not tiny; it goes on without --tiny")


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
