"""The built client: its files, and its one page for every address that it draws itself."""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import Response

from .errors import not_found

PAGES = ("g", "learn", "rules", "review", "new", "settings")
"""The first part of the addresses that the client draws, besides the home page."""

MISSING = b"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>purlieu</title></head><body>
<h1>purlieu</h1><p>The server runs, but this purlieu was installed without the board page, which is built with npm:
install Node.js, then <code>pip install .</code> again, or <code>make web</code> in a clone.</p>
</body></html>"""

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("application/manifest+json", ".webmanifest")


def install(app: FastAPI, root: Path) -> None:
    """Serve the client from that folder."""

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    def file_or_page(path: str, request: Request) -> Response:
        found = files(root).get(path)
        if found and path != "index.html":
            forever = path.startswith("assets/")
            return sent(request, found, "public, max-age=31536000, immutable" if forever else "no-cache")
        known = path == "" or path.partition("/")[0] in PAGES
        wants_page = "text/html" in request.headers.get("accept", "")
        if path.partition("/")[0] == "api" or not (known or wants_page):
            raise not_found("nothing is at this path")
        page = root / "index.html"
        status = 200 if known else 404
        if page.is_file():
            return sent(request, page, "no-cache", status)
        return Response(MISSING, status, media_type="text/html")


def sent(request: Request, file: Path, caching: str, status: int = 200) -> Response:
    """A file, made smaller for who can read it so."""
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    headers = {"Cache-Control": caching, "Vary": "Accept-Encoding"}
    data = file.read_bytes()
    if kind.startswith(("text/", "image/svg", "application/j", "application/m")) and len(data) > 1000:
        accepted = [word.partition(";")[0].strip() for word in request.headers.get("accept-encoding", "").split(",")]
        if "gzip" in accepted:
            data = smaller(data)
            headers["Content-Encoding"] = "gzip"
    return Response(data, status, headers, kind)


@lru_cache(maxsize=200)
def smaller(data: bytes) -> bytes:
    """A file of the client, packed once."""
    return gzip.compress(data, 9, mtime=0)


def files(root: Path) -> dict[str, Path]:
    """The client's files by their address; a path that is no key here leads nowhere."""
    if not root.is_dir():
        return {}
    return {found.relative_to(root).as_posix(): found for found in root.rglob("*") if found.is_file()}
