"""Sentences that the terminal and the page both say: what a game is, and what a move would do."""

from __future__ import annotations

from collections.abc import Mapping

from purlieu.rules import Colour, Move, Position
from purlieu.rules.moves import Capture, Paint, Pass, Place, Swap
from purlieu.rules.pieces import Marble

IN_A_SENTENCE = {
    "petrify": "Place disks or capture along lines; every capture leaves a block, and blocks carve the land.",
    "pilo": "Petrify with stacks: equal heights capture each other, and the winner grows.",
    "pentwall": "Paint twelve pentominoes on one sheet and touch the gaps with more squares than your rival.",
    "pyloff": "Marbles pile into a pyramid; surround to capture, build over to bury and to cut.",
}


def effect_text(
    position: Position, move: Move, after: Position | None = None, score: Mapping[Colour, int] | None = None
) -> str:
    """What a legal move would do; whoever knows the position after it already gives it, and its score."""
    after = after or position.after(move)
    match move:
        case Swap():
            return f"swap is legal: you would play {after.colour_of(position.to_move).title} from now on."
        case Pass():
            return "pass is legal: there is nothing else to play."
        case Capture(start, target):
            did = f"takes {target} and leaves a block on {start}"
        case Place() if position.game == "pyloff":
            taken = marbles_taken(position, move, after)
            did = f"captures {taken} marble{'s' if taken > 1 else ''}" if taken else "captures nothing"
        case Paint(letter):
            did = f"uses {letter}"
        case _:
            did = "places a disk"
    told = ", ".join(f"{colour.title} {points}" for colour, points in (score or after.score()).items())
    return f"{move} is legal: it {did}. The score would be {told}."


def marbles_taken(position: Position, move: Move, after: Position | None = None) -> int:
    """How many marbles a legal play of Pyloff takes off the board."""
    before = sum(isinstance(piece, Marble) for piece in position.pieces())
    return before + isinstance(move, Place) - len((after or position.after(move)).pieces())
