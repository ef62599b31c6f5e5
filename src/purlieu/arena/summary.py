"""What a match has shown so far, as plain values for the table, the JSON and the plot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .match import Games, Match
from .ratings import PairResult, Rating, are_linked, ratings
from .stats import Estimate, Pairs, Verdict, estimate
from .store import GameLine


@dataclass(frozen=True, slots=True)
class PairingSummary:
    """How one player did against another."""

    one: str
    other: str
    wins: int
    draws: int
    losses: int
    pairs: Pairs
    points: tuple[float, ...]
    """Of `one`, in each pair, in the order of the openings."""
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """How one player did altogether."""

    name: str
    games: int
    points: float
    seconds_a_turn: float
    failures: dict[str, int]
    """Games that it lost by something else than the rules, by the sentence that says why."""
    rating: Rating | None
    """Only where more than two players met, and pairings that tell an Elo link them all: else their distances, and with
    them everybody's from the average, would be luck."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A match so far."""

    match: Match
    games: int
    """Those of whole pairs; no others are counted anywhere, so that all figures are of the same games."""
    uncounted: int
    """Games that are in, but of half pairs; with an SPRT also of pairs after such a one, or after the decision."""
    first_seat_score: float
    """The share of points that the first seat took, whoever sat there."""
    agreed: int
    """Games that ended because both players agreed who wins."""
    hurried: int
    """Games whose ends were played with a part of the limits, as a player was sure who wins."""
    pairings: tuple[PairingSummary, ...]
    players: tuple[PlayerSummary, ...]
    llr: float | None
    verdict: Verdict


def summarise(match: Match, games: Games) -> Summary:
    """All that a match's games say."""
    counted = match.counted(games)
    pairings = tuple(_pairing(match, games, counted, one, other) for one, other in match.pairings())
    results = [
        PairResult(one, other, points)
        for (one, other), pairing in zip(match.pairings(), pairings, strict=True)
        for points in pairing.points
    ]
    many = len(match.players)
    telling = [
        both for both, pairing in zip(match.pairings(), pairings, strict=True) if pairing.estimate.elo is not None
    ]
    rated = ratings(many, results, match.seed) if many > 2 and are_linked(many, telling) else None
    players = tuple(_player(match, counted, number, rated) for number in range(many))
    return Summary(
        match=match,
        games=len(counted),
        uncounted=sum(key in games for key in match.every_key()) - len(counted),
        first_seat_score=sum(map(_first_points, counted)) / len(counted) if counted else 0.5,
        agreed=sum(line.played.agreed for line in counted),
        hurried=sum(line.played.hurried is not None for line in counted),
        pairings=pairings,
        players=players,
        llr=match.sprt.llr(pairings[0].pairs) if match.sprt else None,
        verdict=match.verdict(games),
    )


def _pairing(match: Match, games: Games, counted: list[GameLine], one: int, other: int) -> PairingSummary:
    points = tuple(match.points(games, one, other))
    single = Counter(line.points_of_one() for line in counted if (line.key.one, line.key.other) == (one, other))
    pairs = Pairs.of(points)
    return PairingSummary(
        one=match.players[one].text,
        other=match.players[other].text,
        wins=single[1.0],
        draws=single[0.5],
        losses=single[0.0],
        pairs=pairs,
        points=points,
        estimate=estimate(pairs),
    )


def _player(match: Match, counted: list[GameLine], number: int, rated: list[Rating] | None) -> PlayerSummary:
    points = seconds = 0.0
    games = turns = 0
    failures: Counter[str] = Counter()
    for line in counted:
        if number not in line.key.seats:
            continue
        seat = line.key.seats.index(number)
        got = _first_points(line) if seat == 0 else 1 - _first_points(line)
        games += 1
        points += got
        seconds += line.played.seconds[seat]
        turns += line.played.turns[seat]
        if line.played.reason and got == 0:
            failures[line.played.reason] += 1
    return PlayerSummary(
        name=match.players[number].text,
        games=games,
        points=points,
        seconds_a_turn=seconds / turns if turns else 0.0,
        failures=dict(failures.most_common()),
        rating=rated[number] if rated else None,
    )


def _first_points(line: GameLine) -> float:
    return {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[line.played.result]
