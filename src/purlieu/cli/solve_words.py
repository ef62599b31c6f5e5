"""What ``purlieu solve`` says: who wins, by how much, what follows for the pie rule, and what is out of reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from purlieu.rules import GAMES, Message, Position, Seat
from purlieu.rules.messages import listed, semicolons
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


def verdict(position: Position, solution: Solution) -> Message:
    """Who wins, and by how much if that is proved."""
    seat = winner(position, solution)
    if seat is None:
        return Message("solve.draw", "a draw")
    # As long as colours can still be exchanged, only the seat says who it is.
    open_colours = GAMES[position.game].has_pie_rule and position.ply < 2
    name = Message("solve.seat", "the {seat} seat", seat=seat.word) if open_colours else position.colour_of(seat).title
    if solution.margin is None:
        return Message("solve.wins", "{winner} wins", winner=name)
    if solution.margin == 0:
        return Message("solve.wins_tie", "{winner} wins by the tie rule", winner=name)
    return Message("solve.wins_by", "{winner} wins by {margin}", winner=name, margin=abs(solution.margin))


def work(nodes: int, seconds: float) -> Message:
    """What a proof cost."""
    took = f"{seconds:.2f}" if seconds < 10 else f"{seconds:,.0f}"
    return Message("solve.work", "{nodes} nodes, {seconds} s", nodes=f"{nodes:,}", seconds=took)


def limits(seconds: float | None, nodes: int | None) -> str:
    """The limits that were set, for a sentence."""
    named = [Message("solve.seconds", "{seconds} s", seconds=f"{seconds:g}")] if seconds is not None else []
    if nodes is not None:
        named.append(Message("solve.nodes", "{nodes} nodes", nodes=f"{nodes:,}"))
    return listed(named) if named else ""


def move_value(value: str, margin: int | None) -> Message:
    """What a move is worth to the one who makes it: ``wins by 3``."""
    if value == "draw":
        return Message("chance.draws", "draws")
    if value == "win":
        if margin is None:
            return Message("chance.wins", "wins")
        by_points = Message("solve.move_wins_by", "wins by {margin}", margin=abs(margin))
        return by_points if margin else Message("solve.move_wins_tie", "wins by the tie rule")
    if margin is None:
        return Message("chance.loses", "loses")
    by_points = Message("solve.move_loses_by", "loses by {margin}", margin=abs(margin))
    return by_points if margin else Message("solve.move_loses_tie", "loses by the tie rule")


def pie_rule(openings: Mapping[str, Position], found: Mapping[str, Solution], *, all_of_them: bool) -> str:
    """What the proved openings mean for a game with the pie rule; nothing, if none is proved."""
    winners = {move: winner(openings[move], solution) for move, solution in found.items()}
    # With the swap made, the second seat has the colour that opened.
    swap, stay, even = (
        [move for move, seat in winners.items() if seat is wanted] for wanted in (Seat.SECOND, Seat.FIRST, None)
    )
    advice = []
    if swap:
        advice.append(Message("pie.swap", "swap after {openings}", openings=listed(swap)))
    if stay:
        advice.append(Message("pie.stay", "do not swap after {openings}", openings=listed(stay)))
    if even:
        advice.append(Message("pie.even", "after {openings} it is a draw either way", openings=listed(even)))
    if not advice:
        return ""
    if not all_of_them:
        return Message(
            "pie.so_far", "With the pie rule, as far as this is proved: {advice}.", advice=semicolons(advice)
        )
    if even:
        return Message("pie.draw", "With the pie rule the game is a draw: {advice}.", advice=semicolons(advice))
    margins = {move: abs(solution.margin) for move, solution in found.items() if solution.margin is not None}
    if len(margins) == len(found) and len(set(margins.values())) > 1:
        least = [move for move in margins if margins[move] == min(margins.values())]
        return Message(
            "pie.second_least",
            "With the pie rule the second seat wins: {advice}. The first seat loses least with {openings}.",
            advice=semicolons(advice),
            openings=listed(least),
        )
    return Message("pie.second", "With the pie rule the second seat wins: {advice}.", advice=semicolons(advice))


def out_of_reach(position: Position) -> str | None:
    """A warning where a proof is not to be expected; None where it is."""
    if position.size == 3 or (position.game, position.size) == ("petrify", 4):
        return None
    pentwall = position.game == "pentwall"
    told = {
        "left": 12 - position.ply if pentwall else position.size**2 - len(position.pieces()),
        "most": WITHIN_REACH[position.game],
    }
    if told["left"] <= told["most"]:
        return None
    if pentwall:
        return Message(
            "solve.far_pentwall",
            "{left} pentominoes are left, and with more than about {most} a proof may take hours or be out of reach; "
            "trying all the same, until Ctrl-C or a limit",
            **told,
        )
    return Message(
        "solve.far",
        "{left} empty squares are left, and with more than about {most} a proof may take hours or be out of reach; "
        "trying all the same, until Ctrl-C or a limit",
        **told,
    )


def as_data(position: Position, solution: Solution) -> dict[str, Any]:
    """A solution for programs, with the winner by name."""
    seat = winner(position, solution)
    colour = None if seat is None else position.colour_of(seat).value
    fields = {name: value for name, value in asdict(solution).items() if name not in ("best_moves", "all_best")}
    return {**fields, "winning_seat": seat and seat.value, "winning_colour": colour}
