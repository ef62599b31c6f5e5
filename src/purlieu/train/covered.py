"""How long at least one of several things was under way that go on side by side."""

from __future__ import annotations

from collections.abc import Iterable

Interval = tuple[float, float]
"""When something began and when it ended, in seconds of one clock."""


def covered(intervals: Iterable[Interval]) -> float:
    """The seconds that lie in one of them at least; where they overlap, a second counts once.

    >>> covered([(0, 2), (1, 3), (5, 6)])
    4.0
    """
    seconds, until = 0.0, float("-inf")
    for begun, ended in sorted(intervals):
        seconds += max(0.0, ended - max(begun, until))
        until = max(until, ended)
    return seconds


class Covered:
    """The same for things that are told as they end, by several who each do one after the other."""

    def __init__(self, tellers: int) -> None:
        self._ended = [float("-inf")] * tellers
        self._open: list[Interval] = []
        self._closed = 0.0

    def add(self, teller: int, interval: Interval) -> None:
        """Somebody's next interval."""
        self._open.append(interval)
        self._ended[teller] = interval[1]

    def seconds(self) -> float:
        """What they cover so far."""
        sure = min(self._ended)  # whatever is still to come begins after this
        self._closed += covered((begun, min(ended, sure)) for begun, ended in self._open if begun < sure)
        self._open = [(max(begun, sure), ended) for begun, ended in self._open if ended > sure]
        return self._closed + covered(self._open)
