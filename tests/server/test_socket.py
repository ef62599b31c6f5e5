"""The socket: pushes, acks and naks, and the end of patience with those who break its rules."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from websockets.exceptions import InvalidStatus

from purlieu.server.http.protocols import TRIPS, PingingProtocol, lag_ms

from .site import GENEROUS, Person, Site, running, settings_for
from .socket_client import Socket


def test_a_move_is_acked_after_it_is_stored_and_every_tab_sees_it(ana: Person) -> None:
    game = ana.make()["id"]
    with Socket(ana, game) as one, Socket(ana, game) as two:
        assert one.welcome["you"] == ["first", "second"]
        one.send(t="move", rid="m1", ply=1, move="c3")
        event, ack = one.receive(), one.receive()
        assert (ack["t"], ack["rid"], ack["v"], ack["dup"]) == ("ack", "m1", 1, False)
        assert (event["t"], event["data"]["move"], event["view"]["ply"]) == ("ev", "c3", 1)
        assert {**two.expect("ev"), "clock": None} == {**event, "clock": None}
        assert two.ask(t="move", rid=7, ply=1, move="c3") == {"t": "ack", "rid": 7, "v": 1, "ply": 1, "dup": True}


def test_a_stale_or_early_move_gets_the_state_with_its_nak(ana: Person) -> None:
    game = ana.make()["id"]
    ana.move(game, 1, "c3")
    with Socket(ana, game) as socket:
        stale = socket.ask(t="move", rid=1, ply=1, move="d4")
        assert (stale["code"], stale["v"], stale["state"]["moves"]) == ("stale", 1, ["c3"])
        assert socket.ask(t="move", rid=2, ply=5, move="d4")["code"] == "ahead"
        illegal = socket.ask(t="move", rid=3, ply=2, move="c3")
        assert (illegal["code"], illegal["hint"]) == ("illegal", "the rule: occupied")
        assert "state" not in illegal


def test_a_watcher_sees_everything_and_may_do_nothing(site: Site, ana: Person) -> None:
    game = ana.make()["id"]
    with Socket(site.person(), game) as watcher:
        assert watcher.welcome["you"] == []
        ana.move(game, 1, "c3")
        assert watcher.expect("ev")["data"]["move"] == "c3"
        assert watcher.ask(t="move", rid=1, ply=2, move="d4")["code"] == "not_your_seat"
        assert watcher.ask(t="act", rid=2, kind="resign", at=1)["code"] == "not_your_seat"
        assert watcher.ask(t="act", rid=3, kind="rematch", at=1)["code"] == "not_your_seat"


def test_acts_go_over_the_socket_too(ana: Person) -> None:
    game = ana.make()["id"]
    with Socket(ana, game) as socket:
        socket.ask(t="move", rid=1, ply=1, move="c3")
        assert socket.ask(t="act", rid=2, kind="undo", at=1)["v"] == 2
        assert socket.ask(t="act", rid=3, kind="redo", at=2)["v"] == 3
        socket.send(t="sync")
        assert socket.expect("state")["state"]["moves"] == ["c3"]
        assert socket.ask(t="act", rid=4, kind="resign", at=3)["v"] == 4


def test_a_program_may_play_with_a_token_and_no_cookie(site: Site) -> None:
    program = site.person()
    token = program.post("/api/session", {"bearer": True}, 201)["token"]
    assert program.cookie == ""
    made = program.post(
        "/api/games",
        {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}},
        201,
        Authorization=f"Bearer {token}",
    )
    socket = Socket(program, made["id"], hello=False, Origin="")
    socket.send(t="hello", proto=1, game=made["id"], since=None, token=token)
    assert socket.expect("welcome")["you"] == ["first", "second"]
    assert socket.ask(t="move", rid=1, ply=1, move="c3")["t"] == "ack"
    socket.close()


def test_everybody_is_told_who_is_at_the_board(site: Site, ana: Person) -> None:
    made = ana.make("petrify", "me", "link")
    ben = site.person()
    ben.post(f"/api/games/{made['id']}/join", {"token": made["invite"]})
    with Socket(ana, made["id"]) as board:
        assert board.hint("here")["seats"] == {"first": True, "second": False}
        with Socket(ben, made["id"]):
            assert board.hint("here")["seats"] == {"first": True, "second": True}
            assert ana.state(made["id"])["seats"]["second"]["here"]
        assert board.hint("here")["seats"] == {"first": True, "second": False}


BAD_FRAMES = [
    "",
    "nonsense",
    "[]",
    "null",
    '{"t":"dance"}',
    '{"t":"move"}',
    '{"t":"move","rid":1,"ply":true,"move":"c3"}',
    '{"t":"move","rid":1,"ply":"1","move":"c3"}',
    '{"t":"move","rid":1,"ply":1.0,"move":"c3"}',
    '{"t":"move","rid":1,"ply":0,"move":"c3"}',
    '{"t":"move","rid":1,"ply":-1,"move":"c3"}',
    '{"t":"move","rid":1,"ply":9223372036854775808,"move":"c3"}',
    '{"t":"move","rid":1,"ply":1,"move":""}',
    json.dumps({"t": "move", "rid": 1, "ply": 1, "move": "c" * 5000}),
    '{"t":"move","rid":1,"ply":1,"move":"c3","more":1}',
    '{"t":"move","rid":1,"rid":2,"ply":1,"move":"c3"}',
    '{"t":"act","rid":1,"kind":"win","at":0}',
    '{"t":"p","ms":NaN}',
    '{"t":"p","ms":1e999}',
    '{"t":"sync","x":"\\ud800"}',
    "[" * 4000,
    b"\x00\x01",
]


@pytest.mark.parametrize("frame", BAD_FRAMES)
def test_a_frame_that_means_nothing_is_told_so_and_harms_nothing(ana: Person, frame: Any) -> None:
    game = ana.make()["id"]
    with Socket(ana, game) as socket:
        socket.connection.send(frame)
        nak = socket.expect("nak")
        assert nak["code"] == "bad_request"
        assert nak["message"]
        assert socket.ask(t="move", rid=2, ply=1, move="c3")["t"] == "ack"


@pytest.mark.parametrize("text", [" c3", "C3", "\uff433", "c3 ", "c3\u200b", "c33", "c0", "pass", "2c3"])
def test_an_odd_move_is_read_or_refused_but_never_a_fault(ana: Person, text: str) -> None:
    game = ana.make()["id"]
    with Socket(ana, game) as socket:
        answer = socket.ask(t="move", rid=1, ply=1, move=text)
        assert answer["t"] == "ack" or answer["code"] in ("bad_notation", "illegal")


def test_after_five_bad_frames_the_socket_is_closed(ana: Person) -> None:
    with Socket(ana, ana.make()["id"]) as socket:
        for _ in range(5):
            socket.connection.send("nonsense")
        assert socket.close_code() == 1008


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"t": "sync"}, 1008),
        ({"t": "hello"}, 1008),
        ({"t": "hello", "proto": 0}, 4002),
        ({"t": "hello", "proto": 2}, 4002),
        ({"t": "hello", "proto": 1, "game": "another"}, 1008),
        ({"t": "hello", "proto": 1, "token": "short"}, 1008),
    ],
)
def test_a_socket_begins_with_a_right_hello(ana: Person, first: dict[str, Any], code: int) -> None:
    with Socket(ana, ana.make()["id"], hello=False) as socket:
        socket.send(**first)
        assert socket.close_code() == code


def test_a_second_hello_ends_the_socket(ana: Person) -> None:
    with Socket(ana, ana.make()["id"]) as socket:
        socket.send(t="hello", proto=1, since=None)
        assert socket.close_code() == 1008


def test_a_frame_that_is_too_big_ends_the_socket(ana: Person) -> None:
    with Socket(ana, ana.make()["id"]) as socket:
        socket.send(t="sync", x="a" * 9000)
        assert socket.close_code() == 1009


def test_an_unknown_game_has_no_socket(ana: Person) -> None:
    with Socket(ana, "aaaaaaaaaaaaaaaa", hello=False) as socket:
        socket.send(t="hello", proto=1, since=None)
        assert socket.expect("nak")["code"] == "not_found"
        assert socket.close_code() == 1008


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_a_foreign_page_gets_no_socket(ana: Person, origin: str) -> None:
    game = ana.make()["id"]
    with pytest.raises(InvalidStatus) as refused:
        Socket(ana, game, Origin=origin)
    assert refused.value.response.status_code == 403


def test_a_cookie_without_an_origin_gets_no_socket(ana: Person) -> None:
    game = ana.make()["id"]
    with pytest.raises(InvalidStatus):
        Socket(ana, game, Origin="")


def test_who_sends_too_much_is_told_and_then_let_go(folder: Path) -> None:
    limits = replace(GENEROUS, frames=(10, 60.0))
    with running(settings_for(folder, limits=limits)) as site:
        ana = site.person()
        with Socket(ana, ana.make()["id"]) as socket:
            for number in range(15):
                socket.send(t="move", rid=number, ply=1, move="z9")
            codes = []
            for _ in range(15):
                codes.append(socket.receive()["code"])
            assert codes == ["bad_notation"] * 10 + ["rate"] * 5
            assert socket.close_code() == 1008


def test_silence_and_a_missing_hello_end_a_socket(folder: Path) -> None:
    for limits, hello in (
        (replace(GENEROUS, hello_seconds=0.2), False),
        (replace(GENEROUS, silence_seconds=0.3), True),
    ):
        with running(settings_for(folder, limits=limits)) as site:
            ana = site.person()
            assert Socket(ana, ana.make()["id"], hello=hello).close_code() == 1008


def test_too_many_boards_of_one_person_are_refused(folder: Path) -> None:
    limits = replace(GENEROUS, sockets_per_session=2)
    with running(settings_for(folder, limits=limits)) as site:
        ana = site.person()
        game = ana.make()["id"]
        with Socket(ana, game), Socket(ana, game), Socket(ana, game, hello=False) as third:
            third.send(t="hello", proto=1, since=None)
            assert third.expect("nak")["code"] == "rate"
            assert third.close_code() == 1013


def test_a_stop_says_goodbye_and_the_game_goes_on_after_it(folder: Path) -> None:
    settings = settings_for(folder)
    with running(settings) as site:
        ana = site.person()
        game = ana.make()["id"]
        ana.move(game, 1, "c3")
        socket = Socket(ana, game)
        site.stop()
        bye = socket.expect("bye")
        assert (bye["code"], bye["retry_ms"] > 0) == (1012, True)
        assert socket.close_code() == 1012
    with running(settings) as site:
        back = site.person()
        back.http.cookies = ana.http.cookies
        with Socket(back, game, 1) as socket:
            assert socket.welcome["events"] == []
            assert socket.ask(t="move", rid=1, ply=1, move="c3")["dup"]
            assert socket.ask(t="move", rid=2, ply=2, move="d4")["v"] == 2


def test_who_never_reads_is_let_go_and_harms_nobody(folder: Path) -> None:
    limits = replace(GENEROUS, waiting_frames=20, silence_seconds=120)
    with running(settings_for(folder, limits=limits)) as site:
        ana = site.person()
        full = [f"{column}{row}" for row in range(1, 10) for column in "abcdefghij"]
        game = ana.make("petrify", size=10, moves=full)["id"]
        deaf = silent_socket(site, game)
        v = ana.move(game, len(full) + 1, "a10")["v"]
        room = site.runtime.hub.rooms
        with Socket(ana, game) as other:
            assert len(room[game]) == 2
            for _ in range(1500):
                v = ana.act(game, "undo" if ana_has_moved(v) else "redo", v)["v"]
                assert other.expect("ev")["v"] == v
                if len(room[game]) == 1:
                    break
            assert len(room[game]) == 1, "the one who does not read is gone"
        deaf.close()


def ana_has_moved(v: int) -> bool:
    """After the first move, undo and redo follow in turn."""
    return v % 2 == 1


def silent_socket(site: Site, game: str) -> socket.socket:
    """A socket that says hello and then never reads; its system keeps as little as it can for it."""
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.connect(("127.0.0.1", site.port))
    head = f"GET /api/games/{game}/socket HTTP/1.1\r\nHost: localhost:{site.port}\r\nUpgrade: websocket\r\n"
    head += "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    deaf.sendall(head.encode())
    assert deaf.recv(12).startswith(b"HTTP/1.1 101")
    hello = json.dumps({"t": "hello", "proto": 1, "since": None}).encode()
    deaf.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
    while game not in site.runtime.hub.rooms:
        time.sleep(0.01)
    return deaf


def test_a_move_made_on_another_board_than_the_servers_is_refused_with_the_true_one(ana: Person) -> None:
    game = ana.make("petrify", size=6)["id"]
    with Socket(ana, game) as socket:
        seen = socket.welcome["state"]["view"]["hash"]
        refused = socket.ask(t="move", rid=1, ply=1, move="c3", hash="0" * 32)
        assert (refused["code"], refused["state"]["moves"]) == ("desync", [])
        assert socket.ask(t="move", rid=2, ply=1, move="c3", hash=seen)["t"] == "ack"
        assert socket.ask(t="move", rid=3, ply=1, move="c3", hash=seen)["dup"] is True


def test_a_window_that_missed_that_a_move_was_made_otherwise_cannot_move_on_the_old_board(ana: Person) -> None:
    game = ana.make("petrify", size=6)["id"]
    with Socket(ana, game) as here, Socket(ana, game) as there:
        here.ask(t="move", rid=1, ply=1, move="c3")
        seen = here.ask(t="move", rid=2, ply=1, move="c4")["state"]["view"]["hash"]
        there.ask(t="act", rid=1, kind="undo", at=1)
        assert there.ask(t="move", rid=2, ply=1, move="d4")["t"] == "ack"
        refused = here.ask(t="move", rid=3, ply=2, move="e5", hash=seen)  # the number is right, the board is not
        assert (refused["code"], refused["state"]["moves"]) == ("desync", ["d4"])


def test_the_round_trips_of_our_own_pings_tell_the_lag(site: Site, ana: Person) -> None:
    game = ana.make()["id"]
    with Socket(ana, game) as socket:
        open_now: list[Any] = list(site.server.server_state.connections)
        (protocol,) = [one for one in open_now if isinstance(one, PingingProtocol) and game in one.scope["path"]]
        scope = cast("dict[str, Any]", protocol.scope)
        assert lag_ms(scope) == 0
        loop = site.runtime.keeper.tasks[0].get_loop()
        loop.call_soon_threadsafe(protocol.send_keepalive_ping)
        assert socket.ask(t="act", rid=1, kind="stop_thinking", at=0)["t"] == "ack"
        until = time.monotonic() + 20
        while not scope[TRIPS]:
            assert time.monotonic() < until
            time.sleep(0.01)
        scope[TRIPS].extend([0.2, 0.3, 0.25, 9.0, 0.3])
        assert lag_ms(scope) == 150


def test_made_up_tokens_fill_no_room_and_players_get_in_past_those_who_watch(folder: Path) -> None:
    limits = replace(GENEROUS, sockets_per_session=3, sockets_per_game=3)
    with running(settings_for(folder, limits=limits)) as site, contextlib.ExitStack() as opened:
        ana = site.person()
        game = ana.make("petrify")["id"]
        for letter in "abcd":
            eve = Socket(site.person(), game, hello=False)
            opened.callback(eve.close)
            eve.send(t="hello", proto=1, since=None, token=letter * 43)
            answer = eve.expect("welcome" if letter != "d" else "nak")
        assert answer["code"] in ("busy", "rate")
        with Socket(ana, game) as mine:
            assert mine.welcome["you"] == ["first", "second"]


def test_one_address_has_so_many_sockets_whatever_its_sessions(folder: Path) -> None:
    limits = replace(GENEROUS, sockets_per_address=2)
    with running(settings_for(folder, limits=limits)) as site, contextlib.ExitStack() as opened:
        game = site.person().make("petrify")["id"]
        for _ in range(2):
            opened.enter_context(Socket(site.person(), game))
        late = Socket(site.person(), game, hello=False)
        opened.callback(late.close)
        late.send(t="hello", proto=1, since=None)
        assert late.expect("nak")["code"] == "busy"
