"""Computer players. Each is a function that picks a legal move: here two simple ones, which need no engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from .rules import Move, Position, Seat

Choose = Callable[[Position, Random], Move]
"""Picks a legal move of a position that is not over. All chance comes from the Random that is handed in."""

MOST_LOOKED_AT = 400
"""A Pentwall sheet offers 4,096 first moves; looking at this many takes a fraction of a second."""


def choose_random(position: Position, random: Random) -> Move:
    """Any legal move, each as likely as the others."""
    return random.choice(position.legal_moves())


def choose_greedy(position: Position, random: Random) -> Move:
    """A move with the best lead right after it; where there are very many, the best of a sample."""
    moves: Sequence[Move] = position.legal_moves()
    if len(moves) > MOST_LOOKED_AT:
        moves = random.sample(moves, MOST_LOOKED_AT)
    seat = position.to_move
    leads = [lead_after(position, move, seat) for move in moves]
    best = max(leads)
    return random.choice([move for move, lead in zip(moves, leads, strict=True) if lead == best])


def lead_after(position: Position, move: Move, seat: Seat) -> int:
    """By how much the seat leads right after a legal move; a swap counts the colours as they then are."""
    after = position.after(move)
    score = after.score()
    mine = after.colour_of(seat)
    return score[mine] - score[mine.other]


PLAYERS: dict[str, Choose] = {"random": choose_random, "greedy": choose_greedy}
"""The computer players by name."""
