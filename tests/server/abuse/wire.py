"""HTTP and WebSocket connections at the level of bytes, from any loopback address, as hostile as a caller likes.

A client library would refuse to send most of what these tests send, and would cost more of the two processors that
server, players and attacker share.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import struct
from typing import Any

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
LOST = (OSError, EOFError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, TimeoutError)
"""What a connection that breaks raises, and an answer that is no HTTP."""


class Closed(EOFError):
    """The server closed a socket with this code, or without any."""

    def __init__(self, code: int | None) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


async def dial(port: int, source: str, buffer: int | None = None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect from an address, with a receive buffer of so many bytes."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio looks for the protocol
    try:
        made.setblocking(False)
        if buffer is not None:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        made.bind((source, 0))
        await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", port))
        return await asyncio.open_connection(sock=made)
    except BaseException:
        made.close()
        raise


def is_open(writer: asyncio.StreamWriter) -> bool:
    """Whether the kernel still holds the connection established, even if nobody reads from it."""
    try:
        state = writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
    except (OSError, AttributeError):
        return False
    return bool(state[0] == 1)


def head_of(method: str, path: str, headers: dict[str, str]) -> bytes:
    """The bytes before a body."""
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape")


class Wire:
    """A kept-alive HTTP connection. It reconnects when the server has closed it between two requests."""

    def __init__(self, port: int, source: str, token: str | None = None) -> None:
        self.port, self.source = port, source
        self.headers = {"Host": f"127.0.0.1:{port}"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Status and body of the answer. A body that is not bytes is sent as JSON."""
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = dict(self.headers)
        if body is not None:
            sent |= {"Content-Type": "application/json", "Content-Length": str(len(data))}
        request = head_of(method, path, sent | (headers or {})) + data
        was_open = self.writer is not None
        try:
            return await self.exchange(request, method)
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            self.close()
            if not was_open or (isinstance(error, asyncio.IncompleteReadError) and error.partial):
                raise
        except BaseException:
            self.close()
            raise
        return await self.exchange(request, method)

    async def exchange(self, request: bytes, method: str) -> tuple[int, bytes]:
        """Send bytes and read one answer."""
        if self.reader is None or self.writer is None:
            self.reader, self.writer = await dial(self.port, self.source)
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
        if method == "HEAD" or status in (204, 304):
            body = b""
        elif length:
            body = await self.reader.readexactly(int(length[1]))
        elif b"chunked" in head.lower():
            body = await self.chunks(self.reader)
        else:
            body = await self.reader.read()
        if re.search(rb"\r\nconnection: *close", head, re.IGNORECASE):
            self.close()
        return status, body

    async def chunks(self, reader: asyncio.StreamReader) -> bytes:
        """A body that comes in chunks."""
        parts = []
        while size := int((await reader.readline()).strip() or b"0", 16):
            parts.append(await reader.readexactly(size))
            await reader.readexactly(2)
        await reader.readline()
        return b"".join(parts)

    async def made(self, path: str, body: Any) -> Any:
        """What POST answers, which must be 200 or 201; waits when the server asks for that."""
        for _ in range(120):
            status, answer = await self.ask("POST", path, body)
            if status in (200, 201):
                return json.loads(answer)
            if status not in (429, 503):
                break
            await asyncio.sleep(0.5)
        raise AssertionError(f"{path}: {status} {answer[:200]!r}")

    def close(self) -> None:
        """Leave at once."""
        if self.writer is not None:
            self.writer.transport.abort()
        self.reader = self.writer = None


class Board:
    """A WebSocket on a game."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(
        cls, port: int, source: str, game: str, token: str | None = None, *, buffer: int | None = None
    ) -> Board:
        """Connect and say hello; the welcome is the first frame to read."""
        reader, writer = await dial(port, source, buffer)
        try:
            writer.write(upgrade(port, game))
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 101"):
                raise ValueError(f"no socket: {head[:60]!r}")
            board = cls(reader, writer)
            board.send(t="hello", proto=1, game=game, since=None, **({"token": token} if token else {}))
            return board
        except BaseException:
            writer.transport.abort()
            raise

    def send(self, **frame: Any) -> None:
        """Send an object as a text frame."""
        self.write(json.dumps(frame).encode())

    def write(self, payload: bytes, opcode: int = TEXT, *, final: bool = True) -> None:
        """Send a frame."""
        self.writer.write(packed(payload, opcode, final=final))

    async def read(self) -> bytes:
        """The payload of the next text frame; pings are answered. Raises Closed."""
        while True:
            first, size = await self.reader.readexactly(2)
            length = size & 127
            if length == 126:
                (length,) = struct.unpack(">H", await self.reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", await self.reader.readexactly(8))
            payload = await self.reader.readexactly(length)
            match first & 15:
                case 1:
                    return payload
                case 9:
                    self.write(payload, PONG)
                case 8:
                    self.close()
                    raise Closed(struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else None)

    async def frame(self) -> Any:
        """The next frame as an object."""
        return json.loads(await self.read())

    def close(self) -> None:
        """Leave at once."""
        self.writer.transport.abort()


def upgrade(port: int, game: str, **headers: str) -> bytes:
    """The request that turns a connection into a socket."""
    usual = {
        "Host": f"127.0.0.1:{port}",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version": "13",
    }
    return head_of("GET", f"/api/games/{game}/socket", usual | headers)


def packed(payload: bytes, opcode: int = TEXT, *, final: bool = True) -> bytes:
    """A client's frame. Its mask is zero, which costs nothing and is as good as any here."""
    first, length = opcode | (128 if final else 0), len(payload)
    if length < 126:
        head = struct.pack(">BB", first, 128 | length)
    elif length < 65536:
        head = struct.pack(">BBH", first, 128 | 126, length)
    else:
        head = struct.pack(">BBQ", first, 128 | 127, length)
    return head + b"\0\0\0\0" + payload


async def cancel(tasks: list[asyncio.Task[None]]) -> None:
    """End tasks, whatever they end with."""
    for task in tasks:
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)
