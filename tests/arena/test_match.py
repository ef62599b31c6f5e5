"""A match goes on whatever its players do, and each of its pairs is counted once."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import onnx
import pytest

from purlieu import PurlieuError
from purlieu.arena import Match, Sprt, Store, parse_player, play_match, summarise
from purlieu.arena.games import Rules
from purlieu.arena.store import GameLine, Key, read_games
from purlieu.arena.summary import Summary
from purlieu.arena.worker import NOBODY, SLACK, Task, is_overdue, tell_status
from purlieu.nets.shipped import manifest

RUNS = Path(__file__).parents[2] / "runs"
ODD = f"{sys.executable} {Path(__file__).parents[1] / 'ugi' / 'odd_engine.py'}"


def match_of(*players: str, pairs: int = 2, seed: int = 1, sprt: Sprt | None = None, patience: float = 20.0) -> Match:
    rules = Rules("petrify", 3, margin=10.0, patience=patience)
    return Match(rules, tuple(map(parse_player, players)), pairs, plies=2, seed=seed, sprt=sprt)


def played(match: Match, path: Path, *, workers: int = 1, resume: bool = False) -> dict[Key, GameLine]:
    store = Store(path / "results.jsonl", match.identity, resume=resume)
    try:
        play_match(match, store, workers=workers)
    finally:
        store.close()
    return store.games


def failures(summary: Summary, player: int) -> str:
    return " | ".join(summary.players[player].failures)


def test_a_match_is_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    match = match_of("random", "full:20", pairs=4)
    one, two = played(match, tmp_path / "one"), played(match, tmp_path / "two", workers=2)
    assert {key: line.played.moves for key, line in one.items()} == {
        key: line.played.moves for key, line in two.items()
    }
    assert len(one) == 8
    other = match_of("random", "full:20", pairs=4, seed=2)
    assert {line.played.moves for line in one.values()} != {
        line.played.moves for line in played(other, tmp_path, workers=2).values()
    }


def test_a_pair_has_one_opening_and_exchanged_seats(tmp_path: Path) -> None:
    games = played(match_of("random", "random", pairs=3), tmp_path)
    for pair in range(3):
        there, back = games[Key(pair, 0, 1, False)], games[Key(pair, 0, 1, True)]
        assert there.played.moves[:2] == back.played.moves[:2]
        assert there.key.seats == (0, 1)
        assert back.key.seats == (1, 0)


def test_games_may_begin_where_they_are_told_and_those_that_are_kept_are_not_played_again(tmp_path: Path) -> None:
    match = match_of("random", "full:20", pairs=4)
    ours, theirs = Key(0, 0, 1, False), Key(3, 0, 1, True)
    begin = Task(ours, ("a1", "b2", "c3")), Task(theirs, ("c1", "b2", "a3"))
    with closing(Store(tmp_path / "results.jsonl", match.identity, resume=False)) as store:
        play_match(match, store, workers=1, games=begin[:1])
        kept = dict(store.games)
        assert list(kept) == [ours]
        play_match(match, store, workers=1, games=begin)
        assert store.games[ours] is kept[ours]
        assert {key: line.played.moves[:3] for key, line in store.games.items()} == {
            task.key: task.opening for task in begin
        }
        assert all(line.opening == 3 for line in store.games.values())


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("crash", "odd engine was ended by SIGSEGV"),
        ("leave", "odd engine has ended with code 3"),
        ("illegal", "illegal move: j10"),
        ("nonsense", "which is no move"),
        ("nothing", "odd engine gave no move"),
        ("refuse", "odd engine refuses the game"),
    ],
)
def test_an_engine_that_fails_loses_its_game_and_the_match_goes_on(tmp_path: Path, how: str, sentence: str) -> None:
    match = match_of("random", f"ugi@1:{ODD} {how} 4", pairs=2)
    summary = summarise(match, played(match, tmp_path))
    assert summary.games == 4
    assert summary.players[0].points >= 3
    assert sentence in failures(summary, 1)


@pytest.mark.parametrize("how", ["hang", "silent", "flood"])
def test_a_silent_engine_loses_its_game_is_restarted_and_plays_the_next(tmp_path: Path, how: str) -> None:
    memory = tmp_path / "memory"
    match = match_of("random", f"ugi@1:{ODD} {how} 3 {memory}", pairs=2, patience=4)
    summary = summarise(match, played(match, tmp_path))
    assert summary.games == 4
    assert summary.players[1].failures == {"odd engine did not say bestmove within 4 s": 1}


def test_a_worker_that_dies_costs_the_game_of_who_was_thinking(tmp_path: Path) -> None:
    """The engine takes its whole worker with it, as a crash of the native core would."""
    memory = tmp_path / "memory"
    match = match_of("random", f"ugi@1:{ODD} murder 3 {memory}", pairs=3)
    summary = summarise(match, played(match, tmp_path, workers=2))
    assert summary.games == 6
    assert summary.players[1].failures == {"its process was ended by SIGKILL": 1}


@pytest.mark.parametrize("player", ["full:600s", "ugi@600s:sh -c 'exec {odd} hang 3> {life}'"])
def test_when_a_match_is_killed_its_workers_and_their_engines_go_at_once(tmp_path: Path, player: str) -> None:
    life = tmp_path / "life"  # it is held open by the engine alone, as the output is by the worker
    os.mkfifo(life)
    watched = os.open(life, os.O_RDONLY | os.O_NONBLOCK)
    program = f"""
import os, signal, time
from purlieu.arena.games import Rules
from purlieu.arena.players import parse_player
from purlieu.arena.store import Key
from purlieu.arena.worker import Task, Worker
players = ["random", {player.format(odd=ODD, life=life)!r}]
worker = Worker(Rules("petrify", 8), tuple(map(parse_player, players)), 1)
worker.give(Task(Key(0, 0, 1, False), ()))
while worker._status[1] < time.monotonic() + 300:  # until it is asked for a move: it has 600 s for that alone
    time.sleep(0.01)
os.kill(os.getpid(), signal.SIGKILL)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, start_new_session=True)
    try:
        process.communicate(timeout=20)
        assert process.returncode == -signal.SIGKILL
        if player.startswith("ugi"):
            assert select.select([watched], [], [], 20)[0], "the engine lives"
            assert os.read(watched, 1) == b""
    finally:
        os.close(watched)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


class LookedAt(list[float]):
    """A status that the match looks at after every write."""

    def __setitem__(self, at: object, value: object) -> None:
        super().__setitem__(at, value)  # type: ignore[call-overload]
        assert not is_overdue(self)


class Overtaken(list[float]):
    """A status that the worker changes while the match is looking at it."""

    then: tuple[int | None, float]

    def __getitem__(self, at: object) -> float:  # type: ignore[override]
        value: float = super().__getitem__(at)  # type: ignore[call-overload]
        if at == 0:
            tell_status(self, *self.then)
        return value


def test_a_worker_is_hung_long_after_its_players_time_and_at_no_moment_before() -> None:
    now = time.monotonic()
    status = LookedAt([NOBODY, 0.0])
    for seat, until in [(0, now + 60), (1, now + 90), (0, now + 60), (None, 0.0), (1, now + 60), (None, 0.0)]:
        tell_status(status, seat, until)
    for then in [(None, 0.0), (1, now + 60)]:
        overtaken = Overtaken([0, now + 60])
        overtaken.then = then
        assert not is_overdue(overtaken)
    assert is_overdue([1, now - SLACK - 1])
    assert not is_overdue([NOBODY, now - SLACK - 1])


def test_a_slow_answer_loses_on_time(tmp_path: Path) -> None:
    rules = Rules("petrify", 3, margin=0.0)
    match = Match(rules, tuple(map(parse_player, ("random", f"ugi@0.000001s:{ODD}"))), 1, plies=2)
    summary = summarise(match, played(match, tmp_path))
    assert summary.players[0].points == 2
    assert "out of time" in failures(summary, 1)


def test_a_finished_match_is_not_played_again_and_a_longer_one_goes_on(tmp_path: Path) -> None:
    short = played(match_of("random", "random", pairs=2), tmp_path)
    before = (tmp_path / "results.jsonl").read_bytes()
    assert played(match_of("random", "random", pairs=2), tmp_path, resume=True) == short
    assert (tmp_path / "results.jsonl").read_bytes() == before
    longer = played(match_of("random", "random", pairs=3), tmp_path, resume=True)
    assert len(longer) == 6
    assert {key: longer[key] for key in short} == short


def test_a_line_cut_off_by_a_crash_is_played_again(tmp_path: Path) -> None:
    match, path = match_of("random", "random"), tmp_path / "results.jsonl"
    whole = played(match, tmp_path)
    path.write_bytes(path.read_bytes()[:-20])
    again = played(match, tmp_path, resume=True)
    assert {key: line.played.moves for key, line in again.items()} == {
        key: line.played.moves for key, line in whole.items()
    }
    assert len(path.read_text().splitlines()) == 5


def test_a_game_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    match, path = match_of("random", "random"), tmp_path / "results.jsonl"
    games = played(match, tmp_path)
    path.write_text(path.read_text() + path.read_text().splitlines()[-1] + "\n")
    store = Store(path, match.identity, resume=True)
    assert store.games == games
    assert not store.add(next(iter(games.values())))
    store.close()


def test_a_results_file_is_never_taken_for_another_match(tmp_path: Path) -> None:
    match, path = match_of("random", "random"), tmp_path / "results.jsonl"
    played(match, tmp_path)
    with pytest.raises(PurlieuError, match="holds a match already; resume it"):
        Store(path, match.identity, resume=False)
    with pytest.raises(PurlieuError, match="another match: its seed is 1, not 9"):
        Store(path, match_of("random", "random", seed=9).identity, resume=True)
    store = Store(path, match.identity, resume=True)
    with pytest.raises(PurlieuError, match="in use by another match"):
        Store(path, match.identity, resume=True)
    store.close()
    path.write_text(json.dumps({"match": "nonsense"}) + "\n")
    with pytest.raises(PurlieuError, match="line 1 is no line of a match"):
        Store(path, match.identity, resume=True)


@pytest.mark.parametrize(
    "text", ['{"my":"notes"}', "notes", '{"match":{"version":1,"game":"chess"', '{"a":1}\n{"b":2}']
)
def test_a_file_that_is_no_match_is_refused_and_left_alone_even_without_a_last_newline(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(text)
    with pytest.raises(PurlieuError, match="line 1 is no line of"):
        Store(path, match_of("random", "random").identity, resume=True)
    assert path.read_text() == text


@pytest.mark.parametrize("kept", [0, 1, 40, -1])
def test_a_match_cut_off_in_its_first_line_begins_again(tmp_path: Path, kept: int) -> None:
    match, path = match_of("random", "random"), tmp_path / "results.jsonl"
    Store(path, match.identity, resume=False).close()
    line = path.read_bytes()
    path.write_bytes(line[:kept])
    Store(path, match.identity, resume=True).close()
    assert path.read_bytes() == line


def test_a_match_does_not_go_on_with_another_net(tmp_path: Path) -> None:
    net, path = tmp_path / "net.onnx", tmp_path / "results.jsonl"
    shutil.copyfile(RUNS / "petrify" / "net.onnx", net)
    match = match_of("random", f"net@{net}:4")
    Store(path, match.identity, resume=False).close()
    Store(path, match.identity, resume=True).close()
    model = onnx.load(net)
    model.metadata_props.add(key="note", value="another one")
    onnx.save(model, net)
    with pytest.raises(PurlieuError, match=r"holds games with another net: the players' were none, [0-9a-f]{8} by"):
        Store(path, match.identity, resume=True)
    with pytest.raises(PurlieuError, match="holds games with another net"):
        read_games(path, match.identity)


def test_a_file_that_does_not_tell_its_nets_is_taken_for_what_it_says(tmp_path: Path) -> None:
    """As those of earlier versions are."""
    match, path = match_of("random", "net:4"), tmp_path / "results.jsonl"
    Store(path, match.identity, resume=False).close()
    data = json.loads(path.read_text())
    assert data["match"].pop("nets") == [None, manifest()["petrify"].sha256]
    path.write_text(json.dumps(data, separators=(",", ":")) + "\n")
    before = path.read_bytes()
    Store(path, match.identity, resume=True).close()
    assert path.read_bytes() == before


def test_levels_are_known_by_their_nets_too() -> None:
    match = Match(Rules("petrify", 8), tuple(map(parse_player, ("level:8", "full:4", "random"))), 1, plies=2)
    assert match.identity.nets == (manifest()["petrify"].sha256, None, None)


def test_a_match_can_be_read_while_it_is_played_and_is_held_to_what_it_should_be(tmp_path: Path) -> None:
    match, path = match_of("random", "random"), tmp_path / "results.jsonl"
    games = played(match, tmp_path)
    store = Store(path, match.identity, resume=True)
    with path.open("ab") as file:
        file.write(b'{"key":{"pair":')  # another game is being written
    assert read_games(path) == read_games(path, match.identity) == games
    with pytest.raises(PurlieuError, match="another match: its seed is 1, not 9"):
        read_games(path, match_of("random", "random", seed=9).identity)
    with path.open("ab") as file:
        file.write(b"\n")
    with pytest.raises(PurlieuError, match=f"results.jsonl, line {len(games) + 2} is no line of a match"):
        read_games(path)
    store.close()


def test_an_sprt_stops_when_it_knows_and_says_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    match = match_of("full:60", "random", pairs=200, sprt=Sprt(-60, 60))
    one, two = played(match, tmp_path / "one"), played(match, tmp_path, workers=2)
    first, second = summarise(match, one), summarise(match, two)
    assert first.verdict == second.verdict == "better"
    assert first.pairings == second.pairings
    assert first.pairings[0].estimate.pairs < 100
    assert first.llr is not None
    assert first.llr >= 2.94


def test_more_than_two_players_all_meet(tmp_path: Path) -> None:
    match = match_of("random", "full:30", "uct:30", pairs=2)
    summary = summarise(match, played(match, tmp_path, workers=2))
    assert summary.games == 12
    assert [player.games for player in summary.players] == [8, 8, 8]
    with pytest.raises(PurlieuError, match="compares two players"):
        match_of("random", "random", "random", sprt=Sprt())
