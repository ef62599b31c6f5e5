"""One game in the arena: two players, an opening, and a referee who knows the rules and the clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

from purlieu.core import core
from purlieu.rules import GAMES, Position, PurlieuError, start
from purlieu.ugi.client import EngineFailure, EngineSilent

from .agreement import agreed_winner, sure_winner
from .control import Clock, Control
from .players import Player

if TYPE_CHECKING:
    from purlieu.core._core import Position as CorePosition

Result = Literal["1-0", "0-1", "1/2-1/2"]
WINS: tuple[Result, Result] = ("1-0", "0-1")
"""The result if the first seat wins, and if the second does."""
HURRIED_PACE = 0.1
"""The part of their limits that players keep once one of them is sure who wins."""


@dataclass(frozen=True, slots=True)
class Played:
    """How a game went."""

    moves: tuple[str, ...]
    result: Result
    reason: str
    """Empty if the rules decided; else what went wrong, and for whom."""
    seconds: tuple[float, float]
    """How long the first seat thought, and the second."""
    turns: tuple[int, int]
    chances: tuple[float | None, ...] = ()
    """The first seat's, as whoever moved saw it, for every turn since the opening; None where nobody said."""
    agreed: bool = False
    """The players agreed who wins, and did not play on."""
    hurried: int | None = None
    """After so many turns since the opening the players began to hurry; None if they did not."""
    date: str | None = None
    """The day it ended, such as 2026-01-31. Files of an earlier purlieu do not tell it."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a game is played under."""

    game: str
    size: int
    margin: float = 0.2
    """Seconds that an answer may come late before the game is lost on time."""
    patience: float = 120.0
    """Seconds that a player without a time limit may stay silent."""
    most_turns: int = 20_000
    agree: float | None = None
    """A game ends when both players have given a seat this chance for some turns; None: it is always played out."""
    hurry: float | None = None
    """Both play on with a tenth of their limits once one has given a seat this chance for some turns; None: never."""


Watch = Callable[[int | None, float], object]
"""Hears which seat is about to think, and until when (time.monotonic) it will be heard of again; None: nobody."""


def play_game(
    rules: Rules,
    opening: Sequence[str],
    players: tuple[Player, Player],
    controls: tuple[Control, Control],
    seeds: tuple[int, int],
    watch: Watch = lambda seat, until: None,
) -> Played:
    """Play a game out. Whoever crashes, stays silent, oversteps the time or breaks the rules has lost."""
    clocks = Clock(controls[0], rules.margin), Clock(controls[1], rules.margin)
    moves = list(opening)
    chances: list[float | None] = []
    hurried: int | None = None
    position = core().Position.start(rules.game, rules.size)
    for move in moves:
        position = position.play(move)

    def end(result: Result, reason: str = "", *, agreed: bool = False) -> Played:
        watch(None, 0.0)
        used, turns = (clocks[0].used, clocks[1].used), (clocks[0].turns, clocks[1].turns)
        return Played(tuple(moves), result, reason, used, turns, tuple(chances), agreed, hurried, today())

    for seat in (0, 1):
        watch(seat, time.monotonic() + rules.patience)
        try:
            players[seat].new_game(rules.game, rules.size, seeds[seat])
        except EngineFailure as error:
            players[seat].restart()
            return end(WINS[1 - seat], str(error))
    while not position.is_over:
        seat = position.ply % 2
        budget = clocks[seat].budget
        patience = rules.patience if budget is None else budget
        begun = time.monotonic()
        watch(seat, begun + patience)
        try:
            text = players[seat].choose(moves, clocks, patience)
        except EngineFailure as error:
            clocks[seat].spend(time.monotonic() - begun)
            players[seat].restart()
            late = isinstance(error, EngineSilent) and budget is not None
            return end(WINS[1 - seat], f"out of time: {error}" if late else str(error))
        seconds = time.monotonic() - begun
        if not clocks[seat].spend(seconds):
            return end(WINS[1 - seat], f"out of time: a move took {seconds:.3f} s")
        after = legal(position, rules, moves, text)
        if isinstance(after, str):
            players[seat].restart()
            return end(WINS[1 - seat], after)
        position, move = after
        moves.append(move)
        chance = players[seat].chance
        chances.append(chance if chance is None else round(1 - chance if seat else chance, 4))
        winner = None if rules.agree is None or position.is_over else agreed_winner(chances, rules.agree)
        if winner is not None:
            return end(WINS[winner], agreed=True)
        may_hurry = hurried is None and not position.is_over
        if may_hurry and rules.hurry is not None and sure_winner(chances, rules.hurry) is not None:
            hurried = len(chances)
            for clock in clocks:
                clock.pace = HURRIED_PACE
        if len(moves) >= rules.most_turns:
            return end("1/2-1/2", f"stopped after {rules.most_turns} turns")
    result = position.winner
    return end("1/2-1/2" if result == "draw" else WINS[0] if result == "first" else WINS[1])


def today() -> str:
    """The date as records write it."""
    return date.today().isoformat()


def legal(position: CorePosition, rules: Rules, moves: Sequence[str], text: str) -> tuple[CorePosition, str] | str:
    """The position after a move and the move's usual form; or the sentence that refuses it."""
    kind: Position = GAMES[rules.game].start(rules.size)
    try:
        move = str(kind.read_move(text))
    except PurlieuError as error:
        return f"illegal move: {error}"
    try:
        return position.play(move), move
    except ValueError:
        return f"illegal move: {_refusal(rules, moves, move)}"


def _refusal(rules: Rules, moves: Sequence[str], move: str) -> str:
    """What the rules say to a move, found by playing the game again with those that explain themselves."""
    position = start(rules.game, rules.size)
    for earlier in moves:
        position = position.play(earlier)
    try:
        position.play(move)
    except PurlieuError as error:
        return str(error)
    return f"{move} is not legal here"
