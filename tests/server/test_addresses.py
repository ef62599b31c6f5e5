"""Whose request it is, behind a proxy too: no header that a client can write gets it more than its share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from .site import GENEROUS, Site, running, settings_for

PROXY = "127.0.0.1"
SHARE = 3
"""How many looks each caller has in these tests."""


@pytest.fixture
def behind_proxy(folder: Path) -> Iterator[Site]:
    """A server whose only visitor, this test, is its proxy."""
    limits = replace(GENEROUS, looks=(SHARE, 3600.0))
    settings = settings_for(folder, limits=limits, proxies=(PROXY, "2001:db8:ffff::1"))
    with running(settings) as made:
        yield made


def look(site: Site, *lines: str) -> int:
    """The status of a request with those X-Forwarded-For lines."""
    headers = [("X-Forwarded-For", line) for line in lines]
    return site.person().http.post("/api/views", json={"game": "pilo"}, headers=headers).status_code


def allowed(site: Site, *asked: tuple[str, ...]) -> int:
    """How many of those requests are answered; the rest must be refused for their number."""
    found = [look(site, *lines) for lines in asked]
    assert set(found) <= {200, 429}
    return found.count(200)


SHARED: dict[str, list[tuple[str, ...]]] = {
    "the proxy's own line after made-up ones": [(f"198.51.100.{n}", "203.0.113.9") for n in range(8)],
    "made-up hops in one line": [(f"198.51.100.{n}, 203.0.113.9",) for n in range(8)],
    "the client's ports": [(f"203.0.113.9:{5000 + n}",) for n in range(8)],
    "brackets and ports": [(f"[2001:db8::1]:{5000 + n}",) for n in range(8)],
    "quotes": [('"[2001:db8::1]:443"',), ("2001:DB8:0::1",), ("[2001:db8::1]",), ('"2001:db8::1"',)] * 2,
    "IPv4 within IPv6": [("::ffff:203.0.113.9",), ("203.0.113.9",)] * 4,
    "made-up words": [(f"word{n}",) for n in range(8)],
    "words that look like addresses": [(f"[2001:db8::{n}",) for n in range(8)],
    "zones": [(f"fe80::1%{n}",) for n in range(8)],
    "hops before one that cannot be read": [(f"198.51.100.{n}, unknown",) for n in range(8)],
    "our proxies in a row": [(f"198.51.100.{n}", "203.0.113.9, 2001:DB8:ffff::1") for n in range(8)],
    "nothing": [()] * 4 + [("",)] * 4,
    "addresses of one IPv6 network": [(f"2001:db8:0:{n:02x}::{n}",) for n in range(8)],
}


@pytest.mark.parametrize("what", SHARED)
def test_one_caller_has_one_share_whatever_the_forwarding_headers_say(behind_proxy: Site, what: str) -> None:
    assert allowed(behind_proxy, *SHARED[what]) == SHARE


def test_different_callers_behind_a_proxy_have_a_share_each(behind_proxy: Site) -> None:
    hops = ["203.0.113.9", "203.0.113.10:80", "2001:db8:0:100::1", "[2001:db8:0:200::1]:443"]
    assert allowed(behind_proxy, *[(hop,) for hop in hops for _ in range(SHARE + 1)]) == SHARE * len(hops)


def test_all_the_networks_of_one_ipv6_site_have_eight_shares_together(behind_proxy: Site) -> None:
    networks = [(f"2001:db8:1:{n:02x}00::1",) for n in range(256)]
    assert allowed(behind_proxy, *networks[: 9 * SHARE]) == 8 * SHARE
    assert look(behind_proxy, "2001:db8:2::1") == 200


def test_forwarding_headers_of_anybody_but_our_proxies_mean_nothing(site: Site) -> None:
    limiter = site.runtime.limiter
    assert not limiter.proxies
    person = site.person()
    before = set(limiter.buckets)
    person.http.post("/api/views", json={"game": "pilo"}, headers={"X-Forwarded-For": "203.0.113.77"})
    assert {caller for _, caller in set(limiter.buckets) - before} <= {"127.0.0.1"}


@pytest.mark.parametrize(
    "header",
    [
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Proto",
        "X-Forwarded-Port",
        "X-Forwarded-Server",
        "X-Real-IP",
        "X-Original-Host",
        "Forwarded",
        "Via",
        "CF-Connecting-IP",
        "True-Client-IP",
        "Fastly-Client-IP",
    ],
)
def test_the_numbers_are_for_this_machine_and_not_for_what_came_through_a_proxy(site: Site, header: str) -> None:
    person = site.person()
    assert person.http.get("/metrics").status_code == 200
    assert person.http.get("/metrics", headers={header: ""}).status_code == 404
    assert person.http.get("/metrics", headers={header: "127.0.0.1"}).status_code == 404
