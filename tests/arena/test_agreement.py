"""A game may end when both players agree who wins, and only then; it may be hurried when one of them is sure."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from purlieu import PurlieuError
from purlieu.arena import Match, Store, parse_player, play_match, summarise
from purlieu.arena.agreement import OWN_TURNS, TURNS, agreed_winner, sure_winner
from purlieu.arena.control import Clock, parse_control
from purlieu.arena.games import Rules, play_game
from purlieu.arena.run import make_match
from purlieu.arena.store import GameLine, Key, read_games
from purlieu.rules import start


def games_of(
    path: Path, *players: str, agree: float | None = None, hurry: float | None = None
) -> tuple[Match, dict[Key, GameLine]]:
    rules = Rules("petrify", 5, margin=10.0, agree=agree, hurry=hurry)
    match = Match(rules, tuple(map(parse_player, players)), 3, plies=2)
    store = Store(path / "results.jsonl", match.identity, resume=False)
    try:
        play_match(match, store, workers=1)
    finally:
        store.close()
    return match, store.games


def is_over(line: GameLine) -> bool:
    position = start("petrify", 5)
    for move in line.played.moves:
        position = position.play(move)
    return position.is_over


def test_a_game_ends_when_both_have_said_for_some_turns_who_wins(tmp_path: Path) -> None:
    match, games = games_of(tmp_path, "full:200", "uct:200", agree=0.9)
    ended = [line.played for line in games.values() if line.played.agreed]
    assert ended
    assert summarise(match, games).agreed == len(ended)
    for played in ended:
        wanted = 0 if played.result == "1-0" else 1
        assert agreed_winner(played.chances, 0.9) == wanted
        assert agreed_winner(played.chances[:-1], 0.9) is None
        assert not played.reason
    assert all(is_over(line) for line in games.values() if not line.played.agreed)


def test_without_being_asked_to_agree_they_play_on_to_the_end(tmp_path: Path) -> None:
    _, games = games_of(tmp_path, "full:200", "uct:200")
    assert all(is_over(line) and not line.played.agreed for line in games.values())
    lines = [line.played for line in games.values()]
    assert all(len(played.chances) == len(played.moves) - 2 for played in lines)
    assert any(agreed_winner(played.chances, 0.9) is not None for played in lines)


def test_one_who_does_not_say_agrees_to_nothing(tmp_path: Path) -> None:
    _, games = games_of(tmp_path, "full:50", "random", agree=0.6)
    assert all(is_over(line) and not line.played.agreed for line in games.values())


def test_a_match_played_out_does_not_go_on_with_games_cut_short(tmp_path: Path) -> None:
    match, games = games_of(tmp_path, "full:50", "uct:50", agree=None)
    shorter = Match(Rules("petrify", 5, margin=10.0, agree=0.9), match.players, 3, plies=2)
    with pytest.raises(PurlieuError, match=r"its agree is None, not 0\.9"):
        Store(tmp_path / "results.jsonl", shorter.identity, resume=True)
    assert len(games) == 6


def test_chances_are_kept_with_the_games(tmp_path: Path) -> None:
    match, games = games_of(tmp_path, "full:50", "uct:50", agree=0.9)
    store = Store(tmp_path / "results.jsonl", match.identity, resume=True)
    store.close()
    assert store.games == games


@pytest.mark.parametrize(
    ("chances", "winner"),
    [
        ([0.97] * TURNS, 0),
        ([0.03] * TURNS, 1),
        ([0.97] * (TURNS - 1), None),
        ([0.5, *[0.99] * TURNS], 0),
        ([0.99, 0.99, 0.96, 0.99], None),
        ([0.99, 0.01, 0.99, 0.01], None),
        ([0.99, None, 0.99, 0.99], None),
    ],
)
def test_agreement_is_every_one_of_the_last_turns(chances: list[float | None], winner: int | None) -> None:
    assert agreed_winner(chances, 0.97) == winner


@pytest.mark.parametrize("agree", [0.5, 1.2, -1.0])
def test_a_chance_that_agrees_on_nothing_is_refused(agree: float) -> None:
    with pytest.raises(PurlieuError, match=r"players agree on a chance above 0\.5"):
        make_match(["random", "random"], "petrify", 3, 1, None, 1, None, 0.2, 120.0, agree)


def test_a_game_is_hurried_once_a_player_is_sure_and_is_still_played_to_its_end(tmp_path: Path) -> None:
    match, games = games_of(tmp_path, "full:400", "uct:400", hurry=0.9)
    hurried = [line.played for line in games.values() if line.played.hurried is not None]
    assert hurried
    assert summarise(match, games).hurried == len(hurried)
    for played in hurried:
        assert sure_winner(played.chances[: played.hurried], 0.9) is not None
        assert not any(sure_winner(played.chances[:turns], 0.9) is not None for turns in range(played.hurried or 0))
    assert all(is_over(line) for line in games.values())
    assert read_games(tmp_path / "results.jsonl", match.identity) == games


class Sure:
    """A player that is sure from its second turn on that it wins, and notes how long it may think."""

    def __init__(self) -> None:
        self.chance: float | None = None
        self.limits: list[float | None] = []

    def new_game(self, game: str, size: int, seed: int) -> None:
        self._start = start(game, size)

    def choose(self, moves: Sequence[str], clocks: tuple[Clock, Clock], patience: float) -> str:
        clock = clocks[len(moves) % 2]
        self.chance = 0.99 if self.limits else 0.5
        self.limits.append(clock.control.at(clock.pace).seconds)
        position = self._start
        for move in moves:
            position = position.play(move)
        return str(position.legal_moves()[0])

    def restart(self) -> None:
        """Nothing is left behind."""

    def close(self) -> None:
        """Nothing is held."""


def test_both_players_go_on_with_a_tenth_of_the_seconds_a_move_once_one_is_sure() -> None:
    first, second = Sure(), Sure()
    controls = parse_control("1s"), parse_control("20s")
    played = play_game(Rules("petrify", 4, hurry=0.95), [], (first, second), controls, (1, 2))
    assert played.hurried == 7, "the fourth turn of the first seat"
    assert first.limits[:5] == [1, 1, 1, 1, pytest.approx(0.1)]
    assert second.limits[:4] == [20, 20, 20, 2]
    assert set(first.limits[4:]) == {first.limits[4]}


def test_a_match_may_go_on_with_players_who_hurry_and_every_game_tells(tmp_path: Path) -> None:
    _, games = games_of(tmp_path, "full:50", "uct:50")
    match = make_match(["full:50", "uct:50"], "petrify", 5, 6, 2, 1, None, 10.0, 120.0, None, 0.6)
    with closing(Store(tmp_path / "results.jsonl", match.identity, resume=True)) as store:
        play_match(match, store, workers=1)
    assert len(store.games) == 12
    assert all(store.games[key] == game for key, game in games.items())
    assert 0 < summarise(match, store.games).hurried <= 6


def test_nobody_hurries_unless_asked_to(tmp_path: Path) -> None:
    match, games = games_of(tmp_path, "full:200", "uct:200")
    assert all(line.played.hurried is None for line in games.values())
    assert any(sure_winner(line.played.chances, 0.9) is not None for line in games.values())
    assert summarise(match, games).hurried == 0


@pytest.mark.parametrize(
    ("chances", "winner"),
    [
        ([0.99, 0.5] * (OWN_TURNS - 1) + [0.99], 0),
        ([0.01, 0.5] * (OWN_TURNS - 1) + [0.01], 1),
        ([0.99, 0.5] * (OWN_TURNS - 1), None),
        ([0.99, 0.5] * OWN_TURNS, None),
        ([0.9, 0.5, 0.99, 0.5, 0.99], None),
        ([0.99, 0.01, 0.99, 0.01, 0.99], 0),
        ([None, 0.5, 0.99, 0.5, 0.99], None),
        ([0.5] * 6 + [0.99, 0.5] * (OWN_TURNS - 1) + [0.99], 0),
    ],
)
def test_a_player_is_sure_by_its_own_last_turns(chances: list[float | None], winner: int | None) -> None:
    assert sure_winner(chances, 0.97) == winner


@pytest.mark.parametrize("hurry", [0.5, 1.2, -1.0])
def test_a_chance_that_makes_nobody_sure_is_refused(hurry: float) -> None:
    with pytest.raises(PurlieuError, match=r"a player is sure with a chance above 0\.5"):
        make_match(["uct:10", "uct:10"], "petrify", 3, 1, None, 1, None, 0.2, 120.0, None, hurry)


@pytest.mark.parametrize("player", ["random", "level:4", "full:10+0.1s"])
def test_a_player_who_cannot_hurry_is_told_so(player: str) -> None:
    with pytest.raises(PurlieuError, match=r"cannot hurry; that takes seconds or simulations a move"):
        make_match(["uct:10", player], "petrify", 3, 1, None, 1, None, 0.2, 120.0, None, 0.95)


def test_hurry_takes_of_seconds_and_simulations_and_leaves_clocks_alone() -> None:
    assert parse_control("1s").at(0.1).seconds == pytest.approx(0.1)
    assert parse_control("1000").at(0.1).simulations == 100
    assert parse_control("3").at(0.1).simulations == 1
    assert parse_control("10+0.1s").at(0.1) == parse_control("10+0.1s")
