"""A thousand games of all kinds, played on and on: the server's memory does not grow with them."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..chaos import placements
from .served import Served, fresh_database, long_lines
from .wire import LOST, Board, Wire, cancel

GAMES = 1000
LONG_GAMES = 5
PEOPLE = 50
"""Addresses, each with a session and its share of the games."""
BOARDS = 100
"""Games whose board somebody has open."""
MOVES_A_SECOND = 20.0
KINDS = (("petrify", 8), ("pilo", 8), ("pentwall", 10), ("pyloff", 6))
MOST_MB, MOST_SLOPE = 250.0, 1.0
"""Resident memory of the server's process, and its growth in ten minutes."""
WARM_UP = 1 / 3
"""The part of the samples that the slope leaves out."""


class Person:
    """Plays some of the games, move after move with both hands."""

    def __init__(self, port: int, number: int, lines: Sequence[list[str]]) -> None:
        self.port, self.number, self.lines = port, number, lines
        self.address = f"127.5.{number + 1}.1"
        self.chance = random.Random(number)
        self.games: list[dict[str, Any]] = []
        self.moves = self.refused = 0

    async def sit(self) -> None:
        """Make all the games."""
        wire = Wire(self.port, self.address)
        token = (await wire.made("/api/session", {"bearer": True}))["token"]
        wire.close()
        self.token, self.wire = token, Wire(self.port, self.address, token)
        for at in range(GAMES // PEOPLE):
            self.games.append(await self.new_game(is_long=at == 0 and self.number < LONG_GAMES))

    async def new_game(self, *, is_long: bool = False) -> dict[str, Any]:
        """The state of a new game."""
        seats = {"first": {"kind": "me"}, "second": {"kind": "me"}}
        kind, size = ("pyloff", 19) if is_long else self.chance.choice(KINDS)
        moves = self.lines[self.number % len(self.lines)][:2500] if is_long else []
        made = await self.wire.made("/api/games", {"game": kind, "size": size, "seats": seats, "moves": moves})
        state: dict[str, Any] = made["state"]
        return state

    async def play(self) -> None:
        """A move in one game after the other, and a new game in place of a finished one."""
        pause, at = PEOPLE / MOVES_A_SECOND, self.chance.randrange(len(self.games))
        await asyncio.sleep(self.chance.random() * pause)
        while True:
            at = (at + 1) % len(self.games)
            view = self.games[at]["view"]
            legal = view["legal"] if view["legal"] is not None else placements(view)
            body = {"ply": view["ply"] + 1, "move": self.chance.choice(legal)}
            with contextlib.suppress(*LOST):
                done = await self.wire.made(f"/api/games/{self.games[at]['id']}/moves", body)
                self.moves += 1
                self.games[at] = done["state"]
                if done["state"]["status"] == "over":
                    self.games[at] = await self.new_game()
            await asyncio.sleep(pause)

    async def watch(self, at: int) -> None:
        """Have a board open."""
        while True:
            with contextlib.suppress(*LOST):
                board = await Board.open(self.port, self.address, self.games[at]["id"], self.token)
                try:
                    while (await board.frame()).get("status") != "over":
                        continue
                finally:
                    board.close()
            await asyncio.sleep(1)


async def soak(served: Served, lines: list[list[str]], minutes: float, say: Callable[[str], None]) -> list[float]:
    """The server's memory in MB, sampled once a minute, or more often if the time is short."""
    people = [Person(served.port, number, lines) for number in range(PEOPLE)]
    say(f"making {GAMES} games")
    for few in range(0, PEOPLE, 10):
        await asyncio.gather(*(person.sit() for person in people[few : few + 10]))
    say(f"{GAMES} games, {served.memory_mb:.1f} MB")
    tasks = [asyncio.create_task(person.play()) for person in people]
    tasks += [asyncio.create_task(people[number % PEOPLE].watch(number // PEOPLE)) for number in range(BOARDS)]
    every, seen = min(60.0, minutes * 6), [served.memory_mb]
    until = time.monotonic() + minutes * 60
    try:
        while time.monotonic() < until:
            await asyncio.sleep(every)
            for task in tasks:
                if task.done():
                    task.result()
            seen.append(served.memory_mb)
            moves = sum(person.moves for person in people)
            say(f"{len(seen) * every / 60 - every / 60:6.1f} min {seen[-1]:7.1f} MB   {moves} moves")
    finally:
        await cancel(tasks)
        for person in people:
            person.wire.close()
    return seen


def slope(samples: Sequence[float], minutes: float) -> float:
    """Growth in MB per ten minutes after the warm-up, by least squares."""
    first = int(len(samples) * WARM_UP)
    times = [at * minutes / (len(samples) - 1) for at in range(first, len(samples))]
    values = samples[first:]
    middle, mean = sum(times) / len(times), sum(values) / len(values)
    above = sum((at - middle) * (value - mean) for at, value in zip(times, values, strict=True))
    return 10 * above / sum((at - middle) ** 2 for at in times)


def run(folder: Path, minutes: float, say: Callable[[str], None]) -> bool:
    """Soak a new server; whether its memory stays within the goals."""
    home = folder / "soak"
    home.mkdir(parents=True, exist_ok=True)
    lines = long_lines(folder)
    served = Served(home, fresh_database(home))
    try:
        samples = asyncio.run(soak(served, lines, minutes, say))
        traced = served.tracebacks()
    finally:
        served.stop()
    growth, most = slope(samples, minutes), max(samples)
    holds = growth <= MOST_SLOPE and most < MOST_MB and not traced
    say(f"at most {most:.1f} MB, growing {growth:+.2f} MB in ten minutes, {traced} tracebacks: "
        f"{'the goals hold' if holds else 'the goals are missed'}")  # fmt: skip
    return holds
