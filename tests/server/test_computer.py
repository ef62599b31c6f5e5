"""The computer's seats: it answers, it can be stopped, and whatever befalls it, no person loses by it."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

import purlieu
from purlieu.server.services.committer import now_ms
from purlieu.server.services.making import CALLED_OFF

from . import odd_workers
from .site import GENEROUS, Person, Site, running, settings_for
from .socket_client import Socket


@pytest.mark.parametrize("game", ["petrify", "pilo", "pentwall", "pyloff"])
def test_the_computer_plays_a_whole_game_of_each_kind(ana: Person, game: str) -> None:
    size = {"petrify": 4, "pilo": 4, "pentwall": None, "pyloff": 3}[game]
    made = ana.make(game, "me", 1, size=size)["id"]
    placements = ana.get("/api/pentwall/placements")
    while (state := ana.wait_for(made, "thinking", None))["status"] == "active":
        view = state["view"]
        if view["to_move"] == "second":
            continue
        if game == "pentwall":
            import base64

            bits = base64.b64decode(view["placements"])
            move = next(text for at, text in enumerate(placements) if bits[at // 8] >> at % 8 & 1)
        else:
            move = next(text for text in view["legal"] if text != "swap")
        ana.move(made, view["ply"] + 1, move)
    assert state["result"]["reason"]
    record = ana.http.get(f"/api/games/{made}/record").text
    assert "purlieu, level 1" in record


def test_the_computer_begins_where_it_has_the_first_seat(ana: Person) -> None:
    game = ana.make("petrify", 1, "me")["id"]
    assert len(ana.wait_for(game, "v", 1)["moves"]) == 1


def test_undo_takes_back_the_computers_reply_with_ones_move(ana: Person) -> None:
    game = ana.make("petrify", "me", 1)["id"]
    ana.move(game, 1, "c3")
    reply = ana.wait_for(game, "v", 2)["moves"]
    undone = ana.act(game, "undo", 2)["state"]
    assert (undone["moves"], undone["redo"]) == ([], reply)
    redone = ana.act(game, "redo", 3)["state"]
    assert redone["moves"] == reply
    assert redone["view"]["to_move"] == "first"


def test_thinking_is_told_with_its_progress_and_can_be_stopped_or_taken_back(ana: Person) -> None:
    game = ana.make("pyloff", "me", 9, size=10)["id"]
    with Socket(ana, game) as board:
        ana.move(game, 1, "c3")
        assert board.hint("thinking")["thinking"] == {"level": 9, "done": 0.0}
        assert board.hint("thinking")["thinking"]["done"] > 0
        begun = time.monotonic()
        board.send(t="act", rid=1, kind="stop_thinking", at=1)
        heard = {frame["t"]: frame for frame in (board.receive(), board.receive())}
        assert set(heard) == {"ack", "ev"}
        assert heard["ev"]["seat"] == "second"
        assert time.monotonic() - begun < 2.9, "level 9 takes three seconds when nobody stops it"
        ana.move(game, 3, "d4")
        assert ana.state(game)["thinking"]["level"] == 9
        assert ana.act(game, "undo", 3)["state"]["moves"] == ana.state(game)["moves"]
        assert len(ana.state(game)["moves"]) == 2
        assert ana.state(game)["thinking"] is None


def test_a_draw_offered_to_the_computer_is_declined_at_once(ana: Person) -> None:
    game = ana.make("pyloff", "me", 1)["id"]
    state = ana.act(game, "offer_draw", 0)["state"]
    assert (state["v"], state["offer"], state["status"]) == (2, None, "active")


def test_the_move_that_was_owed_before_a_restart_is_made_after_it(folder: Path) -> None:
    settings = settings_for(folder)
    with running(settings) as site:
        ana = site.person()
        game = ana.make("pyloff", "me", 9, size=10)["id"]
        ana.move(game, 1, "c3")
    with running(settings) as site:
        assert len(site.person().wait_for(game, "v", 2)["moves"]) == 2


def test_analysis_says_what_it_found(ana: Person) -> None:
    found = ana.post("/api/analyse", {"game": "petrify", "size": 6, "moves": ["c3"], "level": 4})
    assert found["best_move"] == found["moves"][0]["move"]
    assert 0 <= found["win_chance"] <= 1
    assert found["line"][0] == found["best_move"]
    over = {"game": "petrify", "from": "petrify bbb/###/oob ply=15 passes=2"}
    assert "over" in ana.post("/api/analyse", over, 422)["message"]


@pytest.mark.parametrize(
    ("game", "size", "moves", "places"),
    [
        ("petrify", 6, ["c3", "d4"], 36),
        ("pilo", 4, ["b2"], 16),
        ("pentwall", 10, ["Ia1b1c1d1e1"], 100),
        ("pyloff", 5, ["c3", "b3"], 25 + 16),
    ],
)
def test_analysis_tells_who_should_own_what_and_the_likeliest_moves(
    ana: Person, game: str, size: int, moves: list[str], places: int
) -> None:
    found = ana.post("/api/analyse", {"game": game, "size": size, "moves": moves, "level": 2})
    owners, policy = found["owners"], found["policy"]
    assert len(owners) == places
    assert {"a1", "2a1"} & set(owners) == ({"a1", "2a1"} if game == "pyloff" else {"a1"})
    assert all(-1 <= lead <= 1 and round(lead, 2) == lead for lead in owners.values())
    shares = [likely["share"] for likely in policy]
    assert 1 <= len(policy) <= 10
    assert shares == sorted(shares, reverse=True)
    position = purlieu.start(game, size)
    for move in moves:
        position = position.play(move)
    assert {likely["move"] for likely in policy} <= {str(move) for move in position.legal_moves()}


def test_an_answer_about_the_largest_board_stays_small(ana: Person) -> None:
    """The largest that a net has learned: on others there is no map."""
    answer = ana.http.post("/api/analyse", json={"game": "pyloff", "size": 9, "moves": ["e5"], "level": 1})
    assert len(answer.json()["owners"]) == 9 * 9 + 8 * 8
    assert len(answer.content) < 4_000
    answer = ana.http.post("/api/analyse", json={"game": "pyloff", "size": 19, "moves": ["j10"], "level": 1})
    assert answer.json()["owners"] is None
    assert len(answer.content) < 4_000


@pytest.mark.parametrize(
    ("game", "moves", "canonical"),
    [("petrify", ["c3", " d4 "], ["c3", "d4"]), ("pyloff", ["1c3", "B2"], ["c3", "b2"])],
)
def test_analysis_takes_moves_in_any_spelling_that_the_rules_read(
    ana: Person, game: str, moves: list[str], canonical: list[str]
) -> None:
    line = {"game": game, "size": 4, "effort": "quick"}
    found, wanted = (ana.post("/api/analyse", {**line, "moves": spelled}) for spelled in (moves, canonical))
    assert (found["ply"], found["moves"]) == (2, wanted["moves"])


@pytest.mark.parametrize(("effort", "simulations"), [("quick", 64), ("thorough", 600)])
def test_an_effort_is_the_same_work_for_everybody(ana: Person, site: Site, effort: str, simulations: int) -> None:
    line = {"game": "petrify", "size": 8, "moves": ["c3", "swap", "f6", "c6"], "effort": effort}
    found = ana.post("/api/analyse", line)
    assert found["simulations"] == simulations
    site.runtime.answers.known.values.clear()  # as another server would have to find it
    assert ana.post("/api/analyse", line)["moves"] == found["moves"]


def test_the_same_effort_for_the_same_position_is_made_once(ana: Person, site: Site) -> None:
    line = {"game": "pilo", "size": 6, "moves": ["c3", "d4", "b2"], "effort": "quick"}
    found = ana.post("/api/analyse", line)
    with site.runtime.pool.changed:  # no worker takes anything in between
        assert ana.post("/api/analyse", line) == found
    assert ana.post("/api/analyse", {**line, "moves": ["c3", "d4"]}) != found


def test_an_effort_with_a_level_that_has_its_own_work_is_refused_in_a_sentence(ana: Person) -> None:
    line = {"game": "petrify", "size": 6, "moves": ["c3"], "effort": "quick", "level": 4}
    assert "level 4 does its own work" in ana.post("/api/analyse", line, 422)["message"]


def test_where_no_net_runs_analysis_says_the_rest(folder: Path) -> None:
    with running(settings_for(folder, worker=odd_workers.netless)) as site:
        found = site.person().post("/api/analyse", {"game": "petrify", "size": 6, "moves": ["c3"], "level": 2})
    assert (found["owners"], found["policy"]) == (None, None)
    assert found["best_move"] == found["moves"][0]["move"]


def test_when_the_computer_cannot_move_the_game_is_paused_and_may_be_called_off(folder: Path) -> None:
    with running(settings_for(folder, worker=odd_workers.dies)) as site:
        ana = site.person()
        game = ana.make("petrify", "me", 3)["id"]
        ana.move(game, 1, "c3")
        state = ana.wait_for(game, "paused", True)
        assert (state["status"], state["result"]) == ("active", None)
        assert ana.act(game, "abort", state["v"])["state"]["result"]["winner"] is None


def test_an_analysis_for_which_nobody_waits_any_more_leaves_its_worker_to_others(folder: Path) -> None:
    line = {"game": "petrify", "size": 8, "moves": ["c3", "d4"]}
    with running(settings_for(folder)) as site:
        ana, ben = site.person(), site.person()
        ana.post("/api/analyse", {**line, "effort": "quick"})  # the worker has started
        with pytest.raises(httpx.ReadTimeout):
            ana.http.post("/api/analyse", json={**line, "seconds": 10}, timeout=0.5)
        ana.http.close()
        begun_at = time.monotonic()
        ben.post("/api/analyse", {**line, "moves": ["c3", "d5"], "effort": "quick"})
        assert time.monotonic() - begun_at < 8


AGAINST_THE_COMPUTER = {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "computer", "level": 1}}}


def test_too_many_games_against_the_computer_are_refused(site: Site) -> None:
    ana = site.person()
    for _ in range(20):
        ana.make("petrify", "me", 1)
    assert ana.post("/api/games", AGAINST_THE_COMPUTER, 409)["code"] == "too_many"


def test_of_too_many_games_against_the_computer_the_one_left_longest_ago_is_called_off(folder: Path) -> None:
    limits = replace(GENEROUS, computer_games=3)
    with running(settings_for(folder, limits=limits)) as site:
        ana = site.person()
        at_one_screen = ana.make()["id"]
        old, older, oldest = (ana.make("petrify", "me", 1)["id"] for _ in range(3))
        ana.move(older, 1, "c3")
        ana.wait_for(older, "v", 2)
        for game, minutes in ((at_one_screen, 90), (old, 11), (older, 12), (oldest, 13)):
            left_for(site, game, minutes)
        assert ana.post("/api/games", AGAINST_THE_COMPUTER, 409)["code"] == "too_many", "the server has just begun"
        site.runtime.hub.started -= 3600
        key = {"Idempotency-Key": "a-key-of-the-client"}
        with Socket(ana, oldest):
            made = ana.post("/api/games", AGAINST_THE_COMPUTER, 201, **key)["id"]
            assert ana.state(older)["status"] == "over"
        assert ana.state(older)["result"]["reason"] == CALLED_OFF.reason
        assert ana.post("/api/games", AGAINST_THE_COMPUTER, 201, **key)["id"] == made
        assert {ana.state(game)["status"] for game in (at_one_screen, old, oldest, made)} == {"active"}
        ana.make("pilo", "me", 1)
        assert ana.state(old)["status"] == "over"
        assert ana.state(oldest)["status"] == "active", "its board was open a moment ago"
        assert ana.post("/api/games", AGAINST_THE_COMPUTER, 409)["code"] == "too_many"


def left_for(site: Site, game: str, minutes: int) -> None:
    """As if nothing had happened in the game for so long."""
    ago = {"game": game, "then": now_ms() - 60_000 * minutes}
    set_back = text("UPDATE game SET updated_ms = :then WHERE id = :game")
    site.runtime.store.writer.write(lambda connection: connection.execute(set_back, ago)).result(20)
    site.runtime.hub.seen.values.clear()
