"""The socket of a game: what happens is pushed, moves and acts come in, and any lost event is sent again."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import cast

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from purlieu.rules import Message, Seat

from ...domain.game import Game
from ...domain.moves import Decision
from ...domain.refusals import Problem
from ...domain.who import Who
from ...services.committer import now_ms
from ...services.live import Listener
from ...wire.frames import (
    PROTOCOL,
    ActFrame,
    BadFrame,
    Hello,
    HereFrame,
    MoveFrame,
    Nak,
    PingFrame,
    ServerFrame,
    SyncFrame,
    Welcome,
    read_frame,
)
from ...wire.strict_json import json_text
from ..access import is_token, who_asks
from ..deps import Runtime, costs, runtime_of
from ..limiter import Limiter
from ..protocols import lag_ms

router = APIRouter()
LOG = logging.getLogger("purlieu.server")

WITH_STATE = ("stale", "ahead", "desync")
"""Refusals that mean that the client has fallen behind, so it gets the whole state with them."""
OLD_PROTOCOL = 4002


@router.websocket("/api/games/{game_id}/socket", dependencies=costs("handshakes"))
async def socket(websocket: WebSocket, game_id: str) -> None:
    """One socket, from its hello to its end."""
    runtime = runtime_of(websocket)
    await websocket.accept()
    conversation = Conversation(runtime, websocket, game_id)
    try:
        code = await conversation.run()
    except WebSocketDisconnect:
        return
    except Exception:
        LOG.exception("a fault on a socket")
        code = 1011
    if websocket.application_state is WebSocketState.CONNECTED:
        with contextlib.suppress(RuntimeError, TimeoutError, WebSocketDisconnect):
            async with asyncio.timeout(1):
                await websocket.close(code)


class Conversation:
    """What is said on one socket."""

    def __init__(self, runtime: Runtime, websocket: WebSocket, game_id: str) -> None:
        self.runtime = runtime
        self.websocket = websocket
        self.game_id = game_id
        self.who: Who | None = None
        self.listener: Listener | None = None
        self.limiter = Limiter(runtime.settings.limits)
        self.bad = 0

    async def run(self) -> int:
        """Greet, then listen and push until one side ends it; the close code."""
        limits = self.runtime.settings.limits
        try:
            async with asyncio.timeout(limits.hello_seconds):
                hello = read_frame(await self.receive())
        except (TimeoutError, BadFrame):
            return 1008
        if not isinstance(hello, Hello):
            return 1008
        if hello.proto != PROTOCOL:
            return OLD_PROTOCOL
        try:
            await self.enter(hello)
        except Problem as problem:
            await self.send(json_text(nak(None, None, problem)))
            return 1013 if problem.code in ("busy", "rate", "storage") else 1008
        assert self.listener
        hear, push = parts = asyncio.create_task(self.hear()), asyncio.create_task(self.push())
        self.listener.give_up = push.cancel
        try:
            await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
            if push.cancelled():
                return self.listener.close_code
            if hear.done() and not push.done():
                self.listener.end(hear.result())
                await asyncio.wait([push], timeout=2)  # the last answers go out before the close
                return hear.result()
            return push.result()
        finally:
            for part in parts:
                part.cancel()
            await asyncio.gather(*parts, return_exceptions=True)
            self.runtime.hub.leave(self.listener)
            if self.listener.seats:
                self.tell_presence()

    async def enter(self, hello: Hello) -> None:
        """Welcome the client: with what it missed, or with everything. Nothing can happen in between."""
        runtime = self.runtime
        if hello.game is not None and hello.game != self.game_id:
            raise Problem(
                "bad_request",
                Message("refusal.hello_names_another_game", "the hello names another game than the address"),
                where="game",
            )
        self.who = who_asks(self.websocket)
        if hello.token is not None:
            if not is_token(hello.token):
                raise Problem(
                    "bad_request", Message("refusal.this_is_no_token", "this is no token of ours"), where="token"
                )
            self.who = Who(hello.token)
        await runtime.load(self.websocket, self.game_id)
        seats = await runtime.seats.held_by(self.game_id, self.who)
        owner = await runtime.owner_of(self.websocket, self.who)
        limits, place = runtime.settings.limits, runtime.limiter.caller(self.websocket)
        self.listener = Listener(self.game_id, seats, owner, limits, place, count=runtime.counts.note)
        async with runtime.committer.holding(self.game_id) as game:
            runtime.hub.enter(self.listener)
            try:
                if await runtime.seats.held_by(self.game_id, self.who) != seats:  # given up while we waited
                    raise Problem(
                        "busy",
                        Message("refusal.your_seats_have_just", "your seats have just changed; try again"),
                        retry_s=1,
                    )
                self.say(await self.welcome(hello, game))
            except BaseException:
                runtime.hub.leave(self.listener)
                raise
        if seats:
            self.tell_presence()

    async def welcome(self, hello: Hello, game: Game) -> Welcome:
        """The first frame to the client."""
        state = await self.runtime.state(game, self.who)
        welcome: Welcome = {"t": "welcome", "v": game.v, "you": state["you"], "now": now_ms()}
        if hello.since is not None and 0 <= hello.since <= game.v:
            welcome["events"] = await self.runtime.committer.events(game, hello.since)
            welcome["seats"], welcome["thinking"] = state["seats"], state["thinking"]
            welcome["clock"], welcome["invite"] = state["clock"], state["invite"]
        else:
            welcome["state"] = state
        return welcome

    def tell_presence(self) -> None:
        """Who is at the board now; a hint for everybody who watches."""
        here = self.runtime.hub.here(self.game_id)
        frame: HereFrame = {"t": "here", "seats": {seat.value: seat in here for seat in Seat}}
        self.runtime.hub.push(self.game_id, [json_text(frame)])

    # -- out ------------------------------------------------------------------------------------

    async def push(self) -> int:
        """Send what waits."""
        assert self.listener
        while (frame := await self.listener.next()) is not None:
            await self.send(frame)
        return self.listener.close_code

    async def send(self, frame: str) -> None:
        """Send one frame. Where a client broke the protocol, uvicorn has closed the socket and takes no more."""
        try:
            await self.websocket.send_text(frame)
        except RuntimeError as error:
            raise WebSocketDisconnect(1006) from error

    def say(self, frame: ServerFrame) -> None:
        """One frame to this client."""
        assert self.listener
        self.listener.send(json_text(frame))

    # -- in -------------------------------------------------------------------------------------

    async def receive(self) -> str:
        """The next frame; one that is no text is empty."""
        message = await self.websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code") or 1000)
        return message.get("text") or ""

    async def hear(self) -> int:
        """Answer frame after frame."""
        limits = self.runtime.settings.limits
        while True:
            try:
                async with asyncio.timeout(limits.silence_seconds):
                    text = await self.receive()
            except TimeoutError:
                return 1008
            at_ms = now_ms()
            try:
                frame = read_frame(text)
                if isinstance(frame, Hello):
                    return 1008
                kind = "pings" if isinstance(frame, PingFrame) else "frames"
                self.limiter.take("frames", kind)
                await self.answer(frame, at_ms)
            except BadFrame as error:
                self.bad += 1
                self.say(nak(error.rid, None, Problem("bad_request", str(error))))
                if self.bad >= limits.bad_frames:
                    return 1008
            except Problem as problem:
                rid = getattr(frame, "rid", None)
                await self.refuse(rid, problem)
                if problem.code == "rate":
                    self.bad += 1
                    if self.bad >= limits.bad_frames:
                        return 1008

    async def answer(self, frame: MoveFrame | ActFrame | SyncFrame | PingFrame, at_ms: int) -> None:
        """Do what a frame asks. An ack means that it is on the disk."""
        runtime = self.runtime
        match frame:
            case PingFrame():
                self.say({"t": "p", "ms": frame.ms, "now": now_ms()})
            case SyncFrame():
                self.limiter.take("syncs", "syncs")
                state = await runtime.state(await runtime.committer.load(self.game_id), self.who)
                self.say({"t": "state", "state": state})
            case MoveFrame():
                runtime.limiter.allow("requests", self.websocket)
                lag = lag_ms(self.websocket.scope)
                game, decision = await runtime.play.play_move(
                    self.game_id, self.who, frame.ply, frame.move, at_ms, seen=frame.hash, lag_ms=lag
                )
                self.ack(frame.rid, game, decision, at_ms)
            case ActFrame():
                runtime.limiter.allow("requests", self.websocket)
                game, decision = await runtime.play.act(self.game_id, self.who, frame.kind, frame.at, at_ms)
                self.ack(frame.rid, game, decision, at_ms)

    def ack(self, rid: str | int, game: Game, decision: Decision, at_ms: int) -> None:
        """It is done."""
        self.runtime.counts.note("acks")
        self.runtime.counts.note("ack_seconds", (now_ms() - at_ms) / 1000)
        self.say({"t": "ack", "rid": rid, "v": game.v, "ply": game.ply, "dup": decision.duplicate})

    async def refuse(self, rid: str | int | None, problem: Problem) -> None:
        """Say why not; a client that has fallen behind gets the state with it."""
        game = self.runtime.cache.peek(self.game_id)
        frame = nak(rid, game.v if game else None, problem)
        if problem.code in WITH_STATE:
            with contextlib.suppress(Problem):  # without the database the refusal goes out alone
                game = await self.runtime.committer.load(self.game_id)
                frame["v"], frame["state"] = game.v, await self.runtime.state(game, self.who)
        self.runtime.counts.note(f'naks{{code="{problem.code}"}}')
        self.say(frame)


def nak(rid: str | int | None, v: int | None, problem: Problem) -> Nak:
    """A refusal as a frame."""
    return cast(Nak, {"t": "nak", "rid": rid, "v": v, **problem.body()})
