"""Who may do what: every route against every kind of caller. A new route without a row here fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import pytest

from purlieu.server.domain.acts import Act
from purlieu.server.http.app import make_app
from purlieu.server.settings import Settings
from purlieu.server.wire.frames import ClientFrame

from .site import Person, Site
from .socket_client import Socket

CALLERS = ("nobody", "watcher", "first", "second", "guest", "foreign", "bad token")
"""Nobody has no session; a watcher has one without a seat; a guest holds the invitation; foreign is another site's
page in the first seat's browser; bad token is a program with a token that we never gave."""

ANYBODY = dict.fromkeys(CALLERS, 200)
MADE = dict.fromkeys(CALLERS, 201) | {"foreign": 403}
ASKED = ANYBODY | {"foreign": 403}


def only(first: int, second: int, others: int = 403) -> dict[str, int]:
    """What the two seats are answered, and what everybody else is."""
    return dict.fromkeys(CALLERS, others) | {"first": first, "second": second, "foreign": 403}


NEW = {"game": "petrify", "size": 6, "seats": {"first": {"kind": "me"}, "second": {"kind": "link"}}}
LINE = {"game": "petrify", "size": 6, "moves": ["c3"]}

ROWS: dict[tuple[str, str], tuple[Any, dict[str, int]]] = {
    ("GET", "/api/catalogue"): (None, ANYBODY),
    ("GET", "/api/pentwall/placements"): (None, ANYBODY),
    ("GET", "/healthz"): (None, ANYBODY),
    ("GET", "/readyz"): (None, ANYBODY),
    ("POST", "/api/views"): (LINE, ASKED),
    ("POST", "/api/summaries"): (LINE, ASKED),
    ("POST", "/api/look"): ({**LINE, "move": "c3"}, ASKED),
    ("POST", "/api/analyse"): ({**LINE, "level": 1}, ASKED),
    ("POST", "/api/records"): ({"text": '[Game "Pilo"]\n\n1. c3 *\n'}, ASKED),
    ("POST", "/api/records/text"): ({"text": '{"game":"pilo","moves":["c3"]}'}, ASKED),
    ("POST", "/api/session"): ({"bearer": True}, MADE),
    ("GET", "/api/session"): (None, ANYBODY | {"bad token": 401}),
    ("DELETE", "/api/session"): (None, ANYBODY | {"nobody": 401, "guest": 401, "foreign": 403, "bad token": 401}),
    ("POST", "/api/games"): (NEW, MADE | {"bad token": 401}),
    ("GET", "/api/games/{game_id}"): (None, ANYBODY),
    ("GET", "/api/games/{game_id}/events"): (None, ANYBODY),
    ("GET", "/api/games/{game_id}/record"): (None, ANYBODY),
    ("GET", "/api/games/{game_id}/picture.svg"): (None, ANYBODY),
    ("GET", "/api/games/{game_id}/picture.png"): (None, ANYBODY),
    ("POST", "/api/games/{game_id}/moves"): ({"ply": 1, "move": "c3"}, only(200, 409)),
    ("POST", "/api/games/{game_id}/acts"): ({"kind": "resign", "at": 0}, only(200, 200)),
    ("POST", "/api/games/{game_id}/handover"): (None, only(200, 200)),
    ("POST", "/api/games/{game_id}/only-here"): (None, only(200, 200)),
    ("POST", "/api/games/{game_id}/join"): ({"token": "INVITE"}, only(409, 200, 409) | {"bad token": 401}),
}

ROWS_OF_ACTS = [
    "resign",
    "offer_draw",
    "accept_draw",
    "decline_draw",
    "undo",
    "redo",
    "rematch",
    "stop_thinking",
    "abort",
    "claim",
]


@dataclass
class Scene:
    """A game between two people, and everybody who could ask about it."""

    game: str
    invite: str
    people: dict[str, Person]


def scene(site: Site, *, joined: bool = True, game: str = "petrify") -> Scene:
    people = {caller: site.person() for caller in CALLERS}
    made = people["first"].make(game, "me", "link")
    if joined:
        people["second"].post(f"/api/games/{made['id']}/join", {"token": made["invite"]})
    people["watcher"].make()
    people["foreign"].http.cookies = people["first"].http.cookies
    people["foreign"].http.headers["Origin"] = "https://evil.example"
    people["bad token"].http.headers["Authorization"] = "Bearer " + "x" * 43
    return Scene(made["id"], made["invite"], people)


def test_every_route_has_a_row() -> None:
    paths = make_app(Settings()).openapi()["paths"]
    routes = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert routes == set(ROWS)


@pytest.mark.parametrize(("method", "path"), list(ROWS))
def test_every_caller_is_answered_as_the_table_says(site: Site, method: str, path: str) -> None:
    body, expected = ROWS[method, path]
    found = {}
    changes = method == "POST" and "{game_id}" in path
    there = scene(site)
    for caller in CALLERS:
        there = scene(site) if changes else there
        if body == {"token": "INVITE"}:
            sent: Any = {"token": there.invite}
        else:
            sent = body
        person = there.people[caller]
        options = {} if sent is None else {"json": sent}
        answer = person.http.request(method, path.replace("{game_id}", there.game), **options)
        found[caller] = answer.status_code
        if answer.status_code >= 400:
            problem = answer.json()
            assert set(problem) == {"code", "message", "where", "hint", "said", "hint_said"}
            assert problem["message"]
    assert found == expected


@pytest.mark.parametrize("kind", ROWS_OF_ACTS)
def test_no_act_is_open_to_those_without_a_seat(site: Site, kind: str) -> None:
    there = scene(site, game="pyloff")
    before = there.people["first"].state(there.game)
    for caller in ("nobody", "watcher", "guest", "foreign", "bad token"):
        answer = there.people[caller].http.post(f"/api/games/{there.game}/acts", json={"kind": kind, "at": before["v"]})
        assert answer.status_code == 403, caller
    assert there.people["first"].state(there.game)["v"] == before["v"]


def test_only_the_invited_guest_gets_the_free_seat(site: Site) -> None:
    there = scene(site, joined=False)
    assert there.people["watcher"].state(there.game)["invite"] is None
    assert there.people["first"].state(there.game)["invite"] == there.invite
    there.people["guest"].get(f"/api/games/{there.game}")
    assert there.people["first"].state(there.game)["status"] == "waiting", "looking at the link claims nothing"
    joined = there.people["guest"].post(f"/api/games/{there.game}/join", {"token": there.invite})
    assert joined["you"] == ["second"]
    assert joined["invite"] is None


FRAMES: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "move": ({"t": "move", "rid": 1, "ply": 1, "move": "a1"}, "ack", "not_your_turn", "not_your_seat"),
    "resign": ({"t": "act", "rid": 1, "kind": "resign", "at": 1}, "ack", "ack", "not_your_seat"),
    "offer_draw": ({"t": "act", "rid": 1, "kind": "offer_draw", "at": 1}, "ack", "ack", "not_your_seat"),
    "accept_draw": ({"t": "act", "rid": 1, "kind": "accept_draw", "at": 1}, "stale", "stale", "not_your_seat"),
    "decline_draw": ({"t": "act", "rid": 1, "kind": "decline_draw", "at": 1}, "stale", "stale", "not_your_seat"),
    "undo": ({"t": "act", "rid": 1, "kind": "undo", "at": 1}, "bad_request", "bad_request", "not_your_seat"),
    "redo": ({"t": "act", "rid": 1, "kind": "redo", "at": 1}, "bad_request", "bad_request", "not_your_seat"),
    "rematch": ({"t": "act", "rid": 1, "kind": "rematch", "at": 1}, "bad_request", "bad_request", "not_your_seat"),
    "stop_thinking": ({"t": "act", "rid": 1, "kind": "stop_thinking", "at": 1}, "ack", "ack", "not_your_seat"),
    "abort": ({"t": "act", "rid": 1, "kind": "abort", "at": 1}, "ack", "ack", "not_your_seat"),
    "claim": ({"t": "act", "rid": 1, "kind": "claim", "at": 1}, "bad_request", "bad_request", "not_your_seat"),
    "sync": ({"t": "sync"}, "state", "state", "state"),
    "p": ({"t": "p", "ms": 1.5}, "p", "p", "p"),
}
"""What each frame is answered when it comes from the first seat, from the second, and from anybody else."""


def test_every_frame_has_a_row() -> None:
    acts = set(get_args(Act))
    assert {row[0]["kind"] for row in FRAMES.values() if row[0]["t"] == "act"} == acts
    kinds = {get_args(frame.model_fields["t"].annotation)[0] for frame in get_args(ClientFrame)}
    assert {row[0]["t"] for row in FRAMES.values()} | {"hello"} == kinds


@pytest.mark.parametrize("name", FRAMES)
def test_every_caller_is_answered_on_the_socket_as_the_table_says(site: Site, name: str) -> None:
    frame, first, second, others = FRAMES[name]
    for caller in ("nobody", "watcher", "first", "second", "guest", "bad token"):
        there = scene(site, game="pyloff")
        person = there.people[caller]
        before = there.people["first"].state(there.game)["v"]
        socket = Socket(person, there.game, hello=False, Origin="" if caller == "bad token" else site.url)
        hello = {"t": "hello", "proto": 1, "since": None}
        socket.send(**hello, **({"token": "x" * 43} if caller == "bad token" else {}))
        you = socket.expect("welcome")["you"]
        assert you == ([caller] if caller in ("first", "second") else [])
        socket.send(**frame)
        while (answer := socket.receive())["t"] == "ev":
            continue
        expected = {"first": first, "second": second}.get(caller, others)
        assert answer.get("code", answer["t"]) == expected, (caller, answer)
        if expected not in ("ack", "state", "p"):
            assert there.people["first"].state(there.game)["v"] == before
        socket.close()
