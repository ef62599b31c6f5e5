"""Sessions and the seats they hold. Secrets are stored as hashes only."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from purlieu.rules import Seat

from . import tables as t

DAY_MS = 86_400_000
BOTH = "both"
"""The seat of a handover by one who plays both sides."""


def add_session(connection: Connection, token_hash: str, now_ms: int) -> None:
    """A new session; one that is known already stays."""
    if not is_session(connection, token_hash):
        connection.execute(insert(t.session).values(token_hash=token_hash, created_ms=now_ms))


def is_session(connection: Connection, token_hash: str) -> bool:
    """Whether we gave out that token."""
    return connection.execute(select(t.session).where(t.session.c.token_hash == token_hash)).first() is not None


def hold(connection: Connection, game_id: str, seat: Seat, session: str) -> None:
    """The session holds that seat from now on; it may hold it already."""
    if seat not in seats_held(connection, game_id, session):
        connection.execute(insert(t.holding).values(game_id=game_id, seat=seat.value, session=session))


def seats_held(connection: Connection, game_id: str, session: str) -> frozenset[Seat]:
    """The seats of a game that a session holds."""
    rows = connection.execute(
        select(t.holding.c.seat).where(t.holding.c.game_id == game_id, t.holding.c.session == session)
    )
    return frozenset(Seat(row.seat) for row in rows)


def holders(connection: Connection, game_id: str) -> list[tuple[Seat, str]]:
    """Every seat of a game with every session that holds it."""
    rows = connection.execute(select(t.holding.c.seat, t.holding.c.session).where(t.holding.c.game_id == game_id))
    return [(Seat(row.seat), row.session) for row in rows]


def hold_alone(connection: Connection, game_id: str, seats: Collection[Seat], session: str) -> list[str]:
    """Only this session holds those seats from now on, and no token brings them elsewhere; whoever lost one."""
    names = [seat.value for seat in seats]
    others = and_(t.holding.c.game_id == game_id, t.holding.c.seat.in_(names), t.holding.c.session != session)
    lost = [row.session for row in connection.execute(select(t.holding.c.session).where(others).distinct())]
    connection.execute(delete(t.holding).where(others))
    brings_one = t.handover.c.seat.in_([*names, BOTH])
    connection.execute(delete(t.handover).where(t.handover.c.game_id == game_id, brings_one))
    return lost


def invited_seat(connection: Connection, game_id: str, token_hash: str) -> Seat | None:
    """The seat that an invitation is for, whether it is free or not."""
    row = connection.execute(
        select(t.seat.c.seat).where(t.seat.c.game_id == game_id, t.seat.c.invite_hash == token_hash)
    ).first()
    return Seat(row.seat) if row else None


def claim(connection: Connection, game_id: str, seat: Seat, now_ms: int) -> bool:
    """Take a free seat; False if somebody has it."""
    changed = connection.execute(
        update(t.seat)
        .where(t.seat.c.game_id == game_id, t.seat.c.seat == seat.value, t.seat.c.claimed_ms.is_(None))
        .values(claimed_ms=now_ms)
    )
    return changed.rowcount == 1


def add_handover(
    connection: Connection, token_hash: str, game_id: str, seats: Collection[Seat], expires_ms: int
) -> None:
    """A token that brings those seats to another device, once."""
    what = BOTH if len(seats) == len(Seat) else next(iter(seats)).value
    connection.execute(
        insert(t.handover).values(token_hash=token_hash, game_id=game_id, seat=what, expires_ms=expires_ms)
    )


def use_handover(connection: Connection, token_hash: str, game_id: str, now_ms: int) -> frozenset[Seat]:
    """The seats that such a token brings; none if it was used or is too old."""
    ours = and_(t.handover.c.token_hash == token_hash, t.handover.c.game_id == game_id)
    changed = connection.execute(
        update(t.handover)
        .where(ours, t.handover.c.used_ms.is_(None), t.handover.c.expires_ms >= now_ms)
        .values(used_ms=now_ms)
    )
    if changed.rowcount != 1:
        return frozenset()
    what = connection.execute(select(t.handover.c.seat).where(ours)).scalar_one()
    return frozenset(Seat) if what == BOTH else frozenset([Seat(what)])


def open_games(connection: Connection, session: str, *, computer: bool) -> int:
    """How many games that are not over the session holds a seat of; or only those against the computer."""
    wanted = select(func.count()).select_from(t.game).where(_is_open(session, computer=computer))
    return connection.execute(wanted).scalar_one()


def untouched_games(connection: Connection, session: str, before_ms: int) -> list[tuple[str, int]]:
    """The session's open games against the computer in which nothing has happened since, each with its version.

    The one that was left longest ago comes first.
    """
    untouched = and_(_is_open(session, computer=True), t.game.c.updated_ms < before_ms)
    rows = connection.execute(select(t.game.c.id, t.game.c.v).where(untouched).order_by(t.game.c.updated_ms))
    return [(row.id, row.v) for row in rows]


def _is_open(session: str, *, computer: bool) -> ColumnElement[bool]:
    mine = select(t.holding.c.game_id).where(t.holding.c.session == session)
    is_open = and_(t.game.c.id.in_(mine), t.game.c.status != "over")
    if computer:
        with_computer = select(t.seat.c.game_id).where(t.seat.c.kind == "computer")
        is_open = and_(is_open, t.game.c.id.in_(with_computer))
    return is_open


# -- requests that may come twice ---------------------------------------------------------------


def recall(connection: Connection, session: str, key_hash: str) -> tuple[str, str] | None:
    """What was made of a request with that key before: the request's hash, and the game."""
    row = connection.execute(select(t.idem).where(t.idem.c.session == session, t.idem.c.key_hash == key_hash)).first()
    return (row.request_hash, row.game_id) if row else None


def remember(connection: Connection, session: str, key_hash: str, request_hash: str, game_id: str, now_ms: int) -> None:
    """Note what was made of a request."""
    row = {"session": session, "key_hash": key_hash, "request_hash": request_hash, "game_id": game_id, "at_ms": now_ms}
    connection.execute(insert(t.idem).values(row))


def forget_old(connection: Connection, now_ms: int) -> None:
    """Let go of notes about requests, and of handover tokens, once they are of no use."""
    connection.execute(delete(t.idem).where(t.idem.c.at_ms < now_ms - DAY_MS))
    connection.execute(delete(t.handover).where(t.handover.c.expires_ms < now_ms - DAY_MS))


# -- the server's own life ----------------------------------------------------------------------


def last_alive(connection: Connection) -> int | None:
    """When a server last said that it lives."""
    return connection.execute(select(t.meta.c.last_alive_ms)).scalar()


def note_alive(connection: Connection, now_ms: int) -> None:
    """Say that the server lives."""
    changed = connection.execute(update(t.meta).values(last_alive_ms=now_ms))
    if changed.rowcount == 0:
        connection.execute(insert(t.meta).values(id=1, last_alive_ms=now_ms))
