"""Sessions and the seats they hold. Secrets are stored as hashes only."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from purlieu.rules import Seat

from . import tables as t

DAY_MS = 86_400_000
SESSION_MS = 400 * DAY_MS
"""A session ends so long after its last use, but never while it holds a seat in a game that is not over."""
SEATLESS_MS = 30 * DAY_MS
"""A session that holds no seat at all ends sooner."""
BOTH = "both"
"""The seat of a handover by one who plays both sides."""


@dataclass(frozen=True, slots=True)
class HeldSeat:
    """A seat that a session holds in a game that is not over."""

    game_id: str
    game: str
    size: int
    seat: Seat
    elsewhere: bool
    """Another session, such as the same person's phone, holds this seat too."""


def add_session(connection: Connection, token_hash: str, now_ms: int) -> None:
    """A new session; one that is known already stays."""
    if last_use(connection, token_hash) is None:
        connection.execute(insert(t.session).values(token_hash=token_hash, created_ms=now_ms, seen_ms=now_ms))


def last_use(connection: Connection, token_hash: str) -> int | None:
    """When that session was last used, to the day; None if there is no such session."""
    return connection.execute(select(t.session.c.seen_ms).where(t.session.c.token_hash == token_hash)).scalar()


def note_use(connection: Connection, token_hash: str, now_ms: int) -> None:
    """The session is in use now."""
    connection.execute(update(t.session).where(t.session.c.token_hash == token_hash).values(seen_ms=now_ms))


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


# -- the end of a session -----------------------------------------------------------------------


def running_seats(connection: Connection, session: str, most: int) -> list[HeldSeat]:
    """The seats that a session holds in games that are not over, the game that changed last first."""
    other = t.holding.alias()
    elsewhere = exists().where(
        other.c.game_id == t.holding.c.game_id, other.c.seat == t.holding.c.seat, other.c.session != session
    )
    rows = connection.execute(
        select(t.game.c.id, t.game.c.kind, t.game.c.size, t.holding.c.seat, elsewhere.label("elsewhere"))
        .join_from(t.holding, t.game)
        .where(t.holding.c.session == session, t.game.c.status != "over")
        .order_by(t.game.c.updated_ms.desc(), t.game.c.id, t.holding.c.seat)
        .limit(most)
    )
    return [HeldSeat(row.id, row.kind, row.size, Seat(row.seat), row.elsewhere) for row in rows]


def end_session(connection: Connection, session: str, most: int) -> list[HeldSeat] | None:
    """End a session: the seats that it gave up in games that are not over, no more than so many of them.

    None if it held so many seats of finished games that others have to be let write in between: ask again.
    """
    brings_one = or_(t.handover.c.seat == t.holding.c.seat, t.handover.c.seat == BOTH)
    its_own = exists().where(t.holding.c.session == session, t.holding.c.game_id == t.handover.c.game_id, brings_one)
    connection.execute(delete(t.handover).where(its_own))
    if not _drop_finished(connection, [session], most):
        return None
    seats = running_seats(connection, session, most)
    connection.execute(delete(t.holding).where(t.holding.c.session == session))
    _drop(connection, [session])
    return seats


def idle_sessions(connection: Connection, now_ms: int, most: int) -> list[str]:
    """Sessions that nobody has used for so long that they end, the longest unused first."""
    wanted = select(t.session.c.token_hash).where(_is_idle(now_ms)).order_by(t.session.c.seen_ms).limit(most)
    return list(connection.execute(wanted).scalars())


def end_idle(connection: Connection, sessions: Collection[str], now_ms: int, most: int) -> bool:
    """End those of the sessions that are still idle; False if others have to be let write in between: ask again."""
    wanted = select(t.session.c.token_hash).where(t.session.c.token_hash.in_(sessions), _is_idle(now_ms))
    idle = list(connection.execute(wanted.with_for_update()).scalars())
    if not _drop_finished(connection, idle, most):
        return False
    _drop(connection, idle)
    return True


def _is_idle(now_ms: int) -> ColumnElement[bool]:
    mine = t.holding.c.session == t.session.c.token_hash
    has_seat = exists().where(mine)
    plays = exists().where(mine, t.game.c.id == t.holding.c.game_id, t.game.c.status != "over")
    unused = t.session.c.seen_ms < now_ms - SESSION_MS
    return and_(t.session.c.seen_ms < now_ms - SEATLESS_MS, or_(~has_seat, and_(unused, ~plays)))


def _drop_finished(connection: Connection, sessions: Collection[str], most: int) -> bool:
    """Remove what those sessions hold in games that are over; False if that was as much as may go at once."""
    key = t.holding.primary_key.columns
    found = connection.execute(
        select(*key)
        .join_from(t.holding, t.game)
        .where(t.holding.c.session.in_(sessions), t.game.c.status == "over")
        .limit(most)
    )
    if rows := [dict(row) for row in found.mappings()]:
        connection.execute(delete(t.holding).where(*(column == bindparam(column.name) for column in key)), rows)
    return len(rows) < most


def _drop(connection: Connection, sessions: Collection[str]) -> None:
    connection.execute(delete(t.idem).where(t.idem.c.session.in_(sessions)))
    connection.execute(delete(t.session).where(t.session.c.token_hash.in_(sessions)))


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
