"""What a drawing says to those who hear it."""

from __future__ import annotations

from ..rules.errors import Refusal
from ..rules.moves import Move
from ..rules.position import Position
from ..rules.registry import GAMES


def title_of(position: Position) -> str:
    """``Petrify 8×8, Blue to move``."""
    turn = "game over" if position.is_over else f"{position.colour_to_move.title} to move"
    return f"{GAMES[position.game].title} {position.size}×{position.size}, {turn}"


def description_of(position: Position, last_move: Move | None, refusal: Refusal | None) -> str:
    """The score, how the game ended if it has, the last move, and why a move is refused."""
    score = ", ".join(f"{colour.title} {points}" for colour, points in position.score().items())
    sentences = [f"Score: {score}", f"Turns taken: {position.ply}"]
    if outcome := position.outcome:
        winner = f"{position.colour_of(outcome.winner).title} wins" if outcome.winner else "A draw"
        sentences.append(f"{winner}: {outcome.reason}")
    if last_move:
        sentences.append(f"Last move: {last_move}")
    if refusal:
        sentences.append(f"Refused: {refusal.message}")
    return ". ".join(sentences) + "."
