"""Games in memory, each with the view of its board: copies of what the database has."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..cache import Cache
from ..domain.game import Game
from ..domain.played import Played
from ..wire.state import EventView
from ..wire.view import View, view

QUICK = ("petrify", "pilo")
"""The games whose moves are judged and drawn in about a millisecond on any board."""
MOVING = ("move", "undo", "redo")
"""The events that change the board."""
Given = TypeVar("Given")
Result = TypeVar("Result")


@dataclass(eq=False)
class Kept:
    """A game in memory, and the view of the position it was last asked for."""

    game: Game
    in_doubt: bool = False
    """Something may have been stored that this copy lacks: a commit failed without saying how it ended."""
    viewed: Played | None = None
    view: View | None = None


class GameCache:
    """Games that were used lately, as many as fit. Those that are over leave first, then those that nobody watches."""

    def __init__(self, most_bytes: int, is_watched: Callable[[str], bool]) -> None:
        self.is_watched = is_watched
        self.kept: Cache[str, Kept] = Cache(most_bytes, weight_of, self._stays)

    def _stays(self, game_id: str, kept: Kept) -> int:
        return 2 * self.is_watched(game_id) + (kept.game.status != "over")

    def peek(self, game_id: str) -> Game | None:
        """The game as memory has it, without asking the database: another process may have carried it on."""
        kept = self.kept.get(game_id)
        return kept.game if kept else None

    def keep(self, game: Game) -> Kept:
        """Have the game in memory, as it is stored."""
        kept = self.kept.get(game.id) or Kept(game)
        kept.game = game
        self.kept.put(game.id, kept)
        return kept

    async def view(self, game: Game) -> View:
        """The view of the position on the board, made once."""
        kept = self.kept.get(game.id) or Kept(game)
        if kept.viewed is not game.played or kept.view is None:
            made = await off_the_loop(game.kind, view, game.played)
            game.played.let_go()
            kept.viewed, kept.view = game.played, made
            return made
        return kept.view

    async def with_view(self, events: Sequence[EventView], game: Game) -> list[EventView]:
        """The events, the last one with the view of the board if any of them changed it."""
        events = list(events)
        if events and events[-1]["v"] == game.v and any(event["kind"] in MOVING for event in events):
            events[-1] = {**events[-1], "view": await self.view(game)}
        return events


async def off_the_loop(kind: str, run: Callable[[Given], Result], given: Given) -> Result:
    """Have the rules work in a thread where they may take long; elsewhere a thread costs more than they do."""
    if kind in QUICK:
        return run(given)
    return await asyncio.to_thread(run, given)


def weight_of(kept: Kept) -> int:
    """About how many bytes a game in memory takes: two positions of the core, the view, and 160 for each turn."""
    return 40_000 + (kept.game.v + kept.game.opening) * 160
