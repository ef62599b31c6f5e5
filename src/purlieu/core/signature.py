"""One number for what the search does. It changes when, and only when, the search's behaviour does."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from purlieu.rules import GAMES

from .bench import SIZES
from .native import core

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from ._core import Position, Report

SIMULATIONS = {"playouts": 400, "net": 120}
PLIES = 6
"""How many moves into each game it searches; from move to move the tree is kept."""


def signature() -> str:
    """Sixteen digits, of searches with one thread: by playouts and by a made-up net, in all games and several sizes."""
    digest = hashlib.sha256()
    for game in GAMES:
        for size in SIZES[game]:
            for line in searched(game, size, by_net=False):
                digest.update(line.encode())
        for line in searched(game, SIZES[game][0], by_net=True):
            digest.update(line.encode())
    return digest.hexdigest()[:16]


def searched(game: str, size: int, *, by_net: bool) -> list[str]:
    """What the search says of the first positions of a game, in which it plays its own moves."""
    position = core().Position.start(game, size)
    options = {"net": MadeUpNet(position)} if by_net else {}
    search = core().Search(position, threads=1, seed=1, **options)  # type: ignore[arg-type]
    lines = []
    for _ in range(PLIES):
        report = search.run(simulations=SIMULATIONS["net" if by_net else "playouts"])
        lines.append(told(report))
        search.advance(report.best_move)
        if search.position.is_over:
            break
    return lines


def told(report: Report) -> str:
    """A report without its times, and without the last digits that differ from one processor to the next."""
    moves = " ".join(f"{move.move}:{move.visits}" for move in report.moves)
    return f"{report.nodes} {report.best_move} {report.win_chance:.4f} {report.proven} {moves}\n"


class MadeUpNet:
    """Judges a position by the hash of what it sees: as arbitrary as it is repeatable."""

    def __init__(self, position: Position) -> None:
        import numpy

        shape = core().net_shape(position.game, position.size)
        self.outputs = shape.policy * shape.side * shape.side
        self.numpy = numpy

    def __call__(self, planes: NDArray[numpy.float32]) -> tuple[NDArray[numpy.float32], float, float]:
        """The logits, the win chance and the margin."""
        seed = int.from_bytes(hashlib.sha256(planes.tobytes()).digest()[:8], "little")
        steps = self.numpy.arange(self.outputs, dtype=self.numpy.uint64)
        mixed = (steps * self.numpy.uint64(0x9E3779B97F4A7C15) + self.numpy.uint64(seed)) >> self.numpy.uint64(40)
        logits = (mixed.astype(self.numpy.float32) / 2**22 - 2).astype(self.numpy.float32)
        return logits, (seed >> 8) % 1000 / 1000, (seed >> 20) % 41 - 20.0
