"""More than two players are rated where their games tell how far apart they are, and nowhere else."""

from collections.abc import Mapping, Sequence
from io import StringIO
from random import Random

import pytest
from rich.console import Console

from purlieu.arena import Match, parse_player, summarise
from purlieu.arena.games import WINS, Played, Rules
from purlieu.arena.plot import svg
from purlieu.arena.report import as_json, table
from purlieu.arena.stats import elo_of, score_of
from purlieu.arena.store import GameLine, Key
from purlieu.arena.summary import Summary

EVEN, MOST, ALL = [2, 0, 1], [2, 2, 2, 1], [2]
"""What one player gets in each pair, over and over: half, most and all of the points."""


def summary_of(points: Mapping[tuple[int, int], Sequence[int]], pairs: int) -> Summary:
    """Of a match whose games gave the first named these points; without draws."""
    number = 1 + max(other for _, other in points)
    match = Match(Rules("petrify", 3), (parse_player("random"),) * number, pairs, plies=2)
    games = {}
    for (one, other), found in points.items():
        for pair in range(pairs):
            got = found[pair % len(found)]
            for exchanged in (False, True):
                key = Key(pair, one, other, exchanged)
                won = got == 2 or (got == 1 and not exchanged)
                games[key] = GameLine(key, 2, Played((), WINS[won == exchanged], "", (0.0, 0.0), (0, 0)))
    return summarise(match, games)


@pytest.mark.parametrize(
    ("points", "pairs", "told"),
    [
        ({(0, 1): EVEN, (0, 2): EVEN, (1, 2): EVEN}, 29, "under 30 pairs each"),
        ({(0, 1): ALL, (0, 2): ALL, (1, 2): ALL}, 10, "under 30 pairs each"),
        ({(0, 1): ALL, (0, 2): ALL, (1, 2): ALL}, 40, "too one-sided"),
        ({(0, 1): ALL, (0, 2): ALL, (1, 2): EVEN}, 40, "too one-sided"),
        ({(0, 1): EVEN, (0, 2): EVEN, (1, 2): EVEN}, 30, ""),
        ({(0, 1): MOST, (0, 2): ALL, (1, 2): MOST}, 40, ""),
    ],
)
def test_ratings_are_told_where_pairings_with_an_elo_link_all_players_and_else_why_not(
    points: dict[tuple[int, int], list[int]], pairs: int, told: str
) -> None:
    summary = summary_of(points, pairs)
    printed = StringIO()
    Console(file=printed, width=200).print(*table(summary))
    rows = printed.getvalue().splitlines()[-3:]
    assert [player["rating"] is None for player in as_json(summary)["players"]] == [bool(told)] * 3
    assert all((told in row) if told else (" to " in row) for row in rows)
    assert told in svg(summary)


def test_on_a_steep_ladder_nineteen_intervals_of_twenty_hold_the_truth() -> None:
    """A step is 96 % of the points. The pairs of the outer two tell next to nothing, and must not draw them inwards."""
    step = elo_of(0.96)
    held = told = 0
    for seed in range(32):
        random = Random(seed)
        points = {
            (one, other): [sum(random.random() < score_of((other - one) * step) for _ in range(2)) for _ in range(30)]
            for one, other in [(0, 1), (0, 2), (1, 2)]
        }
        for player, truth in zip(summary_of(points, 30).players, (step, 0, -step), strict=True):
            if player.rating:
                told += 1
                held += player.rating.low <= truth <= player.rating.high
    assert told >= 45
    assert held / told > 0.9
