"""The frames of the socket: JSON texts with a `t` that says what they are. docs/design/0006-web.md lists them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from ..domain.acts import Act
from .model import Model
from .strict_json import BadJson, loads

PROTOCOL = 1

Rid = Annotated[str, Field(min_length=1, max_length=64)] | Annotated[int, Field(ge=0, le=2**53)]
"""A request's number or name, chosen by the client and told back."""


class Hello(Model):
    """The first frame. `since` is the last version the client has; null asks for the whole state."""

    t: Literal["hello"]
    proto: int
    game: Annotated[str, Field(max_length=100)] | None = None
    since: Annotated[int, Field(ge=-(2**53), le=2**53)] | None = None
    token: Annotated[str, Field(max_length=100)] | None = Field(default=None, repr=False)


class MoveFrame(Model):
    """A move and its number."""

    t: Literal["move"]
    rid: Rid
    ply: Annotated[int, Field(ge=1, le=2**31)]
    mv: Annotated[str, Field(min_length=1, max_length=40)]
    hash: Annotated[str, Field(max_length=64)] | None = None
    """The name of the board that the client shows, if it says so."""


class ActFrame(Model):
    """An act, and the version it refers to."""

    t: Literal["act"]
    rid: Rid
    kind: Act
    at: Annotated[int, Field(ge=0, le=2**31)]


class SyncFrame(Model):
    """Asks for the whole state."""

    t: Literal["sync"]


class PingFrame(Model):
    """Are you there? The answer has the same `ms`, and the server's time."""

    t: Literal["p"]
    ms: float = 0.0


ClientFrame = Hello | MoveFrame | ActFrame | SyncFrame | PingFrame
_frames: TypeAdapter[ClientFrame] = TypeAdapter(Annotated[ClientFrame, Field(discriminator="t")])


class BadFrame(ValueError):
    """A frame that means nothing. Its text is a sentence; `rid` is told back where there is one."""

    def __init__(self, sentence: str, rid: object = None) -> None:
        super().__init__(sentence)
        self.rid = rid if isinstance(rid, str | int) and not isinstance(rid, bool) else None


def read_frame(text: str) -> ClientFrame:
    """What a frame says. Raises BadFrame."""
    try:
        value = loads(text)
    except BadJson as error:
        raise BadFrame(f"the frame is not JSON as we take it: {error}") from None
    if not isinstance(value, dict):
        raise BadFrame("a frame is a JSON object")
    try:
        return _frames.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "t"
        message = str(first["msg"])
        rid = value.get("rid")
        raise BadFrame(f"{place}: {message[:1].lower()}{message[1:]}"[:300], rid) from None
