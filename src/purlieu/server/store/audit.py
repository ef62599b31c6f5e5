"""Is a database sound? Every game is replayed by the rules and held to what its row says."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, select, text

from purlieu.rules import IllegalMove, PurlieuError

from ..domain.game import Game, apply
from . import tables as t
from .database import Database, reading
from .games import load_events, load_start


def check_games(database: Database) -> Iterator[tuple[str, str | None]]:
    """Every game's id with what is wrong with it, or None."""
    with reading(database) as connection:
        ids = [row.id for row in connection.execute(select(t.game.c.id).order_by(t.game.c.id))]
    for game_id in ids:
        with reading(database) as connection:
            yield game_id, check_game(connection, game_id)


def check_file(database: Database) -> str | None:
    """What SQLite itself finds wrong with the file."""
    if not database.is_sqlite:
        return None
    with reading(database) as connection:
        answer = connection.execute(text("PRAGMA integrity_check")).scalar()
    return None if answer == "ok" else str(answer)


def check_game(connection: Connection, game_id: str) -> str | None:
    """The first thing that is wrong with a game."""
    row = connection.execute(select(t.game).where(t.game.c.id == game_id)).mappings().one()
    try:
        game = load_start(connection, game_id)
        assert game is not None
        for event in load_events(connection, game_id):
            played = None
            if event.v != game.v + 1:
                return f"event {game.v + 1} is missing"
            if event.kind == "move":
                if event.ply != game.ply + 1:
                    return f"event {event.v} is turn {event.ply}, where turn {game.ply + 1} was due"
                if event.seat is not game.to_move:
                    return f"turn {event.ply} was made by the wrong seat"
                try:
                    played = game.played.play(event.data["move"])
                except IllegalMove as error:
                    return f"turn {event.ply}, {event.data['move']}, is illegal: {error.refusal.message}"
            game = apply(game, event, played)
    except (PurlieuError, KeyError, ValueError, AssertionError) as error:
        return f"it cannot be replayed: {error}"
    return differs(game, dict(row))


def differs(game: Game, row: dict[str, object]) -> str | None:
    """Where the row says something else than the log."""
    result = game.result
    told = {
        "v": game.v,
        "epoch": game.epoch,
        "ply": game.ply,
        "status": game.status,
        "winner": result.winner.value if result and result.winner else None,
        "ending": result.ending.value if result else None,
        "hash": game.played.hash,
        "deadline_ms": game.deadline_ms,
    }
    for name, value in told.items():
        if row[name] != value:
            return f"its row says {name} {row[name]!r}, its log says {value!r}"
    return None
