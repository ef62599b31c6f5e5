"""Taking a seat: with an invitation, or with a token from one's other device."""

from __future__ import annotations

from sqlalchemy import Connection

from purlieu.rules import Seat

from ..domain.acts import one
from ..domain.game import Game
from ..domain.moves import Decision
from ..domain.refusals import Problem
from ..domain.who import Who, hash_of, new_token
from ..store import people
from .gate import Gate, now_ms

HANDOVER_MS = 600_000
TAKEN_OVER = 4001
"""The close code of a socket whose seat is held by another device alone."""


async def join(gate: Gate, game_id: str, who: Who, token: str) -> Game:
    """The seat that the token is for is this caller's from now on. Sent twice, it says the same."""
    game = await gate.load(game_id)
    token_hash, now = hash_of(token), now_ms()
    seat = await gate.read(lambda connection: people.invited_seat(connection, game_id, token_hash))
    if seat is None:
        return await take_over(gate, game, who, token_hash)
    held = await gate.seats(game_id, who)
    if seat in held:
        return game
    if held:
        raise Problem("seat_taken", "this invitation is for somebody else: you hold the other seat", where="token")

    def decide(current: Game) -> Decision:
        if current.chairs[seat].claimed:
            raise Problem("seat_taken", "somebody has taken this seat already; you can watch", where="token")
        if current.status == "over":
            raise Problem("game_over", "the game was called off before you came")
        return one(current, "join", seat, now)

    def also(connection: Connection) -> None:
        people.add_session(connection, who.session, now)
        if not people.claim(connection, game_id, seat, now):
            raise Problem("seat_taken", "somebody has taken this seat already; you can watch", where="token")
        people.hold(connection, game_id, seat, who.session)

    game, _ = await gate.change(game_id, decide, also)
    gate.forget_seats(game_id, who)
    return game


async def take_over(gate: Gate, game: Game, who: Who, token_hash: str) -> Game:
    """The seats come to this device too; the token is used up."""
    now = now_ms()

    def run(connection: Connection) -> frozenset[Seat]:
        seats = people.use_handover(connection, token_hash, game.id, now)
        if seats:
            people.add_session(connection, who.session, now)
        for seat in seats:
            people.hold(connection, game.id, seat, who.session)
        return seats

    if not await gate.write(run):
        message = "this link is not for this game, or was used, or is too old"
        raise Problem("not_found", message, where="token", hint="ask for a new one")
    gate.forget_seats(game.id, who)
    return game


async def hold_alone(gate: Gate, game_id: str, who: Who | None) -> int:
    """Nobody but this device holds the caller's seat from now on: for a lost phone. How many others held it."""
    seats = await gate.seats(game_id, who)
    if not seats or who is None:
        raise Problem("not_your_seat", "you hold no seat of this game")
    lost: list[str] = await gate.write(lambda connection: people.hold_alone(connection, game_id, seats, who.session))
    gate.forget_sessions(lost)
    gate.hub.dismiss(game_id, lost, TAKEN_OVER)
    return len(lost)


async def hand_over(gate: Gate, game_id: str, seats: frozenset[Seat]) -> str:
    """A token that brings one's seat, or both if one plays both sides, to another device: ten minutes, once."""
    if not seats:
        raise Problem("not_your_seat", "you hold no seat of this game")
    token = new_token()
    expires = now_ms() + HANDOVER_MS
    await gate.write(lambda connection: people.add_handover(connection, hash_of(token), game_id, seats, expires))
    return token
