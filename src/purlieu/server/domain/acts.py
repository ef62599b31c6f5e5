"""Judging everything that is not a move: resigning, draws, taking back, calling off, running out of time."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

from purlieu.rules import GAMES, Ending, Message, Seat
from purlieu.rules.endings import reason

from .game import Event, Game, Kind, Result, apply
from .moves import Decision, over, seat_at
from .refusals import Problem

Act = Literal[
    "resign", "offer_draw", "accept_draw", "decline_draw", "undo", "redo", "rematch", "stop_thinking", "abort", "claim"
]
EVENT_OF: dict[str, Kind] = {
    "resign": "resign",
    "offer_draw": "draw_offer",
    "accept_draw": "draw",
    "decline_draw": "draw_decline",
    "undo": "undo",
    "redo": "redo",
    "rematch": "rematch",
    "abort": "abort",
    "claim": "claim",
}
CAN_BE_DRAWN = ("pentwall", "pyloff")
"""The games in which nobody may win, and so a draw may be offered."""
AGREED = Result(None, Ending.AGREEMENT, reason("end.agreed"))
MOST_TAKEN_BACK = 500
"""Each time, whoever reads the log has to play the game again from its start."""
AWAY_MS = 60_000
"""Whoever has left a game with minutes on the clock for so long may lose it by the other's claim."""
FLAG_PATIENCE_MS = 2000
"""A move that was read in time may still be on its way to the log; the flag waits for it."""


def decide_act(
    game: Game, seats: Collection[Seat], act: Act, at: int, at_ms: int, away_ms: Mapping[Seat, int] | None = None
) -> Decision:
    """An act of somebody who holds those seats and saw the game at version `at`.

    `away_ms` says how long nobody was at the board of a seat, where that can be known.
    """
    if not seats:
        raise Problem(
            "not_your_seat",
            Message("refusal.you_hold_no_seat_of", "you hold no seat of this game, so you can only watch"),
            where="game",
        )
    if at > game.v:
        raise Problem(
            "ahead",
            Message("refusal.version_is_yet_to", "version {at} is yet to come: the game is at {v}", at=at, v=game.v),
            where="at",
        )
    if any(kind == EVENT_OF[act] and seat in seats for kind, seat in game.log[at:]):
        return Decision(duplicate=True)
    seat = game.to_move if game.to_move in seats else next(iter(seats))
    match act:
        case "resign":
            require_active(game)
            if game.status == "waiting":
                raise Problem(
                    "waiting",
                    Message(
                        "refusal.nobody_has_joined_yet", "nobody has joined yet; the game can be called off instead"
                    ),
                )
            why = reason("end.resigned", seat=seat.word)
            return ending(game, "resign", seat, at_ms, Result(seat.other, Ending.RESIGNATION, why))
        case "abort":
            return decide_abort(game, seat, at_ms)
        case "claim":
            return decide_claim(game, seats, seat, at_ms, away_ms)
        case "offer_draw":
            return decide_offer(game, seat, at_ms)
        case "accept_draw" | "decline_draw":
            return decide_answer(game, seats, act, at, at_ms)
        case "undo":
            return decide_undo(game, seats, seat, at, at_ms)
        case "redo":
            return decide_redo(game, seats, seat, at, at_ms)
    raise AssertionError(act)


def require_active(game: Game) -> None:
    """Most acts belong to a game that is going on."""
    if game.status == "over":
        raise over(game)


def ending(game: Game, kind: Kind, seat: Seat | None, at_ms: int, result: Result) -> Decision:
    """An event that ends the game."""
    return one(game, kind, seat, at_ms, result.data())


def one(game: Game, kind: Kind, seat: Seat | None, at_ms: int, said: dict[str, Any] | None = None) -> Decision:
    """One event, with what it says; one that ends the game stops the clocks."""
    data = dict(said or {})
    if game.remaining_ms is not None and kind in ("resign", "draw", "flag", "abort", "claim"):
        left = game.remaining_at(at_ms)
        assert left is not None
        data["remaining"] = {s.value: ms for s, ms in left.items()}
    event = Event(game.v + 1, kind, seat, at_ms, game.epoch, None, data)
    return Decision((event,), apply(game, event))


def decide_abort(game: Game, seat: Seat, at_ms: int) -> Decision:
    """A game may be called off until both have moved, or when the computer does not answer."""
    require_active(game)
    if game.ply - game.opening >= 2 and not game.paused:
        raise Problem(
            "bad_request",
            Message(
                "refusal.both_sides_have_moved",
                "both sides have moved, so the game cannot be called off; you may resign",
            ),
        )
    return ending(game, "abort", seat, at_ms, Result(None, Ending.CALLED_OFF, reason("end.called_off")))


def decide_claim(
    game: Game, seats: Collection[Seat], seat: Seat, at_ms: int, away_ms: Mapping[Seat, int] | None
) -> Decision:
    """Whoever plays against the clock and is left alone need not wait for it to run out."""
    require_active(game)
    if game.rules is None or game.rules.mode != "fischer" or not game.clock_runs:
        raise Problem(
            "bad_request",
            Message(
                "refusal.win_is_claimed_only", "a win is claimed only in a game with minutes on the clock, once it runs"
            ),
        )
    if away_ms is None:
        raise Problem(
            "bad_request",
            Message(
                "refusal.on_several_servers_nobody",
                "on several servers nobody can tell who has left; the clock decides",
            ),
        )
    left = next((other for other in Seat if other not in seats and not game.is_computer(other)), None)
    if left is None or game.to_move is not left:
        raise Problem(
            "bad_request",
            Message("refusal.win_is_claimed_from", "a win is claimed from another person whose turn it is"),
        )
    wait = AWAY_MS - away_ms.get(left, 0)
    if wait > 0:
        message = (
            Message("refusal.they_are_here", "they are here")
            if left not in away_ms
            else Message("refusal.they_have_not_been", "they have not been away for long enough")
        )
        raise Problem(
            "bad_request",
            message,
            hint=Message(
                "hint.win_can_be_claimed", "a win can be claimed after {away_ms} seconds", away_ms=AWAY_MS // 1000
            ),
        )
    return ending(game, "claim", seat, at_ms, Result(left.other, Ending.CLAIM, reason("end.left", seat=left.word)))


def decide_offer(game: Game, seat: Seat, at_ms: int) -> Decision:
    """A draw may be offered where the rules know one; the computer always plays on."""
    require_active(game)
    name = game.kind
    if name not in CAN_BE_DRAWN:
        raise Problem(
            "bad_request",
            Message(
                "refusal.has_no_draws_so",
                "{capitalize} has no draws, so none can be offered",
                capitalize=GAMES[name].title,
            ),
        )
    if game.status == "waiting":
        raise Problem("waiting", Message("refusal.nobody_is_there_yet", "nobody is there yet to offer a draw to"))
    if game.offer and game.offer.seat is seat:
        return Decision(duplicate=True)
    if game.offer:
        return ending(game, "draw", seat, at_ms, AGREED)
    offer = one(game, "draw_offer", seat, at_ms)
    assert offer.after
    if game.is_computer(seat.other):
        decline = one(offer.after, "draw_decline", seat.other, at_ms)
        return Decision(offer.events + decline.events, decline.after)
    return offer


def decide_answer(game: Game, seats: Collection[Seat], act: Act, at: int, at_ms: int) -> Decision:
    """An answer names the offer that it means by its version."""
    if game.offer is None or game.offer.v != at or game.offer.seat.other not in seats:
        require_active(game)
        raise Problem("stale", Message("refusal.there_is_no_such", "there is no such offer any more"), where="at")
    seat = game.offer.seat.other
    if act == "accept_draw":
        return ending(game, "draw", seat, at_ms, AGREED)
    return one(game, "draw_decline", seat, at_ms)


def require_own_table(game: Game, seats: Collection[Seat], at: int) -> None:
    """Moves are taken back only against the computer, or by one who plays both sides."""
    for seat, chair in game.chairs.items():
        if seat not in seats and chair.kind == "person":
            raise Problem(
                "bad_request", Message("refusal.between_two_people_no", "between two people no move is taken back")
            )
    if at != game.v:
        raise Problem(
            "stale",
            Message("refusal.game_went_on_it", "the game went on: it is at version {v}, not {at}", v=game.v, at=at),
            where="at",
        )


def clocks_told(game: Game, at_ms: int, numbers: range, *, taken_back: bool) -> dict[str, Any]:
    """What the clocks show once the turns of those numbers are taken back or made again.

    Time that passed is not given back, and each turn's increment goes and comes with it: otherwise a clock would grow
    with every move that is taken back.
    """
    left = game.remaining_at(at_ms)
    if left is None or game.rules is None:
        return {}
    ran_out = game.clock_runs and left[game.to_move] == 0
    if game.rules.mode == "days" and not taken_back:
        left = dict.fromkeys(left, game.rules.initial_ms)
    for number in numbers:
        seat = seat_at(number)
        if number > game.opening + 2 and not game.is_computer(seat):
            left[seat] += -game.rules.increment_ms if taken_back else game.rules.increment_ms
    if ran_out or min(left.values()) <= 0:
        raise Problem(
            "bad_request",
            Message("refusal.there_is_too_little", "there is too little time left on the clock for that"),
            where="clock",
        )
    return {"remaining": {seat.value: ms for seat, ms in left.items()}}


def decide_undo(game: Game, seats: Collection[Seat], seat: Seat, at: int, at_ms: int) -> Decision:
    """Take back one's last move, and with it the computer's reply and the passes it forced."""
    require_own_table(game, seats, at)
    if game.status == "over" and not game.played.core.is_over:
        raise over(game)
    if game.epoch >= MOST_TAKEN_BACK:
        message = Message(
            "refusal.moves_were_taken_back",
            "moves were taken back and made again {most_taken_back} times in this game; from here on they stay",
            most_taken_back=MOST_TAKEN_BACK,
        )
        raise Problem("too_many", message)
    kept = game.ply
    while kept > game.opening:
        kept -= 1
        turn, mover = game.turns[kept], seat_at(kept + 1)
        if mover in seats and not turn.forced:
            data = {"ply": kept, **clocks_told(game, at_ms, range(kept + 1, game.ply + 1), taken_back=True)}
            event = Event(game.v + 1, "undo", seat, at_ms, game.epoch + 1, None, data)
            return Decision((event,), apply(game, event))
    raise Problem("bad_request", Message("refusal.there_is_no_move", "there is no move of yours to take back"))


def decide_redo(game: Game, seats: Collection[Seat], seat: Seat, at: int, at_ms: int) -> Decision:
    """Make again what was taken back: one's own move, and what followed until it was one's turn again."""
    require_own_table(game, seats, at)
    require_active(game)
    if not game.redo:
        raise Problem("bad_request", Message("refusal.there_is_nothing_to", "there is nothing to make again"))
    count = 1
    while count < len(game.redo) and (game.redo[count].forced or seat_at(game.ply + count + 1) not in seats):
        count += 1
    played = game.played.follow_all(turn.move for turn in game.redo[:count])
    data: dict[str, Any] = {"count": count, "moves": [turn.move for turn in game.redo[:count]]}
    data |= clocks_told(game, at_ms, range(game.ply + 1, game.ply + count + 1), taken_back=False)
    if outcome := played.position.outcome:
        data |= Result(outcome.winner, outcome.ending, outcome.reason).data()
    event = Event(game.v + 1, "redo", seat, at_ms, game.epoch + 1, None, data)
    return Decision((event,), apply(game, event))


def decide_flag(game: Game, at_ms: int) -> Decision:
    """The side to move has no time left. Judged by the same gate as its moves, so never both."""
    deadline = game.deadline_ms
    if deadline is None or at_ms < deadline + FLAG_PATIENCE_MS:
        return Decision(duplicate=True)
    seat = game.to_move
    why = reason("end.out_of_time", seat=seat.word)
    return ending(game, "flag", seat, deadline, Result(seat.other, Ending.FLAG, why))


def decide_pause(game: Game, ms: int, cause: str, at_ms: int) -> Decision:
    """The server was away, or the computer does not answer: no clock is charged for it."""
    if game.status != "active" or ms < 0:
        return Decision(duplicate=True)
    return one(game, "pause", None, at_ms, {"ms": ms, "cause": cause})
