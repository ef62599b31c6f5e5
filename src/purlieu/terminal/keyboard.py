"""Reading what is typed: with history and completion at a terminal, line by line from a pipe."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence

from .screen import Screen, said

LONGEST_LINE = 10_000


class Keyboard:
    """Where lines come from. At a terminal people edit and complete them; from a pipe they are echoed."""

    def __init__(self, screen: Screen, completions: Callable[[], Sequence[str]] | None = None) -> None:
        self.screen = screen
        self.at_terminal = sys.stdin.isatty() and screen.is_terminal
        if self.at_terminal and completions:
            _complete_with(completions)

    def read(self, prompt: str) -> str | None:
        """The next line, or None when there are no more. Ctrl-C comes through as KeyboardInterrupt."""
        prompt = said(prompt)
        if self.at_terminal:
            try:
                return input(prompt)
            except EOFError:
                self.screen.say()
                return None
        if sys.stdin.isatty():  # typed by a person, printed into a pipe: the terminal has echoed it
            self.screen.raw(prompt)
        line = sys.stdin.readline(LONGEST_LINE)
        if line and not sys.stdin.isatty():
            self.screen.raw(prompt + line.rstrip("\r\n")[:200])
        return line or None


def _complete_with(completions: Callable[[], Sequence[str]]) -> None:
    """Tab completes commands and legal moves, where the system has readline."""
    with contextlib.suppress(ImportError):
        import readline

        def complete(text: str, state: int) -> str | None:
            found = [word for word in completions() if word.startswith(text)]
            return found[state] if state < len(found) else None

        readline.set_completer(complete)
        readline.set_completer_delims(" ")
        libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
