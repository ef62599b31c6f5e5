"""The results of a match on disk: JSON Lines that only grow, so that a match goes on where it stopped.

The first line says what match it is; each other line is one game. A line that was cut off by a crash is
dropped, and its game is played again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import IO, Any

from purlieu.kit.locks import hold
from purlieu.rules import Message, PurlieuError

from .games import Played, Result

VERSION = 1


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes a match this match: change any of it, and it is another.

    Whether players hurry is no part of it: a hurried game is played to its end like the others, and tells since when.
    """

    game: str
    size: int
    players: tuple[str, ...]
    plies: int
    seed: int
    agree: float | None = None
    nets: tuple[str | None, ...] = ()
    """The SHA-256 of each player's net, None for a player without one. Files of an earlier purlieu do not tell it."""


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """Which game of a match: of which opening, between which players by number, and who has the first seat."""

    pair: int
    one: int
    other: int
    exchanged: bool
    """False: `one` has the first seat; True: `other` has."""

    @property
    def seats(self) -> tuple[int, int]:
        """The players by number, the first seat's first."""
        return (self.other, self.one) if self.exchanged else (self.one, self.other)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A finished game of a match."""

    key: Key
    opening: int
    """How many of the moves are the opening's."""
    played: Played

    def points_of_one(self) -> float:
        """What the player called `one` got: 1, ½ or 0."""
        first = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[self.played.result]
        return 1 - first if self.key.exchanged else first


class Store:
    """An open results file. Each game is on disk before it counts."""

    def __init__(self, path: Path, identity: Identity, *, resume: bool) -> None:
        self.path = path
        self.games: dict[Key, GameLine] = {}
        if path.exists() and path.stat().st_size and not resume:
            raise PurlieuError(
                "arena.holds_match",
                "{path} holds a match already; resume it (--resume), or give another name",
                path=path,
            )
        self._file: IO[bytes] = path.open("a+b")
        try:
            hold(self._file, Message("arena.in_use", "{path} is in use by another match", path=path))
            self._read(identity)
        except BaseException:
            self._file.close()
            raise

    def _read(self, identity: Identity) -> None:
        """What the file holds; a line that was cut off goes, and an empty file gets its first line."""
        self._file.seek(0)
        self.games, whole = _read(self.path, self._file, identity)
        first = _encoded({"match": {"version": VERSION, **asdict(identity)}})
        self._file.seek(0)
        if not whole and not first.startswith(self._file.read()):  # somebody's line, not ours cut off
            raise PurlieuError(
                "arena.foreign_first_line", "{path}, line 1 is no line of this match; give another name", path=self.path
            )
        self._file.truncate(whole)
        if not whole:
            self._append(first)

    def add(self, line: GameLine) -> bool:
        """Keep a game; False if it was there already, and this one is not counted."""
        if line.key in self.games:
            return False
        self._append(_encoded({"key": asdict(line.key), "opening": line.opening, **asdict(line.played)}))
        self.games[line.key] = line
        return True

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _append(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())


def _encoded(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def read_games(path: Path, identity: Identity | None = None) -> dict[Key, GameLine]:
    """The games of a results file, which a match may be writing at this moment; of that match, if one is named."""
    with path.open("rb") as file:
        return _read(path, file, identity)[0]


def _read(path: Path, file: IO[bytes], identity: Identity | None) -> tuple[dict[Key, GameLine], int]:
    """The games, and how many bytes of the file are whole lines."""
    games: dict[Key, GameLine] = {}
    whole = 0
    for number, line in enumerate(_whole_lines(file), start=1):
        try:
            data = json.loads(line)
            if number == 1:
                _require_match(path, data["match"], identity)
            else:
                game = read_game(data)
                games.setdefault(game.key, game)
        except PurlieuError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise PurlieuError(
                "arena.bad_line",
                "{path}, line {number} is no line of a match: {error}",
                path=path,
                number=number,
                error=error,
            ) from error
        whole += len(line)
    return games, whole


def _require_match(path: Path, data: dict[str, Any], identity: Identity | None) -> None:
    found = {key: tuple(value) if key in ("players", "nets") else value for key, value in data.items()}
    if (version := found.pop("version")) != VERSION:
        raise PurlieuError(
            "arena.other_version",
            "{path} is of version {version}, and this is version {ours}",
            path=path,
            version=version,
            ours=VERSION,
        )
    if identity:
        _require_same(path, found, asdict(identity))


def read_game(data: dict[str, Any]) -> GameLine:
    """A game from its line's object."""
    result: Result = data["result"]
    if result not in ("1-0", "0-1", "1/2-1/2"):
        raise ValueError(f"{result!r} is no result")
    first, second = data["seconds"]
    turns_first, turns_second = data["turns"]
    played = Played(
        tuple(map(str, data["moves"])),
        result,
        str(data["reason"]),
        (float(first), float(second)),
        (int(turns_first), int(turns_second)),
        tuple(data.get("chances", ())),
        bool(data.get("agreed")),
        data.get("hurried"),
        None if (day := data.get("date")) is None else date.fromisoformat(day).isoformat(),
    )
    return GameLine(Key(**data["key"]), int(data["opening"]), played)


def _require_same(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    found.setdefault("nets", wanted["nets"])  # of an earlier purlieu: nobody knows
    different = [name for name in wanted if found.get(name) != wanted[name]]
    if different == ["nets"]:
        then, now = (", ".join(net[:8] if net else "none" for net in nets) for nets in (found["nets"], wanted["nets"]))
        raise PurlieuError(
            "arena.other_nets",
            "{path} holds games with another net: the players' were {then} by their SHA-256, and are {now} now; "
            "give another name",
            path=path,
            then=then,
            now=now,
        )
    if different:
        name = different[0]
        raise PurlieuError(
            "arena.other_match",
            "{path} holds another match: its {name} is {found}, not {wanted}",
            path=path,
            name=name,
            found=repr(found.get(name)),
            wanted=repr(wanted[name]),
        )


def _whole_lines(file: IO[bytes]) -> Iterator[bytes]:
    for line in file:
        if not line.endswith(b"\n"):
            return
        yield line
