"""Playing over HTTP, on both databases: what is answered once is answered again, and nothing happens twice."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from purlieu import records
from purlieu.rules import Ending

from .site import Person, Site


@pytest.fixture
def ben(either_site: Site) -> Person:
    return either_site.person()


@pytest.fixture
def eve(either_site: Site) -> Person:
    return either_site.person()


@pytest.fixture(name="ana")
def ana_here(either_site: Site) -> Person:
    return either_site.person()


def make_linked(ana: Person, ben: Person, game: str = "petrify", **more: Any) -> str:
    made = ana.make(game, "me", "link", **more)
    ben.post(f"/api/games/{made['id']}/join", {"token": made["invite"]})
    return str(made["id"])


def test_two_people_at_one_screen_play_in_turn(ana: Person) -> None:
    made = ana.make("petrify", size=6)
    assert made["state"]["you"] == ["first", "second"]
    done = ana.move(made["id"], 1, "c3")
    assert (done["v"], done["ply"], done["duplicate"]) == (1, 1, False)
    done = ana.move(made["id"], 2, "swap")
    assert done["state"]["moves"] == ["c3", "swap"]
    assert done["state"]["view"]["colours"] == {"first": "orange", "second": "blue"}


def test_a_guest_takes_the_seat_of_the_invitation_and_only_that(ana: Person, ben: Person, eve: Person) -> None:
    made = ana.make("petrify", "me", "link")
    game = made["id"]
    assert made["state"]["status"] == "waiting"
    assert ana.move(game, 1, "c3", 409)["code"] == "waiting"
    joined = ben.post(f"/api/games/{game}/join", {"token": made["invite"]})
    assert (joined["you"], joined["status"]) == (["second"], "active")
    assert ben.post(f"/api/games/{game}/join", {"token": made["invite"]})["v"] == joined["v"]
    assert eve.post(f"/api/games/{game}/join", {"token": made["invite"]}, 409)["code"] == "seat_taken"
    assert eve.post(f"/api/games/{game}/join", {"token": "nonsense"}, 404)["code"] == "not_found"
    assert ben.move(game, 1, "c3", 409)["code"] == "not_your_turn"
    assert eve.move(game, 1, "c3", 403)["code"] == "not_your_seat"
    assert ana.move(game, 1, "c3")["v"] == 2
    assert ben.move(game, 2, "d4")["v"] == 3
    assert eve.state(game)["moves"] == ["c3", "d4"]


def test_the_maker_does_not_take_the_guests_seat_by_the_link(ana: Person) -> None:
    made = ana.make("petrify", "me", "link")
    assert ana.post(f"/api/games/{made['id']}/join", {"token": made["invite"]}, 409)["code"] == "seat_taken"
    assert ana.state(made["id"])["invite"] == made["invite"]


def test_the_makers_other_device_is_not_shown_a_link_that_does_not_work(either_site: Site, ana: Person) -> None:
    made = ana.make("petrify", "me", "link")
    token = ana.post(f"/api/games/{made['id']}/handover")["token"]
    phone = either_site.person()
    joined = phone.post(f"/api/games/{made['id']}/join", {"token": token})
    assert (joined["you"], joined["invite"]) == (["first"], None)


def test_a_crowd_with_one_invitation_makes_one_guest(either_site: Site, ana: Person) -> None:
    made = ana.make("petrify", "me", "link")
    barrier = threading.Barrier(12)

    def claim(_: int) -> int:
        person = either_site.person()
        barrier.wait()
        return person.http.post(f"/api/games/{made['id']}/join", json={"token": made["invite"]}).status_code

    with ThreadPoolExecutor(12) as crowd:
        answers = sorted(crowd.map(claim, range(12)))
    assert answers == [200] + [409] * 11


def test_a_move_sent_twice_is_made_once(ana: Person) -> None:
    game = ana.make()["id"]
    first = ana.move(game, 1, "c3")
    again = ana.move(game, 1, "C3")
    assert (again["v"], again["duplicate"]) == (first["v"], True)
    ana.move(game, 2, "d4")
    assert ana.move(game, 1, "c3")["duplicate"]


def test_a_move_for_another_turn_is_told_which_one_is_due(ana: Person) -> None:
    game = ana.make()["id"]
    ana.move(game, 1, "c3")
    stale = ana.move(game, 1, "d3", 409)
    assert (stale["code"], stale["message"]) == ("stale", "turn 1 is over: the game is at turn 2")
    assert ana.move(game, 3, "d3", 409)["code"] == "ahead"
    assert ana.state(game)["moves"] == ["c3"]


def test_of_many_moves_for_one_turn_exactly_one_is_made_and_the_others_are_told(either_site: Site, ana: Person) -> None:
    game = ana.make()["id"]
    squares = ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"]
    for ply in range(1, 7):
        barrier = threading.Barrier(len(squares))

        def race(square: str, ply: int = ply, barrier: threading.Barrier = barrier) -> int:
            barrier.wait()
            body = {"ply": ply, "move": square}
            return ana.http.post(f"/api/games/{game}/moves", json=body).status_code

        with ThreadPoolExecutor(len(squares)) as crowd:
            answers = list(crowd.map(race, squares))
        assert answers.count(200) == 1, answers
        assert set(answers) == {200, 409}
        state = ana.state(game)
        assert (state["v"], len(state["moves"])) == (ply, ply)
        squares.remove(state["moves"][-1])


def test_an_illegal_move_names_its_rule_and_changes_nothing(ana: Person) -> None:
    game = ana.make()["id"]
    ana.move(game, 1, "a1")
    ana.move(game, 2, "a4")
    refused = ana.move(game, 3, "a1xa4", 422)
    assert (refused["code"], refused["hint"]) == ("illegal", "the rule: mound")
    assert "edge" in refused["message"]
    assert ana.move(game, 3, "z99", 422)["code"] == "bad_notation"
    assert ana.state(game)["v"] == 2


def test_create_sent_twice_with_one_key_makes_one_game(ana: Person) -> None:
    ana.make()  # from now on there is a cookie, to which a key belongs
    body = {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "link"}}}
    header = {"Idempotency-Key": "a-key-of-the-client"}
    one = ana.post("/api/games", body, 201, **header)
    two = ana.post("/api/games", body, 201, **header)
    assert (one["id"], one["invite"]) == (two["id"], two["invite"])
    other = {**body, "game": "petrify"}
    assert ana.post("/api/games", other, 422, **header)["code"] == "key_reused"


def test_undo_takes_back_ones_move_and_redo_makes_it_again(ana: Person) -> None:
    game = ana.make()["id"]
    for ply, move in enumerate(["c3", "d4", "e5"], start=1):
        ana.move(game, ply, move)
    undone = ana.act(game, "undo", 3)["state"]
    assert (undone["moves"], undone["redo"], undone["epoch"]) == (["c3", "d4"], ["e5"], 1)
    assert ana.act(game, "undo", 3)["duplicate"]
    assert ana.act(game, "undo", 4)["state"]["redo"] == ["d4", "e5"]
    assert ana.act(game, "redo", 5)["state"]["moves"] == ["c3", "d4"]
    other = ana.move(game, 3, "f6")["state"]
    assert (other["moves"], other["redo"]) == (["c3", "d4", "f6"], [])
    assert ana.act(game, "redo", other["v"], 422)["message"] == "there is nothing to make again"


def test_a_stale_undo_is_refused(ana: Person) -> None:
    game = ana.make()["id"]
    ana.move(game, 1, "c3")
    ana.move(game, 2, "d4")
    assert ana.act(game, "undo", 1, 409)["code"] == "stale"


def test_between_two_people_nothing_is_taken_back(ana: Person, ben: Person) -> None:
    game = make_linked(ana, ben)
    ana.move(game, 1, "c3")
    assert ana.act(game, "undo", 2, 422)["message"] == "between two people no move is taken back"


def test_resigning_twice_resigns_once(ana: Person, ben: Person) -> None:
    game = make_linked(ana, ben)
    done = ana.act(game, "resign", 1)
    assert done["state"]["result"] == {
        "winner": "second",
        "ending": "resignation",
        "reason": "the first seat resigned",
        "said": {
            "code": "end.resigned",
            "values": {"seat": {"code": "seat.first", "values": {}, "text": "first"}},
            "text": "the first seat resigned",
        },
    }
    assert ana.act(game, "resign", 1)["duplicate"]
    assert ben.move(game, 1, "c3", 409)["code"] == "game_over"
    assert ben.act(game, "resign", done["v"], 409)["code"] == "game_over"


def test_a_draw_is_offered_declined_lapses_and_is_agreed(ana: Person, ben: Person) -> None:
    game = make_linked(ana, ben, "pyloff")
    assert ana.act(game, "offer_draw", 1)["state"]["offer"] == {"seat": "first", "v": 2}
    assert ana.act(game, "accept_draw", 2, 409)["code"] == "stale"
    assert ben.act(game, "decline_draw", 2)["state"]["offer"] is None
    assert ben.act(game, "accept_draw", 2, 409)["code"] == "stale"
    ana.act(game, "offer_draw", 3)
    ana.move(game, 1, "a1")
    assert ben.state(game)["offer"] == {"seat": "first", "v": 4}
    assert ben.move(game, 2, "b2")["state"]["offer"] is None
    v = ben.act(game, "offer_draw", 6)["v"]
    over = ana.act(game, "accept_draw", v)["state"]
    assert (over["result"]["winner"], over["result"]["ending"]) == (None, "agreement")
    assert over["result"]["reason"] == "both sides agreed to a draw"


def test_where_nobody_can_draw_no_draw_is_offered(ana: Person, ben: Person) -> None:
    game = make_linked(ana, ben, "petrify")
    assert ana.act(game, "offer_draw", 1, 422)["message"] == "Petrify has no draws, so none can be offered"


def test_a_rematch_exchanges_the_seats_and_there_is_only_one(ana: Person, ben: Person) -> None:
    game = make_linked(ana, ben, "pilo", size=6)
    assert ana.act(game, "rematch", 1, 422)["message"] == "a rematch comes after the end of the game"
    over = ana.act(game, "resign", 1)["v"]
    again = ana.act(game, "rematch", over)["state"]["rematch"]
    assert ben.act(game, "rematch", over)["state"]["rematch"] == again
    assert (ana.state(again)["you"], ben.state(again)["you"]) == (["second"], ["first"])
    assert ana.state(again)["size"] == 6
    assert ben.move(again, 1, "c3")["ply"] == 1


def test_a_game_may_be_called_off_until_both_have_moved(ana: Person) -> None:
    game = ana.make()["id"]
    ana.move(game, 1, "c3")
    result = ana.act(game, "abort", 1)["state"]["result"]
    assert (result["winner"], result["ending"], result["reason"]) == (None, "called off", "the game was called off")
    game = ana.make()["id"]
    ana.move(game, 1, "c3")
    ana.move(game, 2, "d4")
    assert "resign" in ana.act(game, "abort", 2, 422)["message"]


def test_forced_passes_are_played_and_said_and_the_count_ends_the_game(ana: Person) -> None:
    game = ana.make("petrify", size=3)["id"]
    ply = 1
    while (state := ana.state(game))["status"] == "active":
        place = next(move for move in state["view"]["legal"] if move not in ("swap", "pass"))
        ply = ana.move(game, state["view"]["ply"] + 1, place)["ply"]
    events = ana.get(f"/api/games/{game}/events")["events"]
    forced = [event["data"]["move"] for event in events if event["data"].get("forced")]
    assert forced[-2:] == ["pass", "pass"]
    assert len(state["moves"]) == ply
    assert state["result"]["winner"] == state["view"]["outcome"]["winner"]


def test_the_seat_comes_along_to_another_device_once(either_site: Site, ana: Person, eve: Person) -> None:
    game = ana.make("petrify", "me", 1)["id"]
    token = ana.post(f"/api/games/{game}/handover")["token"]
    phone = either_site.person()
    assert phone.post(f"/api/games/{game}/join", {"token": token})["you"] == ["first"]
    assert eve.post(f"/api/games/{game}/join", {"token": token}, 404)["code"] == "not_found"
    assert phone.move(game, 1, "c3")["ply"] == 1
    assert eve.post(f"/api/games/{game}/handover", None, 403)["code"] == "not_your_seat"


def test_both_seats_of_a_game_at_one_screen_come_along_to_another_device(either_site: Site, ana: Person) -> None:
    game = ana.make("petrify", size=6)["id"]
    token = ana.post(f"/api/games/{game}/handover")["token"]
    phone = either_site.person()
    assert phone.post(f"/api/games/{game}/join", {"token": token})["you"] == ["first", "second"]
    assert phone.move(game, 1, "c3")["ply"] == 1
    assert phone.move(game, 2, "d4")["ply"] == 2


def test_a_game_may_begin_from_moves_that_are_not_taken_back(ana: Person) -> None:
    made = ana.make("petrify", size=6, moves=["c3", "d4"])
    assert (made["state"]["moves"], made["state"]["opening"]) == (["c3", "d4"], 2)
    assert ana.act(made["id"], "undo", 0, 422)["message"] == "there is no move of yours to take back"
    ana.move(made["id"], 3, "e5")
    assert ana.act(made["id"], "undo", 1)["state"]["moves"] == ["c3", "d4"]
    wrong = {"game": "petrify", "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}, "moves": ["c3", "c3"]}
    assert ana.post("/api/games", wrong, 422)["where"] == "moves[1]"


@pytest.mark.parametrize(("kind", "result", "ending"), [("resign", "0-1", "resignation"), ("abort", "*", "called off")])
def test_the_record_says_how_a_game_ended_beside_the_board(
    ana: Person, ben: Person, kind: str, result: str, ending: str
) -> None:
    game = make_linked(ana, ben)
    ana.act(game, kind, 1)
    record = next(iter(records.read_records(ana.http.get(f"/api/games/{game}/record").text.splitlines(keepends=True))))
    assert (record.result, record.tags["Termination"]) == (result, ending)
    assert records.ending_of(record.tags["Termination"]) is Ending(ending)
