"""The built client: its files, and its one page for every address that it draws itself."""

from __future__ import annotations

import asyncio
import gzip
import mimetypes
import time
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from ..cache import Cache
from ..domain.refusals import not_found
from .deps import Limit

PAGES = ("g", "learn", "rules", "review", "new", "settings")
"""The first part of the addresses that the client draws, besides the home page."""
MOST_BYTES = 32 * 2**20
"""How many bytes of files are kept in memory, plain and gzipped together."""
YOUNG_SECONDS = 10
"""For so long after index.html was written, a build may still be writing other files."""

MISSING = b"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>purlieu</title></head><body>
<h1>purlieu</h1><p>The server runs, but this purlieu was installed without the board page, which is built with npm:
install Node.js, then <code>pip install .</code> again, or <code>make web</code> in a clone.</p>
</body></html>"""

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("application/manifest+json", ".webmanifest")


def install(app: FastAPI, root: Path) -> None:
    """Serve the client from that folder, wherever no route is for the address."""
    client = Client(root)

    async def no_route(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request = Request(scope)
            await Limit("assets")(request)
            response = await client.answer(request)
            await response(scope, receive, send)
        else:
            await app.router.not_found(scope, receive, send)

    app.router.redirect_slashes = False  # an address with a slash too many leads nowhere
    app.router.default = no_route


@dataclass(frozen=True, slots=True)
class File:
    """A file in memory."""

    kind: str
    data: bytes
    gzipped: bytes | None
    """The same by gzip, where that is smaller."""

    @property
    def size(self) -> int:
        """The bytes that it takes."""
        return len(self.data) + len(self.gzipped or b"")


class Client:
    """The files of the built client. The folder is listed once for each build, and each file is read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.build: object = ()
        self.paths: dict[str, Path] = {}
        self.kept = empty_cache()
        self.reading = asyncio.Lock()

    async def answer(self, request: Request) -> Response:
        """A file, the page, or a refusal."""
        path = request.scope["path"].removeprefix("/")
        first = path.partition("/")[0]
        await self.follow_build()
        is_page = path == "" or first in PAGES
        is_file = path in self.paths and path != "index.html"
        if request.method != "GET" and (is_page or is_file):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        if is_file and (file := await self.read(path)):
            return sent(request, file, caching_of(path, file))
        wants_page = "text/html" in request.headers.get("accept", "") and request.method == "GET"
        if first == "api" or not (is_page or wants_page):
            raise not_found("nothing is at this path")
        status = 200 if is_page else 404
        if page := await self.read("index.html"):
            return sent(request, page, "no-cache", status)
        return Response(MISSING, status, media_type="text/html")

    async def follow_build(self) -> None:
        """List the folder, if the client was built since that was last done."""
        if build_of(self.root) == self.build:
            return
        async with self.reading:
            build = build_of(self.root)
            if build != self.build:
                self.paths = await asyncio.to_thread(files, self.root)
                self.kept = empty_cache()
                self.build = build

    async def read(self, path: str) -> File | None:
        """A file of the list, from memory if it is there; None if there is no such file, or no longer."""
        found, where = self.kept.get(path), self.paths.get(path)
        if found is None and where is not None:
            async with self.reading:
                found = self.kept.peek(path) or await asyncio.to_thread(file_at, where)
                if found:
                    self.kept.put(path, found)
        return found


def caching_of(path: str, file: File) -> str:
    """How long browsers may keep a file: what has its content's hash in its name, for ever; icons, for a day."""
    if path.startswith("assets/"):
        return "public, max-age=31536000, immutable"
    return "public, max-age=86400" if file.kind.startswith("image/") else "no-cache"


def empty_cache() -> Cache[str, File]:
    """Nothing in memory yet."""
    return Cache(MOST_BYTES, lambda file: file.size)


def build_of(root: Path) -> object:
    """What differs from one build to the next, and from second to second while one may still be going on."""
    try:
        written = (root / "index.html").stat()
    except OSError:
        return None
    age = time.time() - written.st_mtime
    return written.st_mtime_ns, written.st_size, int(age) if 0 <= age < YOUNG_SECONDS else None


def files(root: Path) -> dict[str, Path]:
    """The client's files by their address; a path that is no key here leads nowhere."""
    if not root.is_dir():
        return {}
    return {found.relative_to(root).as_posix(): found for found in root.rglob("*") if found.is_file()}


def file_at(path: Path) -> File | None:
    """A file, read and packed; None if it has gone."""
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    try:
        data = path.read_bytes()
    except OSError:
        return None
    packs = kind.startswith(("text/", "image/svg", "application/j", "application/m")) and len(data) > 1000
    return File(kind, data, gzip.compress(data, 9, mtime=0) if packs else None)


def sent(request: Request, file: File, caching: str, status: int = 200) -> Response:
    """A file, gzipped if the browser can unpack it."""
    headers = {"Cache-Control": caching, "Vary": "Accept-Encoding"}
    accepted = [word.partition(";")[0].strip() for word in request.headers.get("accept-encoding", "").split(",")]
    data = file.data
    if file.gzipped is not None and "gzip" in accepted:
        data = file.gzipped
        headers["Content-Encoding"] = "gzip"
    return Response(data, status, headers, file.kind)
