"""Every player against what is proved: the solved positions of `tests/data/solved`, in which some moves win.

`python -m benchmarks.strength.solved_positions` gives the shares of all levels over all positions; the floors here are
well below them.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import purlieu
from purlieu import Position
from purlieu.engine import LEVELS, Engine, Level
from purlieu.players import PLAYERS
from purlieu.solver.solve import Solution, read_solutions, solve_position

from .test_engine import end_after

SOLVED = Path(__file__).parent.parent / "data" / "solved"
SAMPLE = 40
NINTH = 5_000
"""Simulations for the level that else takes a time, which a busy machine would cut short."""


def won_positions(table: str) -> list[Solution]:
    """Those in which the side to move wins, and all winning moves are known, or in Pyloff those without ko."""
    return [
        solution
        for solution in read_solutions(SOLVED / f"{table}.jsonl")
        if solution.value == "win" and (solution.all_best or table == "pyloff_wins")
    ]


def sample(table: str) -> list[Solution]:
    found = won_positions(table)
    return found[:: len(found) // SAMPLE]


def last_choices(solution: Solution) -> list[Position]:
    """The positions along a line of perfect play in which a move can decide the game at once."""
    line = [purlieu.parse(solution.position)]
    for move in solution.line:
        line.append(line[-1].play(move))
    near = [position for position in line[-6:] if len(position.legal_moves()) > 1]
    return [position for position in near if any(end_after(position, move) for move in position.legal_moves())]


def answer(level: Level, position: Position, seed: int = 1) -> str:
    simulations = NINTH if level.takes_time else None
    return str(Engine(level, seed=seed).best_move(position, simulations=simulations))


def worth(position: Position) -> str:
    solution = solve_position(position, nodes=1_000_000)
    assert solution
    return solution.value


@pytest.mark.parametrize("table", ["petrify", "pilo", "pentwall"])
def test_no_level_gives_up_a_win_on_the_last_turn_or_walks_into_a_loss_that_it_could_avoid(table: str) -> None:
    wins_seen = losses_seen = 0
    for position in [position for solution in sample(table) for position in last_choices(solution)]:
        mine = position.to_move
        ends = {str(move): end_after(position, move) for move in position.legal_moves()}
        winners = {move: end.outcome.winner for move, end in ends.items() if end and end.outcome}
        wins = {move for move, winner in winners.items() if winner is mine}
        losses = {move for move, winner in winners.items() if winner is mine.other}
        saved = worth(position) != "loss"
        wins_seen += bool(wins)
        losses_seen += bool(losses) and saved
        # Levels that pick freely are asked more than once.
        asked = [(level, seed) for level in LEVELS.values() for seed in range(6 if level.number <= 5 else 1)]
        for level, seed in asked:
            played = answer(level, position, seed)
            assert not wins or played in wins or worth(position.play(played)) == "loss", f"{level} at {position}"
            assert played not in losses or not saved, f"{level} at {position}"
    assert wins_seen >= 10
    assert losses_seen >= 5


@pytest.mark.parametrize(
    ("table", "eighth", "ninth"),
    [("petrify", 0.93, 0.86), ("pilo", 0.93, 0.93), ("pentwall", 0.93, 0.9), ("pyloff_wins", 0.85, 0.8)],
)
def test_the_strongest_levels_find_a_winning_move_nearly_always(table: str, eighth: float, ninth: float) -> None:
    """Over all positions level 8 finds one in 98, 100, 99 and 90 % of them (benchmarks/results/search.md)."""
    solutions = sample(table)
    for number, floor in ((8, eighth), (9, ninth)):
        right = sum(answer(LEVELS[number], purlieu.parse(s.position)) in s.best_moves for s in solutions)
        assert right >= floor * len(solutions), f"level {number}: {right} of {len(solutions)}"


@pytest.mark.parametrize("table", ["petrify", "pilo", "pentwall", "pyloff_wins"])
@pytest.mark.parametrize("name", PLAYERS)
def test_the_simple_players_move_legally_in_every_solved_position(table: str, name: str) -> None:
    for seed, solution in enumerate(sample(table)):
        position = purlieu.parse(solution.position)
        assert PLAYERS[name](position, Random(seed)) in position.legal_moves()
