"""What numbers the benchmarks' options take; argparse puts the option's name before the sentence."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable

MOST = 1_000_000


def above_zero(text: str) -> float:
    """Reads a number of seconds or minutes, which may have a fraction."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= MOST:
        raise ArgumentTypeError(f"{text[:20]!r} will not do; expected a number above 0, at most {MOST:,}")
    return number


def whole_number(least: int) -> Callable[[str], int]:
    """Reads a number of things."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 8 and least <= int(text) <= MOST):
            raise ArgumentTypeError(f"{text[:20]!r} will not do; expected a whole number from {least} to {MOST:,}")
        return int(text)

    return read
