"""Running the server: uvicorn, with our bounds instead of its own."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import errno
import gc
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Sequence
from typing import Any, cast

import uvicorn

from purlieu.rules import PurlieuError

from ..settings import Settings, database_url, origin_of
from ..store.database import wait_for_database
from .app import make_app
from .connections import Connections, most_connections
from .deps import Runtime
from .lifespan import say_goodbye
from .logs import bound_log
from .protocols import PING_SECONDS, PatientProtocol, PingingProtocol, connections_of

M_ARENA_MAX = -8
"""As glibc's malloc.h has it."""
BACKLOG = 1024
"""How many connections may wait in the system until they are accepted."""


class Server(uvicorn.Server):
    """Watches over the connections, and says goodbye to the sockets before it stops."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, with room for many connections and a bounded log."""
        bound_log()
        share_heaps()
        self.connections = connections_of(self.config)
        self.connections.most = most_connections(self.connections.limits)
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # what is here now stays: no search for garbage has to look at it again
        self.connections.note = cast(Any, self.config.app).state.runtime.counts.note
        for server in self.servers:
            for listening in server.sockets:
                with listening.dup() as same:
                    same.listen(BACKLOG)  # the backlog given to asyncio is also how many it accepts in one turn
        self.sweeping = asyncio.create_task(self.connections.sweep_for_ever())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: nobody new, a goodbye to everybody, then the end."""
        runtime: Runtime | None = getattr(getattr(self.config.app, "state", None), "runtime", None)
        if runtime is not None:
            say_goodbye(runtime)
            await asyncio.sleep(0.1)  # the goodbyes are on their way
        await super().shutdown(sockets)
        self.sweeping.cancel()
        gc.unfreeze()


def share_heaps() -> None:
    """Have all threads share two heaps, where the C library would give each its own and let none of them shrink.

    Only one thread runs Python at a time, so they hardly ever wait for each other.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library than glibc
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)


def config_of(settings: Settings) -> uvicorn.Config:
    """How uvicorn is to run: bounded heads and frames, no compression, a stop that ends."""
    limits = settings.limits
    app = make_app(settings)
    app.state.connections = Connections(limits)
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=PatientProtocol,
        ws=PingingProtocol,
        ws_ping_interval=PING_SECONDS,
        backlog=limits.accepts,
        h11_max_incomplete_event_size=limits.head_bytes - 1,
        ws_max_size=limits.frame_bytes,
        ws_max_queue=16,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=4,
        access_log=False,
        log_config=None,
        log_level="warning",  # in its finer detail uvicorn writes cookies into the log
        server_header=False,
        proxy_headers=False,
    )


def serve(
    *,
    host: str,
    port: int,
    database: str,
    public_url: str | None,
    proxies: Sequence[str],
    open_page: bool,
    verbose: bool,
) -> None:
    """What ``purlieu serve`` does: say where the page is, serve it, stop on Ctrl-C."""
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING, format="%(asctime)s %(levelname)s %(message)s"
    )
    settings = Settings(
        database=database, host=host, port=port, public_url=public_url and origin_of(public_url), proxies=tuple(proxies)
    )
    require_free_port(host, port)
    wait_for_database(database_url(database)).close()
    page = settings.public_url or f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0', '::') else host}:{port}"
    say(f"purlieu is at {page}  (Ctrl-C stops it)")
    if host not in ("127.0.0.1", "localhost", "::1") and public_url is None:
        say("others reach it by this machine's address; --public-url makes the links of invitations right for them")
    if not (settings.web / "index.html").is_file():
        say("the page for the browser is missing; it is built with npm: make web in a clone, or pip install . again")
    if open_page:
        webbrowser.open(page)
    Server(config_of(settings)).run()


def require_free_port(host: str, port: int) -> None:
    """Whether we can listen there, said before anything is started."""
    try:
        with socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            return
    except OSError as error:
        number = error.errno or 0
        why = os.strerror(number) if number > 0 else "there is no such address here"
        hint = "; another one is chosen with --port" if number == errno.EADDRINUSE else ""
        raise PurlieuError(f"cannot listen on {host}, port {port}: {why}{hint}") from error


def say(sentence: str) -> None:
    """A line for whoever started the server."""
    print(sentence, flush=True)  # noqa: T201 - this is what the command prints
