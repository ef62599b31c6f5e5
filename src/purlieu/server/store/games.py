"""Games in the database: made, read back from their logs, and carried on, one event after the other."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Dialect, bindparam, delete, insert, select, update
from sqlalchemy.dialects import sqlite

from purlieu.rules import GAMES, Seat

from ..domain.game import Chair, ClockRules, Event, Game, Result, Turn, apply_all
from ..domain.played import begin
from ..wire.strict_json import json_text
from . import tables as t


class Conflict(Exception):
    """Somebody else wrote to the game first; whoever finds this reads it again."""


def insert_game(connection: Connection, game: Game, now_ms: int) -> None:
    """A new game."""
    rules = game.rules
    connection.execute(
        insert(t.game).values(
            id=game.id,
            kind=game.kind,
            size=game.size,
            rules_version=GAMES[game.kind].rules_version,
            opening=json.dumps([turn.move for turn in game.turns]),
            clock=json.dumps(rules and [rules.mode, rules.initial_ms, rules.increment_ms]),
            created_ms=now_ms,
            updated_ms=now_ms,
            **_snapshot(game),
        )
    )
    for seat, chair in game.chairs.items():
        connection.execute(
            insert(t.seat).values(
                game_id=game.id,
                seat=seat.value,
                kind=chair.kind,
                level=chair.level,
                invite_hash=chair.invite_hash,
                claimed_ms=now_ms if chair.claimed else None,
            )
        )
    _note_job(connection, game, now_ms)


_SNAPSHOT = ("status", "winner", "ending", "v", "epoch", "ply", "hash", "deadline_ms")
_CARRY_ON = (
    update(t.game)
    .where(t.game.c.id == bindparam("game"), t.game.c.v == bindparam("known"))
    .values({name: bindparam(name) for name in ("updated_ms", *_SNAPSHOT)})
)
_ADD_EVENT = insert(t.event)


@cache
def _plain(dialect: Dialect) -> tuple[str, str]:
    """The two statements of every move, as the driver takes them: to put them together each time would double them."""
    speaks = sqlite.dialect(paramstyle="named") if dialect.name == "sqlite" else dialect
    return str(_CARRY_ON.compile(dialect=speaks)), str(_ADD_EVENT.compile(dialect=speaks))


def append(connection: Connection, before: Game, events: Sequence[Event], after: Game, now_ms: int) -> None:
    """Carry the game on, if it still is as it was when this was judged."""
    carry_on, add_event = _plain(connection.dialect)
    row = {"game": before.id, "known": before.v, "updated_ms": now_ms, **_snapshot(after)}
    changed = connection.exec_driver_sql(carry_on, row)
    if changed.rowcount != 1:
        raise Conflict(before.id)
    connection.exec_driver_sql(
        add_event,
        [
            {
                "game_id": before.id,
                "v": event.v,
                "kind": event.kind,
                "epoch": event.epoch,
                "ply": event.ply,
                "seat": event.seat.value if event.seat else None,
                "data": json_text(event.data),
                "at_ms": event.at_ms,
            }
            for event in events
        ],
    )
    _note_job(connection, after, now_ms)


def _note_job(connection: Connection, game: Game, now_ms: int) -> None:
    """A row says that the computer owes this game a move; it is written and removed with the moves themselves."""
    if not any(chair.kind == "computer" for chair in game.chairs.values()):
        return
    connection.execute(delete(t.ai_job).where(t.ai_job.c.game_id == game.id))
    if game.status == "active" and game.is_computer(game.to_move):
        level = game.chairs[game.to_move].level
        row = {"game_id": game.id, "epoch": game.epoch, "ply": game.ply + 1, "level": level, "created_ms": now_ms}
        connection.execute(insert(t.ai_job).values(row))


def _snapshot(game: Game) -> dict[str, Any]:
    return {
        "status": game.status,
        "winner": game.result.winner.value if game.result and game.result.winner else None,
        "ending": game.result.ending.value if game.result else None,
        "v": game.v,
        "epoch": game.epoch,
        "ply": game.ply,
        "hash": game.played.hash,
        "deadline_ms": game.deadline_ms,
    }


# -- reading back -------------------------------------------------------------------------------


def load_game(connection: Connection, game_id: str) -> Game | None:
    """The game that its log adds up to."""
    start = load_start(connection, game_id)
    if start is None:
        return None
    return apply_all(start, load_events(connection, game_id))


def load_start(connection: Connection, game_id: str) -> Game | None:
    """The game as it was made, before its first event."""
    row = connection.execute(select(t.game).where(t.game.c.id == game_id)).mappings().first()
    if row is None:
        return None
    seats = connection.execute(select(t.seat).where(t.seat.c.game_id == game_id)).mappings().all()
    chairs = {
        Seat(row["seat"]): Chair(row["kind"], row["level"], row["invite_hash"] is None, row["invite_hash"])
        for row in seats
    }
    chairs = {seat: chairs[seat] for seat in Seat}
    clock = json.loads(row["clock"])
    return new_game(
        game_id, row["kind"], row["size"], chairs, clock and ClockRules(*clock), json.loads(row["opening"]),
        row["created_ms"],
    )  # fmt: skip


def new_game(
    game_id: str,
    kind: str,
    size: int | None,
    chairs: dict[Seat, Chair],
    rules: ClockRules | None,
    opening: Iterable[str],
    now_ms: int,
) -> Game:
    """A game before its first event. Its opening moves were judged before."""
    first = begin(kind, size)
    turns = tuple(Turn(sys.intern(move)) for move in opening)
    played = first.follow_all(turn.move for turn in turns)
    free = not all(chair.claimed for chair in chairs.values())
    outcome = played.position.outcome if played.core.is_over else None
    return Game(
        id=game_id,
        opening=len(turns),
        chairs=chairs,
        rules=rules,
        first=first,
        played=played,
        turns=turns,
        status="over" if outcome else "waiting" if free else "active",
        result=Result(outcome.winner, outcome.ending, outcome.reason) if outcome else None,
        remaining_ms=dict.fromkeys(Seat, rules.initial_ms) if rules else None,
        turn_started_ms=now_ms,
    )


def load_events(connection: Connection, game_id: str, since: int = 0) -> list[Event]:
    """The game's log after that version."""
    e = t.event.c
    rows = connection.execute(
        select(e.v, e.kind, e.seat, e.at_ms, e.epoch, e.ply, e.data)
        .where(e.game_id == game_id, e.v > since)
        .order_by(e.v)
    )
    return [
        Event(v, kind, Seat(seat) if seat else None, at_ms, epoch, ply, json.loads(data))
        for v, kind, seat, at_ms, epoch, ply, data in rows
    ]


def versions(connection: Connection, game_ids: Iterable[str]) -> dict[str, int]:
    """How far those games have come."""
    rows = connection.execute(select(t.game.c.id, t.game.c.v).where(t.game.c.id.in_(list(game_ids))))
    return {row.id: row.v for row in rows}


def overdue(connection: Connection, before_ms: int, most: int = 50) -> list[str]:
    """Games whose side to move ran out of time."""
    rows = connection.execute(
        select(t.game.c.id).where(t.game.c.status == "active", t.game.c.deadline_ms < before_ms).limit(most)
    )
    return [row.id for row in rows]


def with_running_clocks(connection: Connection) -> list[str]:
    """Every game with a deadline."""
    rows = connection.execute(select(t.game.c.id).where(t.game.c.status == "active", t.game.c.deadline_ms.is_not(None)))
    return [row.id for row in rows]


def owed_moves(connection: Connection, before_ms: int) -> list[str]:
    """The games in which the computer owes a move since then or longer."""
    jobs = select(t.ai_job.c.game_id).where(t.ai_job.c.created_ms <= before_ms)
    return [row.game_id for row in connection.execute(jobs.order_by(t.ai_job.c.created_ms))]
