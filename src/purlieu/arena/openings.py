"""Openings: a few random turns from the empty board, the same for the same seed, each played from both seats."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from purlieu.core import core
from purlieu.rules import GAMES, PurlieuError

if TYPE_CHECKING:
    from purlieu.core._core import Position as CorePosition

PLIES = {"petrify": 4, "pilo": 4, "pentwall": 1, "pyloff": 4}
"""How many turns an opening has, unless told otherwise."""
_TRIES = 200


def openings(game: str, size: int, plies: int, seed: int, count: int) -> list[tuple[str, ...]]:
    """That many openings, no two of them with the same board while there are others; more only add to the list.

    Nobody swaps in them. So with two plies or more the pie rule is out of play, and with fewer it is in.
    """
    random = Random(f"{game} {size} {plies} {seed}")
    found: list[tuple[str, ...]] = []
    seen: set[str] = set()
    for _ in range(count):
        drawn = None
        for _ in range(_TRIES):
            drawn = _draw(game, size, plies, random) or drawn
            if drawn and drawn[1] not in seen:
                break
        if drawn is None:
            title = GAMES[game].title
            raise PurlieuError(
                "arena.no_openings",
                "{title} on {size}×{size} has no openings of {plies} turns after which play goes on",
                title=title,
                size=size,
                plies=plies,
            )
        seen.add(drawn[1])
        found.append(drawn[0])
    return found


def _draw(game: str, size: int, plies: int, random: Random) -> tuple[tuple[str, ...], str] | None:
    """One opening and the text of where it leads; None if the game is over there, or as good as."""
    position: CorePosition = core().Position.start(game, size)
    moves = []
    for _ in range(plies):
        choices = [move for move in position.legal_moves() if move != "swap"]
        if not choices:
            return None
        moves.append(random.choice(choices))
        position = position.play(moves[-1])
    return (tuple(moves), position.text()) if len(position.legal_moves()) > 1 else None
