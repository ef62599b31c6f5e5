"""What was used of late, as much of it as fits: so many bytes, or so many values."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """Values by key, each with its weight: its bytes, or 1. If they outgrow the bound, some have to leave."""

    def __init__(
        self,
        most_bytes: int,
        weigh: Callable[[Value], int] = lambda value: 1,
        leave_first: Callable[[Key, Value], int] | None = None,
    ) -> None:
        self.most_bytes = most_bytes
        self.weigh = weigh
        self.leave_first = leave_first
        """A rank: values with a lower one leave first. Among equals, the one that was used longest ago does."""
        self.values: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self.bytes = 0

    def get(self, key: Key) -> Value | None:
        """The value, which counts as used now."""
        found = self.values.get(key)
        if found is None:
            return None
        self.values.move_to_end(key)
        return found[0]

    def peek(self, key: Key) -> Value | None:
        """The value; nobody takes note that it was used."""
        found = self.values.get(key)
        return found[0] if found else None

    def put(self, key: Key, value: Value) -> None:
        """Keep a value, or weigh one again that has changed."""
        self.pop(key)
        weight = self.weigh(value)
        self.values[key] = value, weight
        self.bytes += weight
        if self.bytes > self.most_bytes:
            self._make_room(key)

    def pop(self, key: Key) -> None:
        """Let go of a value, if it is here."""
        if found := self.values.pop(key, None):
            self.bytes -= found[1]

    def _make_room(self, newest: Key) -> None:
        """A tenth more than is needed, so that this is seldom done."""
        ranked, rank = [key for key in self.values if key != newest], self.leave_first
        if rank:
            ranked.sort(key=lambda key: rank(key, self.values[key][0]))
        for key in ranked:
            if self.bytes <= 0.9 * self.most_bytes:
                break
            self.pop(key)

    def __contains__(self, key: object) -> bool:
        return key in self.values

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Key]:
        return iter(self.values)

    def items(self) -> Iterable[tuple[Key, Value]]:
        """Every key with its value, those used longest ago first."""
        return [(key, value) for key, (value, _) in self.values.items()]
