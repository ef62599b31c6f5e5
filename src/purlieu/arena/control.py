"""How long players may think: by simulations, by seconds a move, or by a clock."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from purlieu.rules import PurlieuError
from purlieu.rules.notation import shown

_SIMULATIONS = re.compile(r"[1-9][0-9]{0,9}")
_SECONDS = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)s")
_CLOCK = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)\+([0-9]{1,6}(?:\.[0-9]{1,6})?)s")


@dataclass(frozen=True, slots=True)
class Control:
    """One of three limits; with none of them a player does its own measure of work."""

    simulations: int | None = None
    seconds: float | None = None
    """For each move."""
    base: float | None = None
    """Seconds on the clock at the start of a game."""
    increment: float = 0.0
    """Seconds that a move adds to it."""

    def at(self, pace: float) -> Control:
        """The same with that part of the seconds or simulations a move; a clock stays as it is."""
        return replace(
            self,
            simulations=None if self.simulations is None else max(1, round(self.simulations * pace)),
            seconds=None if self.seconds is None else self.seconds * pace,
        )


def parse_control(text: str) -> Control:
    """``1000`` simulations, ``0.1s`` a move, or a clock of ``10+0.1s``."""
    if _SIMULATIONS.fullmatch(text):
        return Control(simulations=int(text))
    if (found := _SECONDS.fullmatch(text)) and float(found[1]) > 0:
        return Control(seconds=float(found[1]))
    if (found := _CLOCK.fullmatch(text)) and float(found[1]) > 0:
        return Control(base=float(found[1]), increment=float(found[2]))
    raise PurlieuError(
        "arena.no_limit",
        "{text} is no limit; expected simulations (1000), seconds (0.1s) or a clock (10+0.1s)",
        text=shown(text),
    )


@dataclass
class Clock:
    """One seat's time in one game."""

    control: Control
    margin: float
    """Seconds that an answer may come late, for the way it has to go."""
    left: float = 0.0
    used: float = 0.0
    turns: int = 0
    pace: float = 1.0
    """The part of its limit a move that the seat still gets."""

    def __post_init__(self) -> None:
        self.left = self.control.base or 0.0

    @property
    def budget(self) -> float | None:
        """The most seconds that the next answer may take; None if nobody counts them."""
        if self.control.base is not None:
            return self.left + self.margin
        seconds = self.control.at(self.pace).seconds
        return None if seconds is None else seconds + self.margin

    def spend(self, seconds: float) -> bool:
        """Take a turn's time off; False if it was too long."""
        in_time = self.budget is None or seconds <= self.budget
        self.used += seconds
        self.turns += 1
        if self.control.base is not None:
            self.left = max(0.0, self.left - seconds) + self.control.increment
        return in_time
