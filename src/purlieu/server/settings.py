"""How a server is to run. Everything has a default; the command line and the tests change what they need."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import urlsplit

from purlieu.rules import PurlieuError

WEB = Path(__file__).parent.parent / "web"
"""Where the built client lies."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one caller may ask for. `docs/server.md` says what happens beyond."""

    body_bytes: int = 64 * 1024
    record_bytes: int = 256 * 1024
    body_seconds: float = 20.0
    """How long a body may take, whether or not its request needs it."""
    head_bytes: int = 16 * 1024
    head_seconds: float = 10.0
    """How long a request's head may take, counted from the connection's start or the head's first byte."""
    stall_seconds: float = 12.0
    """How long a client may take nothing of what waits for it before its connection is cut."""
    close_seconds: float = 5.0
    """How long a socket may take to close before its connection is cut."""
    connections: int = 8000
    """The most open connections, if the system allows that many files."""
    accepts: int = 32
    """The most connections accepted in one turn of the event loop."""
    files: int = 65_536
    """The soft limit of open files is raised to this number, or as far as the hard limit allows."""
    own_files: int = 128
    """Files kept for the server itself: its database, its workers, the client's files."""
    frame_bytes: int = 8 * 1024
    hello_seconds: float = 5.0
    silence_seconds: float = 30.0
    frames: tuple[int, float] = (100, 20.0)
    bad_frames: int = 5
    syncs: tuple[int, float] = (1, 2.0)
    waiting_frames: int = 256
    waiting_bytes: int = 256 * 1024
    """The size of all frames that wait for one socket, beyond which it gets no more."""
    sockets: int = 4000
    sockets_per_session: int = 20
    sockets_per_address: int = 400
    sockets_per_game: int = 200
    new_games: tuple[int, float] = (20, 60.0)
    joins: tuple[int, float] = (30, 60.0)
    records: tuple[int, float] = (30, 60.0)
    requests: tuple[int, float] = (600, 60.0)
    """Moves, acts and analyses."""
    reads: tuple[int, float] = (1200, 60.0)
    """Games, events, the catalogue."""
    assets: tuple[int, float] = (2400, 60.0)
    """The client's own files."""
    pictures: tuple[int, float] = (120, 60.0)
    """Pictures and records to take away."""
    bodies: tuple[int, float] = (6000, 60.0)
    """Bodies of up to 8 KiB; a larger one counts for as many as it has pieces of that size."""
    handshakes: tuple[int, float] = (300, 60.0)
    """Sockets that are opened."""
    ready: tuple[int, float] = (60, 60.0)
    """/readyz, which writes to the database."""
    looks: tuple[int, float] = (2400, 60.0)
    """Views and looks: a hand over the board asks often."""
    work: tuple[float, float] = (30.0, 60.0)
    """Seconds of work on questions that one caller may use: what was used is taken once it is known."""
    desk_workers: int = 2
    """Processes that answer questions about positions; slow questions never take the last one."""
    questions_waiting: int = 256
    questions_per_caller: int = 40
    quick_seconds: float = 1.0
    """A processor's time for a look or for one view."""
    slow_seconds: float = 5.0
    """The same for views of a line, for records and for pictures."""
    games_bytes: int = 48 << 20
    """Memory for games; those that find no room are read from the database when they are asked for."""
    answers_bytes: int = 16 << 20
    pictures_bytes: int = 16 << 20
    open_games: int = 50
    computer_games: int = 20
    analyses_waiting: int = 64
    analyses_per_caller: int = 2
    moves_waiting: int = 256
    callers: int = 20_000
    """How many callers the limiter remembers."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is to run."""

    database: str = ""
    """A URL, sqlite:///… or postgresql://…; empty is a file in the user's data folder."""
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str | None = None
    """What people type to get here, behind a proxy: https://play.example.org."""
    proxies: tuple[str, ...] = ()
    """The addresses of our own proxies, whose X-Forwarded-For is believed."""
    web: Path = WEB
    workers: int = field(default_factory=lambda: max(2, min(4, (os.cpu_count() or 2) - 1)))
    """Processes for the computer's moves and analyses; slow analyses never take the last one."""
    worker: Callable[[Connection], None] | None = None
    """What each of them runs instead of thinking."""
    think_seconds: float = 20.0
    """The longest that the computer thinks about a move, whatever its level."""
    limits: Limits = field(default_factory=Limits)


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, as browsers write an Origin.

    >>> origin_of("https://Play.Example.org/")
    'https://play.example.org'
    """
    try:
        parts = urlsplit(url.strip())
        usual = {"http": 80, "https": 443}.get(parts.scheme)
        named = usual and parts.hostname and not (parts.path.strip("/") or parts.query or parts.fragment)
        port = "" if parts.port in (None, usual) else f":{parts.port}"
    except ValueError:
        named = False
    if not named:
        raise PurlieuError(f"{url!r} is no address of a server; expected one like https://play.example.org")
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}{port}"


def data_folder() -> Path:
    """The user's folder for our data, as each system has it."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "purlieu"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "purlieu"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "purlieu"


def database_url(given: str) -> str:
    """The database as SQLAlchemy names it: a URL, or the path of an SQLite file.

    >>> database_url("postgres://ana:secret@db/games")
    'postgresql+psycopg://ana:secret@db/games'
    >>> database_url("games.db")
    'sqlite:///games.db'
    """
    text = given.strip()
    if not text:
        return f"sqlite:///{data_folder() / 'games.db'}"
    scheme, separator, rest = text.partition("://")
    if not separator:
        return f"sqlite:///{text}"
    match scheme:
        case "postgres" | "postgresql" | "postgresql+psycopg":
            return f"postgresql+psycopg://{rest}"
        case "sqlite" if rest.startswith("/") and len(rest) > 1:
            return text
    raise PurlieuError(
        f"{scheme}:// names no database we know; expected a file, sqlite:///FILE or postgresql://USER@HOST/NAME"
    )
