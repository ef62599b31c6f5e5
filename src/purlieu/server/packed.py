"""Long answers about positions, made smaller on the way. They hold no secrets, so their length gives nothing away."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

WORTH_IT = 1000
"""Bytes below which packing costs more than it saves."""


class Packed(APIRoute):
    """A route whose answers are packed for who can read that."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The usual handler, then gzip."""
        handler = super().get_route_handler()

        async def packed(request: Request) -> Response:
            answer = await handler(request)
            words = request.headers.get("accept-encoding", "").split(",")
            answer.headers.append("Vary", "Accept-Encoding")
            if "gzip" in (word.partition(";")[0].strip() for word in words) and len(answer.body) > WORTH_IT:
                # off the loop, on which all games and clocks are
                answer.body = await asyncio.to_thread(gzip.compress, answer.body, 5, mtime=0)
                answer.headers["Content-Encoding"] = "gzip"
                answer.headers["Content-Length"] = str(len(answer.body))
            return answer

        return packed
