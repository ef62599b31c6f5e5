"""``purlieu engine``: our player for other programs to drive."""

from __future__ import annotations

from .options import Command, examples


def run() -> None:
    """Play for another program, through UGI on standard input and output.

    UGI is UCI with neutral words; docs/protocol.md describes it. Match runners and GUIs start this command.
    """
    from purlieu.ugi.server import main

    main()


COMMAND = Command("engine", run, examples(r"printf 'position startpos\ngo nodes 500\n' | purlieu engine"))
