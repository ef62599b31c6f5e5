"""Every game and size, and seeded random games through them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import purlieu
from purlieu import GAMES, Position
from purlieu.rules.moves import Move

EVERY_GAME_AND_SIZE = [(game.name, size) for game in GAMES.values() for size in game.sizes]
EVERY_DEFAULT = [(game.name, game.default_size) for game in GAMES.values()]
EVERY_SMALLEST = [(game.name, game.sizes[0]) for game in GAMES.values()]


def random_game(game: str, size: int, seed: int, plies: int | None = None) -> Iterator[tuple[Position, Move | None]]:
    """The positions of a random game, each with the move played in it; the last has none."""
    random = Random(f"{game} {size} {seed}")
    position = purlieu.start(game, size)
    while plies is None or position.ply < plies:
        moves = position.legal_moves()
        if not moves:
            break
        move = random.choice(moves)
        yield position, move
        position = position.play(move)
    yield position, None


@cache
def some_positions(game: str, size: int, seed: int = 0) -> list[Position]:
    """About eight positions spread over a random game, its start and its end among them.

    Games on the larger Pyloff boards are long; their first 60 plies do.
    """
    positions = [
        position for position, _ in random_game(game, size, seed, plies=60 if game == "pyloff" and size > 6 else None)
    ]
    step = max(1, len(positions) // 7)
    return [*positions[:2], *positions[2:-1:step], positions[-1]]
