"""Ends of games in which every move is proved to keep the result and the margin, or not: `tests/data/endgames`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from purlieu.core import Proven, core
from purlieu.rules import Position

MARKS = {"*": "keeps result and margin", "o": "keeps the result", ".": "gives the result away"}
"""What a line says of each legal move, in the order of the moves' texts."""


class Worth(NamedTuple):
    """What a position or a move is worth to a side: 1 for a win, 0 or -1, and the margin of the final score."""

    result: int
    margin: int

    def to_the_other(self) -> Worth:
        """The same for the other side."""
        return Worth(-self.result, -self.margin)


@dataclass(frozen=True, slots=True)
class Endgame:
    """A position with what is proved of it, for the side to move."""

    position: str
    value: Proven
    margin: int
    marks: str
    """One of `MARKS` for each legal move."""
    game: int
    """The number of the game it comes from."""

    @classmethod
    def of(cls, position: str, moves: Mapping[str, Worth], game: int) -> Endgame:
        """From what each legal move is worth."""
        best = max(moves.values())
        marks = "".join(_mark(moves[move], best) for move in sorted(moves))
        values: tuple[Proven, Proven, Proven] = ("draw", "win", "loss")
        return cls(position, values[best.result], best.margin, marks, game)

    @property
    def has_a_choice(self) -> bool:
        """Whether some move gives the result away."""
        return "." in self.marks

    def moves(self, marks: str) -> list[str]:
        """The legal moves that have one of these marks."""
        legal = sorted(core().Position.parse(self.position).legal_moves())
        return [move for move, mark in zip(legal, self.marks, strict=True) if mark in marks]

    def to_json(self) -> str:
        """One line of a file."""
        fields = {"game": self.game, "position": self.position, "value": self.value, "margin": self.margin}
        return json.dumps(fields | {"moves": self.marks}, separators=(",", ":"))


def things_left(position: Position) -> int:
    """How far a game is from its end, in empty squares or in pentominoes not yet used; in Pyloff it says nothing."""
    return 12 - position.ply if position.game == "pentwall" else position.size**2 - len(position.pieces())


def read_endgames(path: Path) -> Iterator[Endgame]:
    """The lines of a file; none if there is no such file."""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        fields = json.loads(line)
        yield Endgame(fields["position"], fields["value"], fields["margin"], fields["moves"], fields["game"])


def _mark(move: Worth, best: Worth) -> str:
    return "*" if move == best else "o" if move.result == best.result else "."
