"""``python -m purlieu.train.plots RUN/log.jsonl``: draws curves.svg beside a log anew.

Where net.onnx lies there, and the run went on without bettering it, a line marks where it was made.
"""

from __future__ import annotations

import sys
from pathlib import Path

from purlieu.kit.files import write_whole
from purlieu.nets.check import read_checked
from purlieu.rules import PurlieuError

from .data.metadata import counters_of
from .data.run_folder import NET, read_log
from .report.curves import curves, run_title
from .running.options import exit_code

USAGE = "usage: python -m purlieu.train.plots RUN/log.jsonl"


def _kept(net: Path) -> int | None:
    """After how many steps a net was made, as far as it says."""
    if not net.is_file():
        return None
    try:
        return int(counters_of(read_checked(net)[1])["steps"])
    except (KeyError, ValueError):
        return None


def draw(words: list[str]) -> None:
    """Draw the curves of a log anew, beside it."""
    if len(words) != 1 or words[0].startswith("-"):
        raise PurlieuError(f"expected the log of a run; {USAGE}")
    log = Path(words[0])
    lines = read_log(log)
    start = next((line for line in lines if line.get("kind") == "start"), None)
    if start is None or not isinstance(start.get("settings"), dict):
        raise PurlieuError(f"{log} is no log of a run; expected a file such as RUN/log.jsonl")
    picture = curves(run_title(start["settings"]), lines, _kept(log.with_name(NET)))
    write_whole(log.with_name("curves.svg"), picture.encode())


def main(words: list[str]) -> int:
    """Run it; whatever goes wrong ends in one sentence."""
    if {"-h", "--help"} & set(words):
        sys.stdout.write(f"{USAGE}\n")
        return 0
    return exit_code(lambda: draw(words))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
