"""Headers, origins and secrets: what a page of another site, a log reader or a database reader gets to see."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from .site import Person, Site, running, settings_for
from .socket_client import Socket

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; media-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)


@pytest.mark.parametrize("path", ["/", "/g/abc", "/learn/pilo", "/api/catalogue", "/api/nothing", "/healthz"])
def test_every_answer_has_the_headers(ana: Person, path: str) -> None:
    headers = ana.http.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "strict-transport-security" not in headers
    if path.startswith("/api/"):
        assert headers["cache-control"] == "no-store"


def test_a_refusal_before_any_route_has_them_too(ana: Person) -> None:
    answer = ana.http.post("/api/views", content=b"{", headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.headers["content-security-policy"]) == (400, POLICY)


def test_the_cookie_is_for_the_browser_alone(site: Site) -> None:
    ana = site.person()
    body = {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}}
    cookie = ana.http.post("/api/games", json=body).headers["set-cookie"]
    assert cookie.startswith("purlieu=")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "set-cookie" not in ana.http.post("/api/games", json=body).headers
    assert "set-cookie" not in ana.http.get("/api/catalogue").headers


def test_a_cookie_that_we_never_gave_is_replaced(site: Site) -> None:
    ana = site.person()
    ana.http.cookies.set("purlieu", "x" * 43, domain="127.0.0.1")
    body = {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}}
    answer = ana.http.post("/api/games", json=body)
    assert answer.headers["set-cookie"].startswith("purlieu=")
    assert answer.json()["state"]["you"] == ["first", "second"]
    assert "x" * 43 not in answer.headers["set-cookie"]


def test_behind_https_the_cookie_is_bound_to_the_host(folder: Path) -> None:
    with running(settings_for(folder, public_url="https://play.example.org")) as site:
        ana = site.person()
        ana.http.headers["Host"] = "play.example.org"
        ana.http.headers["Origin"] = "https://play.example.org"
        body = {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}}
        answer = ana.http.post("/api/games", json=body)
        assert answer.headers["set-cookie"].startswith("__Host-purlieu=")
        assert "Secure" in answer.headers["set-cookie"]
        assert "wss://play.example.org" in answer.headers["content-security-policy"]
        assert answer.headers["strict-transport-security"]
        ana.http.headers["Origin"] = "http://play.example.org"
        assert ana.http.post("/api/games", json=body).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Origin": "", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "", "Sec-Fetch-Site": "same-site"},
        {"Host": "evil.example"},
    ],
)
def test_another_sites_page_can_do_nothing(ana: Person, headers: dict[str, str]) -> None:
    game = ana.make()["id"]
    sent = dict(headers)
    if sent.get("Origin") == "":
        del sent["Origin"]
        del ana.http.headers["Origin"]
    answer = ana.http.post(f"/api/games/{game}/moves", json={"ply": 1, "move": "c3"}, headers=sent)
    assert (answer.status_code, answer.json()["code"]) == (403, "bad_origin")
    assert ana.state(game)["v"] == 0


def test_no_secret_reaches_the_log_or_the_database(
    folder: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG, "purlieu"), caplog.at_level(logging.DEBUG, "uvicorn"):
        with running(settings_for(folder)) as site:
            ana, ben, phone = site.person(), site.person(), site.person()
            made = ana.make("pilo", "me", "link")
            game, invite = made["id"], made["invite"]
            ben.post(f"/api/games/{game}/join", {"token": invite})
            handover = ben.post(f"/api/games/{game}/handover")["token"]
            phone.post(f"/api/games/{game}/join", {"token": handover})
            bearer = ana.post("/api/session", {"bearer": True}, 201)["token"]
            for wrong in (invite, handover, bearer):
                ana.http.post(f"/api/games/{game}/join", json={"token": wrong})
                ana.http.get("/api/games/x", headers={"Authorization": f"Basic {wrong}"})
            with Socket(ana, game) as socket:
                socket.ask(t="move", rid=1, ply=1, move="c3")
            key = "the-clients-idempotency-key"
            ana.post(
                "/api/games",
                {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}},
                201,
                **{"Idempotency-Key": key},
            )
            secrets = [invite, handover, bearer, key]
            secrets += [person.http.cookies["purlieu"] for person in (ana, ben, phone)]
            stored = b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())
        stored += b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())
    seen = caplog.text + "".join(capfd.readouterr())
    assert f"/api/games/{game}/join 200" in seen, "there is a line for each request"
    for secret in secrets:
        assert secret not in seen
        assert secret.encode() not in stored


def test_a_seat_can_be_kept_to_one_device_alone(site: Site) -> None:
    ana, phone = site.person(), site.person()
    game = ana.make("petrify", size=6)["id"]
    token = ana.post(f"/api/games/{game}/handover")["token"]
    assert phone.post(f"/api/games/{game}/join", {"token": token})["you"]
    unused = ana.post(f"/api/games/{game}/handover")["token"]
    with Socket(phone, game) as socket:
        assert ana.post(f"/api/games/{game}/only-here") == {"others": 1}
        assert socket.close_code() == 4001
    assert phone.move(game, 1, "c3", 403)["code"] == "not_your_seat"
    assert phone.post(f"/api/games/{game}/join", {"token": unused}, 404)["code"] == "not_found"
    assert phone.state(game)["you"] == []
    assert ana.move(game, 1, "c3")["ply"] == 1
    assert ana.post(f"/api/games/{game}/only-here") == {"others": 0}


def test_the_numbers_are_told_to_this_machine_only_and_name_nobody(site: Site, ana: Person) -> None:
    game = ana.make("petrify", size=6)["id"]
    with Socket(ana, game) as socket:
        assert socket.ask(t="move", rid=1, ply=1, move="c3")["t"] == "ack"
        assert socket.ask(t="move", rid=2, ply=1, move="c4")["code"] == "stale"
        told = ana.http.get("/metrics").text
    numbers = dict(line.rsplit(" ", 1) for line in told.splitlines())
    assert float(numbers["purlieu_acks_total"]) >= 1
    assert float(numbers['purlieu_naks_total{code="stale"}']) >= 1
    assert float(numbers["purlieu_commits_total"]) >= 1
    assert int(numbers["purlieu_sockets"]) >= 1
    assert game not in told
    assert ana.http.get("/metrics", headers={"X-Forwarded-For": "10.0.0.1"}).status_code == 404
