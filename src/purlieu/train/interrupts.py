"""Ctrl-C, a request to end and a lost terminal, noticed where it suits: a run puts its things away first."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self

LOST = (signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()
"""The terminal has gone."""


class Interrupts:
    """While it is entered, the first Ctrl-C (SIGTERM, SIGHUP) only sets `wanted`; a second one interrupts at once."""

    def __init__(self) -> None:
        self.wanted = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM, *LOST):
                if number not in LOST or signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks
                    self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True
