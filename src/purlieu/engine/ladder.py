"""The work of levels 1 to 8: the one table to edit when they are calibrated anew.

`python -m benchmarks.strength.levels` measures the steps between them, and `benchmarks/results/levels.md` keeps what it
found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Effort = Literal["quick", "thorough"]
"""How hard the strongest level looks where it tells what it thinks, and is given no time: a bar, a graph; a hint."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a level does for a move, the same on every machine, and how freely one of the good moves is then picked."""

    by: Literal["glance", "net", "playouts"]
    """A net's first sight and no search; a search with the net; a search by playouts."""
    simulations: int
    """The most that are made."""
    temperature: float = 0.0
    """0 plays the best move found; 1 plays each move as often as its share says, more than 1 more evenly."""
    floor: float = 0.0
    """A move whose share is less than this part of the best one's is never played."""
    margin: float = 1.0
    """A move whose chance of winning is found this much below the best one's is never played."""


def glance(temperature: float, floor: float) -> Work:
    """Picks by the net's first sight."""
    return Work("glance", 1, temperature, floor)


def search(simulations: int, temperature: float, margin: float) -> Work:
    """Searches with the net; the little freedom is there so that no two games are the same."""
    return Work("net", simulations, temperature, margin=margin)


def playouts(simulations: int, temperature: float = 0.0, margin: float = 1.0) -> Work:
    """Searches by playouts."""
    return Work("playouts", simulations, temperature, margin=margin)


WITH_NETS: dict[str, tuple[Work, ...]] = {
    "petrify": (
        glance(12, 0.0015),
        glance(7, 0.005),
        glance(3.8, 0.02),
        glance(2.2, 0.045),
        glance(0.8, 0.12),
        search(3, 0.3, 0.05),
        search(13, 0.2, 0.04),
        search(36, 0.1, 0.02),
    ),
    "pilo": (
        glance(16, 0.0007),
        glance(8, 0.0035),
        glance(4.5, 0.013),
        glance(2.2, 0.045),
        glance(0.7, 0.12),
        search(4, 0.3, 0.05),
        search(13, 0.2, 0.03),
        search(45, 0.1, 0.02),
    ),
    "pentwall": (
        glance(60, 0.000002),
        glance(9, 0.0003),
        glance(2.2, 0.02),
        glance(0.3, 0.20),
        search(10, 0.2, 0.03),
        search(32, 0.2, 0.03),
        search(150, 0.1, 0.02),
        search(700, 0.1, 0.02),
    ),
    "pyloff": (
        glance(8, 0.0005),
        glance(6.3, 0.0013),
        glance(4.7, 0.0037),
        glance(3.5, 0.009),
        glance(2.5, 0.018),
        glance(1.4, 0.05),
        glance(0.3, 0.20),
        search(10, 0.1, 0.02),
    ),
}
"""Levels 1 to 8 of each game where its net can play them."""

EFFORTS: dict[Effort, tuple[Work, Work]] = {
    "quick": (Work("net", 64), playouts(450)),
    "thorough": (Work("net", 600), playouts(3_500)),
}
"""With a net, and without one: a few hundredths of a second, and a second or less."""
BIG_PYRAMID = 10
"""On pyramids above this size a playout takes long, and a third of them is made."""

WITHOUT_NETS: tuple[Work, ...] = (
    playouts(6, 1.2, 0.35),
    playouts(20, 0.8, 0.25),
    playouts(60, 0.5, 0.20),
    playouts(160, 0.3, 0.15),
    playouts(450, 0.15, 0.10),
    playouts(1_200),
    playouts(3_500),
    playouts(11_000),
)
"""Levels 1 to 8 of every game where none can."""
