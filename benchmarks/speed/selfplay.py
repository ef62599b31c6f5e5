"""Where the time of self-play goes.

    python -m benchmarks.speed.selfplay GAME [--null] [--device cuda] [--set NAME=VALUE]…

With --null nothing is evaluated, so what is left is the host. Else a net with random weights is asked, of the size that
`purlieu train` would give it; nothing is learned. Needs `purlieu[train]`.
"""

from __future__ import annotations

import argparse
import time

import torch

from benchmarks.common import machine
from purlieu.nets.shape import Shape
from purlieu.rules import PurlieuError
from purlieu.train.data.settings import make_settings, parse_override
from purlieu.train.network.evaluation import Lanes, NullLanes, evaluator, find_device, usable_cores
from purlieu.train.network.net import Net
from purlieu.train.selfplay.pool import SelfPlayPool


def main() -> None:
    """Print a table of what self-play does in a second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--null", action="store_true")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--device")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--warm-up", type=float, default=5.0)
    parser.add_argument("--set", action="append", default=[])
    given = parser.parse_args()
    try:
        device = find_device(given.device)
        overrides = dict(parse_override(text) for text in given.set)
        settings = make_settings(given.game, tiny=given.tiny, overrides=overrides)
    except PurlieuError as error:
        parser.error(str(error))
    settings = settings.on(device, usable_cores())
    shape = Shape.of(settings.game, settings.check_size)
    torch.set_num_threads(1)
    torch.backends.cudnn.benchmark = True
    net = Net(shape, settings.blocks, settings.channels)
    lanes: Lanes = NullLanes(shape) if given.null else evaluator(net, device)
    ring = SelfPlayPool(settings, lanes, device=device, seed=settings.seed, collect=len)
    ring.start()
    time.sleep(given.warm_up)
    before, begun = ring.stats(), time.perf_counter()
    time.sleep(given.seconds)
    spent, seconds = ring.stats().plus(before, -1), time.perf_counter() - begun
    ring.pause()
    asked = "nothing" if given.null else f"{settings.blocks} blocks of {settings.channels} channels on {device}"
    groups = len(ring.groups)
    print(
        f"{settings.game}, {asked}; {settings.slots} games in {groups} groups, {settings.threads} threads; {machine()}"
    )
    print(f"evaluations/s            {spent.evaluations / seconds:12,.0f}")
    print(f"games/s                  {spent.games / seconds:12,.1f}")
    print(f"host at work             {100 * spent.stepping / seconds:12.0f} %")
    print(f"device at work           {100 * spent.device / seconds:12.0f} %")
    print(f"a group waits for device {100 * spent.waiting / seconds / groups:12.0f} %")
    print(f"a group waits for host   {100 * spent.queueing / seconds / groups:12.0f} %")


if __name__ == "__main__":
    main()
