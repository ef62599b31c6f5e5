"""What the routes share: the runtime of one server."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, cast

from fastapi import Depends
from starlette.exceptions import WebSocketException
from starlette.requests import HTTPConnection

from purlieu.rules import Message

from ..cache import Cache
from ..domain.game import Game
from ..domain.refusals import Problem
from ..domain.who import Who, hash_of
from ..metrics import Counts
from ..services.committer import Committer, now_ms
from ..services.computer import Computer
from ..services.game_cache import GameCache
from ..services.keeper import Keeper
from ..services.live import Hub
from ..services.play import Play
from ..services.seats import Seats
from ..services.sessions import Uses
from ..settings import Settings
from ..store.writer import Store
from ..wire.state import State, state_view
from ..workers.jobs import Answers, Job, Lane, Question, WorkerFailed
from ..workers.pool import Pool
from .limiter import Limiter

PLIES_A_READ = 50
"""Reading back a game of so many turns costs as much as one more request."""


@dataclass
class Runtime:
    """Everything that lives as long as the server."""

    settings: Settings
    limiter: Limiter
    pool: Pool
    hub: Hub
    store: Store
    cache: GameCache
    committer: Committer
    seats: Seats
    computer: Computer
    keeper: Keeper
    answers: Answers
    desk: Pool
    """Processes that answer questions from plain data."""
    pictures: Cache[tuple[str, int, int, str, str], bytes]
    """By game, epoch, ply, theme and kind."""
    counts: Counts
    uses: Uses
    play: Play

    async def owner_of(self, connection: HTTPConnection, who: Who | None) -> str:
        """Whose work it is: the session's, if it is one of ours, else the address's. Tokens that somebody made up are
        nobody's, or each would have a share of its own.
        """
        if who is not None and await self.uses.note(who):
            return who.session
        return self.limiter.caller(connection)

    async def load(self, connection: HTTPConnection, game_id: str) -> Game:
        """A game that somebody asks for. One that has to be read back from a long log costs the caller more."""
        is_cold = game_id not in self.cache.kept
        game = await self.committer.load(game_id)
        if is_cold:
            self.limiter.charge("reads", self.limiter.caller(connection), game.ply / PLIES_A_READ)
        return game

    async def ask(
        self,
        connection: HTTPConnection,
        who: Who | None,
        name: str,
        *,
        quick: bool = False,
        gzipped: bool = False,
        **given: Any,
    ) -> Any:
        """Have a question of `questions.py` answered in a process of its own, when it is its turn."""
        owner = await self.owner_of(connection, who)
        self.limiter.take("work", owner, 0)
        limits = self.settings.limits
        question = Question(name, given, limits.quick_seconds if quick else limits.slow_seconds, gzipped)
        lane = Lane.QUICK if quick else Lane.SLOW
        job = Job(question, lane, owner, self.limiter.caller(connection))
        self.desk.submit(job)
        try:
            return await asyncio.wrap_future(job.future)
        except WorkerFailed:
            raise Problem(
                "busy", Message("refusal.this_could_not_be", "this could not be worked out just now"), retry_s=2
            ) from None
        finally:
            spent = job.spent
            if not job.future.done():  # the caller has gone; what is under way goes on to its end
                spent = question.seconds if job.attempts else 0.0
                self.desk.withdraw(job)
            self.limiter.charge("work", owner, spent)

    async def state(self, game: Game, who: Who | None) -> State:
        """A game as one caller sees it."""
        seats = await self.seats.held_by(game.id, who)
        free = next((seat for seat, chair in game.chairs.items() if not chair.claimed), None)
        invite = who.invite(game.id, free) if who and free and seats else None
        if invite and free and hash_of(invite) != game.chairs[free].invite_hash:
            invite = None  # the maker's other device: only the one that made the game can tell the link again
        return state_view(
            game,
            await self.cache.view(game),
            you=seats,
            here=self.hub.here(game.id),
            thinking=self.computer.thinking(game.id),
            invite=invite,
            now_ms=now_ms(),
        )


class Limit:
    """What a route costs: a dependency that takes a token of that kind, or refuses. Every route has one."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    async def __call__(self, connection: HTTPConnection) -> None:
        """Take the token."""
        try:
            runtime_of(connection).limiter.allow(self.kind, connection)
        except Problem as problem:
            if connection.scope["type"] == "websocket":
                raise WebSocketException(1013, problem.code) from problem
            raise


def costs(kind: str) -> list[Any]:
    """For a route's `dependencies`: the kind of its limit."""
    return [Depends(Limit(kind))]


def runtime_of(connection: HTTPConnection) -> Runtime:
    """The runtime that a request or a socket is in."""
    return cast(Runtime, connection.app.state.runtime)
