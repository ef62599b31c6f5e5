"""Making games: new ones, and rematches with the seats exchanged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from purlieu.rules import Ending, Message, Seat
from purlieu.rules.endings import reason

from ..domain.acts import AWAY_MS, ending, one
from ..domain.game import Chair, ClockRules, Game, Result
from ..domain.moves import Decision
from ..domain.refusals import Problem
from ..domain.who import Who, hash_of, new_game_id
from ..settings import Limits
from ..store import games, people
from .committer import Committer, now_ms
from .game_cache import off_the_loop
from .live import Hub

DAY_MS = 86_400_000
UNTOUCHED_MS = 600_000
"""A game against the computer in which nothing happened for so long, and whose board nobody has open, was left."""
CALLED_OFF = Result(None, Ending.CALLED_OFF, reason("end.lay_untouched"))


class TooManyAgainstComputer(Problem):
    """The caller has as many games against the computer as may be open."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to play."""

    game: str
    size: int | None
    seats: dict[Seat, tuple[str, int | None]]
    """For each seat ``me``, ``link`` or ``computer``, and the computer's level."""
    rules: ClockRules | None
    opening: Sequence[str] = ()
    """Moves that stand on the board already, judged and in the notation's own spelling."""

    def text(self) -> str:
        """The same for the same wish."""
        seats = {seat.value: who for seat, who in self.seats.items()}
        rules = self.rules and [self.rules.mode, self.rules.initial_ms, self.rules.increment_ms]
        return json.dumps([self.game, self.size, seats, rules, list(self.opening)])


async def make(committer: Committer, hub: Hub, limits: Limits, who: Who, wish: Wish, key: str | None) -> Game:
    """A new game for this caller. With a key, the same wish sent twice makes one game."""
    kinds = [kind for kind, _ in wish.seats.values()]
    if "me" not in kinds:
        raise Problem(
            "bad_request", Message("refusal.one_of_two_seats", "one of the two seats must be yours"), where="seats"
        )
    game_id, now = new_game_id(), now_ms()
    chairs = {seat: chair(who, game_id, seat, kind, level) for seat, (kind, level) in wish.seats.items()}

    def new(opening: Sequence[str]) -> Game:
        return games.new_game(game_id, wish.game, wish.size, chairs, wish.rules, opening, now)

    game = await off_the_loop(wish.game, new, wish.opening)
    request_hash = hashlib.sha256(wish.text().encode()).hexdigest()

    def run(connection: Connection) -> str:
        people.add_session(connection, who.session, now)
        if key is not None and (known := people.recall(connection, who.session, hash_of(key))):
            if known[0] != request_hash:
                message = Message("refusal.this_idempotency_key_was", "this Idempotency-Key was used for another game")
                raise Problem(
                    "key_reused",
                    message,
                    where="Idempotency-Key",
                    hint=Message("hint.make_new_key_for", "make a new key for a new game"),
                )
            return known[1]
        check_bounds(connection, limits, who, with_computer="computer" in kinds)
        games.insert_game(connection, game, now)
        for seat, (kind, _) in wish.seats.items():
            if kind == "me":
                people.hold(connection, game_id, seat, who.session)
        if key is not None:
            people.remember(connection, who.session, hash_of(key), request_hash, game_id, now)
        return game_id

    while True:
        try:
            made = await committer.store.write(run)
            break
        except TooManyAgainstComputer:
            if not await call_off_untouched(committer, hub, who, now):
                raise
    if made != game_id:
        game = await committer.load(made)
    await committer.begin(game)  # once more does no harm, and the first time may not have come so far
    return game


def chair(who: Who, game_id: str, seat: Seat, kind: str, level: int | None) -> Chair:
    """A seat as it was wished for."""
    if kind == "link":
        return Chair("person", claimed=False, invite_hash=hash_of(who.invite(game_id, seat)))
    return Chair("computer" if kind == "computer" else "person", level)


def check_bounds(connection: Connection, limits: Limits, who: Who, *, with_computer: bool) -> None:
    """How many games one caller may have going."""
    if people.open_games(connection, who.session, computer=False) >= limits.open_games:
        raise Problem(
            "too_many",
            Message(
                "refusal.you_have_games_going",
                "you have {open_games} games going; end one first",
                open_games=limits.open_games,
            ),
        )
    if with_computer and people.open_games(connection, who.session, computer=True) >= limits.computer_games:
        raise TooManyAgainstComputer(
            "too_many", f"you have {limits.computer_games} games against the computer; end one first"
        )


async def call_off_untouched(committer: Committer, hub: Hub, who: Who, now: int) -> bool:
    """Make room for another game against the computer: the one that was left longest ago is called off.

    Never one whose board somebody has open or had open a minute ago; False if there is no other.
    """
    untouched_ms = DAY_MS if committer.store.is_shared else UNTOUCHED_MS  # who is at other servers, nobody can tell
    left = await committer.store.read(
        lambda connection: people.untouched_games(connection, who.session, now - untouched_ms)
    )
    for game_id, v in left:
        if min(hub.away_ms(game_id).values(), default=0) < AWAY_MS:
            continue

        def decide(game: Game, v: int = v) -> Decision:
            if game.v != v or game.id in hub.rooms:
                return Decision(duplicate=True)
            return ending(game, "abort", None, now, CALLED_OFF)

        _, decision = await committer.change(game_id, decide)
        if decision.events:
            return True
    return False


async def rematch(committer: Committer, game: Game, seat: Seat) -> tuple[Game, Decision]:
    """The same game again, with the seats exchanged; whoever asks first makes it for both."""
    now = now_ms()
    holders = await committer.store.read(lambda connection: people.holders(connection, game.id))
    chairs = {seat: Chair(game.chairs[seat.other].kind, game.chairs[seat.other].level) for seat in Seat}
    again = games.new_game(new_game_id(), game.kind, game.size, chairs, game.rules, (), now)

    def decide(current: Game) -> Decision:
        if current.rematch:
            return Decision(duplicate=True)
        if current.status != "over":
            raise Problem(
                "bad_request", Message("refusal.rematch_comes_after_end", "a rematch comes after the end of the game")
            )
        return one(current, "rematch", seat, now, {"game": again.id})

    def also(connection: Connection) -> None:
        games.insert_game(connection, again, now)
        for held, session in holders:
            people.hold(connection, again.id, held.other, session)

    changed = await committer.change(game.id, decide, also)
    if changed[1].events:
        await committer.begin(again)
    return changed
