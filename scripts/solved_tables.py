"""Write the tables of solved positions in tests/data/solved anew: small boards, and ends of random games.

    python scripts/solved_tables.py [petrify pilo pentwall pyloff]

Of ends of games only those are kept in which the side to move wins with some of its moves and not with others, so
that a player can be asked to find one. 4×4 Pilo is not here: see docs/solved.md.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import purlieu
from purlieu.core import core
from purlieu.rules.pyloff import BLACK, WHITE
from purlieu.solver.endgames import things_left
from purlieu.solver.openings import distinct_openings
from purlieu.solver.pyloff import KoFreeGraph, Strategy, best_margin, forced, moves_without_ko
from purlieu.solver.solve import Solution, new_solver, solve_position

if TYPE_CHECKING:
    from purlieu.core._core import Position as CorePosition

FOLDER = Path(__file__).parent.parent / "tests" / "data" / "solved"
# Game, size, what is left (empty squares, or pentominoes), and how many positions.
ENDGAMES = {
    "petrify": [(4, 6, 60), (6, 6, 80), (8, 5, 80), (10, 4, 40)],
    "pilo": [(4, 4, 60), (6, 3, 80), (8, 2, 80), (10, 1, 40)],
    "pentwall": [(10, 3, 80), (10, 4, 80), (10, 5, 40)],
}


def main() -> None:
    """Write the tables of the games named, or of all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in sys.argv[1:] or ["petrify", "pilo", "pentwall", "pyloff"]:
        if game == "pyloff":
            graph = KoFreeGraph(3)
            write(game, pyloff_lines(graph))
            write("pyloff_wins", pyloff_wins(graph))
        else:
            write(game, solved_lines(game))


def write(name: str, lines: Iterable[str]) -> None:
    """Write one table."""
    found = list(lines)
    (FOLDER / f"{name}.jsonl").write_text("".join(line + "\n" for line in found))
    print(f"{name}: {len(found)} lines")


def solved_lines(game: str) -> Iterator[str]:
    """Openings of small boards where there are such boards, then ends of random games."""
    if game in ("petrify", "pilo"):
        for size, score in ((3, True), (4, False)) if game == "petrify" else ((3, True),):
            solver = new_solver(1024)
            for move, position in distinct_openings(game, size).items():
                solution = solve_position(position, every_move=size == 3, solver=solver)
                with_score = solve_position(position, score=True, solver=solver) if score else None
                assert solution
                print(f"{game} {size} {move}: {solution.value}, {solution.nodes:,} nodes, {solution.seconds} s")
                yield without_time(replace(solution, margin=with_score.margin if with_score else None))
    for size, left, number in ENDGAMES[game]:
        chosen = random.Random(f"{game} {size} {left}")
        found, nodes = 0, 0
        while found < number:
            end = random_end(game, size, chosen, left)
            if end is None or len(end.legal_moves()) < 2:
                continue
            solver = new_solver(64)
            solution = solve_position(end.text(), every_move=True, nodes=1_000_000, solver=solver)
            if solution is None or solution.value != "win" or len(solution.best_moves) == len(end.legal_moves()):
                continue
            with_score = solve_position(end.text(), score=True, nodes=1_000_000, solver=solver)
            found, nodes = found + 1, nodes + solution.nodes
            yield without_time(replace(solution, margin=with_score.margin if with_score else None))
        print(f"{game} {size}, {left} left: {number} positions, {nodes // number:,} nodes each")


def without_time(solution: Solution) -> str:
    """As JSON, the same on every machine."""
    return replace(solution, seconds=0.0).to_json()


def random_end(game: str, size: int, chosen: random.Random, left: int) -> CorePosition | None:
    """A position of a random game, the first with so little left; None if the game ended before."""
    position = core().Position.start(game, size)
    while not position.is_over:
        if things_left(purlieu.parse(position.text())) <= left:
            return position
        position = position.play(chosen.choice(position.legal_moves()))
    return None


def pyloff_lines(graph: KoFreeGraph) -> Iterator[str]:
    """What is proved of each opening of 3×3, then the strategy that proves the first: what Black plays where."""
    for opening in (None, "b2", "b1", "a1"):
        state = graph.start if opening is None else graph.after[graph.start][opening]
        claims = {}
        for name, colour in (("black", BLACK), ("white", WHITE)):
            strategy = best_margin(graph, colour, state)
            claims[name] = strategy.margin if strategy else None
        print(f"pyloff 3 {opening or 'start'}: {claims}")
        yield json.dumps({"opening": opening, "forced_margin": claims})
    for state, move in black_strategy(graph).moves.items():
        yield json.dumps({"board": graph.text(state), "passes": state[2], "black_plays": move})


def pyloff_wins(graph: KoFreeGraph) -> Iterator[str]:
    """The boards of that strategy on which not every move is known to win without ko, with those that are.

    A move counts if it wins by however much. Others may win as well, with ko or in a way that was not looked for:
    hence ``all_best`` is false.
    """
    strategy = black_strategy(graph)
    plies = {margin: forced(graph, BLACK, margin) for margin in (strategy.margin, 1)}
    for state in strategy.moves:
        known = {move for margin in plies for move in moves_without_ko(graph, BLACK, margin, plies[margin], state)}
        wins = tuple(move for move in graph.after[state] if move in known)
        if len(wins) < len(graph.after[state]):
            turns = sum(marble > 0 for marble in state[0])
            text = f"pyloff {graph.text(state)} ply={turns + turns % 2} passes={state[2]}"
            yield Solution(text, "win", None, wins, False, (), 0, 0.0).to_json()


def black_strategy(graph: KoFreeGraph) -> Strategy:
    """How Black wins 3×3 by as much as can be."""
    strategy = best_margin(graph, BLACK, graph.start)
    assert strategy
    return strategy


if __name__ == "__main__":
    main()
