"""Bad input gets one sentence and a 4xx, never a 500, and never harms a game."""

from __future__ import annotations

import contextlib
import socket
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from purlieu import records

from .site import GENEROUS, Person, Site, running, settings_for

JSON = {"Content-Type": "application/json"}

BODIES: dict[str, tuple[bytes, int, str]] = {
    "empty": (b"", 422, "bad_request"),
    "cut off": (b'{"game":"pilo"', 400, "bad_json"),
    "an array": (b"[]", 422, "bad_request"),
    "a text": (b'"pilo"', 422, "bad_request"),
    "null": (b"null", 422, "bad_request"),
    "text after it": (b'{"game":"pilo"} x', 400, "bad_json"),
    "NaN": (b'{"game":"pilo","size":NaN}', 400, "bad_json"),
    "Infinity": (b'{"game":"pilo","size":-Infinity}', 400, "bad_json"),
    "a huge number": (b'{"game":"pilo","size":1e400}', 400, "bad_json"),
    "five thousand digits": (b'{"game":"pilo","size":' + b"9" * 5000 + b"}", 400, "bad_json"),
    "half a character": (b'{"game":"\\ud800"}', 400, "bad_json"),
    "half a character as a key": (b'{"\\ud800":1}', 400, "bad_json"),
    "NUL": (b'{"game":"pi\\u0000lo"}', 400, "bad_json"),
    "not UTF-8": (b'{"game":"\xff"}', 400, "bad_json"),
    "UTF-16": ('{"game":"pilo"}'.encode("utf-16"), 400, "bad_json"),
    "a byte order mark": (b'\xef\xbb\xbf{"game":"pilo"}', 400, "bad_json"),
    "deep": (b"[" * 30_000 + b"]" * 30_000, 400, "bad_json"),
    "deep objects": (b'{"a":' * 5000 + b"1" + b"}" * 5000, 400, "bad_json"),
    "a doubled key": (b'{"game":"pilo","game":"pyloff"}', 400, "bad_json"),
    "true for a number": (b'{"game":"pilo","size":true}', 422, "bad_request"),
    "a text for a number": (b'{"game":"pilo","size":"8"}', 422, "bad_request"),
    "a fraction for a number": (b'{"game":"pilo","size":8.0}', 422, "bad_request"),
    "an unknown field": (b'{"game":"pilo","colour":"red"}', 422, "bad_request"),
    "an unknown game": (b'{"game":"chess"}', 422, "unknown_game"),
    "a near miss": (b'{"game":"pillo"}', 422, "unknown_game"),
    "size 2": (b'{"game":"pilo","size":2}', 422, "bad_size"),
    "size 11": (b'{"game":"pilo","size":11}', 422, "bad_size"),
    "size 0": (b'{"game":"pilo","size":0}', 422, "bad_size"),
    "size -1": (b'{"game":"pilo","size":-1}', 422, "bad_request"),
    "size a milliard": (b'{"game":"pilo","size":1000000000}', 422, "bad_request"),
    "no move": (b'{"game":"pilo","moves":[""]}', 422, "bad_request"),
    "a long move": (b'{"game":"pilo","moves":["' + b"c" * 5000 + b'"]}', 422, "bad_request"),
    "a bad position": (b'{"game":"pilo","from":"pilo x"}', 422, "bad_notation"),
    "another game's position": (b'{"game":"pilo","from":"petrify b2/3/3 ply=1"}', 422, "bad_request"),
}


@pytest.mark.parametrize("what", BODIES)
def test_a_bad_body_is_told_what_is_wrong(ana: Person, what: str) -> None:
    body, status, code = BODIES[what]
    answer = ana.http.post("/api/views", content=body, headers=JSON)
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code), problem
    assert problem["message"]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"clock": {"mode": "fischer", "minutes": 0, "increment": 0}}, "clock.fischer.minutes"),
        ({"clock": {"mode": "fischer", "minutes": -1}}, "clock.fischer.minutes"),
        ({"clock": {"mode": "fischer", "minutes": 10**12}}, "clock.fischer.minutes"),
        ({"clock": {"mode": "fischer", "increment": 5}}, "clock.fischer.minutes"),
        ({"clock": {"mode": "days", "days": 0}}, "clock.days.days"),
        ({"clock": {"mode": "hourglass"}}, "clock"),
        ({"seats": {"first": {"kind": "me"}}}, "seats.second"),
        ({"seats": {"first": {"kind": "link"}, "second": {"kind": "link"}}}, "seats"),
        ({"seats": {"first": {"kind": "me", "level": 3}, "second": {"kind": "me"}}}, "seats.first.level"),
        ({"seats": {"first": {"kind": "me"}, "second": {"kind": "computer"}}}, "seats.second.level"),
        ({"seats": {"first": {"kind": "me"}, "second": {"kind": "computer", "level": 10}}}, "seats.second.level"),
    ],
)
def test_a_game_that_cannot_be_is_told_where(ana: Person, change: dict[str, Any], where: str) -> None:
    body = {"game": "petrify", "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}, **change}
    assert ana.post("/api/games", body, 422)["where"] == where


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": ""}, 415),
        ({"Content-Type": "application/json; charset=utf-8"}, 200),
        (JSON | {"Content-Encoding": "gzip"}, 415),
    ],
)
def test_a_body_is_plain_json(ana: Person, headers: dict[str, str], status: int) -> None:
    assert ana.http.post("/api/views", content=b'{"game":"pilo"}', headers=headers).status_code == status


def test_a_body_may_have_64_kib_and_not_a_byte_more(ana: Person) -> None:
    room = 64 * 1024 - len(b'{"game":"pilo"}')
    fits = b'{"game":"pilo"' + b" " * room + b"}"
    assert ana.http.post("/api/views", content=fits, headers=JSON).status_code == 200
    assert ana.http.post("/api/views", content=fits + b" ", headers=JSON).status_code == 413

    def endless() -> Any:
        for _ in range(100):
            yield b" " * 1024

    assert ana.http.post("/api/views", content=endless(), headers=JSON).status_code == 413


BAD_IDS = [
    "x",
    "a" * 15,
    "a" * 17,
    "A" * 16,
    "aaaaaaaaaaaaaaa1",
    "aaaaaaaaaaaaaa'--",
    "а" * 16,
    "a" * 5000,
    "..%2f..%2f",
    "%00",
]


@pytest.mark.parametrize("game_id", BAD_IDS)
def test_what_is_no_games_id_is_not_found(ana: Person, game_id: str) -> None:
    answer = ana.http.get(f"/api/games/{game_id}")
    assert answer.status_code in (404, 422), answer.text
    assert answer.json()["message"]


@pytest.mark.parametrize("path", ["/api", "/api/nothing", "/api/games", "/api/games/a/b/c"])
def test_an_unknown_path_or_method_is_told_so(ana: Person, path: str) -> None:
    answer = ana.http.get(path)
    assert answer.status_code in (404, 405)
    assert answer.json()["code"] in ("not_found", "no_method")


def test_a_wrong_method_is_told_which_ones_there_are(ana: Person) -> None:
    answer = ana.http.delete("/api/catalogue")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("since", ["-1", "x", "99999999999999999999", "1.5", ""])
def test_a_bad_query_is_told_where(ana: Person, since: str) -> None:
    game = ana.make()["id"]
    assert ana.get(f"/api/games/{game}/events", 422, since=since)["where"] == "query.since"


def test_a_bad_record_is_told_by_line_and_the_good_games_are_read(ana: Person) -> None:
    text = '[Game "Pilo"]\n\n1. c3 d4 *\n\n[Game "Pilo"]\n\n1. c3 c3 *\n'
    found = ana.post("/api/records", {"text": text})
    assert [game["moves"] for game in found["games"]] == [["c3", "d4"]]
    assert found["errors"][0].startswith("line 7, column 7, ply 2: c3: c3 holds")


def test_a_record_is_read_with_its_variations_and_what_was_said_of_its_moves(ana: Person) -> None:
    text = '[Game "Pilo"]\n\n1. c3 {calm} d4 (1... e5! 2. a1 (2. a2) b2) 2. f6 *\n'
    read = ana.post("/api/records", {"text": text})["games"][0]
    assert (read["first"], read["moves"], read["comments"]) == (1, ["c3", "d4", "f6"], {"1": "calm"})
    (other,) = read["variations"]
    assert (other["first"], other["moves"], other["marks"]) == (2, ["e5", "a1", "b2"], {"2": ["!"]})
    assert [(line["first"], line["moves"]) for line in other["variations"]] == [(3, ["a2"])]


def test_a_record_is_written_with_every_tag_comment_mark_and_variation(ana: Person) -> None:
    said = (
        '[Game "Pilo"]\n[Size "8"]\n[Rules "1"]\n[First "Ana \\"A\\""]\n[Second "?"]\n[Date "?"]\n[Result "*"]\n'
        '[Event "A garden"]\n\n'
        "{before all} 1. c3!? $14 {calm \\}} d4 (1... e5! 2. a1 (2. a2) 2... b2 {so}) 2. f6 *\n"
    )
    (record,) = records.loads(said)
    written = ana.http.post("/api/records/text", json={"text": records.dump_json(record)})
    assert (written.status_code, written.text) == (200, records.dumps(record))
    assert records.loads(written.text) == [record]
    assert written.headers["content-type"] == "text/plain; charset=utf-8"


def test_a_record_that_breaks_the_rules_is_not_written(ana: Person) -> None:
    problem = ana.post("/api/records/text", {"text": '{"game":"pilo","moves":["c3","c3"]}'}, 422)
    assert problem["code"] == "bad_record"
    assert "moves[1], ply 2: c3: c3 holds" in problem["message"]


def test_a_position_of_another_game_is_told_so_and_no_size_that_nobody_named(ana: Person) -> None:
    other = {"game": "petrify", "from": "pilo 4/4/4/4 ply=0 blue=first passes=0 last=none", "moves": []}
    message = ana.post("/api/views", other, 422)["message"]
    assert "of pilo of size 4, not of petrify" in message
    assert "None" not in message


def test_views_of_a_long_game_come_in_pages(ana: Person) -> None:
    moves = []
    state = ana.make("petrify", size=10)
    for row in range(1, 11):
        for column in "abcdefghij":
            moves.append(f"{column}{row}")
    line = {"game": "petrify", "size": 10, "moves": moves}
    assert state["id"]
    whole = ana.post("/api/views", line)
    assert (whole["plies"], len(whole["views"])) == (101, 101)
    assert [view["ply"] for view in ana.post("/api/views", {**line, "first_ply": 99})["views"]] == [99, 100]
    assert ana.post("/api/views", {**line, "last_only": True})["views"] == whole["views"][-1:]


def test_a_line_that_was_asked_about_is_not_played_anew(ana: Person) -> None:
    line: dict[str, Any] = {"game": "pyloff", "size": 6, "moves": ["a1", "b2", "c3"], "last_only": True}
    first = ana.post("/api/views", line)
    assert ana.post("/api/views", line) == first
    longer = ana.post("/api/views", {**line, "moves": ["a1", "b2", "c3", "d4"]})
    assert longer["views"][0]["ply"] == 4
    assert longer["views"][0]["last"]["move"] == "d4"
    wrong = ana.post("/api/views", {**line, "moves": ["a1", "b2", "c3", "d4", "d4"]}, 422)
    assert (wrong["where"], wrong["hint"]) == ("moves[4]", "the first 4 moves can be played")


# -- below HTTP -----------------------------------------------------------------------------------


def raw(site: Site, *sent: bytes, wait: float = 2) -> bytes:
    """What comes back for these bytes."""
    with socket.create_connection(("127.0.0.1", site.port)) as connection:
        connection.settimeout(wait)
        found = b""
        with contextlib.suppress(ConnectionError):  # a server that has heard enough closes before all is sent
            for part in sent:
                connection.sendall(part)
        with contextlib.suppress(TimeoutError, ConnectionError):
            while part := connection.recv(65536):
                found += part
        return found


HEAD = b"POST /api/views HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (HEAD + b"Content-Length: -5\r\n\r\n", b"400"),
        (HEAD + b"Content-Length: x\r\n\r\n", b"400"),
        (HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", b"400"),
        (HEAD + b"Content-Length: 999999999\r\n\r\n", b"413"),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 10_000 + b"\r\n", b"4"),
        (b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", b"4"),
        (b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", b"403"),
        (b"GET / HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n", b"403"),
        (b"\x16\x03\x01 not http\r\n\r\n", b"400"),
    ],
)
def test_an_odd_head_is_refused(site: Site, sent: bytes, status: bytes) -> None:
    assert raw(site, sent).startswith(b"HTTP/1.1 " + status)


def test_a_half_sent_head_or_body_is_not_waited_for_for_ever(folder: Path) -> None:
    with running(settings_for(folder, limits=replace(GENEROUS, head_seconds=0.3, body_seconds=0.3))) as site:
        begun = time.monotonic()
        assert raw(site, b"GET / HTT").startswith(b"HTTP/1.1 408")
        assert raw(site, b"").startswith(b"HTTP/1.1 408")
        assert raw(site, HEAD + b"Content-Length: 50\r\n\r\n{").startswith(b"HTTP/1.1 408")
        whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with socket.create_connection(("127.0.0.1", site.port)) as connection:
            connection.sendall(whole)
            answer = b""
            while not answer.endswith(b"}"):
                answer += connection.recv(65536)
            connection.sendall(b"GET / HTT")
            assert connection.recv(65536).startswith(b"HTTP/1.1 408")
        assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/%2e%2e/%2e%2e/app.py", "//etc/passwd", "/assets/../../app.py"]
)
def test_no_path_leads_out_of_the_clients_folder(site: Site, path: str) -> None:
    answer = raw(site, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 404"), answer[:200]


# -- limits ---------------------------------------------------------------------------------------


def test_over_a_limit_one_is_told_when_to_come_back(folder: Path) -> None:
    limits = replace(GENEROUS, new_games=(2, 60.0), looks=(2, 60.0), records=(1, 60.0), joins=(1, 60.0), open_games=50)
    with running(settings_for(folder, limits=limits)) as site:
        ana = site.person()
        game = ana.make()["id"]
        ana.make()
        body = {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}}
        refused = ana.http.post("/api/games", json=body)
        assert (refused.status_code, refused.json()["code"]) == (429, "rate")
        assert int(refused.headers["retry-after"]) > 0
        for _ in range(2):
            ana.post("/api/views", {"game": "pilo"})
        assert ana.post("/api/views", {"game": "pilo"}, 429)["code"] == "rate"
        ana.post(f"/api/games/{game}/handover")
        assert ana.post(f"/api/games/{game}/handover", None, 429)["code"] == "rate"
        assert ana.move(game, 1, "c3")["ply"] == 1


def test_open_games_are_bounded(folder: Path) -> None:
    with running(settings_for(folder, limits=replace(GENEROUS, open_games=2))) as site:
        ana = site.person()
        game = ana.make()["id"]
        ana.make()
        body = {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}}
        assert ana.post("/api/games", body, 409)["code"] == "too_many"
        ana.act(game, "resign", 0)
        ana.make()
