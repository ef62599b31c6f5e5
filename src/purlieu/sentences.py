"""Sentences that the terminal and the page both say: what a game is, and what a move would do."""

from __future__ import annotations

from collections.abc import Mapping

from purlieu.rules import Colour, Game, Message, Move, Position
from purlieu.rules.ledger import score_text
from purlieu.rules.moves import Capture, Paint, Pass, Place, Swap
from purlieu.rules.pieces import Marble

IN_A_SENTENCE = {
    "petrify": Message(
        "about.petrify", "Place disks or capture along lines; every capture leaves a block, and blocks carve the land."
    ),
    "pilo": Message("about.pilo", "Petrify with stacks: equal heights capture each other, and the winner grows."),
    "pentwall": Message(
        "about.pentwall", "Paint twelve pentominoes on one sheet and touch the gaps with more squares than your rival."
    ),
    "pyloff": Message(
        "about.pyloff", "Marbles pile into a pyramid; surround to capture, build over to bury and to cut."
    ),
}


def by_designer(game: Game) -> Message:
    """``Petrify, by Luis Bolaños Mures``."""
    return Message("about.designer", "{game}, by {designer}", game=game.title, designer=game.designer)


def effect_text(
    position: Position, move: Move, after: Position | None = None, score: Mapping[Colour, int] | None = None
) -> Message:
    """What a legal move would do; whoever knows the position after it already gives it, and its score."""
    after = after or position.after(move)
    told = {"move": move, "score": score_text(score or after.score())}
    match move:
        case Swap():
            return Message(
                "effect.swap",
                "swap is legal: you would play {colour} from now on.",
                colour=after.colour_of(position.to_move).title,
            )
        case Pass():
            return Message("effect.pass", "pass is legal: there is nothing else to play.")
        case Capture(start, target):
            return Message(
                "effect.capture",
                "{move} is legal: it takes {target} and leaves a block on {start}. The score would be {score}.",
                **told,
                target=target,
                start=start,
            )
        case Place() if position.game == "pyloff":
            if taken := marbles_taken(position, move, after):
                return Message.many(
                    "effect.marbles",
                    "{move} is legal: it captures {count} marble. The score would be {score}.",
                    "{move} is legal: it captures {count} marbles. The score would be {score}.",
                    **told,
                    count=taken,
                )
            return Message(
                "effect.no_capture", "{move} is legal: it captures nothing. The score would be {score}.", **told
            )
        case Paint(letter):
            return Message(
                "effect.paint", "{move} is legal: it uses {letter}. The score would be {score}.", **told, letter=letter
            )
    return Message("effect.place", "{move} is legal: it places a disk. The score would be {score}.", **told)


def marbles_taken(position: Position, move: Move, after: Position | None = None) -> int:
    """How many marbles a legal play of Pyloff takes off the board."""
    before = sum(isinstance(piece, Marble) for piece in position.pieces())
    return before + isinstance(move, Place) - len((after or position.after(move)).pieces())
