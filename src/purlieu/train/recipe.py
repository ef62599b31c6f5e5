"""``python -m purlieu.train.recipe RUN/``: the commands that would make a run's net again, start by start.

A net grows over several starts, each with settings of its own, and not every start was worth keeping. From the log this
finds those that led to the net in the folder. Where a start went on from the net alone, or without the games of the
one before, what it did not have is removed first. Another run's net will differ: a seed does not repeat one.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from purlieu.nets.check import read_checked
from purlieu.rules import PurlieuError

from .data.metadata import counters_of
from .data.run_folder import LOG, NET, Line, read_log
from .data.settings import make_settings, plain
from .running.options import exit_code

WATCHING = frozenset(
    {"gate_plies", "log_seconds", "checkpoint_seconds", "keep_replay", "gain_games", "ladder"}
    | {"check_seconds", "check_size", "check_games", "check_simulations"}
)
"""Settings of how a run is looked at, which change nothing about its net."""
CPU = "a CPU"
"""How a log names the device of a run without a GPU."""
ONCE = {"end_nodes": 0.0, "noise": 1.0, "noisy_plies": 0}
"""What older runs did, whose logs do not name these settings."""


@dataclass(frozen=True, slots=True)
class Start:
    """One start of a run."""

    settings: dict[str, Any]
    device: str
    """In words."""
    threads: int
    began_at: int
    """Steps of training that there were."""
    ended_at: int
    seconds: float
    begun_from: str | None
    """The file of another run's net whose weights it began with."""
    lacked: tuple[str, ...]
    """What there was of the start before it in the folder, and was gone."""


def starts_of(lines: Sequence[Line]) -> list[Start]:
    """The starts of a log; one that was killed may have gone on for some steps after its last line."""
    begun = [at for at, line in enumerate(lines) if line["kind"] == "start"]
    found = []
    for at, end in zip(begun, [*begun[1:], len(lines)], strict=True):
        first, steps = lines[at], [line for line in lines[at:end] if line["kind"] == "train"]
        if steps:
            gone = (
                ("checkpoint-*.pt", "replay") if "went_on_from" in first else () if first["rows_kept"] else ("replay",)
            )
            found.append(
                Start(
                    ONCE | first["settings"],
                    first["device"],
                    first["threads"],
                    first["resumed_at"],
                    max(steps[-1]["steps"], lines[end]["resumed_at"] if end < len(lines) else 0),
                    steps[-1]["seconds"] - first["seconds"],
                    first.get("begun_from", "").rpartition(" (sha256 ")[0] or None,
                    gone if first["resumed_at"] else (),
                )
            )
    return found


def leading_to(starts: Sequence[Start], steps: int) -> list[Start]:
    """Those that led to the net after so many steps, first one first; the latest where two of them would do."""
    chain: list[Start] = []
    for start in reversed(starts):
        if start.began_at < steps <= start.ended_at:
            chain.insert(0, start)
            steps = start.began_at
    if steps or not chain:
        raise PurlieuError(f"the log does not say how the net came to its first {steps:,} steps")
    return chain


def commands(game: str, chain: Sequence[Start], out: str = "run/") -> list[str]:
    """What to type for each start."""
    found = []
    device = "cpu" if chain[0].device.startswith(CPU) else "cuda"
    usual, small = (plain(make_settings(game, tiny=tiny).on(device, chain[0].threads)) for tiny in (False, True))
    tiny = len(_changed(small, chain[0].settings)) < len(_changed(usual, chain[0].settings))
    before = small if tiny else usual
    for number, start in enumerate(chain):
        changed = _changed(before, start.settings)
        if number and start.lacked:
            found.append(f"rm -r {' '.join(out + name for name in start.lacked)}")
        words = ["purlieu", "train", game, "--out", out, *(["--resume"] if number else [])]
        words += ["--tiny"] if tiny and not number else []
        if not number and start.begun_from:
            words += ["--from", start.begun_from]
        words += ["--device", "cpu"] if start.device.startswith(CPU) else []
        words += ["--minutes", _in_minutes(start.seconds)]
        for name, value in changed.items():
            words += ["--set", f"{name}={json.dumps(value)}"]
        found.append(shlex.join(words))
        before = start.settings
    return found


def _changed(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """The settings of a start that the one before it did not have, as far as they change its net."""
    return {
        name: value for name, value in now.items() if name not in WATCHING | {"threads"} and before.get(name) != value
    }


def _in_minutes(seconds: float) -> str:
    """Short ones in two digits, so that none of them is rounded to nothing, or to twice as long."""
    minutes = seconds / 60
    return f"{minutes:.1f}" if minutes >= 1 else f"{max(minutes, 0.001):.2g}"


def print_commands(folder: Path) -> None:
    """Print the commands that made the net in a run's folder."""
    if not (folder / NET).is_file():
        raise PurlieuError(f"{folder} holds no run: there is no {NET} in it; expected one such as runs/petrify")
    _, facts = read_checked(folder / NET)
    lines = read_log(folder / LOG)
    try:
        steps = int(counters_of(facts)["steps"])
        chain = leading_to(starts_of(lines), steps)
        typed = commands(facts["game"], chain)
    except (KeyError, ValueError, TypeError, AttributeError):
        raise PurlieuError(f"{folder} holds no run whose log tells how it went") from None
    minutes = _in_minutes(sum(start.seconds for start in chain))
    sys.stdout.write(f"# {minutes} minutes in {len(chain)} starts, {steps:,} steps of training\n")
    sys.stdout.write("\n".join(typed) + "\n")


def main(arguments: Sequence[str]) -> int:
    """Read the options and run it."""
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        sys.stderr.write(f"{__doc__}\n")
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    return exit_code(lambda: print_commands(Path(arguments[0])))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
