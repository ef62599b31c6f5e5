"""What every worker process does first."""

from __future__ import annotations

import os
import signal

MOST_ADDRESS_SPACE = 4 << 30


def be_modest(niceness: int) -> None:
    """Leave the machine to its people: low priority, bounded memory. Ctrl-C is for the server, which ends us itself.

    Beside a program that takes all it can get, a niceness of 5 leaves a quarter of a processor, 10 a tenth, 15 a
    thirtieth.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        import resource

        os.nice(niceness)
        resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESS_SPACE, MOST_ADDRESS_SPACE))
    except (ImportError, OSError, ValueError):
        return  # not on this system; other bounds still hold
