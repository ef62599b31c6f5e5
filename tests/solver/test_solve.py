"""The exact solver: against minimax on the rules, and its tables against the rules."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

import purlieu
from purlieu import Position, Seat
from purlieu.core import core
from purlieu.rules.pyloff import BLACK, WHITE, PyloffPosition
from purlieu.solver.openings import distinct_openings
from purlieu.solver.pyloff import KoFreeGraph, best_margin, forced, has_circle
from purlieu.solver.solve import Solution, new_solver, read_solutions, solve_position

SOLVED = Path(__file__).parent.parent / "data" / "solved"
TABLES = [path for path in sorted(SOLVED.glob("*.jsonl")) if not path.stem.startswith("pyloff")]
LARGE = 3_000
"""Positions to look at before minimax in Python gives up."""


def table(game: str) -> list[Solution]:
    return list(read_solutions(SOLVED / f"{game}.jsonl"))


class TooLarge(Exception):
    pass


def minimax(start: Position) -> tuple[tuple[int, int], dict[str, tuple[int, int]]]:
    """Result and margin for the side to move, and after each move, by looking at everything, on the rules alone."""
    looked_at = 0

    @cache
    def worth(position: Position) -> tuple[int, int]:
        nonlocal looked_at
        looked_at += 1
        if looked_at > LARGE:
            raise TooLarge
        if position.is_over:
            return final_worth(position)
        return max(tuple(-x for x in worth(position.after(m))) for m in position.legal_moves())  # type: ignore[return-value]

    return worth(start), {str(move): worth(start.after(move)) for move in start.legal_moves()}


def final_worth(position: Position) -> tuple[int, int]:
    assert position.outcome
    mover = position.to_move
    by_seat = position.outcome.by_seat
    result = 0 if position.outcome.winner is None else 1 if position.outcome.winner is mover else -1
    return result, by_seat[mover] - by_seat[mover.other]


def worth_of(solution: Solution) -> int:
    return {"win": 1, "draw": 0, "loss": -1}[solution.value]


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_small_positions_of_the_tables_are_worth_what_minimax_on_the_rules_says(path: Path) -> None:
    compared = 0
    for solution in sorted(read_solutions(path), key=lambda solution: solution.nodes)[:40:6]:
        position = purlieu.parse(solution.position)
        try:
            (result, margin), answers = minimax(position)
        except TooLarge:
            continue
        compared += 1
        assert result == worth_of(solution)
        assert solution.margin is None or margin == solution.margin
        if solution.all_best:
            assert [m for m, (r, _) in answers.items() if -r == result] == list(solution.best_moves)
    assert compared >= 3


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_lines_of_the_tables_lead_to_what_they_promise(path: Path) -> None:
    for solution in read_solutions(path):
        position = purlieu.parse(solution.position)
        assert position.text() == solution.position
        end = position
        for move in solution.line:
            end = end.play(move)
        if end.is_over:
            result, _ = final_worth(end)
            assert (result if end.to_move is position.to_move else -result) == worth_of(solution)
        legal = [str(move) for move in position.legal_moves()]
        assert solution.best_moves
        assert set(solution.best_moves) <= set(legal)


@pytest.mark.parametrize("game", ["petrify", "pilo", "pentwall"])
def test_the_core_solves_the_tables_again(game: str) -> None:
    for solution in table(game)[20:100:9]:
        again = solve_position(solution.position, every_move=True, nodes=2_000_000)
        assert again is not None
        assert again.value == solution.value
        assert again.best_moves == solution.best_moves


def test_the_second_seat_wins_with_the_pie_rule() -> None:
    for game in ("petrify", "pilo"):
        start = purlieu.start(game, 3)
        solution = solve_position(start)
        assert solution is not None
        assert solution.value == "loss"
        after = solve_position(start.play("a1"))
        assert after is not None
        assert (after.value, after.best_moves) == ("win", ("swap",))


def test_a_number_of_nodes_is_for_all_openings_together() -> None:
    whole = core().Solver(memory_mb=1).solve(core().Position.start("petrify", 3), score=True)
    assert whole
    assert whole.nodes > 2_000
    assert core().Solver(memory_mb=1).solve(core().Position.start("petrify", 3), score=True, nodes=1_200) is None


def test_a_solver_that_writes_its_proofs_holds_up_no_other_thread_and_begins_nothing_else(tmp_path: Path) -> None:
    solver = core().Solver(memory_mb=4)
    solver.solve(core().Position.start("pentwall", 10), nodes=40_000)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        saved = pool.submit(solver.save, str(pipe), least_work=1)
        with pipe.open("rb") as file:  # Opens once the writer is there; more is written than a pipe holds.
            written = len(file.read(1))
            with pytest.raises(RuntimeError, match="at work"):
                solver.load(str(pipe))
            written += len(file.read())
        assert written > 16 * saved.result() > 1 << 17
    assert solver.save(str(tmp_path / "proofs"), least_work=1) == saved.result()


def test_no_budget_gives_no_answer() -> None:
    assert solve_position(purlieu.start("petrify", 6), nodes=2_000) is None
    assert solve_position(purlieu.start("pentwall", 10), seconds=0.1) is None


def test_a_position_that_is_over_is_worth_its_outcome() -> None:
    solution = next(s for s in table("petrify") if s.line and purlieu.parse(s.position).size == 6)
    end = purlieu.parse(solution.position)
    for move in solution.line:
        end = end.play(move)
    over = solve_position(end)
    assert over is not None
    assert worth_of(over) == final_worth(end)[0]
    assert over.best_moves == ()


def test_pyloff_is_refused_because_positions_return() -> None:
    with pytest.raises(ValueError, match="return"):
        solve_position(purlieu.start("pyloff", 3))


def test_threads_agree() -> None:
    for position in distinct_openings("pilo", 3).values():
        one = solve_position(position, score=True)
        four = solve_position(position, score=True, threads=4, solver=new_solver(16))
        assert one is not None
        assert four is not None
        assert (one.value, one.margin) == (four.value, four.margin)


def test_blacks_strategy_on_pyloff_3_wins_all_twelve_marbles_whatever_white_does() -> None:
    """Replays the committed strategy on the full rules, ko and all; no board comes twice, so no history matters."""
    lines = [json.loads(line) for line in (SOLVED / "pyloff.jsonl").read_text().splitlines()]
    plays = {(line["board"], line["passes"]): line["black_plays"] for line in lines if "board" in line}
    start = purlieu.start("pyloff", 3)
    seen: set[tuple[str, int, int]] = set()
    leads: dict[bytes, set[bytes]] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        assert isinstance(position, PyloffPosition)
        board = position.text().split()[1]
        if (board, position.ply % 2, position.passes) in seen:
            continue
        seen.add((board, position.ply % 2, position.passes))
        leads.setdefault(position.board, set())
        if position.is_over:
            assert list(position.score().values()) == [12, 0]
            continue
        moves = [str(m) for m in position.legal_moves()]
        if position.to_move is Seat.FIRST:
            assert plays[board, position.passes] in moves
            moves = [plays[board, position.passes]]
        for move in moves:
            after = position.play(move)
            assert isinstance(after, PyloffPosition)
            if move != "pass":
                leads[position.board].add(after.board)
            waiting.append(after)
    assert not has_circle(leads)


def test_every_winning_move_of_the_pyloff_table_is_legal_and_the_strategys_own_is_among_them() -> None:
    lines = [json.loads(line) for line in (SOLVED / "pyloff.jsonl").read_text().splitlines()]
    plays = {(line["board"], line["passes"]): line["black_plays"] for line in lines if "board" in line}
    for solution in table("pyloff_wins"):
        position = purlieu.parse(solution.position)
        assert position.text() == solution.position
        assert set(solution.best_moves) < {str(move) for move in position.legal_moves()}
        assert isinstance(position, PyloffPosition)
        assert plays[solution.position.split()[1], position.passes] in solution.best_moves


@pytest.mark.deep
def test_a_strategy_without_ko_meets_no_earlier_board_of_the_game() -> None:
    graph = KoFreeGraph(3)
    free = best_margin(graph, BLACK, graph.start)
    assert free
    earlier = {state[0] for state in free.moves} - {graph.start[0]}
    other = best_margin(graph, BLACK, graph.start, earlier)
    assert other is None or {state[0] for state in other.moves}.isdisjoint(earlier)


@pytest.mark.deep
def test_what_is_forced_on_pyloff_3_without_ko() -> None:
    graph = KoFreeGraph(3)
    assert len(graph.after) == 72_749
    black, white = forced(graph, BLACK, 12), forced(graph, WHITE, 12)
    after = graph.after[graph.start]
    assert graph.start in black
    assert after["b2"] in black
    assert after["a1"] in white
    assert after["b1"] not in forced(graph, BLACK, -12)
    assert after["b1"] not in forced(graph, WHITE, -12)
