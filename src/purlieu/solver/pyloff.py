"""What can be proved of small Pyloff boards, where ko makes the worth of a board depend on how it came about.

The claim that can be proved is this one: a side *forces* a result *without ko* if it has a strategy under which no
board ever comes twice, whatever the other side does. Then ko never forbids either side anything, so the strategy is
good under positional superko, under any other ko rule, and under none. Where neither side has such a strategy the
value may depend on history, and nothing is claimed.

It is found backwards from the ends of all games in the graph of boards (who has lost, who can go there, who must),
and then checked forwards: the boards that the strategy can meet must form no circle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from purlieu.rules.pyloff import BLACK, WHITE, board_text, play_marble, valid_points
from purlieu.rules.pyramid import pyramid

State = tuple[bytes, int, int]
"""A board, the colour to move, and how many passes were just made."""


class KoFreeGraph:
    """All that can arise from a state, the empty board unless another is given, if ko were left out of the rules.

    `on_state` is called with the number of states as it grows; what it raises ends the work.
    """

    def __init__(
        self, size: int, start: State | None = None, on_state: Callable[[int], object] = lambda _: None
    ) -> None:
        self.size = size
        self.start: State = start or (bytes(len(pyramid(size).points)), BLACK, 0)
        self.after: dict[State, dict[str, State]] = {}
        waiting = [self.start]
        while waiting:
            state = waiting.pop()
            if state in self.after:
                continue
            self.after[state] = dict(self._moves(state))
            waiting += self.after[state].values()
            on_state(len(self.after))

    def _moves(self, state: State) -> Iterator[tuple[str, State]]:
        board, colour, passes = state
        if passes == 2:
            return
        shape = pyramid(self.size)
        plays = ((at, play_marble(shape, board, at, colour)) for at in valid_points(shape, board))
        found = [(str(shape.points[at]), (after, 3 - colour, 0)) for at, after in plays if after is not None]
        yield from found or [("pass", (board, 3 - colour, passes + 1))]

    @cached_property
    def before(self) -> dict[State, list[State]]:
        """The states from which each state can come."""
        found: dict[State, list[State]] = {state: [] for state in self.after}
        for state, moves in self.after.items():
            for after in set(moves.values()):
                found[after].append(state)
        return found

    @property
    def boards(self) -> int:
        """The number of different boards."""
        return len({board for board, _, _ in self.after})

    def text(self, state: State) -> str:
        """The board of a state, as in a position's text."""
        return board_text(pyramid(self.size), state[0])


@dataclass(frozen=True, slots=True)
class Strategy:
    """How *colour* forces a margin of at least *margin* without ko: what to play in each state that it can meet."""

    colour: int
    margin: int
    moves: dict[State, str]
    states: int
    boards: int


def forced(graph: KoFreeGraph, colour: int, margin: int) -> dict[State, int]:
    """The states from which *colour* can force a final margin of at least *margin*, with the plies it takes."""
    sign = 1 if colour == BLACK else -1
    plies: dict[State, int] = {}
    for state, moves in graph.after.items():
        if not moves and sign * (state[0].count(BLACK) - state[0].count(WHITE)) >= margin:
            plies[state] = 0
    left = {state: len(set(moves.values())) for state, moves in graph.after.items()}
    queue = list(plies)
    for state in queue:
        for before in graph.before[state]:
            left[before] -= 1
            if before not in plies and (before[1] == colour or left[before] == 0):
                plies[before] = plies[state] + 1
                queue.append(before)
    return plies


def moves_without_ko(graph: KoFreeGraph, colour: int, margin: int, plies: dict[State, int], start: State) -> list[str]:
    """The moves of *colour* after which it is found to force the margin without ko; *plies* is what `forced` gives."""
    return [move for move in graph.after[start] if _shortest(graph, colour, margin, start, plies, first=move)]


def _shortest(
    graph: KoFreeGraph,
    colour: int,
    margin: int,
    start: State,
    plies: dict[State, int],
    *,
    first: str | None = None,
    earlier: Collection[bytes] = (),
) -> Strategy | None:
    """The strategy that takes the shortest way everywhere, but begins with *first*; None if it meets a board twice."""
    if (start if first is None else graph.after[start][first]) not in plies:
        return None
    moves: dict[State, str] = {}
    met = {start}
    leads: dict[bytes, set[bytes]] = {board: {start[0]} for board in earlier if board != start[0]}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        choices = graph.after[state]
        if choices and state[1] == colour:
            move = min((m for m in choices if choices[m] in plies), key=lambda m: plies[choices[m]])
            if first is not None and state == start:
                move = first
            moves[state] = move
            choices = {move: choices[move]}
        leads.setdefault(state[0], set())
        for move, after in choices.items():
            if move != "pass":
                leads[state[0]].add(after[0])
            if after not in met:
                met.add(after)
                waiting.append(after)
    if has_circle(leads):
        return None
    return Strategy(colour, margin, moves, len(met), len(leads))


def has_circle(leads: dict[bytes, set[bytes]]) -> bool:
    """Whether one can go from some board back to it."""
    entries = dict.fromkeys(leads, 0)
    for targets in leads.values():
        for target in targets:
            entries[target] += 1
    free = [board for board, number in entries.items() if number == 0]
    seen = 0
    while free:
        seen += 1
        for target in leads[free.pop()]:
            entries[target] -= 1
            if entries[target] == 0:
                free.append(target)
    return seen < len(leads)


def best_margin(graph: KoFreeGraph, colour: int, start: State, earlier: Collection[bytes] = ()) -> Strategy | None:
    """The strategy for the largest margin that *colour* is found to force without ko; None if it can force nothing.

    It meets no board twice, and none of the *earlier* ones of the game.
    """
    most = len(start[0])
    if start not in forced(graph, colour, -most):
        return None
    for margin in range(most, -most - 1, -1):
        if strategy := _shortest(graph, colour, margin, start, forced(graph, colour, margin), earlier=earlier):
            return strategy
    return None
