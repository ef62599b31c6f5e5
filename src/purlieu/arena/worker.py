"""A process that plays games: it is given tasks, hands back results, and may die without harm to the match."""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import signal
import threading
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from .games import Played, Rules, play_game
from .players import Player, PlayerSpec
from .store import Key

NOBODY = -1
SLACK = 10.0
"""Seconds beyond a player's own limit after which its whole process is taken for hung."""


@dataclass(frozen=True, slots=True)
class Task:
    """A game to play."""

    key: Key
    opening: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of ours, not of a player's, in a worker."""

    text: str


class Worker:
    """A worker process, as the match sees it."""

    def __init__(self, rules: Rules, players: Sequence[PlayerSpec], seed: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.task: Task | None = None
        self._status = spawn.RawArray("d", [NOBODY, 0.0])
        self.connection, theirs = spawn.Pipe()
        arguments = (theirs, self._status, rules, tuple(players), seed)
        self.process: SpawnProcess = spawn.Process(target=_work, args=arguments, name="arena worker", daemon=True)
        self.process.start()
        theirs.close()

    def give(self, task: Task) -> None:
        """Hand out a game; a worker that has just died is noticed when its answer is awaited."""
        self.task = task
        with contextlib.suppress(OSError):
            self.connection.send(task)

    def take(self) -> Played | Fault | None:
        """Its answer; None if the process has ended instead."""
        try:
            answer: Played | Fault = self.connection.recv()
        except (EOFError, OSError):
            self.process.join()
            return None
        return answer

    @property
    def thinking(self) -> int | None:
        """The seat whose player is thinking now, or was when the process ended."""
        seat = int(self._status[0])
        return None if seat == NOBODY else seat

    @property
    def is_hung(self) -> bool:
        """Whether a player has not come back long after its time."""
        return is_overdue(self._status)

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()

    def dismiss(self) -> None:
        """Ask it to go: it takes its engines with it."""
        if self.process.is_alive():
            self.process.terminate()

    def bury(self, patience: float = 5.0) -> None:
        """Wait until it has gone, and make it go if it does not."""
        self.process.join(patience)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.connection.close()

    def how_it_ended(self) -> str:
        """A sentence about the process's end."""
        code = self.process.exitcode
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process ended with code {code}"


def is_overdue(status: Any) -> bool:
    """Whether the seat that is thinking by this status should have been heard of long ago."""
    return bool(status[0] != NOBODY and time.monotonic() > status[1] + SLACK)


def tell_status(status: Any, seat: int | None, until: float) -> None:
    """Say who is thinking and until when.

    The match may look between any two writes, and we may write between its two reads: so the time comes before its
    seat, and stays when the seat goes. Whoever sees a seat then sees its own time, or that of a turn after it.
    """
    if seat is None:
        status[0] = NOBODY
    else:
        status[1] = until
        status[0] = seat


def game_seed(seed: int, key: Key, player: int) -> int:
    """A player's seed for one game: another for each game and player, the same in every run."""
    text = f"{seed} {key.pair} {key.one} {key.other} {int(key.exchanged)} {player}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "big")


def _work(pipe: Connection, status: Any, rules: Rules, specs: tuple[PlayerSpec, ...], seed: int) -> None:
    """What the process does: play what it is given until nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the match's affair
    signal.signal(signal.SIGTERM, _leave)
    players: dict[tuple[int, bool], Player] = {}

    def player(number: int, *, again: bool) -> Player:
        """A player that meets itself sits there twice."""
        if (number, again) not in players:
            players[number, again] = specs[number].make()
        return players[number, again]

    def watch(seat: int | None, until: float) -> None:
        tell_status(status, seat, until)

    threading.Thread(target=_leave_with_the_match, name="match", daemon=True).start()
    try:
        while True:
            task: Task = pipe.recv()
            first, second = task.key.seats
            both = player(first, again=False), player(second, again=first == second)
            controls = specs[first].control, specs[second].control
            seeds = game_seed(seed, task.key, first), game_seed(seed, task.key, second)
            pipe.send(play_game(rules, task.opening, both, controls, seeds, watch))
    except (EOFError, OSError, SystemExit):
        pass
    except Exception:
        with contextlib.suppress(OSError):
            pipe.send(Fault(traceback.format_exc()))
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for one in players.values():
            one.close()


def _leave_with_the_match() -> None:
    """Go, with all engines, once the match's process has ended, however: a match that is resumed needs the cores."""
    match, playing = multiprocessing.parent_process(), threading.main_thread().ident
    assert match
    assert playing
    wait([match.sentinel])
    signal.pthread_kill(playing, signal.SIGTERM)  # sent to the process, it might be this thread that wakes


def _leave(number: int, frame: object) -> None:
    raise SystemExit
