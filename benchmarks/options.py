"""What numbers the benchmarks' options take (argparse names the option), and how a table that can go on ends."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from collections.abc import Callable

from purlieu.rules import PurlieuError

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


def in_sentences(
    play: Callable[[], None], stopped: str = "stopped; the same command goes on, and --table shows what there is"
) -> int:
    """Plays; the exit code, with a sentence where something went wrong or was stopped."""
    try:
        play()
    except PurlieuError as error:
        sys.stderr.write(f"purlieu: {error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"purlieu: {error.filename or 'the output'}: {error.strerror}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write(f"{stopped}\n")
        return 130
    return 0
