"""Write the proved ends of games in tests/data/endgames, on which `benchmarks.strength.endgames` measures nets.

    python scripts/proved_endgames.py [petrify6 petrify8 pilo6 pilo8 pentwall10 pyloff6]

One position a game, so that they are independent. The games are played by chance and by the search with playouts, in
turn (Pyloff's by chance alone), each with a seed of its own; no net has a part in them, so none has learned from them.
Kept are 200 positions in which some move gives the result away, and the first 40 in which none does. A run that was
broken off goes on. `purlieu.solver.endgames` reads the lines.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import purlieu
from purlieu.core import core
from purlieu.solver.endgames import Endgame, Worth, read_endgames, things_left
from purlieu.solver.pyloff import has_circle
from purlieu.solver.solve import new_solver

if TYPE_CHECKING:
    from purlieu.core._core import Position

FOLDER = Path(__file__).parent.parent / "tests" / "data" / "endgames"
LEFT = {
    "petrify6": (6, 7, 8, 9),
    "petrify8": (5, 6, 7, 8),
    "pilo6": (2, 3, 4, 5),
    "pilo8": (2, 3, 4, 5),
    "pentwall10": (4,),
    "pyloff6": (),
}
"""Of each set, how much is left: empty squares, or pentominoes. In Pyloff as much as can be proved."""
WITH_A_CHOICE, DECIDED = 200, 40
MOST_NODES = 300_000
"""For each move's proof."""
MOST_POSITIONS = 300
"""In a proof of Pyloff's."""
SIMULATIONS = 200
CLOSE = 3
"""Pyloff's games are kept if they end by no more points: in the others nothing is left to decide."""
OPENING = 4
"""Turns by chance at the beginning of a game that the search plays."""


UNKNOWN = Worth(0, 0)
"""Of a position that is being looked at; to meet it again would be a circle."""


def main() -> None:
    """Go on with the sets named, or with all."""
    parser = argparse.ArgumentParser(description="Proved ends of games to measure nets on.")
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(LEFT)}; all without one")
    asked = parser.parse_args().sets or list(LEFT)
    if unknown := [name for name in asked if name not in LEFT]:
        parser.error(f"there is no set {unknown[0]}; the sets are {', '.join(LEFT)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in asked:
        print(gather(name, FOLDER / f"{name}.jsonl"), flush=True)


def gather(name: str, path: Path) -> str:
    """Add to a set's file until it is full; says what was met on the way."""
    kept = list(read_endgames(path))
    choices = sum(each.has_a_choice for each in kept)
    decided, at = len(kept) - choices, kept[-1].game + 1 if kept else 0
    met = Counter[str]()
    with path.open("a", encoding="utf-8") as file:
        while choices < WITH_A_CHOICE:
            found = find(name, at)
            met["without a proof" if found is None else "with a choice" if found.has_a_choice else "decided"] += 1
            if found:
                choices += found.has_a_choice
                decided += not found.has_a_choice
                if found.has_a_choice or decided <= DECIDED:
                    file.write(found.to_json() + "\n")
                    file.flush()
            at += 1
    return f"{name}: {len(kept)} positions were there; then " + ", ".join(f"{met[kind]} {kind}" for kind in sorted(met))


def find(name: str, number: int) -> Endgame | None:
    """The proved position of the set's game of that number, with two moves or more; None if there is none."""
    random = Random(f"{name} {number}")
    game, size = name.rstrip("0123456789"), int(name.lstrip("abcdefghijklmnopqrstuvwxyz"))
    played = list(play(game, size, random, searching=number % 2 == 1 and game != "pyloff"))
    if game == "pyloff":
        return furthest_proof(played, number)
    left = random.choice(LEFT[name])
    position = next((each for each in played if things_left(purlieu.parse(each.text())) <= left), None)
    moves = prove(position) if position else None
    return Endgame.of(position.text(), moves, number) if position and moves and len(moves) > 1 else None


def play(game: str, size: int, random: Random, *, searching: bool) -> Iterator[Position]:
    """The positions of a game."""
    position = core().Position.start(game, size)
    while not position.is_over:
        yield position
        if searching and position.ply >= OPENING:
            search = core().Search(position, seed=random.getrandbits(40))
            move = search.run(simulations=SIMULATIONS).best_move
        else:
            move = random.choice(position.legal_moves())
        position = position.play(move)


def prove(position: Position) -> dict[str, Worth] | None:
    """What each move is worth, by the exact solver; None if that takes too long. A solver of its own, so that what is
    proved does not depend on what was before."""
    solver = new_solver(32)
    moves = {}
    for move in position.legal_moves():
        solved = solver.solve(position.play(move), score=True, nodes=MOST_NODES)
        if solved is None or solved.margin is None:
            return None
        moves[move] = Worth({"win": 1, "draw": 0, "loss": -1}[solved.value], solved.margin).to_the_other()
    return moves


def furthest_proof(played: list[Position], number: int) -> Endgame | None:
    """Back from the end of a Pyloff game to the furthest position with a proof, without its past: one in which a move
    gives the result away, or else any with two moves or more. None if the game was not close."""
    if abs(final(played[-1]).margin) > CLOSE:
        return None
    proved: list[Endgame] = []
    for position in map(without_past, reversed(played)):
        moves = prove_pyloff(position)
        if moves is None:
            break
        if len(moves) > 1:
            proved.append(Endgame.of(position.text(), moves, number))
    chosen = [each for each in proved if each.has_a_choice] or proved
    return chosen[-1] if chosen else None


def without_past(position: Position) -> Position:
    """A Pyloff position as if the game had begun there."""
    game, board, ply, passes, *_ = position.text().split()
    return core().Position.parse(f"{game} {board} {ply} {passes}")


class _TooMany(Exception):
    """More positions than can be looked at."""


def prove_pyloff(position: Position) -> dict[str, Worth] | None:
    """What each move is worth, from all that can still happen: if no board can come twice, ko forbids nothing, and
    minimax over positions without their past is exact. None if a board can, or if there are too many."""
    known: dict[str, Worth] = {}
    leads: dict[bytes, set[bytes]] = {}

    def worth(at: Position) -> Worth:
        text = at.text()
        if text not in known:
            if len(known) > MOST_POSITIONS:
                raise _TooMany
            known[text] = UNKNOWN
            board = leads.setdefault(board_of(at), set())
            found = []
            for move in at.legal_moves():
                after = without_past(at.play(move))
                if move != "pass":
                    board.add(board_of(after))
                found.append(worth(after).to_the_other())
            known[text] = max(found) if found else final(at)
        return known[text]

    try:
        worth(position)
    except (_TooMany, RecursionError):
        return None
    if has_circle(leads):
        return None
    return {move: worth(without_past(position.play(move))).to_the_other() for move in position.legal_moves()}


def board_of(position: Position) -> bytes:
    """The marbles as they stand."""
    return position.text().split()[1].encode()


def final(position: Position) -> Worth:
    """What the end of a game is worth to the side whose turn it would be."""
    first, second = position.score()
    margin = first - second if position.to_move == "first" else second - first
    return Worth((margin > 0) - (margin < 0), margin)


if __name__ == "__main__":
    main()
