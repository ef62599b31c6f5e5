"""A match's summary as a table for people, as JSON for programs, and its games as records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from purlieu.rules import GAMES, start

from .stats import FEWEST_PAIRS, Estimate
from .store import GameLine
from .summary import PairingSummary, PlayerSummary, Summary

if TYPE_CHECKING:  # worker processes print nothing, and start faster without
    from rich.table import Table
    from rich.text import Text

    from purlieu.records import Record


def table(summary: Summary) -> list[Table | Text]:
    """What is printed when a match ends or is interrupted."""
    from rich.text import Text

    match = summary.match
    rules, title = match.rules, GAMES[match.rules.game].title
    heading = Text(
        f"{title} {rules.size}×{rules.size}, {summary.games} games, openings of {match.plies} turns, "
        f"seed {match.seed}; first seat {_percent(summary.first_seat_score)}"
        + (f"; {summary.hurried} hurried" if rules.hurry is not None or summary.hurried else "")
        + (f"; {summary.agreed} ended by agreement" if rules.agree is not None else "")
        + uncounted_text(summary)
    )
    parts: list[Table | Text] = [heading, _pairings(summary.pairings), _players(summary)]
    if match.sprt and summary.llr is not None:
        low, high = match.sprt.bounds
        parts.append(
            Text(
                f"SPRT [{match.sprt.elo0:g}, {match.sprt.elo1:g}] Elo: {summary.verdict}; "
                f"LLR {summary.llr:.2f}, bounds {low:.2f} and {high:.2f}"
                + ("" if summary.verdict == "open" else "; as the test chose when to stop, score and Elo lean its way")
            )
        )
    return parts


def _pairings(pairings: Iterable[PairingSummary]) -> Table:
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False)
    for name in ("player", "against"):
        grid.add_column(name, overflow="fold", min_width=8)
    for name in ("won–drawn–lost", "0 ½ 1 1½ 2", "score", "Elo (95 %)"):
        grid.add_column(name, justify="right", no_wrap=True)
    for pairing in pairings:
        grid.add_row(
            Text(pairing.one),
            Text(pairing.other),
            f"{pairing.wins}–{pairing.draws}–{pairing.losses}",
            " ".join(map(str, pairing.pairs.counts)),
            _percent(pairing.estimate.score),
            elo_text(pairing.estimate),
        )
    return grid


def _players(summary: Summary) -> Table:
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False)
    grid.add_column("player", overflow="fold")
    for name in ("points", "a turn", "rating (95 %)"):
        grid.add_column(name, justify="right", no_wrap=True)
    grid.add_column("lost by mishap", overflow="fold")
    for player in summary.players:
        rating = player.rating
        grid.add_row(
            Text(player.name),
            f"{player.points:g} of {player.games}",
            f"{1000 * player.seconds_a_turn:.1f} ms",
            f"{rating.elo:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})" if rating else unrated_text(summary),
            Text(mishaps_text(player.failures)),
        )
    return grid


def mishaps_text(failures: dict[str, int]) -> str:
    """Why games were lost otherwise than by the rules: the first three reasons, and how many games had another.

    >>> mishaps_text({"gave no move": 2, "crashed": 1, "said nothing": 1, "broke the rules": 2, "was late": 1})
    '2 × gave no move; 1 × crashed; 1 × said nothing; and 3 more'
    """
    counted = list(failures.items())
    parts = [f"{count} × {reason}" for reason, count in counted[:3]]
    if more := sum(count for _, count in counted[3:]):
        parts.append(f"and {more} more")
    return "; ".join(parts)


def uncounted_text(summary: Summary) -> str:
    """How many games no figure tells of, and why; nothing where all are counted."""
    if not summary.uncounted:
        return ""
    later = ", of pairs after them or after the decision" if summary.match.sprt else ""
    return f"; not counted: {summary.uncounted}, of half pairs{later}"


def elo_text(found: Estimate) -> str:
    """``+35 (+12 to +58)``, or why there is no such number."""
    if found.elo is None or found.elo_low is None or found.elo_high is None:
        return f"under {FEWEST_PAIRS} pairs" if found.pairs < FEWEST_PAIRS else "too one-sided"
    return f"{found.elo:+.0f} ({found.elo_low:+.0f} to {found.elo_high:+.0f})"


def unrated_text(summary: Summary) -> str:
    """Why players have no rating; nothing where two players have none anyway."""
    if len(summary.players) == 2:
        return ""
    few = any(pairing.estimate.pairs < FEWEST_PAIRS for pairing in summary.pairings)
    return f"under {FEWEST_PAIRS} pairs each" if few else "too one-sided"


def as_json(summary: Summary) -> dict[str, Any]:
    """The summary as an object of plain values; an unbounded Elo is null."""
    match = summary.match
    return {
        "game": match.rules.game,
        "size": match.rules.size,
        "opening_plies": match.plies,
        "seed": match.seed,
        "games": summary.games,
        "uncounted": summary.uncounted,
        "first_seat_score": summary.first_seat_score,
        "agree": match.rules.agree,
        "agreed": summary.agreed,
        "hurry": match.rules.hurry,
        "hurried": summary.hurried,
        "pairings": [_pairing_json(pairing) for pairing in summary.pairings],
        "players": [_player_json(player) for player in summary.players],
        "sprt": _sprt_json(summary),
    }


def _pairing_json(pairing: PairingSummary) -> dict[str, Any]:
    found = pairing.estimate
    return {
        "player": pairing.one,
        "against": pairing.other,
        "wins": pairing.wins,
        "draws": pairing.draws,
        "losses": pairing.losses,
        "pentanomial": list(pairing.pairs.counts),
        "score": found.score,
        "score_interval": [found.score_low, found.score_high],
        "elo": _finite(found.elo),
        "elo_interval": [_finite(found.elo_low), _finite(found.elo_high)],
        "superiority": found.superiority,
    }


def _player_json(player: PlayerSummary) -> dict[str, Any]:
    rating = player.rating
    return {
        "player": player.name,
        "games": player.games,
        "points": player.points,
        "seconds_a_turn": player.seconds_a_turn,
        "failures": player.failures,
        "rating": {"elo": rating.elo, "interval": [rating.low, rating.high]} if rating else None,
    }


def _sprt_json(summary: Summary) -> dict[str, Any] | None:
    sprt = summary.match.sprt
    if sprt is None:
        return None
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "llr": summary.llr,
        "bounds": list(sprt.bounds),
        "verdict": summary.verdict,
    }


def records(summary: Summary, lines: Iterable[GameLine]) -> Iterator[Record]:
    """The games as records, played through the rules once more."""
    from purlieu.records import Record

    match = summary.match
    begin = start(match.rules.game, match.rules.size)
    names = [spec.text for spec in match.players]
    for line in lines:
        first, second = line.key.seats
        tags = {"Pair": str(line.key.pair + 1), "Opening": str(line.opening)}
        if line.played.reason:
            tags["Termination"] = line.played.reason
        elif line.played.agreed:
            tags["Termination"] = "the players agreed who wins"
        yield Record.of(
            begin,
            line.played.moves,
            first=names[first],
            second=names[second],
            date=line.played.date,
            result=line.played.result,
            tags=tags,
        )


def _percent(score: float) -> str:
    return f"{100 * score:.1f} %"


def _finite(value: float | None) -> float | None:
    return None if value is None or value in (float("inf"), float("-inf")) else value
