"""Ratings for more than two players: the Elo at which all their results together are likeliest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

VIRTUAL_POINTS = 0.25
"""Each pairing that met counts as if it had half a draw more: nobody's rating runs away. More than that would draw
players of few pairs so near each other that their intervals miss the truth."""
ROUNDS = 200
"""How often the pairs are drawn anew to see how far a rating may be off."""


@dataclass(frozen=True, slots=True)
class PairResult:
    """One pair of games: two players by number, and the points of the first named, 0 to 2."""

    player: int
    other: int
    points: float


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's Elo beside the average of all, with a 95 % interval."""

    elo: float
    low: float
    high: float


def ratings(players: int, results: Sequence[PairResult], seed: int = 1) -> list[Rating]:
    """Bradley-Terry ratings; their average is 0. Intervals come from drawing whole pairs anew."""
    best = _elos(players, results)
    random = Random(seed)
    drawn = [_elos(players, random.choices(results, k=len(results))) for _ in range(ROUNDS)] if results else []
    spread = [sorted(elos[player] for elos in drawn) or [best[player]] for player in range(players)]
    return [
        Rating(elo, column[int(0.025 * len(column))], column[min(len(column) - 1, int(0.975 * len(column)))])
        for elo, column in zip(best, spread, strict=True)
    ]


def are_linked(players: int, pairings: Iterable[tuple[int, int]]) -> bool:
    """Whether these pairings lead from every player to every other, if need be by way of third ones."""
    group = list(range(players))
    for one, other in pairings:
        group = [group[one] if found == group[other] else found for found in group]
    return len(set(group)) == 1


def _elos(players: int, results: Sequence[PairResult]) -> list[float]:
    """The likeliest ratings, by letting each player's expected points meet the real ones in turn."""
    points = [0.0] * players
    games: dict[tuple[int, int], float] = {}
    for result in results:
        points[result.player] += result.points
        points[result.other] += 2 - result.points
        key = min(result.player, result.other), max(result.player, result.other)
        games[key] = games.get(key, 0.0) + 2
    for one, other in games:
        games[one, other] += 2 * VIRTUAL_POINTS
        points[one] += VIRTUAL_POINTS
        points[other] += VIRTUAL_POINTS
    strength = [1.0] * players
    for _ in range(10_000):
        shared = [0.0] * players
        for (one, other), count in games.items():
            share = count / (strength[one] + strength[other])
            shared[one] += share
            shared[other] += share
        new = [points[p] / shared[p] if shared[p] else strength[p] for p in range(players)]
        mean = math.exp(sum(map(math.log, new)) / players)
        new = [value / mean for value in new]
        done = all(abs(a / b - 1) < 1e-7 for a, b in zip(new, strength, strict=True))
        strength = new
        if done:
            break
    return [400 * math.log10(value) for value in strength]
