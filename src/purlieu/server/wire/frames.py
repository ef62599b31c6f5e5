"""The frames of the socket: JSON texts with a `t` that says what they are. docs/design/0006-web.md lists them.

Those of the client are read strictly; those of the server are plain data. The page's types are made from both.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from ..domain.acts import Act
from .model import Model, MoveText
from .plain import NotRequired, TypedDict, as_sent
from .state import ClockView, EventView, SeatView, State, Thinking
from .strict_json import BadJson, loads
from .view import Said, SeatName

PROTOCOL = 1

Rid = Annotated[str, Field(min_length=1, max_length=64)] | Annotated[int, Field(ge=0, le=2**53)]
"""A request's number or name, chosen by the client and told back."""


# -- from the client ----------------------------------------------------------------------------


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
    move: MoveText
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


# -- from the server ----------------------------------------------------------------------------


@as_sent
class Welcome(TypedDict):
    """The first frame: the whole state, or all events after the version that the client has."""

    t: Literal["welcome"]
    v: int
    you: list[SeatName]
    now: int
    state: NotRequired[State]
    events: NotRequired[list[EventView]]
    """Comes with `seats`, `thinking`, `clock` and `invite` as they are now."""
    seats: NotRequired[dict[SeatName, SeatView]]
    thinking: NotRequired[Thinking | None]
    clock: NotRequired[ClockView | None]
    invite: NotRequired[str | None]


@as_sent
class EventFrame(EventView):
    """Something happened in the game."""

    t: Literal["ev"]


@as_sent
class Ack(TypedDict):
    """The request is stored. `dup` says that it was stored before."""

    t: Literal["ack"]
    rid: str | int
    v: int
    ply: int
    dup: bool


@as_sent
class Nak(TypedDict):
    """A refusal; `state` comes with it if the client has fallen behind."""

    t: Literal["nak"]
    rid: str | int | None
    v: int | None
    code: str
    message: str
    where: str | None
    hint: str | None
    said: Said | None
    hint_said: Said | None
    state: NotRequired[State]


@as_sent
class StateFrame(TypedDict):
    """The answer to `sync`."""

    t: Literal["state"]
    state: State


@as_sent
class PongFrame(TypedDict):
    """The answer to a ping, with its `ms`, and the server's time."""

    t: Literal["p"]
    ms: float
    now: int


@as_sent
class ThinkingFrame(TypedDict):
    """How far the computer is with its move; null when it is done."""

    t: Literal["thinking"]
    thinking: Thinking | None


@as_sent
class HereFrame(TypedDict):
    """Who has the board open."""

    t: Literal["here"]
    seats: dict[SeatName, bool]


@as_sent
class Bye(TypedDict):
    """The server stops; come back within `retry_ms`."""

    t: Literal["bye"]
    code: int
    retry_ms: int


ServerFrame = Welcome | EventFrame | Ack | Nak | StateFrame | PongFrame | ThinkingFrame | HereFrame | Bye


def frame_schemas(ref_template: str) -> dict[str, Any]:
    """The JSON Schema of both sides' frames, and of all that is in them, by name."""
    server: TypeAdapter[ServerFrame] = TypeAdapter(ServerFrame)
    whole, parts = TypeAdapter.json_schemas(
        [("ClientFrame", "validation", _frames), ("ServerFrame", "serialization", server)], ref_template=ref_template
    )
    return {**parts["$defs"], **{name: schema for (name, _), schema in whole.items()}}


# -- reading ------------------------------------------------------------------------------------


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
