"""What the table at the end of a match says."""

from collections.abc import Iterable
from io import StringIO

from rich.console import Console

from purlieu.arena import Match, Sprt, parse_player, summarise
from purlieu.arena.games import WINS, Played, Rules
from purlieu.arena.report import as_json, table
from purlieu.arena.store import GameLine, Key
from purlieu.arena.summary import Summary


def games_of(keys: Iterable[Key], reason: str = "") -> dict[Key, GameLine]:
    """Games that player 0 won each, after which everybody had moved once."""
    return {key: GameLine(key, 2, Played((), WINS[key.exchanged], reason, (1.0, 1.0), (1, 1))) for key in keys}


def printed_of(summary: Summary) -> str:
    printed = StringIO()
    Console(file=printed, width=200).print(*table(summary))
    return printed.getvalue()


def test_an_interrupted_match_counts_whole_pairs_in_every_figure_and_tells_of_the_other_games() -> None:
    match = Match(Rules("petrify", 3), (parse_player("random"),) * 3, 4, plies=2)
    whole = games_of(Key(pair, 0, 1, exchanged) for pair in (0, 2) for exchanged in (False, True))
    half = games_of([Key(1, 0, 1, exchanged=True), Key(3, 0, 1, exchanged=False), Key(0, 1, 2, False)], "illegal move")
    told, expected = as_json(summarise(match, whole | half)), as_json(summarise(match, whole))
    assert (told.pop("uncounted"), expected.pop("uncounted")) == (3, 0)
    assert told == expected
    pairing = told["pairings"][0]
    assert pairing["wins"] + pairing["draws"] + pairing["losses"] == 2 * sum(pairing["pentanomial"]) == told["games"]
    assert "4 games, openings of 2 turns, seed 1; first seat 50.0 %; not counted: 3, of half pairs\n" in printed_of(
        summarise(match, whole | half)
    )
    assert "not counted" not in printed_of(summarise(match, whole))


def test_with_an_sprt_pairs_after_a_half_one_are_not_counted_either_and_that_is_told() -> None:
    match = Match(Rules("petrify", 3), (parse_player("random"),) * 2, 4, plies=2, sprt=Sprt())
    keys = [key for key in match.every_key() if key not in (Key(1, 0, 1, exchanged=True), Key(3, 0, 1, exchanged=True))]
    summary = summarise(match, games_of(keys))
    assert (summary.games, summary.pairings[0].wins) == (2, 2)
    assert "not counted: 4, of half pairs, of pairs after them or after the decision\n" in printed_of(summary)


def test_every_game_lost_by_mishap_is_counted_however_many_reasons_there_are() -> None:
    """No two late moves take the same time, so each of them has a reason of its own."""
    match = Match(Rules("petrify", 3), (parse_player("random"), parse_player("greedy")), 4, plies=2)
    reasons = ["illegal move: j10", "illegal move: j10", *(f"out of time: a move took 1.{n} s" for n in range(6))]
    games = {}
    for number, reason in enumerate(reasons):
        key = Key(number // 2, 0, 1, exchanged=number % 2 == 1)
        games[key] = GameLine(key, 2, Played((), WINS[key.exchanged], reason, (0.0, 0.0), (0, 0)))
    late = "1 × out of time: a move took 1.0 s; 1 × out of time: a move took 1.1 s"
    assert f"2 × illegal move: j10; {late}; and 4 more" in printed_of(summarise(match, games))
