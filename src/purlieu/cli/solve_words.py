"""What ``purlieu solve`` says: who wins, by how much, what follows for the pie rule, and what is out of reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from purlieu.rules import GAMES, Position, Seat
from purlieu.rules.messages import listed
from purlieu.solver.solve import Solution

WITHIN_REACH = {"petrify": 14, "pilo": 10, "pentwall": 7}
"""Empty squares, or pentominoes, left: beyond this we warn. A guess from the shorter ends in docs/solved.md."""


def title(position: Position) -> str:
    """The game and the board: ``Petrify 3×3``."""
    return f"{GAMES[position.game].title} {position.size}×{position.size}"


def winner(position: Position, solution: Solution) -> Seat | None:
    """Who wins with perfect play; nobody, in a draw."""
    if solution.value == "draw":
        return None
    return position.to_move if solution.value == "win" else position.to_move.other


def verdict(position: Position, solution: Solution) -> str:
    """Who wins, and by how much if that is proved."""
    seat = winner(position, solution)
    if seat is None:
        return "a draw"
    # As long as colours can still be exchanged, only the seat says who it is.
    open_colours = GAMES[position.game].has_pie_rule and position.ply < 2
    name = f"the {seat.value} seat" if open_colours else position.colour_of(seat).title
    return f"{name} wins{by(solution.margin)}"


def by(margin: int | None) -> str:
    """The end of a sentence about a win or a loss."""
    if margin is None:
        return ""
    return f" by {abs(margin)}" if margin else " by the tie rule"


def work(nodes: int, seconds: float) -> str:
    """What a proof cost."""
    return f"{nodes:,} nodes, {seconds:.2f} s" if seconds < 10 else f"{nodes:,} nodes, {seconds:,.0f} s"


def limits(seconds: float | None, nodes: int | None) -> str:
    """The limits that were set, for a sentence."""
    named = [f"{seconds:g} s"] if seconds is not None else []
    return " and ".join([*named, *([f"{nodes:,} nodes"] if nodes is not None else [])])


def move_value(value: str, margin: int | None) -> str:
    """What a move is worth to the one who makes it: ``wins by 3``."""
    return "draws" if value == "draw" else f"{'wins' if value == 'win' else 'loses'}{by(margin)}"


def pie_rule(openings: Mapping[str, Position], found: Mapping[str, Solution], *, all_of_them: bool) -> str:
    """What the proved openings mean for a game with the pie rule; nothing, if none is proved."""
    winners = {move: winner(openings[move], solution) for move, solution in found.items()}
    # With the swap made, the second seat has the colour that opened.
    swap, stay, even = (
        [move for move, seat in winners.items() if seat is wanted] for wanted in (Seat.SECOND, Seat.FIRST, None)
    )
    advice = []
    if swap:
        advice.append(f"swap after {listed(swap)}")
    if stay:
        advice.append(f"do not swap after {listed(stay)}")
    if even:
        advice.append(f"after {listed(even)} it is a draw either way")
    if not advice:
        return ""
    if not all_of_them:
        return f"With the pie rule, as far as this is proved: {'; '.join(advice)}."
    if even:
        return f"With the pie rule the game is a draw: {'; '.join(advice)}."
    told = f"With the pie rule the second seat wins: {'; '.join(advice)}."
    margins = {move: abs(solution.margin) for move, solution in found.items() if solution.margin is not None}
    if len(margins) == len(found) and len(set(margins.values())) > 1:
        least = [move for move in margins if margins[move] == min(margins.values())]
        told += f" The first seat loses least with {listed(least)}."
    return told


def out_of_reach(position: Position) -> str | None:
    """A warning where a proof is not to be expected; None where it is."""
    if position.size == 3 or (position.game, position.size) == ("petrify", 4):
        return None
    if position.game == "pentwall":
        left, things = 12 - position.ply, "pentominoes"
    else:
        left, things = position.size**2 - len(position.pieces()), "empty squares"
    most = WITHIN_REACH[position.game]
    if left <= most:
        return None
    return (
        f"{left} {things} are left, and with more than about {most} a proof may take hours or be out of reach; "
        "trying all the same, until Ctrl-C or a limit"
    )


def as_data(position: Position, solution: Solution) -> dict[str, Any]:
    """A solution for programs, with the winner by name."""
    seat = winner(position, solution)
    colour = None if seat is None else position.colour_of(seat).value
    fields = {name: value for name, value in asdict(solution).items() if name not in ("best_moves", "all_best")}
    return {**fields, "winning_seat": seat and seat.value, "winning_colour": colour}
