"""Headers on every answer, and one log line for every request, without secrets."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Frame

from purlieu.rules import Message

from ..domain.refusals import Problem
from ..settings import Settings
from .errors import response_to

LOG = logging.getLogger("purlieu.server")
PIECE = 64 * 1024
"""How much of an answer is handed to the system at once; it takes milliseconds over a few megabytes."""


class OuterLayer:
    """The outermost layer: it also answers for a fault of ours, so that no traceback leaves the server."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        secure = bool(settings.public_url and settings.public_url.startswith("https:"))
        sockets = (
            f" {'wss' if secure else 'ws'}://{urlsplit(settings.public_url).netloc}" if settings.public_url else ""
        )
        self.fixed = {
            "Content-Security-Policy": (
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                f"font-src 'self'; connect-src 'self'{sockets}; worker-src 'self'; manifest-src 'self'; "
                "media-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
            ),
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
        }
        if secure:
            self.fixed["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        begun = time.monotonic()
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            if scope["type"] == "websocket":
                LOG.info("SOCKET %s %.1f s", logged(scope["path"]), time.monotonic() - begun)
            return
        status = 0

        async def framed(message: Frame) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in self.fixed.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            for piece in pieces(message):
                await send(piece)
                if piece.get("more_body"):
                    await asyncio.sleep(0)  # others get their turn

        try:
            await self.app(scope, receive, framed)
        except Exception:
            LOG.exception("a fault while answering %s %s", scope["method"], logged(scope["path"]))
            if status:
                raise
            problem = Problem(
                "fault",
                Message("refusal.this_is_fault_in", "this is a fault in purlieu; the game is unharmed"),
                hint=Message("hint.try_again", "try again"),
            )
            await response_to(problem)(scope, receive, framed)
        finally:
            spent = (time.monotonic() - begun) * 1000
            LOG.info("%s %s %d %.1f ms", scope["method"], logged(scope["path"]), status, spent)


def pieces(message: Frame) -> Iterator[Frame]:
    """A message whose body is not too large to be handed to the system at once."""
    body = message.get("body", b"")
    if len(body) <= PIECE:
        yield message
        return
    for at in range(0, len(body), PIECE):
        more = at + PIECE < len(body) or message.get("more_body", False)
        yield {**message, "body": body[at : at + PIECE], "more_body": more}


def logged(path: str) -> str:
    """A path as the log shows it: no query, no odd characters, not endless."""
    return path[:120].encode("ascii", "backslashreplace").decode().replace("\n", "\\n").replace("\r", "\\r")
