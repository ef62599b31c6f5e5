"""A net's shape that needs no core, and rows made up for it."""

from __future__ import annotations

import torch

from purlieu.nets.shape import Shape
from purlieu.train.learning.batches import Batch

SMALL = Shape("petrify", 5, 3, 2, ("mine", "theirs", "ones", "count", "size"), (1.0, 1.0, 1.0, 1 / 64, 0.1))


def made_up_planes(rows: int, size: int, seed: int = 1) -> torch.Tensor:
    """Whole numbers, about 0 to 1 once scaled."""
    random = torch.rand((rows, SMALL.inputs, size, size), generator=torch.Generator().manual_seed(seed))
    return (random / torch.tensor(SMALL.scales).view(1, -1, 1, 1)).round()


def made_up_rows(rows: int, size: int, seed: int = 1) -> Batch:
    """A batch whose targets have nothing to do with its planes, half of its moves illegal."""
    generator = torch.Generator().manual_seed(seed)
    made = Batch(SMALL, size, rows, pinned=False)
    made.planes.copy_(made_up_planes(rows, size, seed))
    legal = torch.rand(made.targets.policy.shape, generator=generator) < 0.5
    legal[:, 0] = True
    wanted = torch.rand(legal.shape, generator=generator).pow(8) * legal
    made.targets.policy.copy_(torch.where(legal, wanted / wanted.sum(1, keepdim=True), -1.0))
    results = torch.randint(3, (rows,), generator=generator)
    made.targets.value.copy_(torch.nn.functional.one_hot(results, 3))
    made.targets.margin.copy_(torch.randint(-9, 10, (rows,), generator=generator))
    made.targets.owners.copy_(torch.randint(3, made.targets.owners.shape, generator=generator))
    made.targets.weight.fill_(1)
    return made
