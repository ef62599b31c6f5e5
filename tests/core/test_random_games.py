"""The core's random games are the games of the rules, each turn as likely as any other."""

from __future__ import annotations

import math

from purlieu import Position, Seat, start
from purlieu.core import core


def expected(position: Position, known: dict[str, tuple[float, float, float]]) -> tuple[float, float, float]:
    """Of uniform random games from here: the mean number of turns, of its square, and the first seat's share."""
    text = position.text()
    if text not in known:
        if position.is_over:
            assert position.outcome
            known[text] = 0.0, 0.0, float(position.outcome.winner is Seat.FIRST)
        else:
            after = [expected(position.after(move), known) for move in position.legal_moves()]
            turns, squares, wins = (sum(values) / len(after) for values in zip(*after, strict=True))
            known[text] = turns + 1, squares + 2 * turns + 1, wins
    return known[text]


def test_random_games_are_as_long_and_as_often_won_as_the_whole_tree_says() -> None:
    turns, squares, wins = expected(start("petrify", 3), {})
    games = 1_000_000
    found = core().Position.start("petrify", 3).playouts(games=games)
    assert abs(found.plies / games - turns) < 5 * math.sqrt((squares - turns**2) / games)
    assert abs(found.first_wins / games - wins) < 5 * math.sqrt(wins * (1 - wins) / games)
