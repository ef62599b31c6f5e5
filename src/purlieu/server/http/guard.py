"""What stands before every route: who may send at all, how big and how slow a body may be, and strict JSON."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections import deque
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from purlieu.rules import Message

from ..domain.refusals import Problem
from ..settings import Settings
from ..wire.strict_json import BadJson, loads
from .errors import response_to
from .limiter import Limiter

BODY_PIECE = 8 * 1024
"""So much of a body counts once."""
LARGE_BODY = 32 * 1024
"""A larger one is read in a thread: it takes tens of milliseconds."""
SAFE = ("GET", "HEAD", "OPTIONS")
RECORDS = {"/api/records": 2, "/api/records/text": 4}
"""Where records are sent, and how many times the size of one a body may have: JSON has its escapes and keys."""
MOST_WAITING = 200
"""How many requests of one caller wait at most. uvicorn goes on with those whose clients have gone, so they count
too."""


class Guard:
    """Refuses foreign pages, odd hosts, big or slow bodies and bad JSON, before any route sees them."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.hosts = own_hosts(settings)
        self.turns = Turns()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            self.check_host(headers)
            if scope.get("method") == "HEAD":
                scope = {**scope, "method": "GET"}  # the same answer; the protocol leaves its body out
            if scope["type"] == "websocket":
                self.check_origin(headers, socket=True)
            elif scope["method"] in SAFE:
                await self.take_turn(scope)
            else:
                self.check_origin(headers, socket=False)
                body = await self.read(headers, receive, scope["path"])
                await self.take_turn(scope, -(-len(body) // BODY_PIECE))
                if len(body) > LARGE_BODY:
                    await asyncio.to_thread(check_json, headers, body)
                else:
                    check_json(headers, body)
                receive = once(body, receive)
        except Problem as problem:
            await refuse(scope, receive, send, problem)
            return
        await self.app(scope, receive, send)

    def check_host(self, headers: Headers) -> None:
        """A page that rebinds its own name to our address is told by the name it uses."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not is_own(hosts[0], self.hosts):
            raise Problem(
                "bad_origin",
                Message("refusal.this_server_does_not", "this server does not go by that name"),
                where="Host",
                hint=self.own_name(),
            )

    def check_origin(self, headers: Headers, *, socket: bool) -> None:
        """A browser's page may act only on its own server. Programs send no Origin, and no cookie."""
        origins = headers.getlist("origin")
        if not origins:
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                raise Problem(
                    "bad_origin",
                    Message("refusal.another_site_may_not", "another site may not do this"),
                    where="Sec-Fetch-Site",
                )
            if socket and "cookie" in headers:
                raise Problem(
                    "bad_origin",
                    Message("refusal.socket_with_cookie_must", "a socket with a cookie must say its Origin"),
                    where="Origin",
                )
            return
        host, public = headers["host"], self.settings.public_url
        mine = [public] if public else [f"http://{host}", f"https://{host}"]
        if len(origins) != 1 or origins[0] not in mine:
            raise Problem(
                "bad_origin",
                Message("refusal.page_of_another_site", "a page of another site may not do this"),
                where="Origin",
                hint=self.own_name(),
            )

    def own_name(self) -> str:
        """How to get here."""
        return f"open {self.settings.public_url or f'http://localhost:{self.settings.port}'}"

    async def take_turn(self, scope: Scope, pieces: int = 0) -> None:
        """Wait until the event loop has time for this caller's next request, whose body has so many pieces."""
        limiter: Limiter = scope["app"].state.runtime.limiter
        caller = limiter.caller(HTTPConnection(scope))
        if pieces:
            limiter.take("bodies", caller, pieces)
        await self.turns.take(caller)

    async def read(self, headers: Headers, receive: Receive, path: str) -> bytes:
        """The whole body, if it is small and quick."""
        limits = self.settings.limits
        most = limits.record_bytes * RECORDS[path] if path in RECORDS else limits.body_bytes
        if headers.get("content-encoding", "identity") != "identity":
            raise Problem(
                "bad_type",
                Message("refusal.compressed_body_is_not", "a compressed body is not taken"),
                where="Content-Encoding",
            )
        length = headers.get("content-length")
        if length is not None and (not length.isascii() or not length.isdigit() or len(length) > 12):
            raise Problem(
                "bad_json",
                Message("refusal.is_no_length", "{length} is no length", length=repr(length[:20])),
                where="Content-Length",
            )
        if length is not None and int(length) > most:
            raise too_big(most)
        try:
            async with asyncio.timeout(limits.body_seconds):
                return await gather(receive, most)
        except TimeoutError:
            raise Problem(
                "slow",
                Message(
                    "refusal.body_did_not_arrive",
                    "the body did not arrive within {body_seconds} seconds",
                    body_seconds=f"{limits.body_seconds:g}",
                ),
            ) from None


def check_json(headers: Headers, body: bytes) -> None:
    """Refuse a body that is not sound JSON, or does not say that it is JSON."""
    if not body:
        return
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        told = f"not {kind[:60]!r}" if kind else "and none was named"
        raise Problem(
            "bad_type",
            Message("refusal.body_is_application_json", "a body is application/json, {told}", told=told),
            where="Content-Type",
        )
    try:
        loads(body)
    except BadJson as error:
        raise Problem(
            "bad_json",
            Message("refusal.body_is_not_json_as", "the body is not JSON as we take it: {error}", error=error),
            where="body",
        ) from None


async def gather(receive: Receive, most: int) -> bytes:
    """The body, if it has no more than so many bytes."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > most:
            raise too_big(most)
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def once(body: bytes, receive: Receive) -> Receive:
    """A body that was read already, for the route to read again."""
    given = False

    async def again() -> MutableMapping[str, Any]:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def too_big(most: int) -> Problem:
    """The answer to a body beyond the limit."""
    return Problem(
        "too_big",
        Message("refusal.body_is_bigger_than", "the body is bigger than {most} bytes", most=most),
        where="body",
    )


async def refuse(scope: Scope, receive: Receive, send: Send, problem: Problem) -> None:
    """Answer a request with the problem; a socket is refused before its upgrade."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": problem.code})
        return
    response = response_to(problem)
    response.headers["Connection"] = "close"
    await response(scope, receive, send)


# -- names --------------------------------------------------------------------------------------


def own_hosts(settings: Settings) -> frozenset[str]:
    """The names this server goes by, without ports."""
    machine = socket.gethostname().lower()
    names = {"localhost", settings.host.lower(), machine, f"{machine}.local"}
    if settings.public_url:
        names.add((urlsplit(settings.public_url).hostname or "").lower())
    return frozenset(names)


HOST = re.compile(r"(\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(:(?P<port>[0-9]{1,5}))?")
"""A name or an address, and perhaps a port: all that a Host header may hold."""


def is_own(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header may mean us: any address may, since we were reached by it; a name must be one of ours."""
    found = HOST.fullmatch(host)
    if found is None or int(found["port"] or 80) not in range(1, 65536):
        return False
    name, v6 = (found["name"] or "").lower(), found["v6"]
    if name in names:
        return True
    try:
        ipaddress.IPv6Address(v6) if v6 else ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True


class Turns:
    """Turns of the event loop: each begins one request, of one caller after the other, however many come at once.

    What else is ready, such as a move on a socket, is served between two of them.
    """

    def __init__(self) -> None:
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By caller; the one at the front is next."""
        self.taken = False
        """Whether a request has begun in this turn, or waits for the next."""

    async def take(self, caller: str) -> None:
        """Wait for a turn; the first to come has none to wait for. Who has too many waiting is refused."""
        loop = asyncio.get_running_loop()
        if len(self.waiting.get(caller, ())) >= MOST_WAITING:
            raise Problem(
                "rate", Message("refusal.too_many_of_your", "too many of your requests came at once"), retry_s=1
            )
        if not self.taken:
            self.taken = True
            loop.call_soon(self._give)
            return
        mine = loop.create_future()
        self.waiting.setdefault(caller, deque()).append(mine)
        await mine

    def _give(self) -> None:
        """Once in each turn, as long as anybody waits."""
        while self.waiting:
            caller = next(iter(self.waiting))
            queue = self.waiting.pop(caller)
            mine = queue.popleft()
            if queue:
                self.waiting[caller] = queue
            if not mine.done():
                mine.set_result(None)
                asyncio.get_running_loop().call_soon(self._give)
                return
        self.taken = False
