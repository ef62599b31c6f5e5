"""How often one caller may ask: a bucket of tokens for each caller and each kind of request."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Sequence

from starlette.requests import HTTPConnection

from .errors import Problem
from .settings import Limits


class Limiter:
    """Buckets that fill with time. Only the callers of late are remembered."""

    def __init__(self, limits: Limits, proxies: Sequence[str] = ()) -> None:
        self.limits = limits
        self.proxies = proxies
        self.buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def allow(self, kind: str, connection: HTTPConnection, cost: int = 1) -> None:
        """Take a token, or refuse with the time to wait."""
        self.take(kind, self.caller(connection), cost)

    def take(self, kind: str, caller: str, cost: int = 1) -> None:
        """Take a token of that caller's, or refuse with the time to wait."""
        most, seconds = getattr(self.limits, kind)
        now = time.monotonic()
        tokens, since = self.buckets.pop((kind, caller), (float(most), now))
        tokens = min(float(most), tokens + (now - since) * most / seconds)
        allowed = tokens >= cost
        self.buckets[kind, caller] = (tokens - cost if allowed else tokens, now)
        while len(self.buckets) > self.limits.callers:
            self.buckets.popitem(last=False)
        if not allowed:
            wait = max(1, math.ceil((cost - tokens) * seconds / most))
            message = f"that is too often: at most {most} in {seconds:g} seconds"
            raise Problem("rate", message, hint=f"try again in {wait} seconds", retry_s=wait)

    def caller(self, connection: HTTPConnection) -> str:
        """Who asks, for the limits: the address, an IPv6 network taken as one."""
        host = connection.client.host if connection.client else "?"
        if host in self.proxies:
            hops = [hop.strip() for hop in connection.headers.get("x-forwarded-for", "").split(",")]
            host = next((hop for hop in reversed(hops) if hop and hop not in self.proxies), host)[:60]
        return caller_at(host)


def caller_at(host: str) -> str:
    """An address as a caller's name. Whoever has one IPv6 address has a whole network of them, however it is written.

    >>> caller_at("2001:db8::1"), caller_at("2001:db8:0:0:ffff::2"), caller_at("::ffff:192.0.2.7")
    ('2001:db8::/64', '2001:db8::/64', '192.0.2.7')
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))
