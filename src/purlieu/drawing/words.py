"""What a drawing says to those who hear it."""

from __future__ import annotations

from ..rules.errors import Refusal
from ..rules.ledger import score_text
from ..rules.messages import Message
from ..rules.moves import Move
from ..rules.position import Position
from ..rules.registry import GAMES


def title_of(position: Position) -> Message:
    """``Petrify 8×8, Blue to move``."""
    told = {"game": GAMES[position.game].title, "size": position.size}
    if position.is_over:
        return Message("picture.over", "{game} {size}×{size}, game over", **told)
    return Message(
        "picture.to_move", "{game} {size}×{size}, {colour} to move", **told, colour=position.colour_to_move.title
    )


def description_of(position: Position, last_move: Move | None, refusal: Refusal | None) -> list[Message]:
    """The score, how the game ended if it has, the last move, and why a move is refused."""
    sentences = [
        Message("picture.score", "Score: {score}.", score=score_text(position.score())),
        Message("picture.turns", "Turns taken: {count}.", count=position.ply),
    ]
    if outcome := position.outcome:
        told = {"colour": position.colour_of(outcome.winner).title if outcome.winner else "", "reason": outcome.reason}
        won = Message("picture.won", "{colour} wins: {reason}.", **told)
        sentences.append(won if outcome.winner else Message("picture.draw", "A draw: {reason}.", **told))
    if last_move:
        sentences.append(Message("picture.last_move", "Last move: {move}.", move=last_move))
    if refusal:
        sentences.append(Message("picture.refused", "Refused: {why}.", why=refusal.message))
    return sentences
