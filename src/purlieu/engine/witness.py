"""Who is to blame when a search ends with an error: its net, or somebody else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Answer = tuple[NDArray[np.float32], float, float]

MOST = 1e6
"""The largest number in an answer that the core takes (cpp/bindings/ask_net.cpp)."""


class Witness:
    """Asks a net what a search asks it, and keeps the last answer that each of the search's threads got."""

    def __init__(self, ask: Callable[[NDArray[np.float32]], Answer]) -> None:
        self._ask = ask
        self._answers: dict[int, Answer | None] = {}

    def __call__(self, planes: NDArray[np.float32]) -> Answer:
        """The net's answer."""
        thread = threading.get_ident()
        self._answers[thread] = None
        answer = self._answers[thread] = self._ask(planes)
        return answer

    def saw_a_fault(self) -> bool:
        """Whether a last answer is none at all, or none that a search can use."""
        return not all(answer and _is_usable(*answer) for answer in self._answers.values())


def _is_usable(policy: NDArray[np.float32], win_chance: float, margin: float) -> bool:
    return bool(abs(policy).max() <= MOST) and 0 <= win_chance <= 1 and abs(margin) <= MOST
