"""What happened since the start, in numbers, for whoever looks after the server. No names, no games, no secrets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping


class Counts:
    """Things that happened, by name; a name may say which kind, as in ``naks{code="stale"}``."""

    def __init__(self) -> None:
        self.values: Counter[str] = Counter()

    def note(self, what: str, much: float = 1) -> None:
        """It happened, once or so much."""
        self.values[what] += much  # type: ignore[assignment]  # a Counter adds seconds as well

    def text(self, now: Mapping[str, float]) -> str:
        """One line a number, as Prometheus reads them; `now` are those that go up and down."""
        counted = [
            (f"purlieu_{name.replace('{', '_total{') if '{' in name else name + '_total'}", value)
            for name, value in self.values.items()
        ]
        lines = sorted(counted) + [(f"purlieu_{name}", value) for name, value in now.items()]
        return "".join(f"{name} {value:g}\n" for name, value in lines)
