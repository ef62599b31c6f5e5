"""In step: random games through the rules and the core together, compared at every ply.

The rules decide. A disagreement stops everything and names the game that shows it.
"""

from __future__ import annotations

import itertools
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from purlieu.rules import GAMES, Ending, Position, PurlieuError, Rule, pyloff, start
from purlieu.rules.blocks import first_beyond
from purlieu.rules.moves import PASS, SWAP, Capture, Move
from purlieu.rules.petrify import PetrifyPosition, formations_completed
from purlieu.rules.pyloff import PyloffPosition
from purlieu.rules.pyramid import Pyramid

from .native import core, rules_position

if TYPE_CHECKING:
    from ._core import Position as CorePosition


class OutOfStep(PurlieuError):
    """The core answered otherwise than the rules."""


@dataclass
class Comparison:
    """What has been compared so far, and which rare things happened on the way."""

    plies: int = 0
    games: int = 0
    events: Counter[str] = field(default_factory=Counter)
    """How often each rare event occurred, by ``game: event``."""

    def add(self, other: Comparison) -> None:
        """Take in what another process compared."""
        self.plies += other.plies
        self.games += other.games
        self.events.update(other.events)


EVERY_GAME_AND_SIZE = [(game.name, size) for game in GAMES.values() for size in game.sizes]
LARGE = 10
"""Larger pyramids have games of thousands of slow turns: where all sizes are asked for, each comes seldom."""


def games_to_compare(seed: int, game: str | None, size: int | None) -> Iterator[tuple[str, int, int]]:
    """Game, size and seed of one random game after the other, without end."""
    kinds = [(g, s) for g, s in EVERY_GAME_AND_SIZE if game in (None, g) and size in (None, s)]
    if not kinds:
        raise PurlieuError(
            "core.nothing_to_compare", "there is no {game} of size {size} to compare", game=game or "game", size=size
        )
    for number in itertools.count(seed):
        for name, side in kinds:
            if side == size or side <= LARGE or number % 100 == side:
                yield name, side, number


def compare_many(games: Iterator[tuple[str, int, int]], workers: int = 1) -> Iterator[Comparison]:
    """What was compared in each of these games, in their order."""
    if workers == 1:
        yield from itertools.starmap(compare_game, games)
        return
    with ProcessPoolExecutor(workers) as pool:
        waiting = deque(pool.submit(compare_game, *game) for game in itertools.islice(games, 2 * workers))
        try:
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(pool.submit(compare_game, *game) for game in itertools.islice(games, 1))
        finally:
            pool.shutdown(cancel_futures=True)


def compare(plies: int, *, seed: int = 1, game: str | None = None, size: int | None = None) -> Comparison:
    """Compare random games until at least that many plies are done."""
    played = Comparison()
    for compared in compare_many(games_to_compare(seed, game, size)):
        played.add(compared)
        if played.plies >= plies:
            break
    return played


def compare_game(game: str, size: int, seed: int) -> Comparison:
    """One random game through both; raises OutOfStep at the first difference."""
    played = Comparison()
    random = Random(f"in step {game} {size} {seed}")
    rules: Position = start(game, size)
    native: CorePosition = core().Position.start(game, size)
    while True:
        moves = rules.legal_moves()
        same_answers(rules, native, moves)
        if not moves:
            break
        move = random.choice(moves)
        before, rules, native = rules, rules.after(move), native.play(str(move))
        played.plies += 1
        played.events.update(f"{game}: {event}" for event in rare_events(before, move, rules))
    played.games += 1
    if rules.outcome and rules.outcome.ending is Ending.TIE_RULE:
        played.events[f"{game}: tie broken"] += 1
    if rules.outcome and rules.outcome.winner is None:
        played.events[f"{game}: draw"] += 1
    return played


def same_answers(rules: Position, native: CorePosition, moves: Sequence[Move]) -> None:
    """Every question that both can answer."""
    text = rules.text()
    score = rules.score()
    outcome = rules.outcome
    winner = None if outcome is None else "draw" if outcome.winner is None else outcome.winner.value
    fresh = core().Position.parse(text)
    pairs: dict[str, tuple[object, object]] = {
        "text": (text, native.text()),
        "legal moves": ([str(move) for move in moves], native.legal_moves()),
        "score": (tuple(score[colour] for colour in rules.colours), native.score()),
        "ply": (rules.ply, native.ply),
        "side to move": (rules.to_move.value, native.to_move),
        "end": (rules.is_over, native.is_over),
        "winner": (winner, native.winner),
        "hash": (fresh.hash(), native.hash()),
        "inner state": (True, native.check() and fresh.check()),
        "text read back": (text, fresh.text()),
        "the rules' own position": (rules, rules_position(native)),
    }
    for question, (expected, found) in pairs.items():
        if expected != found:
            raise OutOfStep(f"{question}: the rules say {expected}, the core {found}, at {text}")


def rare_events(before: Position, move: Move, after: Position) -> Iterator[str]:
    """What happened at this turn that random games must be known to reach."""
    if move == PASS:
        yield "forced pass"
    if move == SWAP:
        yield "swap"
    if isinstance(move, Capture):
        yield "capture"
    match before:
        case PetrifyPosition():
            yield from ("block refused" for _ in range(blocks_refused(before)))
        case PyloffPosition():
            yield from pyloff_events(before, after)


def blocks_refused(position: PetrifyPosition) -> int:
    """How many disks could capture but for the mound or the barricade their block would complete."""
    board, kinds = position.grid, position.kinds
    return sum(
        any(kinds[first_beyond(kinds, at, step, position.mine)] == position.theirs for step in board.eight_ways)
        for at in board.inside
        if kinds[at] == position.mine and formations_completed(board, kinds, at)
    )


def pyloff_events(before: PyloffPosition, after: Position) -> Iterator[str]:
    """Captures, cuts, burials, and the plays that suicide and ko forbade."""
    assert isinstance(after, PyloffPosition)
    shape = before.pyramid
    legal = {str(move) for move in before.legal_moves()}
    for at in pyloff.valid_points(shape, before.board):
        name = str(shape.points[at])
        if name not in legal and (refusal := before.explain(name)):
            yield "suicide refused" if refusal.rule is Rule.SUICIDE else "ko refused"
    lost = sum(was != 0 and now == 0 for was, now in zip(before.board, after.board, strict=True))
    if lost:
        yield "capture"
    for at in pyloff.marbles(after.board):
        if before.board[at] == 0:
            yield from _over(shape, after.board, at)


def _over(shape: Pyramid, board: bytes, at: int) -> Iterator[str]:
    """What a new marble buries and cuts."""
    if at in shape.straight_above:
        yield "burial"
    for below in shape.supports[at]:
        for beside, overpass in shape.beside[below]:
            over_both = beside > below and overpass is not None and at in overpass and board[below] == board[beside]
            if over_both and pyloff.is_cut(board, board[below], overpass):
                yield "cut"
