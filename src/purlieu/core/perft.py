"""Perft: how many sequences of legal moves of a given length there are. Two rule books that agree on it agree."""

from __future__ import annotations

from collections.abc import Iterator

from purlieu.rules import Move, Position

from .native import core


def perft(position: Position, depth: int) -> int:
    """The exact number of move sequences of that length, ``swap`` and ``pass`` included.

    A game that ends sooner adds nothing.

    >>> import purlieu
    >>> [perft(purlieu.start("petrify", 3), depth) for depth in (0, 1, 2)]
    [1, 9, 81]
    """
    if depth == 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.after(move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> Iterator[tuple[Move, int]]:
    """The count under each first move, one at a time; they add up to `perft` for a depth of 1 or more.

    >>> import purlieu
    >>> [f"{move} {count}" for move, count in divide(purlieu.start("pyloff", 3), 2)][:2]
    ['a1 8', 'b1 8']
    """
    for move in position.legal_moves():
        yield move, perft(position.after(move), depth - 1)


def divide_by_core(position: Position, depth: int) -> Iterator[tuple[Move, int]]:
    """As `divide`, counted by the native core, which is held to the rules: the same numbers, to greater depths."""
    native = core().Position.parse(position.text())
    for move in position.legal_moves():
        yield move, native.play(str(move)).perft(depth - 1)
