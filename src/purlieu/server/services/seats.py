"""Who holds which seat; taking one with an invitation, or with a token from one's other device."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection

from purlieu.rules import Message, Seat

from ..cache import Cache
from ..domain.acts import one
from ..domain.game import Game
from ..domain.moves import Decision
from ..domain.refusals import Problem
from ..domain.who import Who, hash_of, new_token
from ..store import people
from ..store.writer import Store
from .committer import Committer, now_ms
from .live import Hub

HANDOVER_MS = 600_000
MOST_HELD = 10_000
"""Of how many callers and games it is remembered which seats are held."""
TAKEN_OVER = 4001
"""The close code of a socket whose seat is held by another device alone."""


class Seats:
    """Which seats each caller holds, remembered for those who asked lately."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.held: Cache[tuple[str, str], frozenset[Seat]] = Cache(MOST_HELD)
        self.forgotten = 0
        """How often sessions lost their seats: what was read before is not kept."""

    async def held_by(self, game_id: str, who: Who | None) -> frozenset[Seat]:
        """The seats of a game that somebody holds."""
        if who is None:
            return frozenset()
        key = (game_id, who.session)
        known = None if self.store.is_shared else self.held.get(key)  # another server may have taken them away
        if known is not None:
            return known
        forgotten = self.forgotten
        found: frozenset[Seat] = await self.store.read(
            lambda connection: people.seats_held(connection, game_id, who.session)
        )
        if found and forgotten == self.forgotten:  # else they may have been given up since they were read
            self.held.put(key, found)
        return found

    def forget_sessions(self, sessions: Collection[str]) -> None:
        """Those sessions hold no seat any more, or fewer."""
        self.forgotten += 1
        for key in [key for key in self.held if key[1] in sessions]:
            self.held.pop(key)

    def forget(self, game_id: str, who: Who) -> None:
        """Somebody's seats in a game have changed."""
        self.held.pop((game_id, who.session))


async def join(committer: Committer, seats: Seats, game_id: str, who: Who, token: str) -> Game:
    """The seat that the token is for is this caller's from now on. Sent twice, it says the same."""
    game = await committer.load(game_id)
    token_hash, now = hash_of(token), now_ms()
    seat = await seats.store.read(lambda connection: people.invited_seat(connection, game_id, token_hash))
    if seat is None:
        return await take_over(seats, game, who, token_hash)
    held = await seats.held_by(game_id, who)
    if seat in held:
        return game
    if held:
        raise Problem(
            "seat_taken",
            Message("refusal.this_invitation_is_for", "this invitation is for somebody else: you hold the other seat"),
            where="token",
        )

    def decide(current: Game) -> Decision:
        if current.chairs[seat].claimed:
            raise Problem(
                "seat_taken",
                Message("refusal.somebody_has_taken_this", "somebody has taken this seat already; you can watch"),
                where="token",
            )
        if current.status == "over":
            raise Problem(
                "game_over", Message("refusal.game_was_called_off", "the game was called off before you came")
            )
        return one(current, "join", seat, now)

    def also(connection: Connection) -> None:
        people.add_session(connection, who.session, now)
        if not people.claim(connection, game_id, seat, now):
            raise Problem(
                "seat_taken",
                Message("refusal.somebody_has_taken_this", "somebody has taken this seat already; you can watch"),
                where="token",
            )
        people.hold(connection, game_id, seat, who.session)

    game, _ = await committer.change(game_id, decide, also)
    seats.forget(game_id, who)
    return game


async def take_over(seats: Seats, game: Game, who: Who, token_hash: str) -> Game:
    """The seats come to this device too; the token is used up."""
    now = now_ms()

    def run(connection: Connection) -> frozenset[Seat]:
        handed = people.use_handover(connection, token_hash, game.id, now)
        if handed:
            people.add_session(connection, who.session, now)
        for seat in handed:
            people.hold(connection, game.id, seat, who.session)
        return handed

    if not await seats.store.write(run):
        message = Message("refusal.this_link_is_not", "this link is not for this game, or was used, or is too old")
        raise Problem("not_found", message, where="token", hint=Message("hint.ask_for_new_one", "ask for a new one"))
    seats.forget(game.id, who)
    return game


async def hold_alone(seats: Seats, hub: Hub, game_id: str, who: Who | None) -> int:
    """Nobody but this device holds the caller's seat from now on: for a lost phone. How many others held it."""
    mine = await seats.held_by(game_id, who)
    if not mine or who is None:
        raise Problem("not_your_seat", Message("refusal.you_hold_no_seat", "you hold no seat of this game"))
    lost: list[str] = await seats.store.write(
        lambda connection: people.hold_alone(connection, game_id, mine, who.session)
    )
    seats.forget_sessions(lost)
    hub.dismiss(game_id, lost, TAKEN_OVER)
    return len(lost)


async def hand_over(seats: Seats, game_id: str, who: Who | None) -> str:
    """A token that brings one's seat, or both if one plays both sides, to another device: ten minutes, once."""
    mine = await seats.held_by(game_id, who)
    if not mine:
        raise Problem("not_your_seat", Message("refusal.you_hold_no_seat", "you hold no seat of this game"))
    token = new_token()
    expires = now_ms() + HANDOVER_MS
    await seats.store.write(lambda connection: people.add_handover(connection, hash_of(token), game_id, mine, expires))
    return token
