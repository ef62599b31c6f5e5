"""How long work shows that it goes on, at a real terminal; what logs get is in tests/arena/test_run.py."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

WORK = """
from purlieu.kit.progress import counting
with counting(40, 4, "games") as tell:
    tell(20, "55.0 %")
"""


def test_at_a_terminal_a_bar_shows_how_much_is_done_and_vanishes_with_the_work() -> None:
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", WORK], stderr=theirs, check=True, timeout=60)
    os.close(theirs)
    written = os.read(ours, 10_000).decode()
    os.close(ours)
    begun, going, end = written.removeprefix("\r\x1b[K").split("\r\x1b[K")
    assert begun == "[##..................] 4 of 40 games, 0 s"
    assert going == "[##########..........] 20 of 40 games, 55.0 %, 0 s, about 0 s to go"
    assert end == ""
