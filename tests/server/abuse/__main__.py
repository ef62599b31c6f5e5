"""The command line: everything by hand, and each part alone."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from . import fuzz, soak
from .attacks import ATTACKS
from .measure import CONTROL, measure, read_rows, table


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Measure what was asked for; 0 if it could be measured, whatever came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.server.abuse", description=__doc__)
    parser.add_argument("folder", type=Path, help="for databases, logs and long games; made if it is not there")
    parser.add_argument("--seconds", type=float, default=10.0, help="the length of a window")
    parser.add_argument("--rounds", type=int, default=5, help="how often each attack is measured")
    parser.add_argument("--only", action="append", choices=list(ATTACKS), help="this attack; may be repeated")
    parser.add_argument("--out", type=Path, help="rows, one JSON line a window; those it holds are not measured again")
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="memory under a thousand games instead")
    parser.add_argument("--fuzz", type=int, metavar="N", help="N requests and N frames that are nearly right instead")
    given = parser.parse_args()
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # that the server closes connections is what we are here for
    given.folder.mkdir(parents=True, exist_ok=True)
    folder = given.folder.resolve()
    out = given.out or folder / "rows.jsonl"
    try:
        if given.soak:
            return 0 if soak.run(folder, given.soak, say) else 1
        if given.fuzz:
            return fuzzed(folder, given.fuzz)
        names = given.only or [name for name in ATTACKS if name != CONTROL] + [CONTROL]
        measure(folder, names, given.seconds, given.rounds, out, say)
    except KeyboardInterrupt:
        say("\nstopped; the same command goes on from here")
        return 130
    finally:
        if not given.soak and not given.fuzz:
            say(table(read_rows(out)))
    return 0


def fuzzed(folder: Path, many: int) -> int:
    """Fuzz, and print what came of it."""
    found = fuzz.fuzz(folder / "fuzz", many)
    say(f"requests: {dict(found.requests.most_common())}\nframes: {dict(found.frames.most_common())}")
    say(f"{len(found.faults)} faults, {found.tracebacks} tracebacks")
    for fault in found.faults:
        say(fault)
    return 1 if found.faults or found.tracebacks else 0


if __name__ == "__main__":
    sys.exit(main())
