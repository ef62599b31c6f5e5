"""Standard output, input and error, made so that nothing makes them fail. Needs nothing but Python."""

from __future__ import annotations

import codecs
import contextlib
import os
import signal
import sys
import threading
import unicodedata

BROKEN_PIPE = 141
"""What a shell reports for a program whose reader went away, as in ``purlieu show game.pur | head``."""


def use_ascii() -> None:
    """What ``--ascii`` asks for: from now on only ASCII reaches standard output and standard error."""
    for stream in (sys.stdout, sys.stderr):
        _reconfigure(stream, encoding="ascii", errors="purlieu")


def never_fail_to_print() -> None:
    """Whatever the encoding of the terminal, print something near enough rather than raise; read alike."""
    codecs.register_error("purlieu", _nearest_ascii)
    for stream in (sys.stdout, sys.stderr):
        _reconfigure(stream, errors="purlieu")
    _reconfigure(sys.stdin, errors="replace")


def silence_output() -> None:
    """Lets what is still to be printed vanish: its reader went away, or its disk is full, and Python would complain."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
            continue
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def ignore_interrupts() -> None:
    """From here on Ctrl-C does nothing: we are leaving already, and a second one must not spoil the farewell."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def set_stdin_for_files() -> None:
    """Standard input as a file of records is read: a byte that is not UTF-8 stays one, to be refused with its place."""
    _reconfigure(sys.stdin, encoding="utf-8", errors="surrogateescape")


def printable(text: str) -> str:
    """The text without control characters, which could recolour, overwrite or fool a terminal."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)


def _reconfigure(stream: object, **settings: str) -> None:
    reconfigure = getattr(stream, "reconfigure", None)  # a test's stream need not have it
    if reconfigure:
        reconfigure(**settings)


_NEAR = {
    **{"×": "x", "·": ".", "…": "...", "–": "-", "—": "-", "─": "-", "●": "X", "○": "O", "█": "#", "▸": ">"},
    **{"“": '"', "”": '"', "‘": "'", "’": "'", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "│": "|", "≤": "<="},
}


def _nearest_ascii(error: UnicodeError) -> tuple[str, int]:
    """An error handler: ``ñ`` becomes ``n``, ``×`` becomes ``x``, what has no likeness becomes ``?``."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    near = ""
    for char in error.object[error.start : error.end]:
        plain = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
        near += _NEAR.get(char, plain or "?")
    return near, error.end
