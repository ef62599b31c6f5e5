"""How often one caller may ask: a bucket of tokens for each caller and each kind of request."""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Sequence

from starlette.requests import HTTPConnection

from purlieu.rules import Message

from ..cache import Cache
from ..domain.refusals import Problem
from ..settings import Limits

CALLERS_IN_48 = 8
"""How many callers' worth the IPv6 networks in one /48 get together."""


class Limiter:
    """Buckets that fill with time. Only the callers of late are remembered."""

    def __init__(self, limits: Limits, proxies: Sequence[str] = ()) -> None:
        self.limits = limits
        self.proxies = frozenset(address_of(proxy) for proxy in proxies) - {None}
        self.buckets: Cache[tuple[str, str], tuple[float, float]] = Cache(limits.callers)

    def allow(self, kind: str, connection: HTTPConnection, cost: int = 1) -> None:
        """Take a token, or refuse with the time to wait."""
        self.take(kind, self.caller(connection), cost)

    def take(self, kind: str, caller: str, cost: int = 1) -> None:
        """Take a token of that caller's, or refuse with the time to wait."""
        most, seconds = getattr(self.limits, kind)
        now = time.monotonic()
        filled = self._filled(kind, caller, now)
        shares = dict(buckets_of(caller))
        wait = max((cost - tokens) * seconds / (shares[name] * most) for name, tokens in filled)
        for name, tokens in filled:
            self.buckets.put((kind, name), (tokens if wait > 0 else tokens - cost, now))
        if wait > 0:
            retry_s = max(1, math.ceil(wait))
            message = Message(
                "refusal.that_is_too_often",
                "that is too often: at most {most} in {seconds} seconds",
                most=most,
                seconds=f"{seconds:g}",
            )
            if kind == "work":
                message = Message(
                    "refusal.your_requests_have_taken",
                    "your requests have taken more than {most} of the last {seconds} seconds to work out",
                    most=f"{most:g}",
                    seconds=f"{seconds:g}",
                )
            raise Problem(
                "rate",
                message,
                hint=Message("hint.try_again_in_seconds", "try again in {retry_s} seconds", retry_s=retry_s),
                retry_s=retry_s,
            )

    def _filled(self, kind: str, caller: str, now: float) -> list[tuple[str, float]]:
        """The tokens that are in each of the caller's buckets now."""
        most, seconds = getattr(self.limits, kind)
        filled = []
        for name, times in buckets_of(caller):
            tokens, since = self.buckets.peek((kind, name)) or (float(times * most), now)
            filled.append((name, min(float(times * most), tokens + (now - since) * times * most / seconds)))
        return filled

    def charge(self, kind: str, caller: str, cost: float) -> None:
        """Take what something has turned out to cost, even where that leaves the caller in debt."""
        now = time.monotonic()
        for name, tokens in self._filled(kind, caller, now):
            self.buckets.put((kind, name), (tokens - cost, now))

    def caller(self, connection: HTTPConnection) -> str:
        """The caller's name for the limits; behind our own proxies, that of the nearest hop that is not ours.

        All X-Forwarded-For lines are read as one, from the right, because a proxy appends what it saw. A hop that
        cannot be read ends the search: what stands to its left may be the client's invention.
        """
        host = address_of(connection.client.host) if connection.client else None
        if host in self.proxies:
            for hop in reversed(",".join(connection.headers.getlist("x-forwarded-for")).split(",")):
                address = address_of(hop)
                if address is None:
                    break
                host = address
                if host not in self.proxies:
                    break
        return caller_at(host) if host else "?"


def address_of(text: str) -> str | None:
    """The address in a hop of X-Forwarded-For, in its usual spelling, or None. Ports, brackets and quotes are dropped.

    >>> address_of("192.0.2.7:5678"), address_of("[2001:DB8:0::1]:443"), address_of("fe80::1%eth0")
    ('192.0.2.7', '2001:db8::1', 'fe80::1')
    >>> address_of("::ffff:192.0.2.7"), address_of("unknown"), address_of("[::1")
    ('192.0.2.7', None, None)
    """
    text = text.strip().removeprefix('"').removesuffix('"')
    if text.startswith("["):
        text, closing, port = text[1:].partition("]")
        if not closing or (port and not port.startswith(":")):
            return None
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(address)


def caller_at(host: str) -> str:
    """An address as a caller's name. One subscriber has a whole IPv6 network, so its addresses are one caller.

    >>> caller_at("2001:db8:0:aa::1"), caller_at("2001:db8:0:bb:ffff::2"), caller_at("::ffff:192.0.2.7")
    ('2001:db8::/56', '2001:db8::/56', '192.0.2.7')
    """
    address = address_of(host)
    if address is None or ":" not in address:
        return address or host
    return str(ipaddress.ip_network((address, 56), strict=False))


def buckets_of(caller: str) -> list[tuple[str, int]]:
    """The buckets that a caller takes from, each with how many times the limit it holds.

    A /48 has 256 networks of the size that counts as one caller, and one site may have all of them: together they get
    eight callers' worth.

    >>> buckets_of("192.0.2.7"), buckets_of("2001:db8:0:aa00::/56")
    ([('192.0.2.7', 1)], [('2001:db8:0:aa00::/56', 1), ('2001:db8::/48', 8)])
    """
    if not caller.endswith("/56"):
        return [(caller, 1)]
    return [(caller, 1), (str(ipaddress.ip_network(caller).supernet(new_prefix=48)), CALLERS_IN_48)]
