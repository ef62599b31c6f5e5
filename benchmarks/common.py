"""What the benchmarks share: the machine in one line, options that argparse names, ends in sentences, kept games."""

from __future__ import annotations

import os
import platform
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from purlieu.arena import play_match
from purlieu.arena.match import Match
from purlieu.arena.stats import wilson
from purlieu.arena.store import GameLine, Key, Store
from purlieu.arena.worker import Task
from purlieu.kit.progress import counting
from purlieu.rules import GAMES, PurlieuError, UnknownGame
from purlieu.rules.registry import game as find_game

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
MOST = 1_000_000
"""Of anything that an option counts."""


def machine() -> str:
    """What machine a figure was taken on: processor, cores and Python, as far as the system tells."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        processor = models[0] if models else processor
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


# -- options ----------------------------------------------------------------------------------------


def add_games(parser: ArgumentParser) -> None:
    """The argument that names games; without one it is all four."""
    parser.add_argument(
        "game", nargs="*", type=game_name, default=list(GAMES), metavar="GAME", help="all four without one"
    )


def game_name(text: str) -> str:
    """Reads the name of a game."""
    try:
        return find_game(text).name
    except UnknownGame as error:
        raise ArgumentTypeError(str(error)) from None


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


def with_interval(count: int, of: int) -> str:
    """A count of so many, and where its share lies, 95 % by Wilson."""
    low, high = wilson(count, of) if of else (0.0, 1.0)
    return f"{count} ({100 * low:.1f} to {100 * high:.1f} %)"


# -- matches ----------------------------------------------------------------------------------------


def play_kept(
    match: Match, path: Path, title: str, workers: int | None, games: Sequence[Task] | None = None
) -> dict[Key, GameLine]:
    """Plays what the file lacks, of the whole match or of `games`; all that the file then holds.

    A line says how far it is; what is there is not played again.
    """
    keys = list(match.every_key()) if games is None else [task.key for task in games]
    with closing(Store(path, match.identity, resume=True)) as store:

        def played() -> int:
            return sum(key in store.games for key in keys)

        with counting(len(keys), played(), "games") as tell:
            play_match(match, store, workers=workers, on_game=lambda _: tell(played(), title), games=games)
        return store.games
