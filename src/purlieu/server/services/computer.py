"""The computer's seats: ask a worker for the move that is due, and play it like anybody's."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from dataclasses import dataclass

from ..domain.acts import decide_pause
from ..domain.game import Game
from ..domain.moves import Decision, append_move
from ..domain.refusals import Problem
from ..settings import Settings
from ..store import games, people
from ..wire.frames import ThinkingFrame
from ..wire.state import Thinking
from ..wire.strict_json import json_text
from ..workers.jobs import Job, Lane, Task, WorkerFailed
from ..workers.pool import Pool, only_legal
from .committer import Commit, Committer, now_ms
from .live import Hub

LOG = logging.getLogger("purlieu.server")
RETRY_SECONDS = 20.0
BUSY_SECONDS = 2.0
LONG_OWED_MS = 60_000


@dataclass(eq=False)
class Work:
    """A move that the computer owes."""

    epoch: int
    ply: int
    level: int
    job: Job
    done: float = 0.0


class Computer:
    """Sees to it that every game in which the computer is to move gets its move."""

    def __init__(self, committer: Committer, hub: Hub, pool: Pool, settings: Settings) -> None:
        self.committer = committer
        self.hub = hub
        self.pool = pool
        self.settings = settings
        self.work: dict[str, Work] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    async def resume(self) -> None:
        """After a start: every move that is owed since before."""
        await self._take_up(now_ms())

    async def look_after(self) -> None:
        """Take up moves that are long owed and that nobody thinks about, whatever went wrong."""
        await self._take_up(now_ms() - LONG_OWED_MS)

    async def _take_up(self, before_ms: int) -> None:
        for game_id in await self.committer.store.read(lambda connection: games.owed_moves(connection, before_ms)):
            if game_id not in self.work:
                self.consider(await self.committer.load(game_id))

    async def hear(self, commit: Commit) -> None:
        """A game changed."""
        self.consider(commit.after)

    def consider(self, game: Game) -> None:
        """The game changed: begin to think, go on, or forget about it."""
        work = self.work.get(game.id)
        due = game.status == "active" and game.is_computer(game.to_move)
        if work and (not due or (work.epoch, work.ply) != (game.epoch, game.ply + 1)):
            self.pool.withdraw(self.work.pop(game.id).job)
            work = None
        if due and work is None:
            self._begin(game)

    def thinking(self, game_id: str) -> Thinking | None:
        """How far the computer is with its move."""
        work = self.work.get(game_id)
        return Thinking(level=work.level, done=work.done) if work else None

    def stop_thinking(self, game_id: str) -> None:
        """Have it move now, with what it found."""
        if work := self.work.get(game_id):
            work.job.stop()

    def _begin(self, game: Game) -> None:
        level = game.chairs[game.to_move].level
        assert level is not None
        task = Task(
            start=game.first.position_text,
            moves=tuple(turn.move for turn in game.turns),
            level=level,
            seconds=self.settings.think_seconds if level < 9 else 3.0,
            seed=secrets.randbits(48),
        )
        loop = asyncio.get_running_loop()
        job = Job(task, Lane.MOVE, check=only_legal(lambda: game.played.core))
        work = Work(game.epoch, game.ply + 1, level, job)
        job.on_progress = lambda done: loop.call_soon_threadsafe(self._progress, game.id, work, done)
        self.work[game.id] = work
        self._push(game.id, work)
        running = loop.create_task(self._play(game.id, work))
        self.tasks.add(running)
        running.add_done_callback(self.tasks.discard)

    def _progress(self, game_id: str, work: Work, done: float) -> None:
        if self.work.get(game_id) is work:
            work.done = done
            self._push(game_id, work)

    def _push(self, game_id: str, work: Work | None) -> None:
        frame: ThinkingFrame = {"t": "thinking", "thinking": {"level": work.level, "done": work.done} if work else None}
        self.hub.push(game_id, [json_text(frame)])

    async def _play(self, game_id: str, work: Work) -> None:
        """Wait for the answer and play it; when there is none, say so and try again later."""
        try:
            move = await self._answer(game_id, work)
            if move is None or self.work.get(game_id) is not work:
                return
            self.work.pop(game_id, None)
            await self.committer.change(game_id, lambda game: decide_answer(game, work, move))
        except WorkerFailed as error:
            LOG.error("the computer could not move in %s: %s", game_id, error)
            if self.work.get(game_id) is work:
                with contextlib.suppress(Problem):  # the database is away too
                    await self.committer.change(game_id, lambda game: decide_pause(game, 0, "computer", now_ms()))
                await self._again(game_id, work)
        except Problem as problem:
            LOG.error("the computer's move in %s was not stored: %s", game_id, problem.message)
            self.work.setdefault(game_id, work)
            await self._again(game_id, work, BUSY_SECONDS)
        finally:
            if game_id not in self.work:
                self._push(game_id, None)

    async def _answer(self, game_id: str, work: Work) -> str | None:
        """The move of a worker. Whoever plays many games waits for the moves of one after the other."""
        holders = await self.committer.store.read(lambda connection: people.holders(connection, game_id))
        work.job.owner = min((session for _, session in holders), default="")
        while True:
            try:
                self.pool.submit(work.job)
                move: str = await asyncio.wrap_future(work.job.future)
                return move
            except Problem:  # too many moves are waiting
                await asyncio.sleep(BUSY_SECONDS)
                work.job = work.job.again()
            except asyncio.CancelledError:
                return None

    async def _again(self, game_id: str, work: Work, seconds: float = RETRY_SECONDS) -> None:
        while self.work.get(game_id) is work:
            await asyncio.sleep(seconds)
            try:
                game = await self.committer.load(game_id)
            except Problem:
                continue
            if self.work.get(game_id) is work:
                del self.work[game_id]
                self.consider(game)

    async def close(self) -> None:
        """Stop waiting; what is owed stays in the database."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


def decide_answer(game: Game, work: Work, move: str) -> Decision:
    """The computer's move, if it is still the one that is due."""
    due = game.status == "active" and (game.epoch, game.ply + 1) == (work.epoch, work.ply)
    if not due or not game.is_computer(game.to_move):
        return Decision(duplicate=True)
    return append_move(game, move, now_ms())
