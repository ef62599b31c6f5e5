"""Hosts, origins and methods: what is malformed is refused as what is foreign is, and never harms the server."""

from __future__ import annotations

import contextlib
import socket

import pytest

from .site import Person, Site

HOSTS = [
    "",
    "localhost/evil",
    "localhost?evil",
    "localhost#evil",
    "user@localhost",
    "user:word@localhost",
    "localhost:99999",
    "localhost:0",
    "localhost:-1",
    "localhost:abc",
    "localhost:",
    "localhost:80:80",
    "localhost:\xb9\xb2",
    "local host",
    "localhost, localhost",
    "evil.example",
    "localhost.evil.example",
    "::1",
    "[::1",
    "[::1]evil",
    "[::1]:99999",
    "[127.0.0.1]",
    "[fe80::1%25lo]",
    "[",
    "127.0.0.1.evil.example",
    "127.1",
]


def answer_to(site: Site, method: str, path: str, *headers: str) -> tuple[int, dict[str, str], bytes]:
    """The status, headers and body of the answer to a head that is sent as it stands."""
    last = [] if any(header.startswith("Connection:") for header in headers) else ["Connection: close"]
    head = "\r\n".join([f"{method} {path} HTTP/1.1", *headers, *last, "", ""])
    found = b""
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as connection:
        connection.sendall(head.encode("latin-1"))
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(65536):
                found += part
    top, _, body = found.partition(b"\r\n\r\n")
    first, *lines = top.decode("latin-1").split("\r\n")
    names = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(first.split()[1]), names, body


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_header_that_is_no_name_of_ours_is_refused(site: Site, host: str) -> None:
    assert answer_to(site, "GET", "/api/catalogue", f"Host: {host}")[0] in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:65535", "127.0.0.1:1", "[::1]:8000", "[::1]", "192.0.2.7"])
def test_a_host_header_with_our_name_or_an_address_is_taken(site: Site, host: str) -> None:
    assert answer_to(site, "GET", "/api/catalogue", f"Host: {host}")[0] == 200


def test_two_host_headers_are_refused(site: Site) -> None:
    assert answer_to(site, "GET", "/api/catalogue", "Host: localhost", "Host: localhost")[0] in (400, 403)


ORIGINS = [
    "http://[",
    "http://]",
    "http://[::1",
    "https://[127.0.0.1]",
    "http://localhost:port",
    "http://localhost:99999",
    "http://user@localhost",
    "http://localhost/",
    "http://localhost/evil",
    "http://localhost#",
    "http://\xb2\xff[",
    "//[",
    "[",
    "null",
    "",
    "ftp://localhost",
    "http://localhost http://localhost",
    "http://localhost, http://localhost",
    "http://evil.example",
    "http://" + "[" * 4000,
]


@pytest.mark.parametrize("origin", ORIGINS, ids=lambda origin: ascii(origin[:40]))
def test_a_malformed_origin_is_refused_as_a_foreign_one_is(site: Site, origin: str) -> None:
    body = ("Content-Type: application/json", "Content-Length: 0")
    for method, path in (("POST", "/api/views"), ("POST", "/api/games"), ("DELETE", "/"), ("PATCH", "/api/nothing")):
        status, _, said = answer_to(site, method, path, "Host: localhost", f"Origin: {origin}", *body)
        assert (status, b'"bad_origin"' in said) == (403, True), (method, path, said)
    upgrade = ("Upgrade: websocket", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13")
    path = f"/api/games/{'a' * 16}/socket"
    lines = ("Host: localhost", f"Origin: {origin}", "Connection: Upgrade", *upgrade)
    assert answer_to(site, "GET", path, *lines)[0] == 403


def test_two_origins_are_refused_even_if_one_of_them_is_ours(site: Site) -> None:
    lines = ("Host: localhost", "Origin: http://localhost", "Origin: http://evil.example", "Content-Length: 0")
    assert answer_to(site, "POST", "/api/games", *lines)[0] == 403


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/api/games", "POST"),
        ("HEAD", "/api/games", "POST"),
        ("DELETE", "/api/games", "POST"),
        ("OPTIONS", "/api/games", "POST"),
        ("GET", f"/api/games/{'a' * 16}/moves", "POST"),
        ("PUT", f"/api/games/{'a' * 16}", "GET, HEAD"),
        ("POST", "/api/catalogue", "GET, HEAD"),
        ("BREW", "/api/catalogue", "GET, HEAD"),
        ("POST", "/healthz", "GET, HEAD"),
        ("POST", "/metrics", "GET, HEAD"),
        ("PUT", "/api/session", "GET, HEAD, POST, DELETE"),
        ("POST", "/", "GET, HEAD"),
        ("DELETE", "/learn/pilo", "GET, HEAD"),
    ],
)
def test_a_wrong_method_is_answered_with_those_that_are_allowed(
    ana: Person, method: str, path: str, allow: str
) -> None:
    answer = ana.http.request(method, path)
    assert (answer.status_code, answer.headers.get("allow")) == (405, allow)
    if method != "HEAD":
        assert (answer.json()["code"], answer.json()["hint"]) == ("no_method", f"allowed: {allow}")


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "BREW"])
@pytest.mark.parametrize("path", ["/api", "/api/nothing", "/api/catalogue/", "/api/games/a/b/c", "/nothing.js"])
def test_a_path_that_is_not_there_is_not_found_whatever_the_method(ana: Person, method: str, path: str) -> None:
    assert ana.http.request(method, path).status_code == 404


@pytest.mark.parametrize("path", ["/api/catalogue", "/healthz", "/", "/api/docs.json"])
def test_head_is_answered_as_get_is_without_the_body(site: Site, path: str) -> None:
    whole, head = (answer_to(site, method, path, "Host: localhost") for method in ("GET", "HEAD"))
    assert (head[0], head[2]) == (whole[0], b"")
    assert head[1]["content-length"] == whole[1]["content-length"] == str(len(whole[2]))
    assert head[1]["content-type"] == whole[1]["content-type"]
