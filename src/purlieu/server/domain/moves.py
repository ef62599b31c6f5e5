"""Judging a move: is it due, is it this caller's, is it legal, and what follows from it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from purlieu.rules import Ending, Message, PurlieuError, Seat
from purlieu.rules.endings import reason

from .game import Event, Game, Result, apply
from .played import Played
from .refusals import Problem, problem_of


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be appended to the log; nothing, if it is there already."""

    events: tuple[Event, ...] = ()
    after: Game | None = None
    duplicate: bool = False


def decide_move(
    game: Game, seats: Collection[Seat], ply: int, text: str, at_ms: int, *, seen: str | None = None, lag_ms: int = 0
) -> Decision:
    """A move of somebody who holds those seats, as the number `ply` of the game.

    `seen` is the hash of the board that they saw, if they tell; `lag_ms` the lag that we measured.
    """
    if not seats:
        raise Problem(
            "not_your_seat",
            Message("refusal.you_hold_no_seat_of", "you hold no seat of this game, so you can only watch"),
            where="game",
        )
    if ply <= game.ply:
        if is_same_move(game, seats, ply, text):
            return Decision(duplicate=True)
        raise Problem(
            "stale",
            Message(
                "refusal.turn_is_over_game",
                "turn {ply} is over: the game is at turn {ply2}",
                ply=ply,
                ply2=game.ply + 1,
            ),
            where="ply",
        )
    if game.status == "over":
        raise over(game)
    if game.status == "waiting":
        raise Problem(
            "waiting",
            Message(
                "refusal.other_seat_is_still",
                "the other seat is still free; the game begins when somebody has taken it",
            ),
        )
    if ply > game.ply + 1:
        raise Problem(
            "ahead",
            Message(
                "refusal.turn_is_yet_to",
                "turn {ply} is yet to come: the game is at turn {ply2}",
                ply=ply,
                ply2=game.ply + 1,
            ),
            where="ply",
        )
    if game.to_move not in seats:
        raise Problem(
            "not_your_turn", Message("refusal.it_is_seat_s", "it is the {seat} seat's turn", seat=game.to_move.word)
        )
    if seen is not None and seen != game.played.hash:
        raise Problem(
            "desync",
            Message("refusal.board_that_you_saw", "the board that you saw is not the one of this turn; here it is"),
            where="hash",
        )
    deadline = game.deadline_ms
    if deadline is not None and at_ms > deadline:
        raise Problem(
            "game_over", Message("refusal.your_time_was_up", "your time was up before this move came"), where="clock"
        )
    return append_move(game, text, at_ms, lag_ms=lag_ms)


def is_same_move(game: Game, seats: Collection[Seat], ply: int, text: str) -> bool:
    """Whether that very move was made before, by the same seat: then it was only sent twice."""
    if ply <= game.opening or seat_at(ply) not in seats or game.turns[ply - 1].forced:
        return False
    return game.turns[ply - 1].move == canonical(game, text)


def canonical(game: Game, text: str) -> str:
    """A move's text in the one form of the rules; what is no move stays as it is."""
    try:
        return str(game.first.position.read_move(text))
    except PurlieuError:
        return text


def seat_at(ply: int) -> Seat:
    """Who makes the turn of that number: turns always alternate."""
    return Seat.FIRST if ply % 2 else Seat.SECOND


def over(game: Game) -> Problem:
    """The answer to whoever plays on."""
    why = game.result.reason if game.result else "it has ended"
    return Problem("game_over", Message("refusal.game_is_over", "the game is over: {why}", why=why))


def append_move(game: Game, text: str, at_ms: int, *, lag_ms: int = 0, **said: Any) -> Decision:
    """The move, and the passes that it forces."""
    try:
        played = game.played.play(text)
    except PurlieuError as error:
        raise problem_of(error, "move") from error
    credit = game.lag_credit(at_ms, lag_ms)
    if credit:
        said["lag"] = credit
    events = [move_event(game, played, at_ms, said)]
    after = apply(game, events[0], played)
    while after.status == "active" and played.must_pass:
        played = played.play("pass")
        events.append(move_event(after, played, at_ms, {"forced": True}))
        after = apply(after, events[-1], played)
    return Decision(tuple(events), after)


def move_event(game: Game, played: Played, at_ms: int, said: dict[str, Any]) -> Event:
    """One move as an event: with the clocks after it, and with the result if it ends the game."""
    data: dict[str, Any] = {"move": played.text, **said}
    seat = game.to_move
    if game.remaining_ms is not None and game.rules is not None:
        data["remaining"] = {s.value: left for s, left in clocks_after(game, at_ms, said.get("lag", 0)).items()}
    if outcome := played.position.outcome:
        data |= Result(outcome.winner, outcome.ending, outcome.reason).data()
    elif game.ply + 1 >= game.most_plies:
        data |= Result(None, Ending.UNFINISHED, reason("end.too_long", plies=game.most_plies)).data()
    return Event(game.v + 1, "move", seat, at_ms, game.epoch, game.ply + 1, data)


def clocks_after(game: Game, at_ms: int, credit_ms: int = 0) -> dict[Seat, int]:
    """What the clocks show once the side to move has moved, with the time given back that the network took."""
    assert game.rules
    left = game.remaining_at(at_ms)
    assert left is not None
    if game.rules.mode == "days":
        return dict.fromkeys(left, game.rules.initial_ms)
    if game.clock_runs:
        left[game.to_move] += game.rules.increment_ms + credit_ms
    return left
