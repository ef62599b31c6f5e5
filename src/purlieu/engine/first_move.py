"""The first move of a game in which the other side may then swap, and whether to: games tell more than a search."""

from __future__ import annotations

import functools
import json
import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from purlieu.core import core
from purlieu.core.symmetry import first_cells, name_of
from purlieu.rules import Move, Swap

from .analysis import Analysis, MoveAnalysis, read_move

if TYPE_CHECKING:
    from purlieu.core._core import Position as CorePosition

SLACK = 0.02
"""A first move is fair if it is this much further from even chances than the fairest one, or less."""
PLAYED = Path(__file__).parents[1] / "nets" / "shipped" / "first_moves.json"
"""How the nets' own games went after each first move, for the colour that began: `benchmarks/studies/knowledge`."""
SWAP = "swap"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outlook:
    """How games went for one side."""

    chance: float
    margin: float

    @property
    def turned(self) -> Outlook:
        """For the other side."""
        return Outlook(1 - self.chance, -self.margin)

    @property
    def offered(self) -> Outlook:
        """For whoever makes the move: the other side takes the better colour."""
        return self.turned if self.chance > 0.5 else self


def is_offered_for_swap(position: CorePosition) -> bool:
    """Whether the other side may swap after the next move."""
    return position.ply == 0 and SWAP in position.play(position.legal_moves()[0]).legal_moves()


@functools.cache
def first_moves(game: str, size: int) -> Mapping[str, Outlook]:
    """What the colour that begins may expect after each first move, by games; empty where none were played."""
    try:
        found = json.loads(PLAYED.read_text(encoding="utf-8")).get(game, {}).get(str(size), {})
        told = {move: Outlook(float(chance), float(margin)) for move, (chance, margin) in found.items()}
        return {name_of(cell): told[name_of(cells[0])] for cells in first_cells(size) for cell in cells} if told else {}
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        _LOG.warning("%s cannot be read (%r), so a search judges first moves and swaps", PLAYED, error)
        return {}


@functools.cache
def fair_first_moves(game: str, size: int) -> tuple[str, ...]:
    """The first moves after which both sides are about equally well off; none where no games tell."""
    known = first_moves(game, size)
    fairest = max((outlook.offered.chance for outlook in known.values()), default=0.0)
    return tuple(move for move, outlook in known.items() if outlook.offered.chance >= fairest - SLACK)


def outlook_without_swap(position: CorePosition) -> Outlook | None:
    """Of the side to move with one piece on the board, not swapping or after a swap; None where no games tell."""
    return _with_one_piece(position.game, position.size).get(position.text()) if position.ply in (1, 2) else None


@functools.cache
def _with_one_piece(game: str, size: int) -> Mapping[str, Outlook]:
    """By the text of the position. A swap changes neither the board nor which colour is to move."""
    empty = core().Position.start(game, size)
    found: dict[str, Outlook] = {}
    for move, outlook in first_moves(game, size).items():
        after = empty.play(move)
        found |= {each.text(): outlook.turned for each in (after, after.play(SWAP))}
    return found


def told_by_games(position: CorePosition, analysis: Analysis) -> Analysis:
    """An analysis with the chances that games tell, where they do and nothing is proven.

    A net learns little about boards with one piece. What its search finds after them still tells their moves apart.
    """
    if analysis.proven:
        return analysis
    if (stay := outlook_without_swap(position)) is not None:
        return _stayed(analysis, stay, can_swap=SWAP in position.legal_moves())
    if is_offered_for_swap(position) and (known := first_moves(position.game, position.size)):
        return _offered(analysis, known)
    return analysis


def _offered(analysis: Analysis, known: Mapping[str, Outlook]) -> Analysis:
    """The fairest first move is the best one."""
    looked_at = {found.move: found for found in analysis.moves}
    moves = []
    for text, outlook in known.items():
        move = read_move(type(analysis.position), text)
        found = looked_at.get(move, MoveAnalysis(move, 0, 0.0, 0.0, 0.0))
        moves.append(replace(found, win_chance=outlook.offered.chance, expected_score=outlook.offered.margin))
    moves.sort(key=lambda found: (-found.win_chance, -found.visits))
    best = moves[0]
    line = (best.move, Swap()) if known[str(best.move)].chance > 0.5 else (best.move,)
    return _with_best(analysis, best, line, moves)


def _stayed(analysis: Analysis, stay: Outlook, *, can_swap: bool) -> Analysis:
    """The best move without a swap is worth what games say, the others are as much worse as the search says."""
    others = [found for found in analysis.moves if found.move != Swap()]
    if not others:
        return analysis
    best = max(others, key=lambda found: found.visits)
    odds, points = _log_odds(stay.chance) - _log_odds(best.win_chance), stay.margin - best.expected_score
    moves = [
        replace(
            found,
            win_chance=1 / (1 + math.exp(-odds - _log_odds(found.win_chance))),
            expected_score=found.expected_score + points,
        )
        for found in others
    ]
    moves.sort(key=lambda found: (found.move != best.move, -found.visits))
    line = analysis.line if analysis.line[:1] == (best.move,) else (best.move,)
    if not can_swap:
        return _with_best(analysis, moves[0], line, moves)
    unseen = MoveAnalysis(Swap(), 0, 0.0, 0.0, 0.0)
    swap = next((found for found in analysis.moves if found.move == Swap()), unseen)
    swap = replace(swap, win_chance=1 - stay.chance, expected_score=-stay.margin)
    if stay.chance < 0.5:
        return _with_best(analysis, swap, (Swap(), *line), [swap, *moves])
    return _with_best(analysis, moves[0], line, [*moves, swap])


def _with_best(analysis: Analysis, best: MoveAnalysis, line: tuple[Move, ...], moves: list[MoveAnalysis]) -> Analysis:
    return replace(
        analysis,
        best_move=best.move,
        win_chance=best.win_chance,
        expected_score=best.expected_score,
        line=line,
        moves=tuple(moves),
    )


def _log_odds(chance: float) -> float:
    chance = min(1 - 1e-6, max(1e-6, chance))
    return math.log(chance / (1 - chance))
