"""What the table at the end of a match says."""

from io import StringIO

from rich.console import Console

from purlieu.arena import Match, parse_player, summarise
from purlieu.arena.games import WINS, Played, Rules
from purlieu.arena.report import table
from purlieu.arena.store import GameLine, Key


def test_every_game_lost_by_mishap_is_counted_however_many_reasons_there_are() -> None:
    """No two late moves take the same time, so each of them has a reason of its own."""
    match = Match(Rules("petrify", 3), (parse_player("random"), parse_player("greedy")), 4, plies=2)
    reasons = ["illegal move: j10", "illegal move: j10", *(f"out of time: a move took 1.{n} s" for n in range(6))]
    games = {}
    for number, reason in enumerate(reasons):
        key = Key(number // 2, 0, 1, exchanged=number % 2 == 1)
        games[key] = GameLine(key, 2, Played((), WINS[key.exchanged], reason, (0.0, 0.0), (0, 0)))
    printed = StringIO()
    Console(file=printed, width=200).print(*table(summarise(match, games)))
    late = "1 × out of time: a move took 1.0 s; 1 × out of time: a move took 1.1 s"
    assert f"2 × illegal move: j10; {late}; and 4 more" in printed.getvalue()
